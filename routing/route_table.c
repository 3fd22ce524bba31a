/* routing/route_table.c - routing by a table: next hops, or whole paths, from a file, with virtual channels and
 * weights.
 *
 * Nothing is assumed about the routes. When the file is read, the reader checks that every route reaches its
 * destination and does not go in circles; before every run, a walk over all routes proves that they cannot deadlock.
 * Where the file gives no virtual channels, these follow the topology's rule for minimal routes, or equal the number of
 * hops taken so far; in the latter case the VC rises with every hop, and no table can deadlock.
 *
 * The MPI ranks of a host share one table. */
#include "base/memory.h"
#include "routing/routes.h"
#include "topo/text_file.h"

#include <stdlib.h>

enum { CHOOSE_BY_PACKET, CHOOSE_BY_FLOW };

struct table_params {
	char *file;
	int vc;
	int choose;
};

static const struct base_param table_params[] = {
	{ BASE_KEY(FILE, struct table_params, file, NULL),
	  .help = "lines \"SWITCH DESTINATIONS HOP ...\" or \"path SOURCE DESTINATION HOP ...\"; a HOP is "
	          "NEXT[/VC][*WEIGHT]; may be gzip" },
	{ BASE_KEY(ENUM, struct table_params, vc, "rule"), .choices = "rule|hops",
	  .help =
	      "virtual channel of hops for which the file gives none. rule: that of the topology's rule for minimal "
	      "routes; hops: the number of hops taken so far, with which no table can deadlock" },
	{ BASE_KEY(ENUM, struct table_params, choose, "packet"), .choices = "packet|flow",
	  .help =
	      "how one of several next hops, or paths, is chosen, by their weights: at random for each packet, or by "
	      "a hash of the flow (source, destination, job)" },
	{ 0 },
};

/* --- what the ranks of a host share -------------------------------------------------------------------------- */

enum {
	FAILED,
	OUTLETS,
	SETS,
	ROWS,
	SWITCH_ROWS,
	WIDTH,
	SOURCE,
	OWN,
	PATHS,
	PAIRS,
	NPATHS,
	STEPS,
	LONGEST,
	USED,
	CHOICE,
	WORDS
};
enum { ARRAYS = 9 };

#define MOST_BYTES ((size_t)1 << 30) /* of text in a file */

static int read_table(struct rt *rt, struct rt_route_rules *rules, uint32_t *longest, struct base_errors *errors)
{
	const struct table_params *p = rt->params;
	size_t bytes = 0;
	char *text = topo_read_file(p->file, "file", MOST_BYTES, &bytes, errors);
	if (!text)
		return -1;
	int status = rt_routes_parse(rt, text, bytes, p->file, rules, longest, errors);
	free(text);
	return status;
}

static void say_routes(const struct rt_routes *r, uint64_t *said)
{
	said[OUTLETS] = r->outlets;
	said[SETS] = r->sets;
	said[ROWS] = r->rows;
	said[SWITCH_ROWS] = r->switch_rows;
	said[WIDTH] = r->width;
	said[SOURCE] = r->source != NULL;
	said[OWN] = r->row != NULL;
	said[PATHS] = r->paths;
	said[PAIRS] = r->pairs;
	said[NPATHS] = r->npaths;
	said[STEPS] = r->steps;
}

static void hear_routes(struct rt_routes *r, const uint64_t *said)
{
	r->outlets = (uint32_t)said[OUTLETS];
	r->sets = (uint32_t)said[SETS];
	r->rows = (uint32_t)said[ROWS];
	r->switch_rows = (uint32_t)said[SWITCH_ROWS];
	r->width = (uint32_t)said[WIDTH];
	r->paths = said[PATHS];
	r->pairs = (uint32_t)said[PAIRS];
	r->npaths = (uint32_t)said[NPATHS];
	r->steps = (uint32_t)said[STEPS];
}

