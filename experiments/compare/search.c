/* experiments/compare/search.c - finds the saturation load of a series with few runs.
 *
 * A run sustains its load L if every job gets XP_CARRIED of its offered load; a short run if every job gets NEARLY
 * that, since a longer one may deliver all. A run slightly above saturation gives both an upper bound and a lower bound
 * of the throughput: a load equal to what it delivered would be delivered as well. A run far above gives neither, since
 * a network that is still filling up, or that collapses under overload, delivers less than it could; it only guides the
 * choice of the next load. A run that delivers less than a shorter one did belongs to a network that collapses, and is
 * treated as far above.
 *
 * Invariants: carried < beyond <= never, if they are known; these, seen, most and sure come from runs of this stage;
 * floor and shown are what shorter runs carried and delivered. A window that is too short makes both ends too low,
 * because queues converge slowly near saturation. The upper end is raised by the gain observed with longer windows, but
 * not above any bound. */
#include "experiments/compare/compare.h"

#include <math.h>

#define ABOVE_BOUND 1.05 /* the first load: a little more than can be carried */
#define ABOVE_EXPECTED 1.025
#define A_LITTLE_ABOVE 1.056 /* the first load of long runs, over what short ones delivered at most */
#define LITTLE_IF_ADAPTIVE 1.046
#define FAR_BEYOND 0.92       /* share of the offered load below which a run says little of saturation */
#define FAR_IF_ADAPTIVE 0.955 /* the same of long runs of adaptive routings, most of which choke somewhat */
#define NEARLY 0.955          /* share of which longer windows may make all: in short runs, that is carried */
#define ALL 0.99              /* share from which on a load near the bound shows that there is no more above it */
#define FAR_ABOVE 1.15        /* the step of short runs, as long as all is carried */
#define MOST_STEP 4.0
#define A_LITTLE_BELOW 0.995
#define CHOKED_NEAR 0.97  /* share of what is delivered near saturation that one which chokes may come down to */
#define NEAR_ALL 0.995    /* share from which on saturation may be further above */
#define NEAR_ABOVE 1.05   /* the next load after a run far beyond, in what was delivered */
#define NEARER_ABOVE 1.03 /* after one that is far for adaptive routings only; the step near saturation */
#define STEP_DOWN 0.97    /* the next load, in that of the last, where these would be no step */
#define NEAR 1.01         /* the ratio of two loads that are not worth telling apart */
#define LONG_NEAR 1.005   /* the same of long runs */
#define LEAST_LOAD 1e-4
/* longer windows add up to FILLING / packets to what a window delivers whose warm-up was as long; docs/compare.md */
#define FILLING 9.0
#define WARM 1200.0 /* packets of the longest warm-up: some networks choke late */
#define MOST_ADDS 0.25
#define MOST_NOISE 0.25
#define LEAST_INDEX 0.5  /* of dispersion */
#define LEAST_ADDS 0.015 /* some networks choke late, so that nothing is ever known better than that */
#define LATE 0.0075      /* the same below what was carried */
#define LONGER 2         /* times the window of the stage before */
#define LEAST_LONGER 1.4
#define WIDER 1.25 /* steps of windows that are to be long enough from the beginning */
#define LONGEST XP_SEARCH_LONGEST
#define MOST_TRIES 14

static double top_of(const struct xp_series *s)
{
	return s->cap.share >= 0 ? fmin(1, s->cap.share) : 1;
}

static double uneven(const struct xp_series *s)
{
	return s->demand ? s->demand->uneven : 1; /* NULL: traffic that nothing is known of */
}

static bool adapts(const struct xp_series *s)
{
	return !s->design || s->design->adaptive;
}

static double growth(const struct xp_series *s)
{
	return uneven(s) * (s->depth > XP_SEARCH_DEPTH ? s->depth / XP_SEARCH_DEPTH : 1);
}

double xp_search_packets(const struct xp_series *s, double packets)
{
	return fmax(packets * growth(s), adapts(s) ? s->depth : 0);
}

double xp_search_warmup(const struct xp_series *s, double packets)
{
	return fmin(packets, WARM * growth(s));
}

/* The gain that a longer window may have over one of so many packets. From w to 2 w packets a network takes in up to
 * FILLING packets per endpoint, for every w, hence FILLING log2(1 + window / warm-up) in a window. */
static double filling(const struct xp_series *s, double window)
{
	double takes_in = FILLING * growth(s) * log2(1 + window / xp_search_warmup(s, window));
	return fmax(LEAST_ADDS, fmin(MOST_ADDS, takes_in / window));
}

/* How much less longer windows may deliver in networks that collapse under overload, relative to what they may add. */
static double may_fall(double adds)
{
	return fmax(LATE, adds / 2);
}

bool xp_series_is_wide(const struct xp_series *s, double width)
{
	return s->high > 0 && (s->high - s->low) / (s->high + s->low) > width;
}

static double noise_in(const struct xp_series *s, double window)
{
	return s->packets > 0 ? fmin(MOST_NOISE, s->noise * sqrt(s->packets / window)) : 0;
}

