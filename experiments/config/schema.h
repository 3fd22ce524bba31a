/* experiments/config/schema.h - the sections of a configuration.
 *
 * One table describes all sections. The reader, the checker, the printer of the resolved configuration, `tilefly list`
 * and the generated manual use it. A section has fixed keys, and may select plug-ins by name (with a key such as
 * `kind`, `pattern` or `injection`); the keys of a selected plug-in are set in the same group. */
#ifndef EXPERIMENTS_CONFIG_SCHEMA_H
#define EXPERIMENTS_CONFIG_SCHEMA_H

#include "base/param.h"

#include <stddef.h>

#define XP_PICKS 3

/* A key whose value selects a plug-in by name. */
struct xp_pick {
	const char *key;           /* "kind"; NULL: no (further) choice */
	const char *plugin_kind;   /* "topology" */
	const char *default_value; /* default; NULL: required */
	size_t offset;             /* of the struct net_choice in the section's struct */
};

struct xp_section {
	const char *path; /* "" (top level), "time", "links.default", "links.*"; NULL ends the table */
	const char *help;
	const struct base_param *table;          /* fixed keys; NULL: none */
	const struct base_condition *conditions; /* of the fixed keys; NULL: none */
	struct xp_pick pick[XP_PICKS];
	size_t offset;       /* of the section's struct (a list: of the pointer to its entries) in struct net_config */
	size_t entry_bytes;  /* of a list: bytes of an entry; 0: not a list */
	size_t count_offset; /* of a list: of its uint32_t length */
	long inherit;        /* offset of the struct whose values are this one's defaults; -1: none */
	bool may_miss;       /* the section may be left out even if it has required keys (an empty list) */
	const char *unless;  /* a pick: required keys may be left out where it names another plug-in than its default */
	bool named; /* true: instead of a list, the entries are the groups beside the section that are no sections
	               themselves, each named by its group (struct net_link_class) */
};

/* Durations in ps that replace "auto" in time.warmup and time.measure. They are not used if the run determines these
 * times itself or ends with its applications. */
#define XP_WARMUP UINT64_C(20000000)
#define XP_MEASURE UINT64_C(200000000)

extern const struct xp_section xp_sections[];
extern const struct base_param xp_class_table[], xp_nic_table[], xp_mpi_table[], xp_node_table[], xp_job_table[],
    xp_failure_table[], xp_default_link_table[], xp_link_table[];

/* Conditions of keys. xp_job_is_open(): the job (struct net_job) follows a traffic pattern instead of a process.
 * xp_is_loggops(): the analytical model (struct net_formula) is LogGOPS. conditions.c */
bool xp_job_is_open(const void *section);
bool xp_is_loggops(const void *section);
extern const struct base_condition xp_formula_conditions[], xp_time_conditions[], xp_job_conditions[],
    xp_record_conditions[], xp_engine_conditions[], xp_output_conditions[], xp_cost_conditions[],
    xp_failure_conditions[];

/* Returns the name of a parameter's type for help texts and the manual, such as "time" or "list of whole numbers". */
const char *xp_param_type_text(const struct base_param *p);

#endif
