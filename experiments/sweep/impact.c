/* experiments/sweep/impact.c - what others do to a job: see impact.h. */
#include "experiments/sweep/impact.h"
#include "experiments/results/reader.h"
#include "experiments/runs/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void xp_read_impact(struct xp_fields *r, struct xp_experiment *e, const struct xp_node *root)
{
	static const char *const known[] = { "job", "axis", "alone", NULL };
	const struct xp_node *group = xp_member(root, "impact");
	if (!group)
		return;
	if (group->type != XP_GROUP) {
		base_errorf(r->errors, "impact", "must be a group { job = ...; axis = ...; alone = ...; }");
		return;
	}
	xp_fields_known(r, group, "impact", known);
	e->impact_job = xp_field_text(r, group, "impact", "job", true);
	bool own = !xp_member(group, "alone") && !xp_member(group, "axis");
	e->impact_axis = SIZE_MAX;
	if (own)
		return;
	e->impact_alone = xp_field_text(r, group, "impact", "alone", true);
	char *axis = xp_field_text(r, group, "impact", "axis", true);
	size_t a = 0, v = 0;
	while (axis && a < e->naxes && strcmp(e->axis[a].name, axis) != 0)
		a++;
	if (axis && a == e->naxes)
		base_errorf(r->errors, "impact.axis", "no axis is named \"%s\"", axis);
	else if (axis && e->impact_alone) {
		e->impact_axis = a;
		while (v < e->axis[a].n && strcmp(e->axis[a].v[v].label, e->impact_alone) != 0)
			v++;
		if (v == e->axis[a].n)
			base_errorf(r->errors, "impact.alone", "axis \"%s\" has no point with the label \"%s\"", axis,
			            e->impact_alone);
		else if (e->axis[a].n < 2)
			base_errorf(r->errors, "impact.axis",
			            "has no point except that of the job alone; at least one more is required");
	}
	if (e->choice == XP_FIND && axis && e->impact_axis == e->x)
		base_errorf(r->errors, "impact.axis",
		            "must not be the x axis with find = \"saturation\", because the bisection may skip the "
		            "point \"%s\"",
		            e->impact_alone ? e->impact_alone : "");
	free(axis);
}

void xp_free_impact(struct xp_experiment *e)
{
	free(e->impact_job);
	free(e->impact_alone);
}

bool xp_impact_is_alone(const struct xp_experiment *e, const json_t *row)
{
	if (xp_impact_is_own(e))
		return false;
	const char *label = xp_text(json_object_get(row, "labels"), e->axis[e->impact_axis].name);
	return !strcmp(label, e->impact_alone);
}

/* The point that differs in the label on the axis only. */
static const struct xp_point *alone_of(const struct xp_sweep *sweep, const struct xp_point *point)
{
	const struct xp_experiment *e = &sweep->experiment;
	for (size_t p = 0; p < sweep->n; p++) {
		const struct xp_point *q = &sweep->point[p];
		size_t a = 0;
		while (a < e->naxes &&
		       !strcmp(q->at[a]->label, a == e->impact_axis ? e->impact_alone : point->at[a]->label))
			a++;
		if (a == e->naxes)
			return q;
	}
	return NULL;
}

void xp_impact_rows(struct xp_sweep *sweep)
{
	if (!sweep->experiment.impact_job || xp_impact_is_own(&sweep->experiment))
		return;
	for (size_t p = 0; p < sweep->n; p++) {
		const struct xp_point *alone = alone_of(sweep, &sweep->point[p]);
		double with = xp_number(sweep->point[p].row, "impact_ns", NULL);
		double without = alone ? xp_number(alone->row, "impact_ns", NULL) : NAN;
		json_object_del(sweep->point[p].row, "impact"); /* what its run says, if it isolates the job */
		if (isfinite(with) && without > 0)
			json_object_set_new(sweep->point[p].row, "impact", json_real(with / without));
	}
}
