/* workload/formats/chakra/chakra_groups.c - process groups: the group of a collective, and the order of the members of
 * groups, from a file next to the trace: JSON, { "0": [0, 1], "1": [3, 2] }, as ASTRA-sim's communicator groups. */
#include "base/input.h"
#include "base/memory.h"
#include "workload/formats/chakra/chakra.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t wl_chakra_dims_npus(const struct wl_chakra_dims *dims)
{
	uint64_t npus = 1;
	for (uint32_t i = 0; i < dims->n && npus <= WL_CHAKRA_NPUS; i++)
		npus *= dims->k[i];
	return npus;
}

bool wl_chakra_group_name(const struct wl_chakra *c, uint32_t npu, const struct chakra_node *n, char out[CHAKRA_TEXT])
{
	char bits[CHAKRA_DIMS + 1] = "";
	uint32_t stride = 1, first = 0;
	memcpy(out, n->group, CHAKRA_TEXT);
	if (*n->group || !n->dims || n->dims != c->dims.n || n->involved == UINT32_MAX >> (32 - n->dims))
		return false;
	for (uint32_t i = 0; i < n->dims; i++) {
		bool involved = n->involved >> i & 1;
		first += involved ? 0 : npu / stride % c->dims.k[i] * stride;
		stride *= c->dims.k[i];
		bits[i] = involved ? '1' : '0';
	}
	snprintf(out, CHAKRA_TEXT, "dimensions %s of NPU %" PRIu32, bits, first);
	return true;
}

/* NULL with an error. */
static json_t *read_json(const char *file, const char *key, struct base_errors *errors)
{
	const char *why;
	json_error_t error;
	int fd = base_open_input(file, false, &why);
	FILE *in = fd >= 0 ? fdopen(fd, "r") : NULL;
	if (!in) {
		base_errorf(errors, key, "cannot be read: %s", fd < 0 ? why : strerror(errno));
		return NULL;
	}
	json_t *root = json_loadf(in, JSON_REJECT_DUPLICATES, &error);
	fclose(in);
	if (!root)
		base_errorf(errors, key, "line %d: %s", error.line, error.text);
	else if (!json_is_object(root))
		base_errorf(errors, key, "must be one object with process groups: { \"0\": [0, 1, 2] }");
	if (json_is_object(root))
		return root;
	json_decref(root);
	return NULL;
}

/* What has collectives, by the trace, and is a member, by the file: both or neither. */
static int compare_members(const struct wl_chakra_group *g, const struct mpi_list *listed, uint32_t npus,
                           const char *key, struct base_errors *errors)
{
	enum { CALLS = 1, LISTED = 2 };
	int status = 0;
	uint8_t *is = base_calloc(npus, 1);
	for (uint32_t i = 0; i < g->members.n; i++)
		is[g->members.v[i]] |= CALLS;
	for (uint32_t i = 0; i < listed->n; i++) {
		if (is[listed->v[i]] & LISTED)
			status = base_errorf(errors, key, "process group \"%s\": NPU %" PRIu64 " is listed twice",
			                     g->name, listed->v[i]);
		is[listed->v[i]] |= LISTED;
	}
	for (uint32_t i = 0; i < npus; i++)
		if (is[i] == CALLS)
			status = base_errorf(errors, key,
			                     "process group \"%s\" does not list NPU %" PRIu32
			                     ", which calls its collectives in the trace",
			                     g->name, i);
		else if (is[i] == LISTED)
			status = base_errorf(
			    errors, key,
			    "process group \"%s\" lists NPU %" PRIu32
			    ", which calls none of its collectives in the trace: the others would wait forever",
			    g->name, i);
	free(is);
	return status;
}

static int order(struct wl_chakra_group *g, const json_t *array, uint32_t npus, const char *key,
                 struct base_errors *errors)
{
	struct mpi_list listed = { 0 };
	size_t i;
	json_t *entry;
	int status = 0;
	if (!json_is_array(array))
		return base_errorf(errors, key, "process group \"%s\" must be a list of NPUs", g->name);
	json_array_foreach (array, i, entry) {
		if (!json_is_integer(entry) || json_integer_value(entry) < 0 || json_integer_value(entry) >= npus)
			status = base_errorf(
			    errors, key, "process group \"%s\": entry %zu is not an NPU of the trace, 0 to %" PRIu32,
			    g->name, i, npus - 1);
		else
			mpi_list_add(&listed, (uint64_t)json_integer_value(entry));
	}
	if (!status)
		status = compare_members(g, &listed, npus, key, errors);
	if (!status)
		memcpy(g->members.v, listed.v, listed.n * sizeof *listed.v);
	free(listed.v);
	return status;
}

int wl_chakra_order_groups(struct wl_chakra *c, const char *file, struct base_errors *errors)
{
	char key[1200];
	wl_trace_key(file, 0, key, sizeof key);
	json_t *root = read_json(file, key, errors);
	int status = root ? 0 : -1;
	for (uint32_t i = 0; root && i < c->group_count; i++) {
		struct wl_chakra_group *g = &c->group[i];
		const json_t *array = *g->name && !g->divided ? json_object_get(root, g->name) : NULL;
		if (array)
			status |= order(g, array, c->npus, key, errors);
		else if (*g->name && !g->divided)
			status = base_errorf(errors, key, "does not define process group \"%s\", which the trace uses",
			                     g->name);
	}
	if (root && !c->groups)
		status = base_errorf(errors, key, "has no effect: the trace uses no process groups");
	json_decref(root);
	return status ? -1 : 0;
}
