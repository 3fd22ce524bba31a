/* experiments/compare/compare.h - comparison of networks of equal cost, or of something else that is equal.
 *
 * 1. Each family is sized by closed forms (costing). 2. Upper bounds of the throughput of every design are computed. 3.
 * Designs that may be the best are simulated by short runs, which search for the load at which they saturate. 4.
 * Designs whose intervals overlap with the best are refined by long runs. 5. Finalists run collectives.
 *
 * The choice of the next runs depends on results only, never on wall time or on the number of simultaneous runs, and
 * the length of a run is counted in packets. So the digest, which covers the digests and ends of all runs, is
 * reproducible. Runs that do not depend on each other's results form a batch, whose runs are child processes and whose
 * results are reused when the command is rerun.
 *
 * A series is a design under one traffic with one message size. Its throughput is a fraction of the injection
 * bandwidth, known to lie in [low, high]: a run sustained the load `low` (every job got XP_CARRIED of its offered
 * load), and no run delivered more than `high`. A column contains the series of all designs with the same traffic and
 * message size. */
#ifndef EXPERIMENTS_COMPARE_COMPARE_H
#define EXPERIMENTS_COMPARE_COMPARE_H

#include "experiments/compare/study.h"
#include "experiments/costing/sizing.h"
#include "experiments/results/saturation.h"
#include "experiments/runs/runs.h"
#include "network/network.h"
#include "routing/bounds/bounds.h"
#include "topo/diversity.h"
#include "topo/survive.h"

#define XP_RUN_SETS 17

/* The purpose of a simulation in a comparison. */
enum xp_fidelity { XP_SHORT, XP_LONG, XP_LATENCY, XP_COLLECTIVE, XP_FIDELITIES };
extern const char *const xp_fidelity_names[XP_FIDELITIES];

/* One job of a run in a comparison. */
struct xp_share {
	double offered, accepted; /* of the injection bandwidth; of a part of a mix, over its weight */
	uint64_t delivered;       /* packets in the window: of those of the run, its share of the time */
	double weight;            /* of the part; 0: as 1 */
};

#define XP_MOST_JOBS (2 * XP_MOST_PARTS)

/* One simulation of the comparison, and its result. */
struct xp_sim_run {
	enum xp_fidelity fidelity;
	char *name; /* of its file */
	char *set[XP_RUN_SETS];
	const char *at[XP_RUN_SETS]; /* of the assignments; at: where the study says it, NULL: nowhere */
	double load, sent, work;     /* sent: packets; work: seconds as far as is known, to start the longest first */
	double packets, of_run;      /* of an endpoint in the window; its share of those of the run */
	char *failed;                /* why there is no result; NULL: none or there is one */
	char *file;                  /* its result log; NULL: none */
	bool done;
	/* The worst permutation consists of two jobs: flows through its channel, and the others. A mix has the jobs of
	 * all its parts. */
	struct xp_share job[XP_MOST_JOBS];
	size_t part[XP_MOST_JOBS]; /* of the mix */
	int jobs;
	uint64_t senders; /* endpoints that send */
	bool again;       /* in place of one that was doubtful */
	bool precise;
	enum sim_stationarity said;                                 /* of itself: experiments/results/saturation.h */
	double mean_ns, p99_ns, p999_ns, mean_half_ns, p99_half_ns; /* latency; NAN: not known */
	uint64_t finished; /* members of a collective that ended their iteration */
	double slowest_ns; /* the last of them; NAN */
	double simulated_ns, wall_s;
	uint64_t packet_hops, events;
	char digest[24];
};

/* An upper bound, or the reason why there is none. */
struct xp_cap {
	double share; /* of the injection bandwidth; INFINITY: nothing limits; negative: not known */
	const char *why;
	bool any; /* it holds for every routing: this one may carry much less */
};

