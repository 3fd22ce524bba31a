/* experiments/compare/compare.h - networks compared at equal cost, or equal something else.
 *
 * 1. Each family is sized by closed forms (experiments/costing). 2. Bounds say what every design can carry at most.
 * 3. Those that may still be first are simulated shortly: a search for the load at which they saturate. 4. Where
 * intervals overlap with the best, long runs narrow them. 5. Finalists run collectives.
 *
 * What is run next depends on results alone, never on the clock or on how many run at once; a run's length is counted
 * in packets. So the digest, over the digests and ends of all runs, is the same each time. Runs that do not wait for
 * each other's results are a batch, which is a list of experiments/runs: children of this process, kept when it is
 * started again.
 *
 * A series is a design under one traffic with one size of messages. Its throughput is a share of the injection
 * bandwidth, known to lie in [low, high]: `low` was carried (every job got XP_CARRIED of what it offered), and more
 * than `high` was never delivered at any load. A column is the series of all designs with the same traffic and size. */
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

/* What a simulation is for. */
enum xp_fidelity { XP_SHORT, XP_LONG, XP_LATENCY, XP_COLLECTIVE, XP_FIDELITIES };
extern const char *const xp_fidelity_names[XP_FIDELITIES];

/* A job in a run. */
struct xp_share {
	double offered, accepted; /* of the injection bandwidth; of a part of a mix, over its weight */
	uint64_t delivered;       /* packets in the window: of those of the run, its share of the time */
	double weight;            /* of the part; 0: as 1 */
};

#define XP_MOST_JOBS (2 * XP_MOST_PARTS)

/* One simulation that the comparison asks for, and what came of it. */
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
	/* The worst permutation has two: flows through its channel, and the others; a mix has those of its parts. */
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

/* A bound, or why there is none. */
struct xp_cap {
	double share; /* of the injection bandwidth; INFINITY: nothing limits; negative: not known */
	const char *why;
	bool any; /* it holds for every routing: this one may carry much less */
};

/* What is left of uniform throughput when a share of the cables fails. */
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
	double permutation_any, case_any;         /* the most of minimal routing's worst permutation, and of the pattern
	                                             worst-case, that any routing can carry, by hops; 0: not known */
	double permutation_minimal, case_minimal; /* the same of routings that only take the paths of minimal routing;
	                                             INFINITY: not known */
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
	char *through, *rest; /* files of the worst permutation, as strings of libconfig; NULL: the pattern as it is, or
	                       * no such flows */
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
	struct xp_sim_run **sim_run; /* all, in the order in which they were asked for; owned */
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

/* Reads and checks the study, sizes its networks, and sees to it that what is to be run can be read. Writes nothing. */
int xp_compare_prepare(struct xp_compare *c, const char *path, struct base_errors *errors);
/* Bounds of all designs. May take minutes, and cannot fail: a design of which that is so is marked. */
void xp_compare_bounds(struct xp_compare *c);
/* Takes the results folder, finds bounds, runs what there is to run and writes the folder. */
int xp_compare_run(struct xp_compare *c, struct base_errors *errors);
void xp_compare_free(struct xp_compare *c);

/* The parts of it, for whoever brings designs of its own (experiments/design). The folder's name, assignments and
 * networks of a study that has been read, and whose plug-ins are loaded. */
int xp_compare_open(struct xp_compare *c, struct base_errors *errors);
/* A design's series, one of each column. */
void xp_design_series(struct xp_compare *c, struct xp_design *d);
/* Reads the configuration of a run as the run will. */
int xp_sim_run_config(const struct xp_compare *c, const struct xp_sim_run *run, struct xp_config *config,
                      struct base_errors *errors);
