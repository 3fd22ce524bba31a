/* experiments/results/log.h - the result log FILE.jsonl.gz, and its tables as CSV. docs/results.md documents every
 * record. */
#ifndef EXPERIMENTS_RESULTS_LOG_H
#define EXPERIMENTS_RESULTS_LOG_H

#include "base/json.h"
#include "experiments/results/file.h"
#include "experiments/results/summary.h"
#include "network/network.h"

/* Writes the log. Collective: every rank writes its share (shares.h). With an analytical network model `net` is NULL
 * and only rank 0 writes. Returns 0, or -1 on all ranks after printing the reason, in which case no file is left. */
XP_MUST_LOOK int xp_log_write(const char *path, struct net *net, const struct xp_run_facts *run,
                              const struct net_config *config);

/* Writes the member "tiles": place[ports], numbered along the rows, tile by tile. Nothing if there are no rows.
 * log_switch.c */
void xp_json_tiles(struct base_json *j, uint32_t rows, uint32_t columns, uint32_t per_tile, uint32_t ports,
                   const uint16_t *place);

/* Writes the members of a record "switch". log_switch.c */
void xp_switch_members(struct base_json *j, const struct net_switch_record *r, const struct net_config *config);

/* Writes the tables as PATH without .jsonl.gz, plus .jobs.csv.gz, .timeline.csv.gz, .histograms.csv.gz, .ports.csv.gz,
 * .switches.csv.gz and .packets.csv.gz, for data that was recorded. csv.c */
XP_MUST_LOOK int xp_csv_write(const char *path, struct net *net, const struct xp_run_facts *run,
                              const struct net_config *config);
/* The path of the i-th table, owned by the caller; NULL after the last. */
char *xp_csv_path(const char *path, const struct net_config *config, size_t i);

#endif
