/* workload/formats/chakra/chakra_visit.c - the nodes of a trace that was checked, read once more. */
#include "workload/formats/chakra/chakra.h"
#include "workload/formats/chakra/chakra_json.h"
#include "workload/formats/map.h"

#include <stdlib.h>
#include <string.h>

static uint32_t group_by_name(const struct wl_chakra *c, const char *name)
{
	uint32_t i = 0;
	while (i + 1 < c->group_count && strcmp(c->group[i].name, name) != 0)
		i++;
	return i;
}

/* The collectives of an NPU's file, numbered; its groups are those of c. */
static int read_collectives(const struct wl_chakra *c, uint32_t npu, const struct wl_trace_file *f,
                            struct chakra_collectives *out, struct base_errors *errors)
{
	char text[CHAKRA_TEXT];
	struct chakra_node n = { 0 };
	enum mpi_next next;
	uint64_t at = 0;
	if (chakra_read_head(f, &at, text, errors))
		return -1;
	while ((next = chakra_read_node(f, &at, &n, errors)) == WL_MPI_CALL) {
		if (n.type != CHAKRA_COLL)
			continue;
		wl_chakra_group_name(c, npu, &n, text);
		chakra_collectives_add(out, &n, group_by_name(c, text));
	}
	chakra_node_free(&n);
	chakra_collectives_number(out);
	return next == WL_MPI_END ? 0 : -1;
}

/* Ids become numbers. */
static void number_needs(struct chakra_needs *needs, const struct wl_map *number)
{
	for (uint32_t k = 0; k < needs->need.n; k++) {
		const uint64_t *found = wl_map_find(number, needs->need.v[k]);
		needs->need.v[k] = found ? *found : CHAKRA_ABSENT;
	}
}

static int visit_nodes(const struct wl_chakra *c, uint32_t npu, const struct wl_trace_file *f, chakra_visitor *visit,
                       void *arg, struct chakra_needs *needs, struct base_errors *errors)
{
	struct chakra_collectives collectives = { 0 };
	struct chakra_node n = { 0 };
	struct wl_map number = { 0 };
	char version[CHAKRA_TEXT];
	enum mpi_next next = WL_MPI_UNREADABLE;
	uint64_t at = 0;
	bool fits = true,
	     read = !read_collectives(c, npu, f, &collectives, errors) && !chakra_read_head(f, &at, version, errors);
	while (read && fits && (next = chakra_read_node(f, &at, &n, errors)) == WL_MPI_CALL) {
		*wl_map_put(&number, n.id) = needs->first.n;
		mpi_list_add(&needs->first, needs->need.n);
		for (uint32_t i = 0; i < chakra_ordering_needs(&c->npu[npu], &n); i++)
			mpi_list_add(&needs->need, n.needs.v[i]);
		fits = visit(arg, &n, &collectives);
		if (!fits)
			chakra_errorf(f, &n, errors, "the trace has more than 2^31 nodes");
	}
	mpi_list_add(&needs->first, needs->need.n);
	number_needs(needs, &number);
	wl_map_free(&number);
	chakra_node_free(&n);
	chakra_collectives_free(&collectives);
	return next == WL_MPI_END ? 0 : -1;
}

int wl_chakra_visit(const struct wl_chakra *c, uint32_t npu, chakra_visitor *visit, void *arg,
                    struct chakra_needs *needs, struct base_errors *errors)
{
	struct wl_trace_file f;
	*needs = (struct chakra_needs){ 0 };
	if (chakra_open_file(&f, c->file[npu], errors))
		return -1;
	int status = visit_nodes(c, npu, &f, visit, arg, needs, errors);
	wl_trace_file_close(&f);
	return status;
}

void chakra_needs_free(struct chakra_needs *needs)
{
	free(needs->first.v);
	free(needs->need.v);
}