/* Throughput under uniform traffic when a fraction of the cables has failed. */
struct xp_left {
	double uniform;        /* over what it was, by the loads of channels; negative: not known */
	uint32_t draws, whole; /* cables are drawn so often; draws that cut no switch off */
};

/* One network. */
struct xp_net {
	const struct xp_candidate *candidate;
	char *failed;     /* why it takes no part; NULL: it does */
	char unsold[300]; /* why it has no price, where the cost model has one of others; "": it has */
	bool built;       /* `costing` is whole */
	struct xp_costing costing;
	struct xp_sized sized; /* of a family */
	char *topology;        /* "topology={ ... }" */
	char *links;           /* "links={ ... }" in place of the study's; NULL: those are its own */
	double spent;          /* of the basis's budget; NAN: there is none */
	struct topo_limits limits;
	struct topo_survival survival;
	double permutation_any, case_any; /* upper bounds for any routing, by hops, of minimal routing's worst
	                                     permutation and of pattern worst-case; 0: not known */
	double permutation_minimal,
	    case_minimal; /* the same bounds for routings that use only paths of minimal routing; INFINITY: not known */
	struct rt_worst
	    *minimal; /* the worst permutation of minimal routing, for adaptive ones; NULL: not looked for */
	struct xp_left left[XP_MOST_FAILURES]; /* one of each of the study's failures */
};

enum xp_stage {
	XP_WAITS,  /* nothing was simulated */
	XP_SEARCH, /* its next run is to be made */
	XP_KNOWN,  /* the search has ended */
	XP_REFINE, /* long runs */
	XP_REFINED,
	XP_OUT,        /* by bounds it cannot be first */
	XP_BROKEN_OFF, /* a run failed */
};

struct xp_series {
	struct xp_design *design;
	const struct xp_demand *demand;
	const char *message; /* NULL: a packet */
	struct xp_cap cap;
	char *through, *rest; /* quoted names of the files of the worst permutation; NULL: the pattern itself is used,
	                         or there are no such flows */
	char *impossible;     /* why this traffic cannot run here */
	enum xp_stage stage;
	double guess;     /* of saturation, where the bound is not the routing's own */
	bool dropped;     /* refined no further, as it did not matter then */
	double hint;      /* of saturation, by similar designs that were run; 0: none */
	double depth;     /* packets that the buffer of a port holds; 0: not known */
	double longer;    /* windows of long runs are so many times as long as the study says; 0: as 1 */
	double low, high; /* share of injection bandwidth */
	double carried;   /* the largest load that was carried; 0: none */
	double sure;      /* the lower end by runs of this stage alone; 0: none was carried */
	double floor;     /* as `carried` in short runs, when long ones go on */
	double shown;     /* what shorter runs surely delivered; 0: there were none, or they were wrong */
	double choked;    /* what was delivered where that was less than `shown`; 0: nowhere */
	double expected;  /* the upper end when this stage began; 0: it is the first */
	double beyond;    /* the least that was not; 0: none */
	double never;     /* the least that longer windows would not carry either; 0: none */
	double most;      /* the most that was delivered a little beyond saturation; 0: not seen */
	double seen;      /* the most that was delivered of loads that were carried */
	double next;      /* load of the next run */
	double noise;     /* of what the last run delivered, by the number of its packets, as a share */
	double adds;      /* what longer windows may add to it, as a share */
	double packets;   /* of its window; 0: there was none */
	int tries;        /* runs of this stage */
	uint64_t senders;
	struct xp_sim_run **run;
	size_t nruns;
	size_t place, shared; /* in its column: 1 + those that are surely better; how many have this place */
};

