/* experiments/design/design.h - joint search of switch, topology and routing: computes the Pareto front of a space of
 * candidates.
 *
 * A candidate assigns a value to every variable of the study that applies to it. It is treated as a design of `tilefly
 * compare`, whose networks, bounds, runs and saturation searches are used here. The steps are:
 *
 *   1. Candidates with an invalid configuration, or that violate a limit, are rejected
 *      with the reason.
 *   2. Bounds give the best possible value of every objective of each candidate.
 *   3. Short runs simulate the more promising half of the waiting candidates, repeatedly.
 *   4. Long runs refine candidates for which the front is undecided.
 *   5. Runs with seeds of their own measure the candidates of the front.
 *
 * A candidate is eliminated when another one is better or equal in every objective, or worse only within the tolerance
 * `width`. A saturation search begins at the load at which similar candidates saturated. Of the traffics of a
 * candidate, the one whose saturation is least known is simulated next.
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

/* A condition under which a variable applies to a candidate: an earlier variable has one of the listed labels. A
 * variable applies only if all its conditions hold. */
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

/* A candidate of a search: it assigns one value to each variable that applies to it. */
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
	double **hops; /* hops[net][h]: fraction of the pairs of endpoints whose switches are h links apart; the array
	                  of a network ends where the fractions sum up to 1. NULL: not known. Computed on demand */
	size_t ncandidates, fresh_from; /* the first of the runs with seeds of the front */
	double space;                   /* candidates there are */
	uint64_t seed;
	char *fresh;
	bool complete;
};

extern const struct base_param xp_space_keys[], xp_limit_keys[];

/* xp_space_read() reads a study from a file, and xp_space_list() enumerates its candidates. space.c */
int xp_space_read(struct xp_search_space *s, const char *path, struct base_errors *errors);
int xp_space_list(struct xp_search_space *s, struct base_errors *errors);
void xp_space_free(struct xp_search_space *s);
/* Returns the label of the value that a candidate gives to a variable. NULL: the variable does not apply to the
 * candidate. */
const char *xp_space_candidate_label(const struct xp_search_space *s, const struct xp_space_candidate *k,
                                     size_t variable);
/* Creates the designs of all admissible candidates and computes their bounds. Rejects the other candidates with a
 * reason. Writes no files. Returns 0, or -1 with errors; it is an error if no candidate is admissible. admit.c */
int xp_space_admit(struct xp_search_space *s, struct base_errors *errors);
/* Returns the configuration that all candidates are based on, as text owned by the caller: the study's section
 * `config`, or the content of the file that `base` names. NULL with an error. */
char *xp_space_base(const struct xp_search_space *s, size_t *bytes, struct base_errors *errors);
/* Sets the seed of the search, which is the seed of the base configuration `text`, and derives from it the seed of the
 * runs that measure the front. seed.c */
void xp_space_seed(struct xp_search_space *s, const char *text, size_t bytes);
/* Computes lower bounds of a candidate's mean and 99th percentile latency, from the shortest paths of its idle network.
 * `unit` contains the traversal time of its switches. idle.c */
void xp_space_candidate_idle(struct xp_search_space *s, struct xp_space_candidate *k, const struct xp_config *config,
                             const struct xp_unit *unit);
/* Updates the intervals of a candidate's objectives from its bounds and runs. value.c */
void xp_space_candidate_value(const struct xp_search_space *s, struct xp_space_candidate *k);
bool xp_wants(const struct xp_search_space *s, enum xp_goal goal);
bool xp_saturates(const struct xp_search_space *s);
bool xp_has_latency(const struct xp_search_space *s);
/* Returns how much a series (the runs of one candidate with one traffic) contributes to the uncertainty of the
 * candidate's saturation load. The series with the largest contribution is run next. */
double xp_series_doubt(const struct xp_search_space *s, const struct xp_design *d, size_t column);
/* Returns the saturation load of a candidate under the mix of all traffics, computed from the upper (high) or the lower
 * ends of the intervals of its series. */
double xp_mix_of(const struct xp_search_space *s, const struct xp_design *d, bool high);
/* Sets xp_series.longer, the factor of the window length, of all series of a candidate before their long runs. The
 * factors are chosen such that the saturation load of the mix is predicted to be known within the tolerance. windows.c
 */
void xp_windows_begin(const struct xp_search_space *s, struct xp_design *d);
/* Continues the search of a candidate whose series are all refined, but whose saturation load of the mix is not known
 * within the tolerance. Chooses the least known series for which longer windows help, and lengthens its windows. */
void xp_windows_longer(const struct xp_search_space *s, struct xp_design *d);
/* Sets xp_series.hint of a candidate's series to the saturation loads of similar candidates. promise.c */
void xp_space_candidate_hints(const struct xp_search_space *s, struct xp_space_candidate *k);
/* Returns the remaining candidates that wait for their first runs, most promising first according to hints and bounds.
 * The array is owned by the caller. */
struct xp_space_candidate **xp_promising(struct xp_search_space *s, size_t *n);
/* Returns whether a candidate is neither rejected nor eliminated. xp_races(), xp_sieve(), xp_unclear() and
 * xp_find_front() are in decide.c and use only the intervals best[] and worst[] of the candidates. */
bool xp_races(const struct xp_space_candidate *k);
/* Eliminates candidates that cannot be on the Pareto front, and candidates that another one equals or surpasses within
 * the tolerance. */
void xp_sieve(struct xp_search_space *s);
/* Returns whether the confidence intervals leave undecided if this candidate dominates another remaining one or is
 * dominated by it. One candidate dominates another if it is at least as good in every objective and better in one. */
bool xp_unclear(const struct xp_search_space *s, const struct xp_space_candidate *k);
/* Sets `front` of the candidates that are on the Pareto front according to the centres of their intervals, and `tied`
 * of the other ones that are not significantly worse. */
void xp_find_front(struct xp_search_space *s);
/* Executes the search: locks the results directory, runs simulations until the front is determined, and writes the
 * results. Returns an exit status. halving.c */
int xp_space_run(struct xp_search_space *s, struct base_errors *errors);
/* print.c */
void xp_space_text(const struct xp_search_space *s);
void xp_space_json(const struct xp_search_space *s, struct base_json *j);
int xp_space_write(struct xp_search_space *s, struct base_errors *errors);

#endif
