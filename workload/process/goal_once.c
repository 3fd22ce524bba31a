/* workload/process/goal_once.c - a schedule and its derived tables, once per host: one rank reads it, the others wait
 * and use the same memory (sim/tables.h), to which none of them writes. */
#include "workload/process/goal.h"

#include "base/memory.h"

#define ARRAYS 10

static void list_arrays(struct goal_shared *s, size_t places, struct sim_array *out)
{
	struct wl_goal *g = &s->goal;
	struct wl_goal_messages *m = &s->messages;
	struct wl_goal_pairs *q = &s->pairs;
	size_t word = sizeof(uint32_t), ranks = ((size_t)g->ranks + 1) * word, ops = ((size_t)g->ops + 1) * word;
	const struct sim_array all[ARRAYS] = {
		{ (void **)(void *)&g->first_op, ranks },
		{ (void **)(void *)&g->op, ((size_t)g->ops + 1) * sizeof *g->op },
		{ (void **)(void *)&g->next, ((size_t)g->dependencies + 1) * word },
		{ (void **)(void *)&m->first, ranks },
		{ (void **)(void *)&m->place, ops },
		{ (void **)(void *)&m->send, (places + 1) * word },
		{ (void **)(void *)&q->first_out, ranks },
		{ (void **)(void *)&q->first_in, ranks },
		{ (void **)(void *)&q->out, ops },
		{ (void **)(void *)&q->in, ops },
	};
	for (unsigned i = 0; i < ARRAYS; i++)
		out[i] = all[i];
}

static int load_here(struct wl_process *p, goal_loader *load, struct goal_shared *s, struct base_errors *errors)
{
	if (load(p, &s->goal, errors))
		return -1;
	wl_goal_memory_for(&s->goal, ((const struct goal_params *)p->params)->file, "is replayed on the network");
	wl_goal_messages_make(&s->messages, &s->goal);
	wl_goal_pairs_make(&s->pairs, &s->goal, &s->messages);
	base_memory_made();
	return 0;
}

/* Of a schedule: what those that wait need to know of it. */
enum { FAILED, RANKS, OPS, DEPENDENCIES, CPUS, NICS, PLACES, COLLECTIVES, WORDS };

int goal_load_once(struct wl_process *p, goal_loader *load, struct goal_shared *s, struct base_errors *errors)
{
	enum sim_maker maker = sim_tables_maker();
	struct wl_goal *g = &s->goal;
	struct sim_array arrays[ARRAYS];
	uint64_t said[WORDS] = { 0 };
	if (maker == SIM_MAKES_ITS_OWN)
		return load_here(p, load, s, errors);
	if (maker == SIM_MAKES_FOR_ALL) {
		said[FAILED] = load_here(p, load, s, errors) != 0;
		said[RANKS] = g->ranks;
		said[OPS] = g->ops;
		said[DEPENDENCIES] = g->dependencies;
		said[CPUS] = g->cpus;
		said[NICS] = g->nics;
		said[COLLECTIVES] = p->collectives;
		said[PLACES] = s->messages.first ? s->messages.first[g->ranks] : 0;
	}
	sim_tables_say(said, WORDS);
	if (said[FAILED])
		return maker == SIM_WAITS ? load_here(p, load, s, errors) : -1; /* the same errors */
	p->collectives = said[COLLECTIVES];
	if (maker == SIM_WAITS)
		*g = (struct wl_goal){ .ranks = (uint32_t)said[RANKS],
			               .ops = (uint32_t)said[OPS],
			               .dependencies = (uint32_t)said[DEPENDENCIES],
			               .cpus = (uint32_t)said[CPUS],
			               .nics = (uint32_t)said[NICS] };
	list_arrays(s, said[PLACES], arrays);
	if (sim_table_of_arrays(&s->once, arrays, ARRAYS, maker) || maker == SIM_MAKES_FOR_ALL)
		return 0;
	return load_here(p, load, s, errors);
}

void goal_free_once(struct goal_shared *s)
{
	if (s->once.v) {
		sim_table_free(&s->once);
		return;
	}
	wl_goal_pairs_free(&s->pairs);
	wl_goal_messages_free(&s->messages);
	wl_goal_free(&s->goal);
}