/* What an endpoint sends as one packet of a window. */
struct xp_unit {
	double bytes, ns, depth; /* depth: how many of them the input buffer of a port holds; 0: not known */
	struct net_passage passage;
};
/* Of a configuration that a run has; zero where it cannot be read. */
void xp_config_unit(const struct xp_compare *c, const struct xp_config *config, struct xp_unit *out);
void xp_sim_run_unit(const struct xp_compare *c, const struct xp_sim_run *run, struct xp_unit *out);

/* prepare.c: of the assignments that hold for all, those that stand for sections of `config`: errors of a configuration
 * read with them get the line of the key inside. */
void xp_study_blame(const struct xp_compare *c, const struct xp_config *config, const struct base_errors *found,
                    struct base_errors *errors);
/* The text of the first error, the caller's. */
char *xp_first_error(const struct base_errors *errors);
/* A section as the text of an assignment; allocated. */
char *xp_section_text(const struct xp_node *section);
/* nets.c: of a member of a family, the share of the ports of its switches that it uses; NAN where that is not known. */
double xp_net_ports_used(const struct xp_net *net);
/* Why it is no more, as a sentence; the caller's. */
char *xp_net_ports_why(const struct xp_compare *c, const struct xp_net *net);
int xp_nets_size(struct xp_compare *c, struct base_errors *errors);
void xp_nets_free(struct xp_compare *c);
/* bounds.c: of all networks and designs. */
void xp_bounds_of_nets(struct xp_compare *c);
void xp_bounds_free_all(struct xp_compare *c);
/* Writes the files of the worst permutations that designs run. */
int xp_permutations_write(struct xp_compare *c, struct base_errors *errors);
/* batch.c: makes runs, as many at once as there are jobs. Returns 0, 130 or -1 with errors. */
int xp_batch_run(struct xp_compare *c, struct xp_sim_run **run, size_t n, struct base_errors *errors);
/* Reads the configurations of runs without making them. */
int xp_batch_check(struct xp_compare *c, struct xp_sim_run **run, size_t n, struct base_errors *errors);
/* sim_run.c: asks for runs, which the comparison owns, and reads what came of them. */
struct xp_sim_run *xp_sim_run_of_series(struct xp_compare *c, struct xp_series *s, double load,
                                        enum xp_fidelity fidelity);
/* Is it said that the backlog grows at a load that other runs carried, or of which this one delivered nearly all? Of so
 * short a run chance may say so. */
bool xp_latency_is_doubtful(const struct xp_series *s, const struct xp_sim_run *l);
/* The same latency with another seed, after a warm-up twice as long as all of the first run: that decides. */
struct xp_sim_run *xp_sim_run_again(struct xp_compare *c, struct xp_series *s, const struct xp_sim_run *first);
struct xp_sim_run *xp_sim_run_of_collective(struct xp_compare *c, struct xp_design *d, const struct xp_collective *k,
                                            const char *size, unsigned seed);
void xp_sim_run_read(struct xp_sim_run *run, const char *file);
void xp_sim_run_free(struct xp_sim_run *run);
/* search.c: one step of a series: takes in the run that has been made, and says the load of the next one, or that the
 * stage has ended. */
void xp_search_begin(struct xp_series *s, enum xp_stage stage);
/* Goes on with longer windows when long ones have not made the interval narrow enough; false: they are as long as they
 * get, or would not help. */
bool xp_search_longer(struct xp_series *s);
#define XP_SEARCH_LONGEST 9.0 /* times the study's long window */
/* Is half the width of its interval a larger share than `width`? */
bool xp_series_is_wide(const struct xp_series *s, double width);

/* What half the width of an interval from windows of so many packets will be, as a share, by what is known of the noise
 * of runs. */
double xp_search_half_width(const struct xp_series *s, double packets);
/* Longer windows than `packets`, for a series that is to be refined, where few flows decide and what they happen to
 * send would make its interval wider; not where windows are too short anyway. */
void xp_search_widen(struct xp_series *s, double packets, double half_width);

