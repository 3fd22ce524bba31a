/* workload/formats/dumpi/dumpi_translate.c - conversion of records of a DUMPI trace to MPI calls (workload/mpi/call.h).
 *
 * Requests keep their ids, and 1 becomes the null request; communicators become 0 (world), 1 (self), 2 ... Counts
 * become bytes. Arguments that are impossible in a complete trace are errors. */
#include "workload/formats/dumpi/dumpi.h"

#include <inttypes.h>
#include <string.h>

#define NO_TYPE 1 /* MPI_DATATYPE_NULL; 0 is none as well */

struct translation {
	const struct dumpi *d;
	const struct dumpi_rank *file;
	uint32_t rank;
	struct dumpi_record *r;
	struct mpi_call *call;
	struct base_errors *errors;
	bool failed; /* with the error reported */
};

#define FAIL(t, ...)                                                                      \
	do {                                                                              \
		if (!(t)->failed)                                                         \
			dumpi_refuse(&(t)->file->file, (t)->r, (t)->errors, __VA_ARGS__); \
		(t)->failed = true;                                                       \
	} while (0)

static int32_t value(const struct translation *t, char letter)
{
	return dumpi_value(t->r, letter);
}

static uint64_t size_of_type(struct translation *t, uint32_t type)
{
	uint64_t size = 0;
	if (!dumpi_size(t->file, type, t->r->place, &size))
		FAIL(t, "the size of datatype %" PRIu32 " is unknown: neither the file nor an earlier call defines it",
		     type);
	return size;
}

/* Bytes of `count` elements of a datatype; of none, whatever the datatype. */
static uint64_t bytes_of(struct translation *t, int64_t count, uint32_t type)
{
	uint64_t bytes = 0;
	if (count < 0)
		FAIL(t, "the count %" PRId64 " is not possible", count);
	else if (count && __builtin_mul_overflow((uint64_t)count, size_of_type(t, type), &bytes))
		FAIL(t, "%" PRId64 " elements of datatype %" PRIu32 " have more than 2^64 bytes", count, type);
	return bytes;
}

static void counts_of(struct translation *t, struct mpi_list *out, char letter, char type, char types)
{
	const struct mpi_list *count = dumpi_list(t->r, letter), *list = types ? dumpi_list(t->r, types) : NULL;
	bool each = list && strchr(dumpi_function[t->r->function].layout, types);
	if (each && list->n != count->n)
		FAIL(t, "there are %" PRIu32 " counts but %" PRIu32 " datatypes", count->n, list->n);
	for (uint32_t i = 0; i < count->n && !t->failed; i++)
		mpi_list_add(out,
		             bytes_of(t, (int32_t)count->v[i], each ? (uint32_t)list->v[i] : (uint32_t)value(t, type)));
}

/* MPI_IN_PLACE has no datatype: neither it nor the count beside it means anything. */
static bool is_in_place(const struct translation *t, char type, char types)
{
	const struct mpi_list *list = types ? dumpi_list(t->r, types) : NULL;
	if (dumpi_has(t->r, type))
		return value(t, type) <= NO_TYPE;
	for (uint32_t i = 0; list && i < list->n; i++)
		if (list->v[i] > NO_TYPE)
			return false;
	return list && list->n;
}

/* In bytes of what is sent; in place, of what is received. Of nothing at all that is not known. */
static uint64_t sent_bytes(struct translation *t)
{
	if (!is_in_place(t, 't', 0) || !dumpi_has(t->r, 'm') || (!value(t, 'n') && !value(t, 'm')))
		return bytes_of(t, value(t, 'n'), (uint32_t)value(t, 't'));
	t->call->in_place = true;
	return bytes_of(t, value(t, 'm'), (uint32_t)value(t, 'u'));
}

/* Of a root that has counts; in place its own are one of them. */
static uint64_t own_bytes(struct translation *t, char count, char type, bool at_root)
{
	const struct mpi_list *counts = &t->call->counts;
	if (!at_root || !is_in_place(t, type, 0))
		return bytes_of(t, value(t, count), (uint32_t)value(t, type));
	uint32_t me = (uint32_t)value(t, 'x');
	return me < counts->n ? counts->v[me] : 0; /* too few are an error where they are used */
}

