/* workload/formats/chakra/chakra.c - see chakra.h: checks of the graphs, and matching of sends and receives. */
#include "workload/formats/chakra/chakra.h"

#include "base/memory.h"
#include "workload/formats/chakra/chakra_json.h"
#include "workload/formats/map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROBLEMS 20u
#define GROUPS_MOST 100000u

struct chakra_reading {
	struct wl_chakra *out;
	struct base_errors *errors;
	struct wl_map open, open_bytes; /* (source, destination, tag): sends less receives, and the bytes of them */
	struct wl_map named;            /* hash of a group's name: its index + 1 */
	struct mpi_list touched;        /* groups of the NPU that is being read */
	struct chakra_collectives mine; /* of that NPU */
	uint32_t problems;
	uint64_t bytes, sized_nodes;
};

/* One NPU's graph: what each node needs, by number in the file. */
struct graph {
	struct wl_map number;          /* of an id, + 1 */
	struct mpi_list first, need;   /* need[first[i] .. first[i + 1]): ids, then numbers */
	struct mpi_list data, control; /* of each node: how many of its needs are of these; those of data come first */
	struct mpi_list place, id;
};

static int count_problem(struct chakra_reading *r)
{
	r->problems++;
	return -1;
}

/* --- one node ------------------------------------------------------------------------------------------------- */

static int count_message(struct chakra_reading *r, uint32_t npu, const struct wl_trace_file *f,
                         const struct chakra_node *n)
{
	bool send = n->type == CHAKRA_SEND;
	uint64_t src = n->value[CHAKRA_COMM_SRC], dst = n->value[CHAKRA_COMM_DST], size = n->value[CHAKRA_COMM_SIZE];
	uint64_t source = send ? npu : src, dest = send ? dst : npu;
	if (send && chakra_has(n, CHAKRA_COMM_SRC) && src != npu)
		return chakra_errorf(f, n, r->errors, "a send by NPU %" PRIu64 " is in the file of NPU %" PRIu32, src,
		                     npu);
	if (!send && chakra_has(n, CHAKRA_COMM_DST) && dst != npu)
		return chakra_errorf(f, n, r->errors, "a receive by NPU %" PRIu64 " is in the file of NPU %" PRIu32,
		                     dst, npu);
	if (source >= r->out->npus || dest >= r->out->npus)
		return chakra_errorf(f, n, r->errors, "there is no NPU %" PRIu64 "; the trace has %" PRIu32,
		                     send ? dest : source, r->out->npus);
	uint64_t key = chakra_channel(source, dest, n->value[CHAKRA_COMM_TAG]);
	chakra_sizes_add(&r->out->sizes, key, size, send);
	uint64_t *count = wl_map_put(&r->open, key), *bytes;
	*count += send ? 1 : UINT64_MAX;
	bytes = wl_map_put(&r->open_bytes, key);
	*bytes += send ? size : -size;
	if (!*wl_map_find(&r->open, key)) {
		wl_map_remove(&r->open, key);
		wl_map_remove(&r->open_bytes, key);
	}
	struct wl_chakra_npu *mine = &r->out->npu[npu];
	*(send ? &mine->send_bytes : &mine->receive_bytes) += size;
	if (send && size > r->out->largest)
		r->out->largest = size;
	r->sized_nodes++;
	r->bytes += size;
	return 0;
}

/* NPUs that a group by involved_dim is of. */
static uint32_t involved_npus(const struct wl_chakra_dims *dims, const struct chakra_node *n)
{
	uint32_t npus = 1;
	for (uint32_t i = 0; i < n->dims; i++)
		npus *= n->involved >> i & 1 ? dims->k[i] : 1;
	return npus;
}

static struct wl_chakra_group *find_group(struct chakra_reading *r, const char *name, bool divided)
{
	uint64_t hash = chakra_hash(name), *index;
	struct wl_chakra *out = r->out;
	while (*(index = wl_map_put(&r->named, hash)) && strcmp(out->group[*index - 1].name, name) != 0)
		hash++;
	if (!*index) {
		out->group = base_realloc(out->group, (out->group_count + (size_t)1) * sizeof *out->group);
		out->group[out->group_count] = (struct wl_chakra_group){ 0 };
		snprintf(out->group[out->group_count].name, sizeof out->group[0].name, "%s", name);
		out->group[out->group_count].divided = divided;
		*(divided ? &out->divided : &out->groups) += *name != 0;
		*index = ++out->group_count;
	}
	return &out->group[*index - 1];
}

