/* experiments/commands/workload_loggops.c - `tilefly workload FILE.goal --loggops`: computes when each rank of a GOAL
 * schedule ends, with the analytical LogGOPS model instead of a simulated network. */
#include "experiments/commands/workload.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/param.h"
#include "base/text.h"
#include "experiments/commands/exit.h"
#include "experiments/config/message.h"
#include "workload/loggops/loggops.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define AT(field) offsetof(struct wl_loggops_params, field)
#define NO_LIMIT 0, 0

/* Defaults are LogGOPSim's, in ns. */
static const struct base_param table[] = {
	{ "L", BASE_TIME, AT(L), "2500ns", NULL, NO_LIMIT, NULL, "latency of a message", NULL },
	{ "o", BASE_TIME, AT(o), "1500ns", NULL, NO_LIMIT, NULL,
	  "processor overhead of a message at the sender and at the receiver", NULL },
	{ "g", BASE_TIME, AT(g), "1000ns", NULL, NO_LIMIT, NULL, "minimum gap between two messages of an interface",
	  NULL },
	{ "G", BASE_FLOAT, AT(G), "6000", "ps per byte", 0, 1e9, NULL, "interface time per byte of a message", NULL },
	{ "O", BASE_FLOAT, AT(O), "0", "ps per byte", 0, 1e9, NULL, "processor time per byte of a message", NULL },
	{ "S", BASE_SIZE, AT(S), "65535B", NULL, NO_LIMIT, NULL,
	  "maximum size of messages sent eagerly; larger ones wait for their receive", NULL },
	{ "unit", BASE_TIME, AT(unit), "1ns", NULL, 1, 1e12, NULL, "time unit of the schedule's computations", NULL },
	{ 0 },
};

static const struct base_param *find(const char *name, size_t length)
{
	for (const struct base_param *p = table; p->name; p++)
		if (strlen(p->name) == length && !memcmp(p->name, name, length))
			return p;
	return NULL;
}

/* "L=2us,G=40", or "default". */
static int read_params(const char *list, struct wl_loggops_params *params, struct base_errors *errors)
{
	size_t before = errors->errors;
	base_params_defaults(table, params, errors);
	bool given[sizeof table / sizeof *table] = { false };
	errors->scope = "--loggops";
	if (!*list)
		xp_error_at(errors, "--loggops", "must not be empty; the word default selects all defaults");
	for (const char *at = strcmp(list, "default") ? list : ""; *at;) {
		size_t all = strcspn(at, ","), key = strcspn(at, "=,");
		const struct base_param *p = key < all ? find(at, key) : NULL;
		char value[64];
		snprintf(value, sizeof value, "%.*s", (int)(p ? all - key - 1 : 0), p ? at + key + 1 : "");
		if (!p)
			xp_error_at(errors, "--loggops",
			            "\"%.*s\" must be one of L, o, g, G, O, S and unit with a value, as in L=2us,G=40; "
			            "or the word default",
			            (int)(all < 40 ? all : 40), at);
		else if (given[p - table])
			xp_error_at(errors, "--loggops", "%s is set twice", p->name);
		else if (all - key - 1 >= sizeof value)
			xp_error_at(errors, NULL, "the value of %s is too long", p->name);
		else
			base_param_parse(p, params, value, errors);
		if (p)
			given[p - table] = true;
		at += all + (at[all] == ',');
	}
	errors->scope = NULL;
	return errors->errors > before ? -1 : 0;
}

static void print_loggops_json(const struct wl_goal *g, const struct wl_loggops_result *r)
{
	struct base_json j = base_json_stream(stdout);
	char digest[32];
	snprintf(digest, sizeof digest, "%016" PRIx64, r->digest);
	base_json_object(&j, NULL);
	base_json_string(&j, "record", "loggops");
	if (r->unfinished)
		base_json_null(&j, "completion_ps");
	else
		base_json_uint(&j, "completion_ps", r->completion);
	base_json_uint(&j, "messages", r->messages);
	base_json_uint(&j, "bytes", r->bytes);
	base_json_uint(&j, "events", r->events);
	base_json_uint(&j, "unfinished", r->unfinished);
	base_json_array(&j, "end_ps");
	for (uint32_t i = 0; i < g->ranks; i++)
		base_json_uint(&j, NULL, r->end[i]);
	base_json_end(&j);
	base_json_string(&j, "digest", digest);
	base_json_end(&j);
	base_json_newline(&j);
}

static void print_loggops_text(const struct wl_goal *g, const struct wl_loggops_result *r)
{
	uint64_t first = UINT64_MAX;
	double sum = 0;
	for (uint32_t i = 0; i < g->ranks; i++) {
		first = r->end[i] < first ? r->end[i] : first;
		sum += (double)r->end[i] * 1e-6;
	}
	if (!r->unfinished)
		printf("%-13s %.6f us; ranks end from %.6f us on, at %.6f us on average\n", "completion",
		       (double)r->completion * 1e-6, (double)first * 1e-6, sum / g->ranks);
	printf("%-13s %" PRIu64 ", %" PRIu64 " bytes\n", "messages", r->messages, r->bytes);
}

/* Errors of parameters are of --loggops, others of the schedule's file. */
static void blame(const char *file, struct base_errors *found, struct base_errors *errors)
{
	for (size_t i = 0; i < found->n; i++) {
		const struct base_error *e = &found->v[i];
		if (*e->key)
			xp_error_at(errors, "--loggops", "%s: %s", e->key, e->text);
		else
			xp_error_at(errors, file, "%s", e->text);
	}
	base_errors_free(found);
}

int xp_workload_loggops(const struct xp_options *o, const struct wl_goal *goal, struct base_errors *errors)
{
	struct wl_loggops_params params = { 0 };
	struct wl_loggops_result result;
	struct base_errors found = { 0 };
	if (read_params(o->loggops ? o->loggops : "default", &params, errors))
		return XP_USAGE;
	params.kind = WL_LOGGOPS;
	params.sync = sim_ranks() > 1 ? SIM_CONSERVATIVE : SIM_SEQUENTIAL;
	wl_goal_memory_for(goal, o->operand[0], "is replayed on an analytical network model");
	int failed = wl_loggops_run(goal, &params, &result, &found);
	base_memory_made();
	blame(o->operand[0], &found, errors);
	if (failed) {
		wl_loggops_free(&result);
		return XP_USAGE;
	}
	bool lost = result.unreceived && o->strict;
	int status = result.outcome == SIM_DONE && !result.unfinished && !lost ? XP_OK : XP_FAILURE;
	if (sim_rank() == 0 && result.outcome == SIM_DONE) {
		if (o->loggops && (o->json || !o->quiet))
			(o->json ? print_loggops_json : print_loggops_text)(goal, &result);
		char file[1200];
		base_harmless_copy(o->operand[0], file, sizeof file);
		if (result.unfinished)
			fprintf(stderr, "%s: %" PRIu64 " operation%s\n%s", file, result.unfinished,
			        result.unfinished == 1 ? " never finishes" : "s never finish",
			        result.waits ? result.waits : "");
		else if (result.unreceived)
			fprintf(stderr, "%s: %s%" PRIu64 " message%s never received\n%s", file,
			        lost ? "" : "warning: ", result.unreceived, result.unreceived == 1 ? " was" : "s were",
			        result.waits ? result.waits : "");
	}
	wl_loggops_free(&result);
	return status;
}
