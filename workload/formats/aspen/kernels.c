/* workload/formats/aspen/kernels.c - properties of a kernel, including everything it calls: samples, probabilities,
 * communication, and nesting depth. */
#include "workload/formats/aspen/aspen.h"
#include "workload/formats/aspen/tree.h"

#include <string.h>

#define CALLS 1000u /* nested statements, those of called kernels included */

static uint32_t visit_body(struct aspen *a, struct aspen_kernel *k, const struct aspen_list *body, uint32_t depth);

static uint32_t higher(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static uint32_t visit_stmt(struct aspen *a, struct aspen_kernel *k, struct aspen_stmt *t, uint32_t depth)
{
	struct aspen_kernel before = *k;
	k->samples = k->random = k->communicates = false;
	uint32_t height = higher(visit_body(a, k, &t->body, depth + 1), visit_body(a, k, &t->otherwise, depth + 1));
	for (uint32_t i = 0; i < t->branches.n; i++)
		height = higher(height, visit_body(a, k, &((struct aspen_branch *)t->branches.v[i])->body, depth + 1));
	if (t->kind == ASPEN_CALL_KERNEL && t->kernel) {
		height = higher(height, aspen_kernel_visit(a, t->kernel, depth + 1));
		if (t->kernel->visiting && !a->given_up) {
			aspen_errorf(a, t->at, "kernel %s calls itself, directly or through others", t->kernel->name);
			t->kernel = NULL;
		} else {
			k->samples |= t->kernel->samples;
			k->random |= t->kernel->random;
			k->communicates |= t->kernel->communicates;
		}
	}
	for (uint32_t i = 0; i < t->requirements.n; i++)
		k->communicates |= !strcmp(((struct aspen_requirement *)t->requirements.v[i])->name, "comm");
	k->samples |= t->kind == ASPEN_SAMPLE;
	k->random |= t->kind == ASPEN_PROBABILITY;
	t->explicit_walk = k->samples || ((t->kind == ASPEN_ITERATE || t->kind == ASPEN_MAP) && t->name);
	t->random = k->random;
	t->communicates = k->communicates;
	k->samples |= before.samples;
	k->random |= before.random;
	k->communicates |= before.communicates;
	return height + 1;
}

static uint32_t visit_body(struct aspen *a, struct aspen_kernel *k, const struct aspen_list *body, uint32_t depth)
{
	uint32_t height = 0;
	for (uint32_t i = 0; i < body->n && !a->given_up; i++)
		height = higher(height, visit_stmt(a, k, body->v[i], depth));
	return height;
}

uint32_t aspen_kernel_visit(struct aspen *a, struct aspen_kernel *k, uint32_t depth)
{
	if (k->visiting || a->given_up)
		return 0;
	if (!k->height && depth <= CALLS) {
		k->visiting = true;
		k->height = visit_body(a, k, &k->body, depth) + 1;
		k->visiting = false;
	}
	if (depth + k->height > CALLS && !a->given_up) {
		aspen_errorf(a, k->at, "kernel %s: calls and blocks are nested more than %u levels deep", k->name,
		             CALLS);
		a->given_up = true;
	}
	return k->height;
}