static int count_collective(struct chakra_reading *r, uint32_t npu, const struct wl_trace_file *f,
                            const struct chakra_node *n)
{
	uint64_t kind = n->value[CHAKRA_COMM_TYPE], size = n->value[CHAKRA_COMM_SIZE];
	char name[CHAKRA_TEXT];
	r->out->collectives[kind]++;
	if (kind != CHAKRA_BARRIER) {
		r->out->sizeless += !chakra_has(n, CHAKRA_COMM_SIZE);
		r->sized_nodes++;
		r->bytes += size;
		r->out->npu[npu].collective_bytes += size;
	}
	if (r->out->group_count == GROUPS_MOST)
		return chakra_errorf(f, n, r->errors, "the trace has %u or more process groups", GROUPS_MOST);
	bool divided = wl_chakra_group_name(r->out, npu, n, name);
	struct wl_chakra_group *g = find_group(r, name, divided);
	uint32_t index = (uint32_t)(g - r->out->group);
	g->size = divided ? involved_npus(&r->out->dims, n) : *name ? 0 : r->out->npus;
	if (!g->mine++)
		mpi_list_add(&r->touched, index);
	chakra_collectives_add(&r->mine, n, index);
	return 0;
}

static int count_node(struct chakra_reading *r, uint32_t npu, const struct wl_trace_file *f,
                      const struct chakra_node *n)
{
	struct wl_chakra_npu *mine = &r->out->npu[npu];
	char name[CHAKRA_TEXT];
	mine->nodes[n->type]++;
	chakra_unused_node(&r->out->unused, n, n->type == CHAKRA_COLL && wl_chakra_group_name(r->out, npu, n, name));
	mine->data_needs += n->data_needs;
	mine->control_needs += n->needs.n - n->data_needs;
	if (n->type == CHAKRA_SEND || n->type == CHAKRA_RECV)
		return count_message(r, npu, f, n);
	if (n->type == CHAKRA_COLL)
		return count_collective(r, npu, f, n);
	if (n->type == CHAKRA_COMP)
		mine->compute_us += n->duration_us;
	return 0;
}

/* "ALL_REDUCE of 8 B", as far as the others have to have the same. */
static const char *describe(const struct chakra_collective *c, char *out, size_t room)
{
	const char *name = chakra_collective_name[c->kind];
	if (c->kind == CHAKRA_BARRIER)
		snprintf(out, room, "%s", name);
	else if (c->has_size)
		snprintf(out, room, "%s of %" PRIu64 " B", name, c->size);
	else
		snprintf(out, room, "%s without comm_size", name);
	return out;
}

/* A collective is the same one at all members: its kind and its size. The first that is not, of each group. */
static void compare_collectives(struct chakra_reading *r, uint32_t npu, const struct wl_trace_file *f)
{
	char own[64], other[64];
	chakra_collectives_number(&r->mine);
	for (uint32_t i = 0; i < r->mine.n; i++) {
		const struct chakra_collective *c = &r->mine.v[i];
		struct wl_chakra_group *g = &r->out->group[c->group];
		const struct chakra_node n = { .place = c->place,
			                       .id = c->id,
			                       .value = { [CHAKRA_COMM_SIZE] = c->size, [CHAKRA_COMM_TYPE] = c->kind },
			                       .has = c->has_size ? 1u << CHAKRA_COMM_SIZE : 0 };
		if (!g->members.n) {
			chakra_collectives_add(&g->first, &n, c->group);
			continue;
		}
		const struct chakra_collective *first = c->number < g->first.n ? &g->first.v[c->number] : NULL;
		if (!first || !g->mine ||
		    (first->kind == c->kind &&
		     (c->kind == CHAKRA_BARRIER || (first->size == c->size && first->has_size == c->has_size))))
			continue;
		g->mine = 0;
		if (r->problems++ < PROBLEMS)
			chakra_errorf(f, &n, r->errors,
			              "NPU %" PRIu32 " calls %s as collective %" PRIu32
			              " of process group \"%s\", where NPU %" PRIu64 " calls %s (node %" PRIu64 ")",
			              npu, describe(c, own, sizeof own), c->number + 1, g->name, g->members.v[0],
			              describe(first, other, sizeof other), first->id);
	}
	r->mine.n = 0;
}