/* Windows grow with what there is to fill: packets of a window where ports buffer XP_SEARCH_DEPTH packets at most.
 * Those of adaptive routings are as long as it takes to fill a port: before, it is not seen where packets go round it.
 */
#define XP_SEARCH_DEPTH 64.0
double xp_search_packets(const struct xp_series *s, double packets);

/* Packets of the warm-up before a window of so many. */
double xp_search_warmup(const struct xp_series *s, double packets);
void xp_search_step(struct xp_series *s, const struct xp_sim_run *run);
/* rounds.c: all rounds, until what can be known about places is. Returns as xp_batch_run() does. */
int xp_run_rounds(struct xp_compare *c, struct base_errors *errors);
/* Short runs of those finalists that had no chance in a column, as the load that they carry there must be known before
 * their latency is measured. */
int xp_rounds_of_finalists(struct xp_compare *c, size_t column, struct base_errors *errors);
/* finals.c: room for how many runs they may need; those that need not wait for series which are still refined, once
 * the first column is known; and all that are left. */
size_t xp_finals_most(const struct xp_compare *c);
size_t xp_finals_early(struct xp_compare *c, struct xp_sim_run **run);
int xp_finals(struct xp_compare *c, struct base_errors *errors);
/* collectives.c: one size of one collective on a design. */
struct xp_timing {
	size_t seeds;             /* with which it has ended */
	double mean_ns, half_ns;  /* half of the 95 % interval by seeds; NAN: one seed */
	double worth, half_worth; /* of an all-to-all, Gb/s delivered for each unit of the basis; NAN: of others */
	size_t place, shared;     /* 0: it was not run, or has not ended */
};
/* Is it ranked by what is delivered? An all-to-all takes longer the more members it has; others are ranked by time. */
bool xp_collective_by_worth(const struct xp_collective *k);
/* Of number m among the sizes of all collectives, for each design; owned by the caller. Place n has a design that n - 1
 * others are surely better than, by Student's 95 % interval of the mean difference of logarithms, seed by seed. */
struct xp_timing *xp_timings(const struct xp_compare *c, const struct xp_collective *k, size_t size, size_t m);
/* Of a mix, or of one pattern: does this pattern run? */
bool xp_demand_has(const struct xp_compare *c, const struct xp_demand *d, const char *pattern);
/* rank.c: what delivered Gb/s are divided by: what the study makes equal if that is bought, else money, else ports. */
double xp_units(const struct xp_net *net);
/* What a series is worth to the ranking at a share: Gb/s delivered for each unit of the basis. */
double xp_worth(const struct xp_series *s, double share);
double xp_delivered_gbps(const struct xp_series *s, double share);
/* What worth is counted in: "USD", "endpoint", "switch port", ... */
const char *xp_worth_unit(const struct xp_compare *c);
void xp_rank(struct xp_compare *c);
/* The factors on the price of optical cables, and of ports, at which another network has the first place of a column,
 * by the middles of intervals. false: no prices, or fewer than two designs were simulated. The numbers in `tie` are
 * those of designs. */
enum xp_part { XP_PART_OPTICAL, XP_PART_PORTS, XP_PARTS };
extern const char *const xp_part_names[XP_PARTS];
bool xp_first_place_ties(const struct xp_compare *c, size_t column, struct topo_tie tie[XP_PARTS]);
/* How long a collective takes: until its last member has ended, of all phases; NAN: not known. sim_run.c */
double xp_collective_ns(const struct xp_design *d, const struct xp_collective *k, const struct xp_sim_run *run);
uint64_t xp_compare_digest(const struct xp_compare *c);
/* Series of a column in the order of their places, those without one last; owned by the caller. */
struct xp_series **xp_places(const struct xp_compare *c, size_t column);

/* text.c, json.c, tables.c */
void xp_compare_text(const struct xp_compare *c);
void xp_compare_json(const struct xp_compare *c, struct base_json *j);
int xp_compare_write(const struct xp_compare *c, struct base_errors *errors);

#endif
