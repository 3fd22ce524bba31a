/* experiments/results/log.h - writes the result log FILE.jsonl.gz, and its tables as CSV. docs/results.md documents
 * every record. */
#ifndef EXPERIMENTS_RESULTS_LOG_H
#define EXPERIMENTS_RESULTS_LOG_H

#include "base/json.h"
#include "experiments/results/file.h"
#include "experiments/results/summary.h"
#include "network/network.h"

/* Writes the result log of a run. Collective: every rank writes its share (shares.h). If the run used an analytical
 * network model, `net` is NULL and only rank 0 writes. Returns 0, or -1 on all ranks after printing the reason; no file
 * is left then. */
XP_MUST_LOOK int xp_log_write(const char *path, struct net *net, const struct xp_run_facts *run,
                              const struct net_config *config);

/* Writes the member "tiles", the floor plan of a switch: rows x columns tiles with `per_tile` ports each. place[ports]
 * is the position of each port, numbered along the rows, tile by tile. Writes nothing if rows is 0. log_switch.c */
void xp_json_tiles(struct base_json *j, uint32_t rows, uint32_t columns, uint32_t per_tile, uint32_t ports,
                   const uint16_t *place);

/* Writes the members of a record of kind `switch`. log_switch.c */
void xp_switch_members(struct base_json *j, const struct net_switch_record *r, const struct net_config *config);

/* Writes the result as CSV tables. Their paths are `path` without .jsonl.gz, followed by .jobs.csv.gz,
 * .timeline.csv.gz, .histograms.csv.gz, .ports.csv.gz, .switches.csv.gz or .packets.csv.gz. Only tables of recorded
 * data are written. Returns 0, or -1 after printing the reason. csv.c */
XP_MUST_LOOK int xp_csv_write(const char *path, struct net *net, const struct xp_run_facts *run,
                              const struct net_config *config);
/* Returns the path of the i-th CSV table that a run with this configuration writes, owned by the caller; NULL if there
 * are fewer. */
char *xp_csv_path(const char *path, const struct net_config *config, size_t i);

#endif