struct xp_design {
	struct xp_net *net;
	const struct xp_variant *routing, *congestion;
	const char *const *more; /* [nmore] assignments besides those of network, routing, congestion; not owned */
	size_t nmore;
	char *name;
	char *failed;
	struct xp_cap uniform, worst;
	struct rt_worst
	    *permutation; /* whose flows the worst permutation is; owned by design or network; NULL: unknown */
	bool adaptive;
	bool stays_minimal;             /* ecmp and the like: rt.no_split */
	bool bounded;                   /* its bounds, or why it has none, were found */
	struct xp_series *series;       /* [columns] */
	struct xp_sim_run *latency;     /* at the study's latency_load */
	struct xp_sim_run **curve;      /* [study.ncurve]; NULL: that load is not carried */
	struct xp_sim_run **collective; /* [sizes of all collectives][study.number.seeds] */
	bool finalist;
};

struct xp_compare {
	struct xp_study study;
	struct base_registry registry;
	struct xp_runs runs;          /* the batch that is run now, and how all are */
	struct xp_sim_run **batch;    /* [runs.n]; not owned */
	struct xp_sets sets;          /* of the study and the command line; arrays owned */
	char **section, **section_at; /* [nsections]: sections of `config` as assignments, the first of `sets` */
	size_t nsections;
	struct xp_wish wish;
	struct xp_net *net;
	size_t nnets;
	struct xp_design *design;
	size_t ndesigns, columns;
	double *unit_ns; /* [columns] that an endpoint takes to send one packet, or a share of a long message */
	struct xp_sim_run **sim_run; /* all, in the order in which they were requested; owned */
	size_t nsim_runs, cap;
	size_t kept, lost;      /* runs that a result stood for; that failed for no reason of theirs */
	bool own_links;         /* every network that is built has its own links */
	bool rejects;           /* a topology that cannot be read is rejected, and no error of the study */
	bool without_prices;    /* nothing is decided by money: a network that has no price is as good as others */
	const char *fresh;      /* "seed=N" of runs that are made now; NULL: the study's */
	double coarse;          /* latency runs that are made now are so many times less precise; 0: as 1 */
	bool holds;             /* signals, from the first batch on, so that none falls between two */
	sigset_t mask;          /* before */
	bool complete;          /* all that the study asks for was run */
	double size_s, bound_s; /* on the clock, for people only */
};

/* --- the stages; each returns 0, or an exit status with errors ---------------------------------------- */

/* Reads and checks the study, sizes its networks, and checks the configurations of all runs. Writes nothing. */
int xp_compare_prepare(struct xp_compare *c, const char *path, struct base_errors *errors);
/* Computes the bounds of all designs. May take minutes, and does not fail: designs that fail are marked. */
void xp_compare_bounds(struct xp_compare *c);
/* Locks the results directory, computes bounds, runs the comparison, and writes the results. */
int xp_compare_run(struct xp_compare *c, struct base_errors *errors);
void xp_compare_free(struct xp_compare *c);

/* Steps of a comparison for tilefly design, which supplies its own designs. Initializes the results directory's name,
 * the assignments and the networks of a study whose plug-ins are loaded. */
int xp_compare_open(struct xp_compare *c, struct base_errors *errors);
/* The series of a design, one for each column. */
void xp_design_series(struct xp_compare *c, struct xp_design *d);
/* Reads the configuration of a run in the same way as the run itself. */
int xp_sim_run_config(const struct xp_compare *c, const struct xp_sim_run *run, struct xp_config *config,
                      struct base_errors *errors);
/* Packets that an endpoint sends as a unit, by which the length of a window is counted. */
struct xp_unit {
	double bytes, ns, depth; /* depth: how many of them the input buffer of a port holds; 0: not known */
	struct net_passage passage;
};
/* Computes the unit of packets for a configuration, or for the configuration of a run; all members are zero if the
 * configuration cannot be read. */
void xp_config_unit(const struct xp_compare *c, const struct xp_config *config, struct xp_unit *out);
void xp_sim_run_unit(const struct xp_compare *c, const struct xp_sim_run *run, struct xp_unit *out);

/* Records which assignments common to all runs represent sections of `config`, so that errors in them are reported at
 * the line of the key in the study. prepare.c */