/* All members of a group have equally many of its collectives, and the same. */
static void close_groups(struct chakra_reading *r, uint32_t npu, const struct wl_trace_file *f, const char *path)
{
	char key[1200];
	compare_collectives(r, npu, f);
	for (uint32_t i = 0; i < r->touched.n; i++) {
		struct wl_chakra_group *g = &r->out->group[r->touched.v[i]];
		if (!g->members.n)
			g->operations = g->mine;
		else if (g->mine && g->mine != g->operations && r->problems++ < PROBLEMS)
			base_errorf(r->errors, wl_trace_key(path, 0, key, sizeof key),
			            "%" PRIu64 " collectives of process group \"%s\", but NPU %" PRIu64 " has %" PRIu64,
			            g->mine, g->name, g->members.v[0], g->operations);
		mpi_list_add(&g->members, npu);
		g->mine = 0;
	}
	r->touched.n = 0;
}

/* All NPUs of a group call its collectives. Groups by dimensions are known exactly; for the group of all NPUs, some may
 * be missing in the trace, so this is a warning. */
static void check_absent(struct chakra_reading *r, const char *key)
{
	for (uint32_t i = 0; i < r->out->group_count; i++) {
		const struct wl_chakra_group *g = &r->out->group[i];
		if (g->members.n >= g->size)
			continue;
		if (!g->divided)
			base_warnf(r->errors, key,
			           "%" PRIu64 " collectives of all %" PRIu32 " NPUs occur only in the files of %" PRIu32
			           " NPUs, and are executed among those",
			           g->operations, g->size, g->members.n);
		else if (r->problems++ < PROBLEMS)
			base_errorf(r->errors, key,
			            "%" PRIu64 " collectives of %s (involved_dim) have %" PRIu32
			            " NPUs, but occur only in the files of %" PRIu32
			            ": they would wait forever for the others",
			            g->operations, g->name, g->size, g->members.n);
	}
}

/* An NPU whose file could not be read is no member. */
static void drop_groups(struct chakra_reading *r)
{
	count_problem(r);
	for (uint32_t i = 0; i < r->touched.n; i++)
		r->out->group[r->touched.v[i]].mine = 0;
	r->touched.n = 0;
	r->mine.n = 0;
}

/* --- the graph -------------------------------------------------------------------------------------------------- */

static void free_graph(struct graph *g)
{
	wl_map_free(&g->number);
	free(g->first.v);
	free(g->need.v);
	free(g->data.v);
	free(g->control.v);
	free(g->place.v);
	free(g->id.v);
}

/* Says what is wrong with a node by its number. Returns -1. */
static int wrong_node(struct base_errors *errors, const struct wl_trace_file *f, const struct graph *g, uint64_t number,
                      const char *what, uint64_t other, const char *how)
{
	const struct chakra_node n = { .place = g->place.v[number], .id = g->id.v[number] };
	return chakra_errorf(f, &n, errors, "%s%" PRIu64 "%s", what, other, how);
}

/* Converts ids to numbers. Control dependencies on missing nodes are dropped, because converters omit functions from a
 * trace but not the dependencies on them. -1: a data dependency refers to a missing node. */
static int resolve(struct chakra_reading *r, const struct wl_trace_file *f, struct graph *g)
{
	uint64_t kept = 0;
	for (uint32_t i = 0; i < g->id.n; i++) {
		uint64_t first = g->first.v[i];
		g->first.v[i] = kept;
		for (uint64_t k = first; k < first + g->data.v[i] + g->control.v[i]; k++) {
			const uint64_t *number = wl_map_find(&g->number, g->need.v[k]);
			if (number)
				g->need.v[kept++] = *number - 1;
			else if (k < first + g->data.v[i])
				return wrong_node(r->errors, f, g, i, "depends on node ", g->need.v[k],
				                  ", which does not exist");
			else
				r->out->unused.controls++;
		}
	}
	g->first.v[g->id.n] = kept;
	return 0;
}

/* Depth-first search, without recursion. A node that is reached again on the path to itself is in a cycle. errors may
 * be NULL. */
