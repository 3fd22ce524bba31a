/* sim/phold.h - PHOLD (Fujimoto 1990): the benchmark of the bare engine.
 *
 * Every LP starts with some events. Each event that is executed sends one new event, after the lookahead plus an
 * exponentially distributed delay: with a given probability to an LP drawn uniformly from all, otherwise to the same
 * LP. */
#ifndef SIM_PHOLD_H
#define SIM_PHOLD_H

#include "sim/sim.h"

struct sim_phold {
	uint32_t lps;
	uint32_t start_events; /* per LP */
	uint32_t remote_ppm;   /* probability, in parts per million, that the destination is drawn anew */
	sim_time mean;         /* of the exponential part */
	sim_time lookahead;
	sim_time end;
	uint64_t seed;
	enum sim_sync sync;
	sim_time window;
	uint32_t optimism, gvt_interval, stress;
	bool audit;
	enum sim_wish (*progress)(void *arg, sim_time committed, uint64_t events);
	void *progress_arg;
};

struct sim_phold_result {
	enum sim_outcome outcome;
	uint64_t digest;              /* over all committed events: LP, time, sender */
	uint64_t events;              /* committed, all ranks */
	struct sim_counters counters; /* summed over ranks */
	double setup_s, wall_s;
	uint64_t peak_rss_bytes; /* summed over ranks */
	uint64_t state_bytes;    /* of LPs, all ranks */
};

void sim_phold_defaults(struct sim_phold *p);
/* Runs PHOLD and fills *result, which is the same on every rank. Collective. Returns -1 with errors on failure. */
int sim_phold_run(const struct sim_phold *p, struct sim_phold_result *result, struct base_errors *errors);

#endif
