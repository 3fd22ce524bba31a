/* experiments/design/seed.c - the two seeds of a search for designs. The seed in the base configuration draws the
 * sample of candidates. A second seed, derived from it, is used by the runs that measure the front. */
#include "base/format.h"
#include "experiments/design/design.h"

#include <stdlib.h>

#define MODULUS 1000000007u
#define APART 1000003u /* never a multiple of MODULUS: no seed follows from itself */

void xp_space_seed(struct xp_search_space *s, const char *text, size_t bytes)
{
	const struct xp_ground *g = &s->c.study.ground;
	struct base_errors ignored = { 0 }; /* they are reported when the configuration is read */
	struct xp_node *root = xp_tree_parse(text, bytes, g->path, NULL, &ignored);
	s->seed = 1;
	for (size_t i = 0; root && i < g->nset; i++)
		xp_tree_set(root, g->set[i], g->set_at[i], &ignored);
	for (size_t i = 0; root && i < s->c.runs.nset; i++)
		xp_tree_set(root, s->c.runs.set[i], NULL, &ignored);
	const struct xp_node *seed = root ? xp_member(root, "seed") : NULL;
	if (seed && seed->text)
		s->seed = strtoull(seed->text, NULL, 0);
	base_errors_free(&ignored);
	xp_node_free(root);
	s->fresh = base_format("seed=%llu", (unsigned long long)(s->seed % MODULUS) + APART);
}