/* --- handles and ranks ------------------------------------------------------------------------------------------ */

static uint32_t comm_of(struct translation *t, char letter)
{
	int32_t id = value(t, letter);
	if (id == DUMPI_WORLD || id == DUMPI_SELF)
		return id == DUMPI_WORLD ? WL_MPI_WORLD : WL_MPI_SELF;
	if (id < (int32_t)DUMPI_FIRST_COMM)
		FAIL(t, "communicator %" PRId32 " is not possible", id);
	return (uint32_t)id - 2;
}

static uint64_t request_of(struct translation *t, uint32_t id)
{
	if (!id)
		FAIL(t, "request 0 is the null request");
	return id == 1 ? WL_MPI_REQUEST_NULL : id;
}

static void requests_of(struct translation *t)
{
	const struct mpi_list *list = dumpi_list(t->r, 'Q');
	if (!strchr(dumpi_function[t->r->function].layout, 'Q')) {
		mpi_list_add(&t->call->requests, request_of(t, (uint32_t)value(t, 'a')));
		return;
	}
	if (value(t, 'n') < 0 || list->n != (uint32_t)value(t, 'n'))
		FAIL(t, "announces %" PRId32 " requests but lists %" PRIu32, value(t, 'n'), list->n);
	for (uint32_t i = 0; i < list->n && !t->failed; i++)
		mpi_list_add(&t->call->requests, request_of(t, (uint32_t)list->v[i]));
}

static int32_t target(struct translation *t)
{
	int32_t rank = value(t, 'd');
	if (rank >= 0 && value(t, 'c') == DUMPI_WORLD && (uint32_t)rank >= t->d->ranks)
		FAIL(t, "there is no rank %" PRId32 "; the communicator has %" PRIu32, rank, t->d->ranks);
	return rank < 0 ? WL_MPI_PROC_NULL : rank;
}

static int32_t origin(struct translation *t)
{
	int32_t rank = value(t, 's');
	if (rank >= 0 && value(t, 'c') == DUMPI_WORLD && (uint32_t)rank >= t->d->ranks)
		FAIL(t, "there is no rank %" PRId32 "; the communicator has %" PRIu32, rank, t->d->ranks);
	return rank == -1 ? WL_MPI_ANY : rank < 0 ? WL_MPI_PROC_NULL : rank;
}

static int32_t tag_sent(struct translation *t, int32_t to)
{
	int32_t tag = value(t, 'g');
	if (tag < 0 && to != WL_MPI_PROC_NULL)
		FAIL(t, "tag %" PRId32 " (%" PRIu32 ") is not possible for a send", tag, (uint32_t)tag);
	return tag < 0 ? 0 : tag;
}

static int32_t tag_received(struct translation *t, char letter, int32_t from)
{
	int32_t tag = value(t, letter);
	if (tag < -1 && from != WL_MPI_PROC_NULL)
		FAIL(t, "tag %" PRId32 " is not possible for a receive", tag);
	return tag < 0 ? WL_MPI_ANY : tag;
}

static int32_t root_of(struct translation *t)
{
	int32_t root = value(t, 'r');
	if (root < 0 || (value(t, 'c') == DUMPI_WORLD && (uint32_t)root >= t->d->ranks))
		FAIL(t, "the root %" PRId32 " is not a rank; the communicator has %" PRIu32, root, t->d->ranks);
	return root;
}

/* --- calls ------------------------------------------------------------------------------------------------------ */

static void take_send(struct translation *t)
{
	struct mpi_call *c = t->call;
	c->comm = comm_of(t, 'c');
	c->peer = target(t);
	c->tag = tag_sent(t, c->peer);
	c->bytes = bytes_of(t, value(t, 'n'), (uint32_t)value(t, 't'));
	if (dumpi_has(t->r, 'a'))
		c->request = request_of(t, (uint32_t)value(t, 'a'));
}

