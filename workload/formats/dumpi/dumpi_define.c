/* workload/formats/dumpi/dumpi_define.c - definitions made by the calls of a DUMPI trace: sizes of datatypes,
 * operations, groups, and the ranks of communicators, as far as they follow from one rank's file. Collected when the
 * file is read for the first time, and looked up by position afterwards, because ids are reused. A definition that
 * repeats the last one of its id is not stored, so a loop that creates the same datatype repeatedly takes no memory. */
#include "workload/formats/dumpi/dumpi.h"

#include "base/memory.h"
#include "workload/formats/map.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of what is built in, by id, where a trace does not say: libdumpi writes 0 for long long. */
static const uint8_t builtin_size[DUMPI_FIRST_TYPE] = { 0, 0,  1, 1, 1, 1, 4, 2, 2, 4,  4,  8, 8, 4,
	                                                8, 16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20 };

/* A rank whose file is being read for the first time. */
struct dumpi_reading {
	struct dumpi *d;
	struct dumpi_rank *rank;
	uint32_t me;
	struct wl_map latest; /* (kind, id): index of the last definition + 1 */
	uint32_t comms;       /* made so far */
	struct base_errors *errors;
};

static uint64_t map_key(enum dumpi_kind kind, uint32_t id)
{
	return (uint64_t)kind << 32 | id;
}

