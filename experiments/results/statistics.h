/* experiments/results/statistics.h - one descriptor for each statistic, that is, each field of a run's record
 * `summary`.
 *
 * The record, its reader (past.h), the manual's tables, the tooltips of pages, the columns of summary.csv and
 * run.jobs.csv, the comparisons of `tilefly diff` and the output of a sweep are all generated from the table in
 * statistics.c. A new statistic is one entry in that table, once the network counts it; the numbers for each `list`
 * define where else it appears. */
#ifndef EXPERIMENTS_RESULTS_STATISTICS_H
#define EXPERIMENTS_RESULTS_STATISTICS_H

#include "base/json.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The structure that contains the value of a statistic. The order of the constants is the order in the record
 * `summary`. */
enum xp_whose {
	XP_BY_HAND, /* summary.c and application.c write it themselves */
	XP_FLOW,    /* struct net_flow: of the whole, a job, a class */
	XP_WAYS,    /* struct net_flow, behind the account of an application */
	XP_STEADY,  /* struct sim_steady */
	XP_CONTROL, /* struct net_control */
	XP_RETRY,   /* struct net_retry_result */
	XP_ORDER,   /* struct net_order_result */
	XP_LINKS,   /* struct net_link_result */
	XP_LOSSES,  /* struct net_failure_result */
	XP_TALLY,   /* struct sw_tally */
	XP_ENGINE,  /* struct net_result, inside "engine" */
	XP_WORK,    /* struct sim_counters, likewise */
	XP_PHASES,  /* struct sim_counters, likewise */
	XP_SPEED,   /* struct net_result, likewise, at its end */
};

#define XP_ARRAY_BYTES 192
enum xp_field_kind {
	XP_REAL,    /* double */
	XP_COUNT,   /* uint64_t */
	XP_COUNT32, /* uint32_t */
	XP_SIGNED,  /* int */
	XP_PS,      /* uint64_t, ps; ns in the record */
	XP_PS_MEAN, /* double, likewise */
	XP_TRUTH,   /* bool */
	XP_TEXT,    /* const char * */
	XP_ARRAY,   /* char[XP_ARRAY_BYTES] */
};

/* How a statistic is merged over several runs that have one configuration and different seeds. (Within a run,
 * network/stats merges the values of the ranks: counts and sums are added, and extremes are extremes over all ranks.)
 */
enum xp_merge {
	XP_MERGE_NOT,
	XP_MERGE_MEAN,  /* nothing, unless all runs have it */
	XP_MERGE_KNOWN, /* the mean of those that have it: they have measured something */
	XP_MERGE_SUM,
	XP_MERGE_MOST,
	XP_MERGE_ALL, /* true if all say so, false if one says no */
	XP_MERGE_ANY,
	XP_MERGE_ONE, /* nothing, unless there is one run only */
	XP_MERGES
};

/* Lists in which a statistic may appear. The number that a statistic has for a list, counted from 1, is its position
 * there. */
enum xp_list {
	XP_IN_ROW,  /* a row of summary.csv and summary.jsonl */
	XP_IN_RUNS, /* an entry of `runs` in a row of several runs */
	XP_IN_PART, /* what a row has of each job and class */
	XP_IN_JOBS, /* run.jobs.csv */
	XP_IN_DIFF, /* estimates that `tilefly diff` compares */
	XP_LISTS
};

struct xp_statistic {
	const char *name;    /* path in the record; NULL ends the table */
	const char *unit;    /* "" if it has none */
	const char *meaning; /* its definition, for the manual and for pages */
	enum xp_whose of;
	enum xp_field_kind type;
	size_t at;                     /* offset in that struct */
	double (*get)(const void *of); /* in place of `at`, in the unit of the record; NAN: null, XP_ABSENT */
	unsigned short given, known; /* given: 1 + offset of a bool; the member exists only if this is true. known: 1 +
	                                offset of a uint64_t; the member is null if this is 0. 0: no such condition */
	unsigned short interval;     /* 1 + offset of its sim_interval in struct sim_steady; 0: it has none */
	enum xp_merge merge;
	unsigned char place[XP_LISTS]; /* 0: it is not in that list */
	unsigned char ends;            /* place of the columns for both ends of its interval, in XP_IN_ROW; 0: none */
	bool must_equal;               /* of two runs that `tilefly diff` compares: a fact and no estimate */
	const char *label;             /* of the line for people that has its interval */
	const char *heading, *format;  /* of tables for people: head, and how printf prints it */
	int width;
	int divisor; /* what it is divided by for these; 0: 1 */
};
#define XP_ABSENT (-INFINITY)

extern const struct xp_statistic xp_statistics[];

/* Returns the statistic of this name, or NULL. */
const struct xp_statistic *xp_statistic_named(const char *name);
/* Returns the n-th statistic of a list, counted from 1; NULL if the list is shorter. */
const struct xp_statistic *xp_statistic_at(enum xp_list list, size_t n);
/* Writes the name of the column that contains a statistic: "latency_ns.mean" becomes latency_mean_ns. `end` -1 and 1
 * select the columns for the lower and upper end of its confidence interval, latency_mean_low_ns and
 * latency_mean_high_ns; 0 the value. */
void xp_statistic_column(const struct xp_statistic *s, int end, char out[64]);
/* Returns the value of a statistic in a row of a results table. `end` selects the column as in xp_statistic_column().
 * NAN if the row has no value. */
double xp_statistic_in_row(const struct xp_statistic *s, int end, const json_t *row);
/* Descriptions of the ways to merge values (enum xp_merge), for the manual. */
extern const char *const xp_merge_names[XP_MERGES];

/* --- the record ----------------------------------------------------------------------------------------- */

/* Writes the members of all statistics whose values are in one structure `from`, of the type that `of` names. */
void xp_statistics_write(struct base_json *j, enum xp_whose of, const void *from);
/* Returns one value as text for CSV, "" for null. The caller must free it by free(). */
char *xp_statistic_text(const struct xp_statistic *s, const void *from);

/* Owner of texts that were read from a record and that structures point to. */
struct xp_texts {
	char **v;
	size_t n;
};
/* Copies a text, with control characters replaced. xp_texts_free() frees the copy. */
const char *xp_texts_keep(struct xp_texts *texts, const char *text);
void xp_texts_free(struct xp_texts *texts);
/* Reads the object that xp_statistics_write() has written into a structure `to`. Members of `to` that the object does
 * not contain remain unchanged. */
void xp_statistics_read(const json_t *object, enum xp_whose of, void *to, struct xp_texts *texts);
/* Converts a count or time read from a record to an integer; `scale` converts its unit to that of the simulation.
 * Returns 0 if the value is missing (NAN). */
uint64_t xp_record_count(double value, double scale);
/* Returns one end of the 95 % confidence interval of a statistic in a record: the lower end for `end` -1, the upper end
 * for 1. NAN if there is no interval. */
double xp_record_end(const json_t *record, const char *name, int end);
/* Returns the member of a nested object at a path such as "latency_ns.mean"; NULL if there is none. */
json_t *xp_record_member(const json_t *object, const char *path);

#endif