static void take_receive(struct translation *t)
{
	struct mpi_call *c = t->call;
	c->comm = comm_of(t, 'c');
	c->peer = origin(t);
	c->tag = tag_received(t, 'g', c->peer);
	c->bytes = bytes_of(t, value(t, 'n'), (uint32_t)value(t, 't')); /* a probe has none */
	if (dumpi_has(t->r, 'a'))
		c->request = request_of(t, (uint32_t)value(t, 'a'));
}

static void take_both(struct translation *t)
{
	take_send(t);
	struct mpi_call *c = t->call;
	bool replace = !dumpi_has(t->r, 'm');
	c->from = origin(t);
	c->from_tag = tag_received(t, 'h', c->from);
	c->from_bytes = replace ? c->bytes : bytes_of(t, value(t, 'm'), (uint32_t)value(t, 'u'));
}

static void complete_request(struct translation *t, int64_t index)
{
	const struct mpi_list *list = &t->call->requests;
	if (index >= list->n)
		FAIL(t, "completes request number %" PRId64 " of %" PRIu32, index, list->n);
	else if (index >= 0) /* MPI_UNDEFINED is negative */
		mpi_list_add(&t->call->completed, list->v[index]);
}

static void take_completion(struct translation *t)
{
	struct mpi_call *c = t->call;
	const struct mpi_list *index = dumpi_list(t->r, 'J');
	bool flag = !dumpi_has(t->r, 'f') || value(t, 'f');
	requests_of(t);
	if (t->failed || c->op == WL_MPI_WAITALL)
		return;
	c->outcome_known = true;
	c->found = flag;
	if (c->op == WL_MPI_TESTALL)
		for (uint32_t i = 0; i < c->requests.n && flag; i++)
			complete_request(t, i);
	else if (c->op == WL_MPI_WAITANY || c->op == WL_MPI_TESTANY)
		complete_request(t, flag ? value(t, 'j') : -1);
	else
		for (uint32_t i = 0; i < index->n && !t->failed; i++)
			complete_request(t, (int64_t)index->v[i]);
}

static void take_reduction(struct translation *t)
{
	struct mpi_call *c = t->call;
	uint64_t commutes;
	int32_t op = value(t, 'p');
	c->user_op = op >= (int32_t)DUMPI_FIRST_OP;
	c->not_commutative =
	    c->user_op && dumpi_find(t->file, DUMPI_COMMUTE, (uint32_t)op, t->r->place, &commutes) && !commutes;
	c->element = size_of_type(t, (uint32_t)value(t, 't'));
	if (c->op == WL_MPI_REDUCE_SCATTER)
		counts_of(t, &c->counts, 'R', 't', 0);
	else
		c->bytes = bytes_of(t, value(t, 'n'), (uint32_t)value(t, 't'));
}

static void take_collective(struct translation *t)
{
	struct mpi_call *c = t->call;
	c->comm = comm_of(t, 'c');
	c->counted = true;
	if (dumpi_has(t->r, 'r'))
		c->peer = root_of(t);
	bool at_root = dumpi_has(t->r, 'x') && value(t, 'x') == value(t, 'r');
	if (dumpi_has(t->r, 'p')) {
		take_reduction(t);
	} else if (c->op == WL_MPI_SCATTER && !at_root) {
		c->bytes = bytes_of(t, value(t, 'm'), (uint32_t)value(t, 'u'));
	} else if (c->op == WL_MPI_SCATTERV) {
		counts_of(t, &c->counts, 'S', 't', 0);
		c->bytes = own_bytes(t, 'm', 'u', at_root);
	} else if (c->op == WL_MPI_GATHERV) {
		counts_of(t, &c->counts, 'R', 'u', 0);
		c->bytes = own_bytes(t, 'n', 't', at_root);
	} else if (c->op == WL_MPI_ALLGATHERV && is_in_place(t, 't', 0)) { /* it goes by its counts */
		counts_of(t, &c->counts, 'R', 'u', 0);
	} else if (c->op == WL_MPI_ALLTOALLV && is_in_place(t, 't', 'T')) {
		c->in_place = true;
		counts_of(t, &c->counts, 'R', 'u', 'U');
		counts_of(t, &c->from_counts, 'R', 'u', 'U');
	} else if (c->op == WL_MPI_ALLTOALLV) {
		counts_of(t, &c->counts, 'S', 't', 'T');
		counts_of(t, &c->from_counts, 'R', 'u', 'U');
	} else if (c->op != WL_MPI_BARRIER) {
		c->bytes = sent_bytes(t);
		counts_of(t, &c->counts, 'R', 'u', 0);
	}
}

