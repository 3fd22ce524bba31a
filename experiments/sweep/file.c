/* experiments/sweep/file.c - reading an experiment file; see experiment.h. */
#include "experiments/runs/fields.h"
#include "experiments/sweep/impact.h"

#include <stdlib.h>

static void read_root(struct xp_fields *r, const struct xp_node *root, void *arg)
{
	static const char *const known[] = { "title", "plugins", "description", "base",     "config", "set",
		                             "grid",  "x",       "panels",      "repeat",   "stop",   "find",
		                             "width", "short",   "published",   "expected", "impact", NULL };
	static const char *const in_short[] = { "set", NULL };
	struct xp_experiment *e = arg;
	if (xp_fields_other(r, root, XP_KIND_SWEEP))
		return;
	xp_fields_known(r, root, "", known);
	xp_read_ground(r, root);
	const struct xp_node *brief = xp_member(root, "short");
	if (brief && brief->type == XP_GROUP) {
		xp_fields_known(r, brief, "short", in_short);
		e->brief_set = xp_field_settings(r, brief, "short", &e->nbrief_set, &e->brief_set_at);
	} else if (brief) {
		base_errorf(r->errors, "short", "must be a group { set = [ ... ]; }");
	}
	xp_read_grid(r, e, root);
	if (!e->naxes)
		return;
	xp_read_claims(r, e, root);
	xp_read_impact(r, e, root);
}

int xp_experiment_read(struct xp_experiment *e, const char *path, struct base_errors *errors)
{
	*e = (struct xp_experiment){ .repeat = 1 };
	return xp_ground_read(&e->ground, path, read_root, e, errors);
}

void xp_experiment_free(struct xp_experiment *e)
{
	xp_ground_free(&e->ground);
	xp_free_grid(e);
	xp_free_claims(e);
	xp_free_impact(e);
	xp_free_texts(e->brief_set, e->nbrief_set);
	xp_free_texts(e->brief_set_at, e->nbrief_set);
	free(e->source);
	*e = (struct xp_experiment){ 0 };
}