void xp_study_blame(const struct xp_compare *c, const struct xp_config *config, const struct base_errors *found,
                    struct base_errors *errors);
/* The text of the first error in the list, owned by the caller. */
char *xp_first_error(const struct base_errors *errors);
/* A section as the text of an assignment, allocated. */
char *xp_section_text(const struct xp_node *section);
/* Fraction of its switches' ports that a member of a family uses; NAN: not known. nets.c */
double xp_net_ports_used(const struct xp_net *net);
/* The reason why a member of a family uses no larger fraction of its switches' ports, as a sentence owned by the
 * caller. */
char *xp_net_ports_why(const struct xp_compare *c, const struct xp_net *net);
int xp_nets_size(struct xp_compare *c, struct base_errors *errors);
void xp_nets_free(struct xp_compare *c);
/* Computes bounds of all networks and designs. bounds.c */
void xp_bounds_of_nets(struct xp_compare *c);
void xp_bounds_free_all(struct xp_compare *c);
/* Writes the files of the worst permutations that designs run. */
int xp_permutations_write(struct xp_compare *c, struct base_errors *errors);
/* Runs a batch, with as many simultaneous runs as configured. Returns 0, 130 (interrupted) or -1 with errors. batch.c
 */
int xp_batch_run(struct xp_compare *c, struct xp_sim_run **run, size_t n, struct base_errors *errors);
/* Reads the configurations of runs without running them. */
int xp_batch_check(struct xp_compare *c, struct xp_sim_run **run, size_t n, struct base_errors *errors);
/* Creates runs, which the comparison owns, and reads their results. sim_run.c */
struct xp_sim_run *xp_sim_run_of_series(struct xp_compare *c, struct xp_series *s, double load,
                                        enum xp_fidelity fidelity);
/* Does the result claim a growing backlog at a load that other runs sustained, or of which this run delivered nearly
 * everything? Short runs may do so by chance. */
bool xp_latency_is_doubtful(const struct xp_series *s, const struct xp_sim_run *l);
/* Creates a repetition of a latency run whose result is doubtful, with another seed and a warm-up twice as long as the
 * whole first run. The result of the repetition is final. */
struct xp_sim_run *xp_sim_run_again(struct xp_compare *c, struct xp_series *s, const struct xp_sim_run *first);
struct xp_sim_run *xp_sim_run_of_collective(struct xp_compare *c, struct xp_design *d, const struct xp_collective *k,
                                            const char *size, unsigned seed);
void xp_sim_run_read(struct xp_sim_run *run, const char *file);
void xp_sim_run_free(struct xp_sim_run *run);
/* One step of the search of a series: uses the result of its last run, and chooses the next load or ends the stage.
 * search.c */
void xp_search_begin(struct xp_series *s, enum xp_stage stage);
/* Starts another stage with longer windows if long windows did not make the interval narrow enough. Returns false if
 * windows have their maximum length, or longer ones would not help. */
bool xp_search_longer(struct xp_series *s);
#define XP_SEARCH_LONGEST 9.0 /* times the study's long window */
/* Is half the width of the series' interval, relative to the centre of the interval, larger than `width`? */
bool xp_series_is_wide(const struct xp_series *s, double width);

/* Predicts the relative half width of the interval for windows of this number of packets, from the known variance of
 * runs. */
double xp_search_half_width(const struct xp_series *s, double packets);
/* The window length for refining a series, at least `packets`: longer if few flows limit the throughput and the
 * randomness of what they send would widen its interval, unless windows are too short anyway. */
void xp_search_widen(struct xp_series *s, double packets, double half_width);

/* The window length, which grows with the buffers to fill: it is given in packets for ports that buffer at most
 * XP_SEARCH_DEPTH packets. For adaptive routings a window must be long enough to fill a port, because packets avoid it
 * only then. */
#define XP_SEARCH_DEPTH 64.0
double xp_search_packets(const struct xp_series *s, double packets);

