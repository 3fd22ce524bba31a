/* experiments/compare/study.h - a comparison as its file says: which networks, sized to what, under which traffic.
 *
 * A study file is libconfig (docs/compare.md has the reference):
 *
 *   title = "...";
 *   config = { links = { ... }; switch = { ... }; cost = { kind = "sc14-linear"; }; };   or  base = "slimfly-3k";
 *   equal = "cost"; budget = "2000000USD";                  what the candidates have in common
 *   candidates = ( "slimfly", { family = "dragonfly"; radix = 48; }, { name = "mine"; topology = { ... }; } );
 *   routings = ( "minimal", "valiant", { name = "biased"; kind = "ugal-l"; bias = "2KB"; } );
 *   congestion = ( "none" );
 *   job = { packet = "512B"; };                             what all traffic has in common
 *   traffic = ( "uniform", "worst-permutation", { name = "near"; pattern = "neighbor"; } );
 *   messages = ( "64KiB" );                                 and { name = "mix"; parts = [ ... ]; weights = [ ... ]; }
 *   collectives = ( { process = "allreduce"; sizes = [ "8B", "16KiB" ]; } );
 *   curve = [ 0.1, 0.3, 0.7 ];                              loads of a latency-load curve
 *   failures = [ 0.05, 0.1 ];                               shares of the cables that fail
 *
 * A design is a candidate with a routing and a congestion control. */
#ifndef EXPERIMENTS_COMPARE_STUDY_H
#define EXPERIMENTS_COMPARE_STUDY_H

#include "experiments/runs/ground.h"
#include "topo/sizing.h"

enum xp_basis {
	XP_EQUAL_NOTHING, /* candidates are compared as they are given */
	XP_EQUAL_COST,
	XP_EQUAL_ENDPOINTS,
	XP_EQUAL_THROUGHPUT, /* delivered under uniform traffic, by the bound */
	XP_EQUAL_PORTS,      /* of switches as they are bought */
	XP_EQUAL_WATTS,
	XP_EQUAL_CABLES,
	XP_BASES
};

/* A network of the comparison: the best member of a family, or a topology that is given explicitly. */
struct xp_candidate {
	char *name, *at;                  /* at: "FILE:LINE" */
	const struct topo_family *family; /* NULL: `topology` */
	char *topology;                   /* "topology={ ... }" */
	int64_t radix;                    /* ports of the switches that it is built from; 0: nothing says so */
	int64_t trunk;                    /* of a family: most parallel cables; 0: any */
	double throughput;                /* of a family: uniform traffic, at least */
};

/* One way to set a section: a routing or a congestion control. */
struct xp_variant {
	char *name, *at;
	char *set; /* "routing={ ... }" */
};

#define XP_MOST_PARTS 4

struct xp_demand {
	char *name, *at;
	char *pattern; /* "mix": of parts */
	char *job;     /* members of traffic.[0], without its load */
	/* Parts of a mix: earlier entries of the study's traffic, and their shares of the load of every endpoint, which
	 * sum up to 1; all parts are active at the same time. */
	size_t nparts, part[XP_MOST_PARTS];
	double weight[XP_MOST_PARTS];
	bool self;  /* of uniform traffic: an endpoint may be its own destination */
	double hot; /* share of the messages of a hotspot that goes to its targets */
	uint32_t targets;
	bool slotted;    /* Bernoulli sources of packets of one size */
	uint64_t packet; /* bytes; 0: a mix of sizes, or none that can be read */
	double uneven;   /* packets that give as much information as one of a Poisson source of one size: 1 and more */
};

struct xp_collective {
	char *name, *at;
	char *process;
	char *job; /* members of traffic.[0], without its size */
	char **size;
	size_t nsizes;
	int64_t phases;
	bool finalists; /* of finalists only */
};

/* Numeric keys of a study; the table xp_study_keys describes them and contains the defaults. */
struct xp_study_numbers {
	int64_t endpoints;  /* XP_EQUAL_ENDPOINTS */
	uint64_t delivered; /* bit/s, XP_EQUAL_THROUGHPUT */
	int64_t radix, trunk;
	double throughput;
	int64_t few, many; /* packets an endpoint sends in the measured window of a short and of a long run */
	double width;      /* per cent: half of an interval's width that is enough */
	bool eliminate;
	int64_t finalists, seeds;
	double latency_load, precision;
	uint64_t limit; /* ps, of collectives and latency */
};

struct xp_study {
	struct xp_ground ground;
	enum xp_basis basis;
	char *budget, *budget_at; /* as written: "2000000USD", "40000", "150000W"; NULL: none */
	struct xp_study_numbers number;
	struct xp_candidate *candidate;
	struct xp_variant *routing, *congestion;
	struct xp_demand *demand;
	char **message; /* sizes of messages; NULL: a packet */
	struct xp_collective *collective;
	double *curve;   /* loads at which latency is measured, rising, besides latency_load */
	double *failure; /* shares of the cables that are taken out, rising */
	size_t ncandidates, nroutings, ncongestions, ndemands, nmessages, ncollectives, ncurve, nfailures;
	size_t rank; /* the demand whose ranking comes first */
};

#define XP_MOST_LOADS 20
#define XP_MOST_FAILURES 8

extern const struct base_param xp_study_keys[];
extern const char *const xp_basis_names[XP_BASES];

/* Reads a study file. Every problem is added to errors, with its location. Call xp_study_free() in any case. */
int xp_study_read(struct xp_study *study, const char *path, struct base_errors *errors);
void xp_study_free(struct xp_study *study);

/* --- between the files of the reader ---------------------------------------------------------------- */

struct xp_fields;
struct xp_node;

/* Reads routings, congestion controls, traffic and collectives. study_traffic.c */
void xp_study_read_traffic(struct xp_fields *r, const struct xp_node *root, struct xp_study *study);
void xp_study_free_traffic(struct xp_study *study);
/* The entries of a list, each a text or a group; a single entry may be given without a list. NULL with an error for
 * other types. key: "routings.[2]" for entry i. */
const struct xp_node *xp_study_entry(struct xp_fields *r, const struct xp_node *list, size_t i, char key[256]);
size_t xp_study_entries(const struct xp_node *list);
/* A name for file names and tables: the one given in the group, otherwise `default_value`. It is checked, and owned by
 * the caller. */
char *xp_study_name(struct xp_fields *r, const struct xp_node *entry, const char *key, const char *default_value);
/* The members of a group that are not listed in `except` (which ends with NULL), as libconfig text "a = 1; ", owned by
 * the caller. */
char *xp_study_members(const struct xp_node *group, const char *const *except);

#endif