double xp_search_half_width(const struct xp_series *s, double packets)
{
	double window = xp_search_packets(s, packets), noise = noise_in(s, window), adds = filling(s, window);
	return (adds + noise + fmax(may_fall(adds), noise)) / 2;
}

void xp_search_widen(struct xp_series *s, double packets, double half_width)
{
	while (s->longer < LONGEST) {
		double n = packets * s->longer, window = xp_search_packets(s, n);
		if (filling(s, window) > LEAST_ADDS * (1 + 1e-9) || noise_in(s, window) <= LATE ||
		    xp_search_half_width(s, n) <= half_width)
			return;
		s->longer = fmin(LONGEST, s->longer * WIDER);
	}
}

/* The job that gets the least of what it offers. */
static const struct xp_share *hardest(const struct xp_sim_run *run, double *ratio)
{
	const struct xp_share *worst = &run->job[0];
	*ratio = INFINITY;
	for (int i = 0; i < run->jobs; i++) {
		double r = run->job[i].offered > 0 ? run->job[i].accepted / run->job[i].offered : INFINITY;
		if (r < *ratio) {
			*ratio = r;
			worst = &run->job[i];
		}
	}
	return worst;
}

static double a_little_above(const struct xp_series *s)
{
	return adapts(s) ? LITTLE_IF_ADAPTIVE : A_LITTLE_ABOVE;
}

void xp_search_begin(struct xp_series *s, enum xp_stage stage)
{
	double top = top_of(s);
	s->stage = stage;
	s->tries = 0;
	s->beyond = s->never = s->sure = s->shown = s->choked = s->seen = 0;
	s->expected = stage == XP_SEARCH ? 0 : s->high;
	double first = fmin(top, s->hint > 0 ? s->hint : s->guess);
	if (stage == XP_SEARCH) {
		s->high = top;
		s->next = fmin(1, ABOVE_BOUND * first);
	} else {
		bool between = s->low > 0 && s->low < s->most; /* saturation is */
		s->next = fmin(1, between       ? a_little_above(s) * s->most
		                  : s->most > 0 ? ABOVE_BOUND * s->most
		                  : s->low > 0  ? a_little_above(s) * s->low
		                                : ABOVE_BOUND * fmin(first, s->high));
		s->shown = fmax(s->low, s->most * (1 - fmax(LATE, s->noise)) / (1 + s->noise));
		s->most = 0;
		s->floor = s->carried;
		s->carried = 0;
		s->longer = 1;
	}
}

bool xp_search_longer(struct xp_series *s)
{
	double longer = fmin(LONGEST, s->longer * LONGER);
	if (longer < s->longer * LEAST_LONGER || s->low <= 0 || s->most <= 0 ||
	    (s->noise < LATE && s->adds <= LEAST_ADDS))
		return false;
	xp_search_begin(s, XP_REFINE);
	s->longer = longer;
	return true;
}

/* Relative variance of the number of packets that a job delivers: that of Poisson sources, which is an upper bound for
 * most traffic. The variance of Bernoulli sources with load p is 1 - p of it, and half is assumed for packets that
 * cross their paths. */
static double noise_of(const struct xp_series *s, const struct xp_share *job)
{
	double own = job->offered * (job->weight > 0 ? job->weight : 1);
	double index = uneven(s) * (s->demand && s->demand->slotted ? fmax(LEAST_INDEX, 1 - own) : 1);
	return job->delivered ? fmin(MOST_NOISE, 1.96 * sqrt(index / (double)job->delivered)) : 0;
}

static double near(const struct xp_series *s)
{
	return s->stage == XP_SEARCH ? NEAR : LONG_NEAR;
}

static void end(struct xp_series *s)
{
	s->stage = s->stage == XP_SEARCH ? XP_KNOWN : XP_REFINED;
}

/* Chooses the next load between the largest load that was sustained and the smallest load that was not (or is not
 * expected to be). The stage ends if these two loads are close to each other. */
static void go_on(struct xp_series *s, double load, double ratio)
{
	bool whole = s->stage == XP_SEARCH && ratio >= XP_CARRIED, nearly = s->stage != XP_SEARCH && ratio < NEAR_ALL;
	/* where one starts far below, steps grow */
	double step = whole    ? FAR_ABOVE
	              : nearly ? NEARER_ABOVE
	                       : a_little_above(s),
	       times = ldexp(1, s->tries - (whole ? 1 : 2));
	step = fmin(MOST_STEP, pow(step, fmax(1, times)));
	double above = s->beyond > 0 ? s->beyond : fmin(1, ABOVE_BOUND * top_of(s));
	if (s->carried > 0 && s->beyond <= 0 && !nearly && s->expected > s->carried * near(s) && s->expected < above)
		load = fmin(above, ABOVE_EXPECTED * s->expected);
	else if (s->carried > 0 && s->beyond <= 0 && s->carried * step < above)
		load = s->carried * step;
	else if (s->carried > 0 && (load <= s->carried * near(s) || load >= above / near(s)))
		load = sqrt(s->carried * above);
	else if (load >= above / near(s))
		load = above * STEP_DOWN;
	s->next = load;
	if (s->tries >= MOST_TRIES || above <= s->carried * near(s) * near(s) || above < LEAST_LOAD)
		end(s);
}