static int by_kind_and_place(const void *a, const void *b)
{
	const struct dumpi_definition *x = a, *y = b;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

bool dumpi_find(const struct dumpi_rank *rank, enum dumpi_kind kind, uint32_t id, uint64_t at, uint64_t *value)
{
	struct dumpi_definition want = { .kind = kind, .id = id, .at = at };
	uint32_t low = 0, high = rank->definitions; /* those before low are before `want` */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (by_kind_and_place(&rank->definition[middle], &want) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	const struct dumpi_definition *found = low ? &rank->definition[low - 1] : NULL;
	if (!found || found->kind != (uint32_t)kind || found->id != id || found->value == DUMPI_UNKNOWN)
		return false;
	*value = found->value;
	return true;
}

static bool stored_size(const struct dumpi_rank *rank, uint32_t type, uint64_t *bytes)
{
	*bytes = type < rank->file.sizes ? rank->file.size[type] : 0;
	if (type < DUMPI_FIRST_TYPE && !*bytes)
		*bytes = builtin_size[type];
	return type < DUMPI_FIRST_TYPE ? type > 1 : type < rank->file.sizes;
}

bool dumpi_size(const struct dumpi_rank *rank, uint32_t type, uint64_t at, uint64_t *bytes)
{
	if (type >= DUMPI_FIRST_TYPE && dumpi_find(rank, DUMPI_SIZE, type, at, bytes))
		return true;
	return stored_size(rank, type, bytes);
}

uint64_t dumpi_members(const struct dumpi_rank *rank, uint32_t comm, uint64_t at)
{
	uint64_t value;
	return dumpi_find(rank, DUMPI_MEMBERS, comm, at, &value) ? value : comm;
}

static uint64_t own_rank(const struct dumpi *d, uint32_t rank, uint32_t comm, uint64_t at)
{
	uint64_t value;
	if (comm == DUMPI_WORLD || comm == DUMPI_SELF)
		return comm == DUMPI_WORLD ? rank : 0;
	return dumpi_find(&d->rank[rank], DUMPI_RANK, comm, at, &value) ? value : DUMPI_UNKNOWN;
}

/* --- while it is read: the last definition is the one that holds -------------------------------------------- */

static uint64_t latest(const struct dumpi_reading *g, enum dumpi_kind kind, uint32_t id)
{
	const uint64_t *index = wl_map_find(&g->latest, map_key(kind, id));
	return index && *index ? g->rank->definition[*index - 1].value : DUMPI_UNKNOWN;
}

static void define(struct dumpi_reading *g, enum dumpi_kind kind, int32_t id, uint64_t at, uint64_t value)
{
	struct dumpi_rank *rank = g->rank;
	uint64_t *index = wl_map_put(&g->latest, map_key(kind, (uint32_t)id));
	if (*index ? rank->definition[*index - 1].value == value : value == DUMPI_UNKNOWN)
		return;
	if (rank->definitions == rank->room) {
		rank->room = rank->room ? 2 * rank->room : 16;
		rank->definition = base_realloc(rank->definition, rank->room * sizeof *rank->definition);
	}
	rank->definition[rank->definitions++] =
	    (struct dumpi_definition){ .kind = kind, .id = (uint32_t)id, .at = at, .value = value };
	*index = rank->definitions;
}

static uint64_t size_of_type(const struct dumpi_reading *g, uint64_t type)
{
	uint64_t bytes = type >= DUMPI_FIRST_TYPE ? latest(g, DUMPI_SIZE, (uint32_t)type) : DUMPI_UNKNOWN;
	if (bytes != DUMPI_UNKNOWN)
		return bytes;
	return stored_size(g->rank, (uint32_t)type, &bytes) ? bytes : DUMPI_UNKNOWN;
}

/* --- groups --------------------------------------------------------------------------------------------------- */

static struct dumpi_group *new_group(struct dumpi_reading *g, uint64_t members)
{
	struct dumpi_rank *rank = g->rank;
	if (rank->groups == rank->group_room) {
		rank->group_room = rank->group_room ? 2 * rank->group_room : 8;
		rank->group = base_realloc(rank->group, rank->group_room * sizeof *rank->group);
	}
	rank->group[rank->groups] = (struct dumpi_group){ .members = members };
	return &rank->group[rank->groups++];
}

/* Names the newest group; if the id had the same before, that stays. */
static void name_group(struct dumpi_reading *g, enum dumpi_kind kind, int32_t id, uint64_t at)
{
	struct dumpi_rank *rank = g->rank;
	struct dumpi_group *made = &rank->group[rank->groups - 1];
	uint64_t before = latest(g, kind, (uint32_t)id);
	if (before < rank->groups) {
		const struct dumpi_group *old = &rank->group[before];
		if (old->members == made->members && old->all == made->all && old->rank.n == made->rank.n &&
		    (!made->rank.n || !memcmp(old->rank.v, made->rank.v, made->rank.n * sizeof *made->rank.v))) {
			free(made->rank.v);
			rank->groups--;
			return;
		}
	}
	define(g, kind, id, at, rank->groups - 1);
}

/* A group that is used; all its ranks written out if `listed`. NULL: it is not known. */
static const struct dumpi_group *group_by_id(struct dumpi_reading *g, int32_t id, bool listed, struct dumpi_group *room)
{
	uint64_t index = latest(g, DUMPI_GROUP, (uint32_t)id);
	*room = (struct dumpi_group){ .members = DUMPI_WORLD };
	if (id == 2) /* the empty one */
		return room;
	if (index >= g->rank->groups)
		return NULL;
	*room = g->rank->group[index];
	if (!room->all || !listed)
		return room;
	uint64_t n = room->members == DUMPI_WORLD ? g->d->ranks : latest(g, DUMPI_EXTENT, (uint32_t)room->members);
	if (n > WL_DUMPI_RANKS)
		return NULL;
	struct dumpi_group *all = &g->rank->group[index]; /* from now on it is one of many */
	for (uint64_t i = 0; i < n; i++)
		mpi_list_add(&all->rank, i);
	all->all = false;
	*room = *all;
	return room;
}

static bool in_list(const struct mpi_list *list, uint64_t number)
{
	for (uint32_t i = 0; i < list->n; i++)
		if (list->v[i] == number)
			return true;
	return false;
}

/* Union, intersection, difference. O(ranks squared) of small groups. */
static bool combine_groups(struct dumpi_reading *g, struct dumpi_record *r)
{
	struct dumpi_group a, b;
	const char *name = dumpi_function[r->function].name + 6;
	if (!group_by_id(g, dumpi_value(r, '1'), true, &a) || !group_by_id(g, dumpi_value(r, '2'), true, &b))
		return false;
	if (a.rank.n && b.rank.n && a.members != b.members)
		return false;
	struct dumpi_group *made = new_group(g, a.rank.n ? a.members : b.members);
	for (uint32_t i = 0; i < a.rank.n; i++)
		if (*name == 'u' || in_list(&b.rank, a.rank.v[i]) == (*name == 'i'))
			mpi_list_add(&made->rank, a.rank.v[i]);
	for (uint32_t i = 0; i < b.rank.n && *name == 'u'; i++)
		if (!in_list(&a.rank, b.rank.v[i]))
			mpi_list_add(&made->rank, b.rank.v[i]);
	name_group(g, DUMPI_GROUP, dumpi_value(r, '3'), r->place);
	return true;
}

/* Ranges (first, last, stride) as ranks. */
static bool expand_ranges(struct dumpi_reading *g, struct dumpi_record *r)
{
	struct mpi_list *range = dumpi_list(r, 'E'), *out = dumpi_list(r, 'K');
	for (uint32_t i = 0; i + 2 < range->n; i += 3) {
		int64_t first = (int32_t)range->v[i], last = (int32_t)range->v[i + 1],
			stride = (int32_t)range->v[i + 2];
		if (!stride || first < 0 || last < 0 || first >= g->d->ranks || last >= g->d->ranks)
			return false;
		for (int64_t k = first; stride > 0 ? k <= last : k >= last; k += stride)
			mpi_list_add(out, (uint64_t)k);
		if (out->n > g->d->ranks)
			return false;
	}
	return true;
}

static bool choose_group(struct dumpi_reading *g, struct dumpi_record *r)
{
	struct dumpi_group old;
	const char *name = dumpi_function[r->function].name + 6;
	bool range = name[0] == 'r', exclude = name[range ? 6 : 0] == 'e';
	if ((range && !expand_ranges(g, r)) || !group_by_id(g, dumpi_value(r, '1'), exclude, &old))
		return false;
	const struct mpi_list *rank = dumpi_list(r, 'K');
	struct dumpi_group *made = new_group(g, old.members);
	for (uint32_t i = 0; i < old.rank.n && exclude; i++)
		if (!in_list(rank, i))
			mpi_list_add(&made->rank, old.rank.v[i]);
	for (uint32_t i = 0; i < rank->n && !exclude; i++) {
		if (!old.all && rank->v[i] >= old.rank.n) {
			free(made->rank.v);
			g->rank->groups--;
			return false;
		}
		mpi_list_add(&made->rank, old.all ? rank->v[i] : old.rank.v[rank->v[i]]);
	}
	name_group(g, DUMPI_GROUP, dumpi_value(r, '3'), r->place);
	return true;
}

/* --- grids ---------------------------------------------------------------------------------------------------- */

/* Splits a rank of a grid into what remains and what does not, row by row (the last dimension varies fastest). */
static void split_rank(const struct mpi_list *dims, const struct mpi_list *remain, uint64_t rank, uint64_t *color,
                       uint64_t *key)
{
	uint64_t left = 1, right = 1;
	*color = *key = 0;
	for (uint32_t i = dims->n; i-- > 0;) {
		uint64_t at = rank % dims->v[i];
		rank /= dims->v[i];
		if (remain->v[i]) {
			*key += at * right;
			right *= dims->v[i];
		} else {
			*color += at * left;
			left *= dims->v[i];
		}
	}
}

bool dumpi_cart_sub(const struct dumpi *d, uint32_t rank, struct dumpi_record *r, int32_t *color, int32_t *key)
{
	const struct dumpi_rank *file = &d->rank[rank];
	uint64_t grid, c, k, own = own_rank(d, rank, (uint32_t)dumpi_value(r, 'c'), r->place);
	if (own == DUMPI_UNKNOWN || !dumpi_find(file, DUMPI_GRID, (uint32_t)dumpi_value(r, 'c'), r->place, &grid) ||
	    file->group[grid].rank.n != dumpi_list(r, 'P')->n)
		return false;
	split_rank(&file->group[grid].rank, dumpi_list(r, 'P'), own, &c, &k);
	*color = (int32_t)c;
	*key = (int32_t)k;
	return true;
}

/* The product of the dimensions; 0: not those of a grid. */
static uint64_t volume(const struct mpi_list *dims)
{
	uint64_t n = 1;
	for (uint32_t i = 0; i < dims->n; i++)
		if (!dims->v[i] || dims->v[i] > WL_DUMPI_RANKS || (n *= dims->v[i]) > WL_DUMPI_RANKS)
			return 0;
	return n;
}

static void define_grid(struct dumpi_reading *g, struct dumpi_record *r, int32_t id)
{
	struct mpi_list *dims = dumpi_list(r, 'D');
	uint64_t own = latest(g, DUMPI_RANK, (uint32_t)dumpi_value(r, 'c'));
	if (!volume(dims))
		return;
	struct dumpi_group *grid = new_group(g, 0);
	for (uint32_t i = 0; i < dims->n; i++)
		mpi_list_add(&grid->rank, dims->v[i]);
	name_group(g, DUMPI_GRID, id, r->place);
	define(g, DUMPI_RANK, id, r->place, own < volume(dims) ? own : DUMPI_UNKNOWN);
	if (dumpi_value(r, 'c') == DUMPI_WORLD && volume(dims) == g->d->ranks)
		define(g, DUMPI_MEMBERS, id, r->place, DUMPI_WORLD);
}

static void define_sub_grid(struct dumpi_reading *g, struct dumpi_record *r, int32_t id)
{
	uint64_t index = latest(g, DUMPI_GRID, (uint32_t)dumpi_value(r, 'c')), color, key;
	uint64_t own = latest(g, DUMPI_RANK, (uint32_t)dumpi_value(r, 'c'));
	const struct mpi_list *remain = dumpi_list(r, 'P');
	if (index >= g->rank->groups || g->rank->group[index].rank.n != remain->n || own == DUMPI_UNKNOWN)
		return;
	struct dumpi_group *grid = new_group(g, 0);
	const struct mpi_list *dims = &g->rank->group[index].rank;
	for (uint32_t i = 0; i < dims->n; i++)
		if (remain->v[i])
			mpi_list_add(&grid->rank, dims->v[i]);
	split_rank(dims, remain, own, &color, &key);
	name_group(g, DUMPI_GRID, id, r->place);
	define(g, DUMPI_RANK, id, r->place, key);
}

static void define_comm(struct dumpi_reading *g, struct dumpi_record *r)
{
	int32_t id = dumpi_value(r, 'w'), parent = dumpi_value(r, 'c');
	const char *name = dumpi_function[r->function].name;
	bool same = !strcmp(name, "Comm_dup");
	if (id < (int32_t)DUMPI_FIRST_COMM)
		return;
	uint64_t members = latest(g, DUMPI_MEMBERS, (uint32_t)parent);
	define(g, DUMPI_MEMBERS, id, r->place, same ? members : DUMPI_FIRST_COMM + g->comms++);
	define(g, DUMPI_RANK, id, r->place, same ? latest(g, DUMPI_RANK, (uint32_t)parent) : DUMPI_UNKNOWN);
	define(g, DUMPI_GRID, id, r->place, same ? latest(g, DUMPI_GRID, (uint32_t)parent) : DUMPI_UNKNOWN);
	if (!strcmp(name, "Cart_create"))
		define_grid(g, r, id);
	if (!strcmp(name, "Cart_sub"))
		define_sub_grid(g, r, id);
}

/* --- datatypes ------------------------------------------------------------------------------------------------ */

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;
	return a == DUMPI_UNKNOWN || b == DUMPI_UNKNOWN || __builtin_mul_overflow(a, b, &product) ? DUMPI_UNKNOWN
	                                                                                          : product;
}

static uint64_t made_size(struct dumpi_reading *g, struct dumpi_record *r)
{
	const struct mpi_list *length = dumpi_list(r, 'L'), *type = dumpi_list(r, 'T');
	uint64_t old = size_of_type(g, (uint32_t)dumpi_value(r, 't')), sum = 0;
	bool product = !strcmp(dumpi_function[r->function].name, "Type_create_subarray");
	if (!strcmp(dumpi_function[r->function].name, "Type_create_darray") || dumpi_value(r, 'n') < 0 ||
	    dumpi_value(r, 'l') < 0)
		return DUMPI_UNKNOWN;
	if (!length->n && strchr(dumpi_function[r->function].layout, 'L'))
		return product ? old : 0;
	if (!length->n)
		return times(times(old, dumpi_has(r, 'n') ? (uint64_t)dumpi_value(r, 'n') : 1),
		             dumpi_has(r, 'l') ? (uint64_t)dumpi_value(r, 'l') : 1);
	if (product)
		sum = 1;
	for (uint32_t i = 0; i < length->n && sum != DUMPI_UNKNOWN; i++) {
		if (product) {
			sum = times(sum, length->v[i]);
			continue;
		}
		uint64_t part = times(length->v[i], type->n == length->n ? size_of_type(g, type->v[i]) : old);
		if (part == DUMPI_UNKNOWN || __builtin_add_overflow(sum, part, &sum))
			sum = DUMPI_UNKNOWN;
	}
	return product ? times(sum, old) : sum;
}

/* --- a record ------------------------------------------------------------------------------------------------- */

static bool define_by(struct dumpi_reading *g, struct dumpi_record *r)
{
	const char *name = dumpi_function[r->function].name;
	int32_t comm = dumpi_value(r, 'c'), result = dumpi_value(r, 'e');
	if (!strncmp(name, "Type_", 5) && dumpi_has(r, 'u') && dumpi_value(r, 'u') >= (int32_t)DUMPI_FIRST_TYPE)
		define(g, DUMPI_SIZE, dumpi_value(r, 'u'), r->place, made_size(g, r));
	else if (!strcmp(name, "Type_size") && dumpi_value(r, 't') >= (int32_t)DUMPI_FIRST_TYPE && result >= 0)
		define(g, DUMPI_SIZE, dumpi_value(r, 't'), r->place, (uint64_t)result);
	else if (!strcmp(name, "Op_create"))
		define(g, DUMPI_COMMUTE, dumpi_value(r, 'p'), r->place, dumpi_value(r, 'f') != 0);
	else if (!strcmp(name, "Comm_rank") && result >= 0)
		define(g, DUMPI_RANK, comm, r->place, (uint64_t)result);
	else if (!strcmp(name, "Comm_size") && result > 0)
		define(g, DUMPI_EXTENT, (int32_t)latest(g, DUMPI_MEMBERS, (uint32_t)comm), r->place, (uint64_t)result);
	else if (dumpi_has(r, 'w'))
		define_comm(g, r);
	else if (!strcmp(name, "Comm_group")) {
		new_group(g, latest(g, DUMPI_MEMBERS, (uint32_t)comm))->all = true;
		name_group(g, DUMPI_GROUP, dumpi_value(r, '1'), r->place);
	} else if (!strncmp(name, "Group_", 6) && dumpi_has(r, '3'))
		return dumpi_has(r, '2') ? combine_groups(g, r) : choose_group(g, r);
	return true;
}

static void count_record(struct wl_dumpi_facts *facts, uint32_t me, const struct dumpi_record *r)
{
	const struct mpi_list *requests = &r->list['Q' - 'A'];
	int op = dumpi_function[r->function].op;
	facts->calls[r->function]++;
	facts->rank_calls[me]++;
	if (op == WL_MPI_WAITALL || op == WL_MPI_WAITANY || op == WL_MPI_WAITSOME)
		for (uint32_t i = 0; i < requests->n; i++)
			facts->null_requests += requests->v[i] == 1;
}

/* Moments of one rank, as they are read. */
struct clocks {
	uint64_t stop[DUMPI_CLOCKS], first;
	bool any[DUMPI_CLOCKS];
};

static void count_time(struct dumpi_reading *g, const struct dumpi_record *r, struct clocks *c)
{
	struct wl_dumpi_facts *facts = &g->d->facts;
	for (enum dumpi_clock k = DUMPI_WALL; k < DUMPI_CLOCKS; k++) {
		if (!r->timed[k])
			continue;
		uint64_t start = dumpi_moment(&g->rank->file, r, k, false, c->stop[k]);
		uint64_t stop = dumpi_moment(&g->rank->file, r, k, true, start);
		if (c->any[k])
			facts->compute_ns[k] += start - c->stop[k];
		else if (k == DUMPI_WALL)
			c->first = start;
		facts->mpi_ns[k] += stop - start;
		c->stop[k] = stop;
		c->any[k] = true;
	}
	if (c->any[DUMPI_WALL] && c->stop[DUMPI_WALL] - c->first > facts->longest_ns)
		facts->longest_ns = c->stop[DUMPI_WALL] - c->first;
}

int dumpi_define(struct dumpi *d, uint32_t rank, struct base_errors *errors)
{
	struct dumpi_reading g = { .d = d, .rank = &d->rank[rank], .me = rank, .errors = errors };
	struct dumpi_record r = { 0 };
	struct clocks clocks = { 0 };
	const struct dumpi_file *file = &g.rank->file;
	uint64_t at = file->begin, line = 0;
	bool finalized = false;
	enum mpi_next next;
	define(&g, DUMPI_MEMBERS, DUMPI_WORLD, 0, DUMPI_WORLD);
	define(&g, DUMPI_MEMBERS, DUMPI_SELF, 0, DUMPI_SELF);
	define(&g, DUMPI_RANK, DUMPI_WORLD, 0, rank);
	define(&g, DUMPI_RANK, DUMPI_SELF, 0, 0);
	define(&g, DUMPI_EXTENT, DUMPI_SELF, 0, 1);
	do {
		next = file->text ? dumpi_read_text(file, &at, &line, &r, errors)
		                  : dumpi_read_binary(file, &at, &line, &r, errors);
		if (next != WL_MPI_CALL)
			break;
		count_record(&d->facts, rank, &r);
		count_time(&g, &r, &clocks);
		finalized = finalized || !strcmp(dumpi_function[r.function].name, "Finalize");
		if (!define_by(&g, &r))
			next =
			    dumpi_refuse(file, &r, errors, "the group is unknown, or does not consist of these ranks");
	} while (next == WL_MPI_CALL);
	d->facts.unfinished += next == WL_MPI_END && !finalized;
	if (g.rank->definitions)
		qsort(g.rank->definition, g.rank->definitions, sizeof *g.rank->definition, by_kind_and_place);
	wl_map_free(&g.latest);
	dumpi_record_free(&r);
	return next == WL_MPI_END ? 0 : -1;
}