static int find_cycle(struct base_errors *errors, const struct wl_trace_file *f, const struct graph *g)
{
	enum { NEW, ON_THE_WAY, DONE };
	uint32_t nodes = g->id.n;
	uint8_t *state = base_calloc(nodes + (size_t)1, 1);
	uint64_t *next = base_calloc(nodes + (size_t)1, sizeof *next);
	struct mpi_list way = { 0 };
	int status = 0;
	for (uint32_t root = 0; root < nodes && !status; root++) {
		if (state[root] != NEW)
			continue;
		mpi_list_add(&way, root);
		state[root] = ON_THE_WAY;
		next[root] = g->first.v[root];
		while (way.n && !status) {
			uint64_t at = way.v[way.n - 1];
			if (next[at] == g->first.v[at + 1]) {
				state[at] = DONE;
				way.n--;
				continue;
			}
			uint64_t to = g->need.v[next[at]++];
			if (state[to] == ON_THE_WAY)
				status =
				    wrong_node(errors, f, g, to, "depends on itself, through node ", g->id.v[at], "");
			else if (state[to] == NEW) {
				mpi_list_add(&way, to);
				state[to] = ON_THE_WAY;
				next[to] = g->first.v[to];
			}
		}
	}
	free(way.v);
	free(state);
	free(next);
	return status;
}

/* Leaves dependencies of data alone. */
static void drop_controls(struct chakra_reading *r, struct graph *g)
{
	uint64_t kept = 0;
	for (uint32_t i = 0; i < g->id.n; i++) {
		uint64_t first = g->first.v[i], needs = g->first.v[i + 1] - first;
		g->first.v[i] = kept;
		for (uint64_t k = first; k < first + g->data.v[i]; k++)
			g->need.v[kept++] = g->need.v[k];
		r->out->unused.stacks += needs - g->data.v[i];
	}
	g->first.v[g->id.n] = kept;
}

/* Control dependencies in PyTorch's traces refer to the calling function, whose end may depend on its callees: if they
 * contradict data dependencies, they are ignored in this file. */
static int check_order(struct chakra_reading *r, uint32_t npu, const struct wl_trace_file *f, struct graph *g)
{
	if (!find_cycle(NULL, f, g))
		return 0;
	drop_controls(r, g);
	r->out->npu[npu].data_only = true;
	return find_cycle(r->errors, f, g);
}

static int read_graph(struct chakra_reading *r, uint32_t npu, const struct wl_trace_file *f, uint64_t at,
                      struct graph *g)
{
	struct chakra_node n = { .unknown = &r->out->unused.names };
	enum mpi_next next;
	int status = 0;
	while ((next = chakra_read_node(f, &at, &n, r->errors)) == WL_MPI_CALL && !status) {
		uint64_t *number = wl_map_put(&g->number, n.id);
		if (*number) {
			status = chakra_errorf(f, &n, r->errors, "there is another node with this number");
			break;
		}
		*number = g->id.n + UINT64_C(1);
		mpi_list_add(&g->id, n.id);
		mpi_list_add(&g->place, n.place);
		mpi_list_add(&g->first, g->need.n);
		mpi_list_add(&g->data, n.data_needs);
		mpi_list_add(&g->control, n.needs.n - n.data_needs);
		for (uint32_t i = 0; i < n.needs.n; i++)
			mpi_list_add(&g->need, n.needs.v[i]);
		status = count_node(r, npu, f, &n);
		if (g->id.n > UINT32_MAX / 4 || g->need.n > UINT32_MAX / 4)
			status = chakra_errorf(f, &n, r->errors, "more than 2^30 nodes or dependencies");
	}
	mpi_list_add(&g->first, g->need.n);
	chakra_node_free(&n);
	return status || next == WL_MPI_UNREADABLE ? -1 : 0;
}

static int read_npu(struct chakra_reading *r, uint32_t npu, const char *path)
{
	struct wl_trace_file f;
	struct graph g = { 0 };
	char version[CHAKRA_TEXT];
	uint64_t at = 0;
	if (chakra_open_file(&f, path, r->errors))
		return count_problem(r);
	int status = chakra_read_head(&f, &at, version, r->errors) || read_graph(r, npu, &f, at, &g) ||
	                     resolve(r, &f, &g) || check_order(r, npu, &f, &g)
	                 ? -1
	                 : 0;
	if (!npu)
		memcpy(r->out->version, version, sizeof version);
	if (status)
		drop_groups(r);
	else
		close_groups(r, npu, &f, path);
	free_graph(&g);
	wl_trace_file_close(&f);
	return status;
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
	const struct wl_map_entry *x = a, *y = b;
	return x->key < y->key ? -1 : x->key > y->key;
}

