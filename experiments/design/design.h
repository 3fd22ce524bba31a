/* experiments/design/design.h - switch, topology and routing chosen together: the Pareto front of a space of
 * candidates.
 *
 * A candidate gives every variable of the study that applies to it one value. It becomes a design of a comparison
 * (experiments/compare), whose networks, bounds, runs and searches for saturation are used here. 1. What no
 * configuration admits, and what breaks a constraint, is rejected with the reason. 2. Bounds give every candidate the
 * best that it can be in each objective. 3. Short runs, the more promising half of those that wait at a time; 4. long
 * ones where the front is not clear; 5. runs with a seed of their own for those on the front. A candidate leaves the
 * race when another is surely no worse in every objective, or not distinguishably so (`width`). A search begins where
 * similar candidates were found to saturate; of a candidate's traffics the one that is known least is run next.
 *
 * What is run next depends on results alone, so the digest over all runs is the same each time.
 *
 * Objectives are kept so that less is better, each known to lie in [best, worst]. */
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

/* A variable has a value only where each of its conditions holds: an earlier variable has one of some labels. */
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

/* One way to give the variables their values. */
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
	double **hops; /* [nets] share of pairs of endpoints by the switches' distance, until their sum is 1; NULL: not
	                  known. Made when asked for */
	size_t ncandidates, fresh_from; /* the first of the runs with seeds of the front */
	double space;                   /* candidates there are */
	uint64_t seed;
	char *fresh;
	bool complete;
};

extern const struct base_param xp_space_keys[], xp_limit_keys[];

/* space.c: reads a study, and lists its candidates. */
int xp_space_read(struct xp_search_space *s, const char *path, struct base_errors *errors);
int xp_space_list(struct xp_search_space *s, struct base_errors *errors);
void xp_space_free(struct xp_search_space *s);
/* The label of a candidate's variable; NULL: it does not apply. */
const char *xp_space_candidate_label(const struct xp_search_space *s, const struct xp_space_candidate *k,
                                     size_t variable);
/* admit.c: designs and bounds of those that are admitted. Writes nothing. */
int xp_space_admit(struct xp_search_space *s, struct base_errors *errors);
/* The text of the study's base or `config`, the caller's; NULL with an error. */
char *xp_space_base(const struct xp_search_space *s, size_t *bytes, struct base_errors *errors);
/* seed.c: the seed of the configuration, which is that text, and that of runs that measure the front. */
void xp_space_seed(struct xp_search_space *s, const char *text, size_t bytes);
/* idle.c: lower bounds of a candidate's latency: zero-load latency of shortest paths, of `unit` in an idle network. */
void xp_space_candidate_idle(struct xp_search_space *s, struct xp_space_candidate *k, const struct xp_config *config,
                             const struct xp_unit *unit);
/* value.c: takes in what bounds and runs say of the objectives. */
void xp_space_candidate_value(const struct xp_search_space *s, struct xp_space_candidate *k);
bool xp_wants(const struct xp_search_space *s, enum xp_goal goal);
bool xp_saturates(const struct xp_search_space *s);
bool xp_has_latency(const struct xp_search_space *s);
/* The share of a series in the time of the mix that is not known yet; it is worth most to run next. */
double xp_series_doubt(const struct xp_search_space *s, const struct xp_design *d, size_t column);
/* The saturation of the mix by the lower or the upper ends of its series. */
double xp_mix_of(const struct xp_search_space *s, const struct xp_design *d, bool high);
/* windows.c: sets xp_series.longer of series that begin to be searched by long runs, so that the mix will be known
 * within the width as far as is known. */
void xp_windows_begin(const struct xp_search_space *s, struct xp_design *d);
/* When all its series are refined and the mix is not known so well: goes on with longer windows for the one that is
 * known least, of those for which it helps. */
void xp_windows_longer(const struct xp_search_space *s, struct xp_design *d);
/* promise.c: where similar candidates saturate, to xp_series.hint. */
void xp_space_candidate_hints(const struct xp_search_space *s, struct xp_space_candidate *k);
/* Those in the race that wait, the most promising first, by hints and bounds; the caller's. */
struct xp_space_candidate **xp_promising(struct xp_search_space *s, size_t *n);
/* decide.c, from best[] and worst[] alone. In the race: neither rejected nor out. */
bool xp_races(const struct xp_space_candidate *k);
/* Takes those out that cannot be on the front, or not by more than the width. */
void xp_sieve(struct xp_search_space *s);
/* May another one in the race, or this one of another, be better in every objective, as far as is known? */
bool xp_unclear(const struct xp_search_space *s, const struct xp_space_candidate *k);
/* Marks the front by the middles of intervals, and what is not surely worse. */
void xp_find_front(struct xp_search_space *s);
/* halving.c: takes the folder, runs, and writes results. Returns an exit status. */
int xp_space_run(struct xp_search_space *s, struct base_errors *errors);
/* print.c */
void xp_space_text(const struct xp_search_space *s);
void xp_space_json(const struct xp_search_space *s, struct base_json *j);
int xp_space_write(struct xp_search_space *s, struct base_errors *errors);

#endif