static double most_possible(const struct xp_series *s)
{
	return s->never > 0 ? fmin(top_of(s), s->never) : top_of(s);
}

/* The largest throughput delivered, beyond saturation or at a sustained load, plus the gain of longer windows. */
static double highest(const struct xp_series *s, double adds)
{
	return fmin(most_possible(s), fmax(s->most, s->seen) * (1 + adds));
}

static void take_carried(struct xp_series *s, const struct xp_sim_run *run, const struct xp_share *job, double ratio,
                         double adds)
{
	double top = top_of(s), noise = noise_of(s, job);
	/* a few flows may have carried more than can be, by what they happened to offer */
	double surely =
	    fmin(run->load * fmin(1, ratio), run->load > top ? top * XP_CARRIED : top) * (1 - fmax(LATE, noise));
	for (int i = 0; i < run->jobs; i++) /* nor may they have offered less than they were to */
		surely = fmin(surely, run->job[i].accepted);
	s->carried = fmax(s->carried, run->load);
	s->sure = fmax(s->sure, surely);
	s->low = s->sure; /* shorter ones may have carried more, for as long as they were */
	/* what is delivered may fall beyond saturation: then that is no limit */
	if (s->most > 0 && s->low > s->most * (1 + adds / 2))
		s->most = 0;
	s->seen = fmax(s->seen, fmin(run->load, top) * fmin(1, ratio));
	/* what a network that chokes does not deliver is not what it takes in */
	if (s->choked > 0 && ratio * (1 + adds) < 1)
		s->most = fmax(s->most, job->accepted * (1 + noise));
	s->high = s->most > 0 ? highest(s, adds) : s->beyond > 0 ? fmin(top, s->beyond) : top;
	s->high = fmax(s->high, s->low);
	/* where nearly all of the bound was carried but not of the load, a load above shows how much it is */
	bool all =
	    s->carried >= top * XP_CARRIED && (s->stage == XP_SEARCH || ratio >= ALL || s->carried * near(s) >= top);
	if (s->most > 0 || all)
		end(s);
	else
		go_on(s, 0, ratio);
}

static double far_beyond(const struct xp_series *s)
{
	return s->stage != XP_SEARCH && adapts(s) ? FAR_IF_ADAPTIVE : FAR_BEYOND;
}

/* A load equal to what was delivered slightly above saturation would be delivered as well; for a network that
 * collapses, what it delivers after the collapse. */
static void deliver(struct xp_series *s, const struct xp_share *job, double top, double adds)
{
	double least = s->choked > 0 ? fmin(s->choked, job->accepted) : job->accepted;
	s->sure = fmax(s->sure, fmin(top, least) * (1 - fmax(may_fall(adds), noise_of(s, job))));
	s->low = s->sure;
}

static void take_beyond(struct xp_series *s, const struct xp_sim_run *run, const struct xp_share *job, double ratio,
                        double adds)
{
	/* a network that delivers less than in a shorter window chokes, and may deliver more of a lower load */
	bool chokes = job->accepted * (1 + noise_of(s, job)) < s->shown, far = ratio < far_beyond(s) || chokes;
	if (chokes) {
		s->shown = 0;
		s->choked = job->accepted;
	}
	s->beyond = s->beyond > 0 ? fmin(s->beyond, run->load) : run->load;
	if (s->beyond <= s->carried) /* runs of this stage contradict each other */
		s->carried = s->floor = s->sure = s->low = 0;
	if (s->beyond <= s->floor) { /* shorter ones were wrong */
		s->floor = 0;
		s->low = s->sure;
	}
	if (ratio * (1 + adds) < XP_CARRIED)
		s->never = s->beyond;
	double top = most_possible(s);
	bool known = false;
	s->high = fmax(s->low, fmin(s->high, top));
	if (!far) {
		s->most = fmax(s->most, job->accepted * (1 + noise_of(s, job)));
		known = s->choked <= 0 || s->choked >= CHOKED_NEAR * job->accepted;
		if (known)
			deliver(s, job, top, adds);
		s->high = fmax(s->low, highest(s, adds));
	}
	double load = (ratio < FAR_BEYOND || chokes ? NEAR_ABOVE
	               : far                        ? NEARER_ABOVE
	                                            : A_LITTLE_BELOW) *
	              fmin(job->accepted, run->load * ratio);
	if (s->most > 0 && (known || load <= s->carried * near(s)))
		end(s);
	else
		go_on(s, load, ratio);
}

void xp_search_step(struct xp_series *s, const struct xp_sim_run *run)
{
	double ratio, adds = filling(s, run->packets);
	const struct xp_share *job = hardest(run, &ratio);
	s->senders = run->senders;
	s->noise = noise_of(s, job);
	s->adds = adds;
	s->packets = run->packets;
	s->tries++;
	if (s->stage == XP_SEARCH ? ratio >= NEARLY : xp_load_of(run->said, ratio) == XP_LOAD_CARRIED)
		take_carried(s, run, job, ratio, adds);
	else
		take_beyond(s, run, job, ratio, adds);
}