/* What is sent and not received, and the other way round, in order of source, destination and tag. */
static void list_left(struct chakra_reading *r)
{
	struct wl_chakra *out = r->out;
	struct wl_map_entry *e = base_calloc(r->open.n + 1, sizeof *e);
	size_t n = 0;
	for (size_t i = 0; i < r->open.slots; i++)
		if (r->open.used[i])
			e[n++] = r->open.entry[i];
	qsort(e, n, sizeof *e, by_key);
	for (int receives = 0; receives < 2; receives++)
		for (size_t i = 0; i < n; i++) {
			int64_t count = (int64_t)e[i].value;
			uint64_t bytes = *wl_map_find(&r->open_bytes, e[i].key);
			if ((count < 0) != receives)
				continue;
			*(receives ? &out->left_receives : &out->lost) += (uint64_t)(receives ? -count : count);
			out->lost_bytes += receives ? 0 : bytes;
			if (out->listed_lost + out->listed_left >= WL_PLAY_LISTED)
				continue;
			out->message[out->listed_lost + out->listed_left] =
			    (struct wl_play_message){ .source = (uint32_t)(e[i].key >> 48),
				                      .dest = e[i].key >> 32 & 0xffff,
				                      .tag = (int64_t)(e[i].key & UINT32_MAX),
				                      .bytes = (receives ? -bytes : bytes) /
				                               (uint64_t)(receives ? -count : count) };
			*(receives ? &out->listed_left : &out->listed_lost) += 1;
		}
	free(e);
}

int wl_chakra_read_files(struct wl_chakra *out, const char *const *path, uint32_t npus,
                         const struct wl_chakra_dims *dims, struct base_errors *errors)
{
	struct chakra_reading r = { .out = out, .errors = errors };
	char key[1200];
	const char *scope = errors->scope;
	errors->scope = NULL;
	*out = (struct wl_chakra){ .npus = npus, .npu = base_calloc(npus, sizeof *out->npu) };
	if (dims && wl_chakra_dims_npus(dims) == npus)
		out->dims = *dims;
	out->file = base_calloc(npus, sizeof *out->file);
	for (uint32_t i = 0; i < npus; i++)
		out->file[i] = base_strdup(path[i]);
	for (uint32_t i = 0; i < npus && r.problems < PROBLEMS; i++)
		read_npu(&r, i, path[i]);
	wl_trace_key(path[0], 0, key, sizeof key);
	if (!r.problems && r.sized_nodes && !r.bytes) {
		base_errorf(errors, key,
		            "its %" PRIu64 " communication nodes have 0 bytes in total: comm_size is missing",
		            r.sized_nodes);
		r.problems++;
	}
	if (!r.problems)
		check_absent(&r, key);
	if (!r.problems) {
		list_left(&r);
		chakra_sizes_end(&out->sizes, &r.open);
		chakra_names_sort(&out->unused.names);
		chakra_unused_warn(&out->unused, &out->sizes, key, errors);
	}
	if (!r.problems && out->sizeless)
		base_warnf(errors, key, "%" PRIu64 " collectives have no comm_size; 0 bytes are assumed",
		           out->sizeless);
	wl_map_free(&r.open);
	wl_map_free(&r.open_bytes);
	wl_map_free(&r.named);
	free(r.touched.v);
	chakra_collectives_free(&r.mine);
	for (uint32_t i = 0; i < out->group_count; i++)
		chakra_collectives_free(&out->group[i].first);
	errors->scope = scope;
	if (!r.problems)
		return 0;
	wl_chakra_free(out);
	return -1;
}

void wl_chakra_free(struct wl_chakra *c)
{
	for (uint32_t i = 0; i < c->npus && c->file; i++)
		free(c->file[i]);
	for (uint32_t i = 0; i < c->group_count; i++)
		free(c->group[i].members.v);
	free(c->file);
	free(c->group);
	free(c->npu);
	chakra_sizes_free(&c->sizes);
	chakra_unused_free(&c->unused);
	*c = (struct wl_chakra){ 0 };
}