/* Those that exist. */
static size_t list_arrays(const struct topo *t, struct rt_routes *r, const uint64_t *said, struct sim_array *out)
{
	size_t entries = (size_t)t->switches * r->rows * r->width, n = 0;
	const struct sim_array all[ARRAYS] = {
		{ (void **)&r->outlet, r->outlets * sizeof *r->outlet },
		{ (void **)&r->set, r->sets * sizeof *r->set },
		{ &r->entry, entries },
		{ &r->source, said[SOURCE] ? entries : 0 },
		{ (void **)&r->row, said[OWN] ? t->endpoints * sizeof *r->row : 0 },
		{ (void **)&r->pair, r->pairs * sizeof *r->pair },
		{ (void **)&r->pair_at, r->paths ? ((size_t)t->switches + 1) * sizeof *r->pair_at : 0 },
		{ (void **)&r->path, r->npaths * sizeof *r->path },
		{ (void **)&r->step, r->steps * sizeof *r->step },
	};
	for (size_t i = 0; i < ARRAYS; i++)
		if (all[i].bytes)
			out[n++] = all[i];
	return n;
}

/* One rank of a host reads the file for all. */
static int read_once(struct rt *rt, struct rt_route_rules *rules, uint32_t *longest, struct base_errors *errors)
{
	struct rt_routes *r = rt->impl;
	enum sim_maker maker = sim_tables_maker();
	uint64_t said[WORDS] = { 0 };
	struct sim_array arrays[ARRAYS];
	if (maker == SIM_MAKES_ITS_OWN)
		return read_table(rt, rules, longest, errors);
	if (maker == SIM_MAKES_FOR_ALL) {
		said[FAILED] = read_table(rt, rules, longest, errors) != 0;
		say_routes(r, said);
		said[LONGEST] = *longest;
		said[USED] = rules->used;
		said[CHOICE] = rules->choice;
	}
	sim_tables_say(said, WORDS);
	if (said[FAILED])
		return maker == SIM_WAITS ? read_table(rt, rules, longest, errors) : -1; /* the same errors */
	if (maker == SIM_WAITS) {
		hear_routes(r, said);
		*longest = (uint32_t)said[LONGEST];
		rules->used = said[USED];
		rules->choice = said[CHOICE];
	}
	size_t n = list_arrays(rt->topo, r, said, arrays);
	if (sim_table_of_arrays(&r->shared, arrays, n, maker) || maker == SIM_MAKES_FOR_ALL)
		return 0;
	hear_routes(r, (uint64_t[WORDS]){ 0 });
	return read_table(rt, rules, longest, errors);
}

/* --- the plug-in ---------------------------------------------------------------------------------------------- */

static int build_table(struct rt *rt, struct base_errors *errors)
{
	const struct table_params *p = rt->params;
	struct rt_route_rules rules = { .vc = p->vc ? RT_VC_HOPS : RT_VC_RULE };
	uint32_t longest = 0;
	if (!p->file || !*p->file)
		return base_errorf(errors, "file", "is required");
	if (rt_routes_build(rt, errors) || read_once(rt, &rules, &longest, errors))
		return -1;
	struct rt_routes *r = rt->impl;
	rt->by_flow = r->by_flow = p->choose == CHOOSE_BY_FLOW;
	if (p->vc && !rules.used)
		base_errorf(errors, "vc", "has no effect: %s sets the virtual channel of every hop", p->file);
	if (r->by_flow && !rules.choice)
		base_errorf(errors, "choose", "has no effect: %s contains no choice between several ports", p->file);
	if ((p->vc && !rules.used) || (r->by_flow && !rules.choice))
		return -1;
	return rt_routes_count_vcs(rt, longest, errors);
}

static const struct rt_ops table_ops = {
	.build = build_table,
	.destroy = rt_routes_destroy,
	.route = rt_routes_route,
	.vc_climbs = rt_routes_climb,
	.legs = rt_common_one_leg,
};

const struct base_plugin rt_table = {
	BASE_DESCRIBE("routing", "table", table_params, struct table_params, &table_ops),
	.summary = "next hops or whole paths from a file, with virtual channels and weights",
};
