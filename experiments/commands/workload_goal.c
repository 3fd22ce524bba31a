/* experiments/commands/workload_goal.c - `tilefly workload` of a GOAL schedule: prints a summary of the schedule, or
 * converts it between the text and the binary form. */
#include "experiments/commands/workload.h"

#include "base/json.h"
#include "base/memory.h"
#include "experiments/commands/exit.h"
#include "sim/sim.h"
#include "workload/formats/goal/goal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print_schedule_json(const struct wl_goal *g, const struct wl_goal_facts *f)
{
	struct base_json j = base_json_stream(stdout);
	base_json_object(&j, NULL);
	base_json_string(&j, "record", "schedule");
	base_json_uint(&j, "ranks", g->ranks);
	base_json_uint(&j, "sends", f->sends);
	base_json_uint(&j, "recvs", f->recvs);
	base_json_uint(&j, "calcs", f->calcs);
	base_json_uint(&j, "send_bytes", f->send_bytes);
	base_json_uint(&j, "recv_bytes", f->recv_bytes);
	base_json_uint(&j, "calc_time", f->calc_time);
	base_json_uint(&j, "requires", f->requires);
	base_json_uint(&j, "irequires", f->irequires);
	base_json_uint(&j, "cpus", g->cpus);
	base_json_uint(&j, "nics", g->nics);
	base_json_end(&j);
	base_json_newline(&j);
}

static void print_schedule_text(const struct wl_goal *g, const struct wl_goal_facts *f)
{
	printf("%-13s %" PRIu32 ", %" PRIu32 " cpu%s and %" PRIu32 " nic%s each\n", "ranks", g->ranks, g->cpus,
	       g->cpus == 1 ? "" : "s", g->nics, g->nics == 1 ? "" : "s");
	printf("%-13s %" PRIu64 ", %" PRIu64 " bytes\n", "sends", f->sends, f->send_bytes);
	printf("%-13s %" PRIu64 ", %" PRIu64 " bytes\n", "receives", f->recvs, f->recv_bytes);
	printf("%-13s %" PRIu64 ", %" PRIu64 " units of time\n", "computations", f->calcs, f->calc_time);
	printf("%-13s %" PRIu64 " on the end of an operation (requires), %" PRIu64 " on its start (irequires)\n",
	       "dependencies", f->requires, f->irequires);
}

/* Compares, for each rank of a schedule, the number of messages that are sent to it with the number that it receives,
 * without a replay. Adds a warning if messages are never received, and an error if receives can never complete. Ranks
 * without operations are not considered. */
static int check_counts(const char *file, const struct wl_goal *g, struct base_errors *errors)
{
	int32_t *more =
	    base_calloc((size_t)g->ranks + 1, sizeof *more); /* sent than received; ops are less than 2^32 */
	uint64_t lost = 0, missing = 0;
	uint32_t first = UINT32_MAX, waits = UINT32_MAX;
	char key[1200];
	snprintf(key, sizeof key, "@%.1000s", file);
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0, own = 0; i < g->ops; i++) {
			if (i == 0 || i >= g->first_op[own + 1])
				own = wl_goal_rank_of(g, i);
			bool send = g->op[i].kind == WL_GOAL_SEND;
			uint32_t r = send ? g->op[i].peer : own;
			if (g->op[i].kind == WL_GOAL_CALC)
				continue;
			if (!pass) {
				more[r] += send ? 1 : -1;
				continue;
			}
			first = more[r] > 0 && r < first ? r : first;
			waits = more[r] < 0 && r < waits ? r : waits;
			lost += more[r] > 0 ? (uint64_t)more[r] : 0;
			missing += more[r] < 0 ? (uint64_t)-more[r] : 0;
			more[r] = 0;
		}
	if (lost)
		base_warnf(errors, key,
		           "%" PRIu64 " message%s never received, %s of rank %" PRIu32
		           "; --loggops default or --strict replays the schedule",
		           lost, lost == 1 ? " is" : "s are", lost == 1 ? "one" : "the first", first);
	if (missing)
		base_errorf(errors, key,
		            "%" PRIu64 " receive%s no message, %s of rank %" PRIu32
		            "; --loggops default prints which ranks wait for which",
		            missing, missing == 1 ? " gets" : "s get", missing == 1 ? "one" : "the first", waits);
	free(more);
	return missing ? XP_FAILURE : XP_OK;
}

/* The facts, or the other form; what is wrong with it. */
static int show(const struct xp_options *o, const struct wl_goal *goal, struct base_errors *errors)
{
	struct wl_goal_facts facts;
	int status = XP_OK;
	if (o->strict)
		status = xp_workload_loggops(o, goal, errors);
	if (sim_rank() != 0)
		return status;
	if (o->emit) {
		int written = xp_workload_write(o, goal);
		return status == XP_OK ? written : status;
	}
	wl_goal_count(goal, &facts);
	if (o->json || !o->quiet)
		(o->json ? print_schedule_json : print_schedule_text)(goal, &facts);
	return o->strict ? status : check_counts(o->operand[0], goal, errors);
}

int xp_workload_goal(const struct xp_options *o, struct base_errors *errors)
{
	struct wl_goal goal = { 0 };
	int status = XP_USAGE;
	if (!wl_goal_load(&goal, o->operand[0], errors))
		status = (o->loggops ? xp_workload_loggops : show)(o, &goal, errors);
	wl_goal_free(&goal);
	return status;
}
