/* experiments/sweep/plan.c - see plan.h */
#include "experiments/sweep/plan.h"
#include "experiments/results/reader.h"
#include "experiments/results/saturation.h"

/* The points that differ in x alone, x rising: every `stride`-th from the first. */
struct series {
	struct xp_point *first;
	size_t stride, n;
};

static struct xp_point *at(const struct series *s, size_t i)
{
	return s->first + i * s->stride;
}

static void want(struct xp_point *point)
{
	for (size_t i = 0; i < point->nruns; i++)
		if (point->run[i].state == XP_UNASKED)
			point->run[i].state = XP_WAITING;
}

/* All runs of the point have a result. */
static bool known(const struct xp_point *point)
{
	enum xp_run_state state = xp_point_state(point);
	return state == XP_RAN || state == XP_KEPT;
}

/* Of all its runs: one that is saturated decides; the load is carried if it is by all. */
static enum xp_load load_of(const struct xp_point *point)
{
	enum xp_load load = XP_LOAD_CARRIED;
	for (size_t i = 0; i < point->nruns && load != XP_LOAD_SATURATES; i++) {
		enum xp_load one = xp_load_said(point->run[i].row);
		load = one == XP_LOAD_CARRIED ? load : one;
	}
	return load;
}

/* A point that fails says nothing of the next. */
static void up_to_saturation(const struct series *s)
{
	for (size_t i = 0; i < s->n; i++) {
		want(at(s, i));
		if (known(at(s, i)) ? load_of(at(s, i)) == XP_LOAD_SATURATES : xp_point_state(at(s, i)) != XP_FAILED)
			return;
	}
}

/* Both ends first; then the middle between the largest x that is stationary and the least that is not. */
static void bisect(const struct series *s)
{
	size_t low = 0, high = s->n - 1;
	want(at(s, low));
	want(at(s, high));
	if (!known(at(s, low)) || !known(at(s, high)) || load_of(at(s, low)) != XP_LOAD_CARRIED ||
	    load_of(at(s, high)) == XP_LOAD_CARRIED)
		return;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		want(at(s, middle));
		if (!known(at(s, middle)))
			return;
		if (load_of(at(s, middle)) == XP_LOAD_CARRIED)
			low = middle;
		else
			high = middle;
	}
}

void xp_plan(struct xp_sweep *sweep)
{
	const struct xp_experiment *e = &sweep->experiment;
	const struct xp_value *start = sweep->point[0].at[e->x];
	struct series s = { .n = sweep->brief && e->axis[e->x].brief ? e->axis[e->x].nbrief : e->axis[e->x].n,
		            .stride = 1 };
	while (s.n > 1 && sweep->point[s.stride].at[e->x] == start)
		s.stride++;
	for (size_t i = 0; i < sweep->n; i++) {
		s.first = &sweep->point[i];
		if (e->choice == XP_ALL)
			want(s.first);
		else if (s.first->at[e->x] == start && e->choice == XP_STOP)
			up_to_saturation(&s);
		else if (s.first->at[e->x] == start)
			bisect(&s);
	}
}

/* The entry of a row's series, added if it is the first of it. */
static json_t *entry_of(const struct xp_experiment *e, json_t *table, const json_t *row)
{
	json_t *labels = json_copy(json_object_get(row, "labels"));
	size_t i = 0;
	json_object_del(labels, e->axis[e->x].name);
	while (i < json_array_size(table) && !json_equal(json_object_get(json_array_get(table, i), "labels"), labels))
		i++;
	if (i == json_array_size(table))
		json_array_append_new(table,
		                      json_pack("{s:O,s:n,s:n,s:b}", "labels", labels, "low", "high", "decided", 1));
	json_decref(labels);
	return json_array_get(table, i);
}

/* Is the row at or above the end of its series? */
static bool ends_series(const struct xp_experiment *e, const json_t *row)
{
	bool open = json_is_null(json_object_get(row, "stationary"));
	return xp_load_said(row) == XP_LOAD_SATURATES || (e->choice == XP_FIND && open);
}

json_t *xp_saturation(const struct xp_experiment *e, const json_t *rows)
{
	json_t *table = json_array();
	size_t i;
	const json_t *row;
	for (int end = 0; end < 2; end++) /* high ends first, low ends lie below them */
		json_array_foreach (rows, i, row) {
			json_t *entry = entry_of(e, table, row);
			enum xp_load load = xp_load_said(row);
			double x = xp_row_x(e, row), high = xp_number(entry, "high", NULL);
			double low = xp_number(entry, "low", NULL);
			if (!end && ends_series(e, row) && !(x >= high)) {
				json_object_set_new(entry, "high", json_real(x));
				json_object_set_new(entry, "decided", json_boolean(load == XP_LOAD_SATURATES));
			} else if (end && load == XP_LOAD_CARRIED && !(x >= high) && !(x <= low)) {
				json_object_set_new(entry, "low", json_real(x));
			}
		}
	return table;
}