/* Length of the warm-up, in packets, before a window of `packets` packets. */
double xp_search_warmup(const struct xp_series *s, double packets);
void xp_search_step(struct xp_series *s, const struct xp_sim_run *run);
/* Runs all rounds, until no more can be learned about ranks. Returns as xp_batch_run() does. rounds.c */
int xp_run_rounds(struct xp_compare *c, struct base_errors *errors);
/* Runs short runs of finalists that were not simulated in a column, since the load that they sustain must be known
 * before their latency is measured. */
int xp_rounds_of_finalists(struct xp_compare *c, size_t column, struct base_errors *errors);
/* Allocates the runs that finals may need; chooses those that need not wait for series still being refined, once the
 * first column is known; and all remaining ones. finals.c */
size_t xp_finals_most(const struct xp_compare *c);
size_t xp_finals_early(struct xp_compare *c, struct xp_sim_run **run);
int xp_finals(struct xp_compare *c, struct base_errors *errors);
/* Runs one collective and size on a design. collectives.c */
struct xp_timing {
	size_t seeds;             /* with which it has ended */
	double mean_ns, half_ns;  /* half of the 95 % interval by seeds; NAN: one seed */
	double worth, half_worth; /* of an all-to-all, Gb/s delivered for each unit of the basis; NAN: of others */
	size_t place, shared;     /* 0: it was not run, or has not ended */
};
/* Is this collective ranked by throughput? An all-to-all takes longer with more members, so it is; other collectives
 * are ranked by time. */
bool xp_collective_by_worth(const struct xp_collective *k);
/* Ranks of all designs for the m-th size of all collectives, owned by the caller. A design has rank n if n - 1 others
 * are significantly better, by Student's 95 % confidence interval of the mean difference of logarithms, seed by seed.
 */
struct xp_timing *xp_timings(const struct xp_compare *c, const struct xp_collective *k, size_t size, size_t m);
/* Does the study simulate this pattern, alone or as a part of a mix? */
bool xp_demand_has(const struct xp_compare *c, const struct xp_demand *d, const char *pattern);
/* The divisor of delivered Gb/s in the ranking: the quantity that the study makes equal if it costs money, otherwise
 * cost, otherwise ports. rank.c */
double xp_units(const struct xp_net *net);
/* The score of a series in the ranking at a load: delivered Gb/s per unit of the divisor (cost, ports, or another
 * quantity). */
double xp_worth(const struct xp_series *s, double share);
double xp_delivered_gbps(const struct xp_series *s, double share);
/* The unit of the divisor of the ranking's score: "USD", "endpoint", "switch port", ... */
const char *xp_worth_unit(const struct xp_compare *c);
void xp_rank(struct xp_compare *c);
/* Computes the factors on the price of optical cables, and of ports, at which another network becomes first in a
 * column, by the centres of intervals. Returns false without prices, or if fewer than two designs were simulated.
 * Numbers in `tie` are those of designs. */
enum xp_part { XP_PART_OPTICAL, XP_PART_PORTS, XP_PARTS };
extern const char *const xp_part_names[XP_PARTS];
bool xp_first_place_ties(const struct xp_compare *c, size_t column, struct topo_tie tie[XP_PARTS]);
/* Duration of a collective until its last member ends, extrapolated to all phases; NAN: not known. sim_run.c */
double xp_collective_ns(const struct xp_design *d, const struct xp_collective *k, const struct xp_sim_run *run);
uint64_t xp_compare_digest(const struct xp_compare *c);
/* The series of a column, sorted by rank, those without a rank last. The array is owned by the caller. */
struct xp_series **xp_places(const struct xp_compare *c, size_t column);

/* text.c, json.c, tables.c */
void xp_compare_text(const struct xp_compare *c);
void xp_compare_json(const struct xp_compare *c, struct base_json *j);
int xp_compare_write(const struct xp_compare *c, struct base_errors *errors);

#endif
