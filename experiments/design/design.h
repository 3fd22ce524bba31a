/* experiments/design/design.h - joint search of switch, topology and routing for the Pareto front of a space of
 * candidates.
 *
 * A candidate assigns one value to every variable of the study that applies. It becomes a design of a comparison
 * (compare), whose networks, bounds, runs and saturation searches are used here. 1. Invalid configurations and
 * candidates that violate a limit are rejected with the reason. 2. Bounds give the best possible value of every
 * objective of each candidate. 3. Short runs simulate the more promising half of the waiting candidates, repeatedly. 4.
 * Long runs refine candidates for which the front is undecided. 5. Runs with seeds of their own measure the front. A
 * candidate is eliminated when another is not worse in every objective, or not significantly worse (`width`). A
 * saturation search begins at the load at which similar candidates saturated; of the traffics of a candidate, the least
 * known one runs next.
 *
 * The choice of the next runs depends on results only, so the digest over all runs is reproducible.
 *
 * Objectives are stored such that lower is better, each with an interval [best, worst]. */
#ifndef EXPERIMENTS_DESIGN_DESIGN_H
#define EXPERIMENTS_DESIGN_DESIGN_H

#include "experiments/compare/compare.h"
#include "switch/switch.h"

enum xp_goal {
	XP_GOAL_COST,
	XP_GOAL_WATTS,
	XP_GOAL_CABLES,
	XP_GOAL_PORTS,
	XP_GOAL_BUFFERS,
	XP_GOAL_SATURATION,
	XP_GOAL_MEAN,
	XP_GOAL_P99,
	XP_GOALS
};
extern const char *const xp_goal_names[XP_GOALS];
extern const char *const xp_goal_units[XP_GOALS];

/* Condition of a variable: an earlier variable has one of the listed labels. A variable applies only if all its
 * conditions hold. */
struct xp_proviso {
	size_t variable;
	char **label;
	size_t n;
};

struct xp_variable {
	char *path;
	char **value, **at; /* [n] as text of an assignment; where it is written */
	size_t n;
	struct xp_proviso *when;
	size_t nwhen;
};

#define XP_NO_VALUE SIZE_MAX

/* A candidate: one assignment of values to the variables. */
struct xp_space_candidate {
	char *name;
	size_t *value;          /* [variables], XP_NO_VALUE: it does not apply */
	char *topology;         /* "topology={ ... }" */
	char *routing;          /* NULL: the base's */
	char **more;            /* other sections */
	size_t nmore, net, way; /* way: of the study's routings */
	char *rejected;         /* why it takes no part; NULL: it does */
	struct xp_design *design;
	const struct base_plugin *proved_in; /* kind of switch; NULL: not proved free of deadlock */
	enum sw_waits proved_waits;          /* in one that waits so, with so many virtual channels */
	uint32_t proved_vcs;
	double best[XP_GOALS], worst[XP_GOALS];
	double idle_mean_ns, idle_p99_ns; /* lower bounds of latency: of the first traffic, if it met no other packet */
	bool out, chosen, front, tied;    /* tied: not on the front, but not surely worse */
	bool measured;                    /* by runs of the front's own seed */
	size_t beaten_by;                 /* the first that was seen to be better; XP_NO_VALUE: none was */
};

struct xp_space_numbers {
	int64_t most; /* candidates; a larger space is sampled */
	int64_t least_endpoints, most_endpoints, radix;
	double cost, watts, cables, reach; /* per endpoint; m; 0: no limit */
	uint64_t buffer;
	bool deadlock_free;
};

struct xp_search_space {
	struct xp_compare c;
	struct xp_space_numbers number;
	struct xp_variable *variable;
	size_t nvariables;
	enum xp_goal goal[XP_GOALS];
	size_t ngoals;
	double *weight; /* [columns] of the mix */
	size_t nweights;
	struct xp_space_candidate *candidate;
	double **hops; /* [nets] fraction of the pairs of endpoints by the distance of their switches, until the
	                  fractions sum up to 1; NULL: not known. Computed on demand */
	size_t ncandidates, fresh_from; /* the first of the runs with seeds of the front */
	double space;                   /* candidates there are */
	uint64_t seed;
	char *fresh;
	bool complete;
};