static void take_members(struct translation *t)
{
	struct mpi_call *c = t->call;
	uint64_t index = 0;
	bool known = dumpi_find(t->file, DUMPI_GROUP, (uint32_t)value(t, '1'), t->r->place, &index);
	const struct dumpi_group *group = known ? &t->file->group[index] : NULL;
	if (group && group->members != dumpi_members(t->file, (uint32_t)value(t, 'c'), t->r->place))
		FAIL(t, "group %" PRId32 " belongs to a communicator other than %" PRId32 ", which is not supported",
		     value(t, '1'), value(t, 'c'));
	else if (!group && c->new_comm != WL_MPI_COMM_NULL)
		FAIL(t, "group %" PRId32 " is unknown", value(t, '1'));
	else if (group && group->all)
		c->op = WL_MPI_COMM_DUP;
	for (uint32_t i = 0; group && i < group->rank.n && !t->failed; i++)
		mpi_list_add(&c->members, group->rank.v[i]);
}

static void take_communicator(struct translation *t)
{
	struct mpi_call *c = t->call;
	const char *name = dumpi_function[t->r->function].name;
	c->comm = comm_of(t, 'c');
	if (c->op == WL_MPI_COMM_FREE)
		return;
	c->new_comm = value(t, 'w') == 1 ? WL_MPI_COMM_NULL : comm_of(t, 'w');
	if (c->new_comm <= WL_MPI_SELF)
		FAIL(t, "the new communicator %" PRId32 " is not possible", value(t, 'w'));
	if (c->op == WL_MPI_COMM_CREATE) {
		take_members(t);
	} else if (!strcmp(name, "Comm_split")) {
		c->color = value(t, 'k') < 0 ? WL_MPI_NO_COLOR : value(t, 'k');
		c->key = value(t, 'y');
	} else if (!strcmp(name, "Cart_sub")) {
		if (!dumpi_cart_sub(t->d, t->rank, t->r, &c->color, &c->key))
			FAIL(t, "the position of the rank in the grid of communicator %" PRId32 " is not in the trace",
			     value(t, 'c'));
	} else if (c->op == WL_MPI_COMM_SPLIT) { /* a grid or a graph: those within keep their order */
		c->color = c->new_comm == WL_MPI_COMM_NULL ? WL_MPI_NO_COLOR : 0;
	}
}

enum mpi_next dumpi_translate(const struct dumpi *d, uint32_t rank, struct dumpi_record *r, struct mpi_call *call,
                              struct base_errors *errors)
{
	struct translation t = { .d = d, .file = &d->rank[rank], .rank = rank, .r = r, .call = call, .errors = errors };
	enum mpi_op op = call->op = (enum mpi_op)dumpi_function[r->function].op;
	if (op == WL_MPI_SENDRECV)
		take_both(&t);
	else if (op == WL_MPI_RECV || op == WL_MPI_IRECV || op == WL_MPI_RECV_INIT || op == WL_MPI_PROBE ||
	         op == WL_MPI_IPROBE)
		take_receive(&t);
	else if (op == WL_MPI_START)
		requests_of(&t);
	else if (op == WL_MPI_REQUEST_FREE || op == WL_MPI_CANCEL)
		call->request = request_of(&t, (uint32_t)value(&t, 'a'));
	else if (op < WL_MPI_START)
		take_send(&t);
	else if (op <= WL_MPI_TESTSOME)
		take_completion(&t);
	else if (mpi_is_collective(op))
		take_collective(&t);
	else
		take_communicator(&t);
	if (op == WL_MPI_IPROBE) {
		call->outcome_known = true;
		call->found = value(&t, 'f') != 0;
	}
	return t.failed ? WL_MPI_UNREADABLE : WL_MPI_CALL;
}