extern const struct base_param xp_space_keys[], xp_limit_keys[];

/* Reads a study, and enumerates its candidates. space.c */
int xp_space_read(struct xp_search_space *s, const char *path, struct base_errors *errors);
int xp_space_list(struct xp_search_space *s, struct base_errors *errors);
void xp_space_free(struct xp_search_space *s);
/* The label of a candidate's value of a variable; NULL: the variable does not apply. */
const char *xp_space_candidate_label(const struct xp_search_space *s, const struct xp_space_candidate *k,
                                     size_t variable);
/* Creates designs and bounds for the admissible candidates. Writes nothing. admit.c */
int xp_space_admit(struct xp_search_space *s, struct base_errors *errors);
/* The text of the study's base configuration or of `config`, owned by the caller; NULL with an error. */
char *xp_space_base(const struct xp_search_space *s, size_t *bytes, struct base_errors *errors);
/* The seed of that configuration text, and the seed of runs that measure the front. seed.c */
void xp_space_seed(struct xp_search_space *s, const char *text, size_t bytes);
/* Lower bounds of a candidate's latency: the zero-load latency of shortest paths of `unit` in an idle network. idle.c
 */
void xp_space_candidate_idle(struct xp_search_space *s, struct xp_space_candidate *k, const struct xp_config *config,
                             const struct xp_unit *unit);
/* Updates the intervals of the objectives from bounds and runs. value.c */
void xp_space_candidate_value(const struct xp_search_space *s, struct xp_space_candidate *k);
bool xp_wants(const struct xp_search_space *s, enum xp_goal goal);
bool xp_saturates(const struct xp_search_space *s);
bool xp_has_latency(const struct xp_search_space *s);
/* The contribution of a series to the uncertainty of the saturation of the mix; the largest one is run next. */
double xp_series_doubt(const struct xp_search_space *s, const struct xp_design *d, size_t column);
/* The saturation load of the mix, from the lower or the upper ends of its series. */
double xp_mix_of(const struct xp_search_space *s, const struct xp_design *d, bool high);
/* Sets xp_series.longer of series whose search by long runs begins, such that the saturation of the mix will be known
 * within the tolerance as far as can be predicted. windows.c */
void xp_windows_begin(const struct xp_search_space *s, struct xp_design *d);
/* If all series are refined but the mix is not known precisely enough: chooses the least known series for which longer
 * windows help, and continues with longer windows. */
void xp_windows_longer(const struct xp_search_space *s, struct xp_design *d);
/* Stores the saturation loads of similar candidates in xp_series.hint. promise.c */
void xp_space_candidate_hints(const struct xp_search_space *s, struct xp_space_candidate *k);
/* The waiting candidates, most promising first by hints and bounds; owned by the caller. */
struct xp_space_candidate **xp_promising(struct xp_search_space *s, size_t *n);
/* Decisions from best[] and worst[] only. A candidate is in the race if it is neither rejected nor eliminated. decide.c
 */
bool xp_races(const struct xp_space_candidate *k);
/* Eliminates candidates that cannot be on the front, or not by more than the tolerance. */
void xp_sieve(struct xp_search_space *s);
/* Do the confidence intervals leave undecided whether this candidate dominates another one in the race, or is dominated
 * by it? One candidate dominates another if it is better in every objective. */
bool xp_unclear(const struct xp_search_space *s, const struct xp_space_candidate *k);
/* Marks the front by the centres of intervals, and the candidates that are not significantly worse. */
void xp_find_front(struct xp_search_space *s);
/* Locks the results directory, runs the search, and writes results. Returns an exit status. halving.c */
int xp_space_run(struct xp_search_space *s, struct base_errors *errors);
/* print.c */
void xp_space_text(const struct xp_search_space *s);
void xp_space_json(const struct xp_search_space *s, struct base_json *j);
int xp_space_write(struct xp_search_space *s, struct base_errors *errors);

#endif
