/* workload/formats/allprof/allprof_line.c - see allprof_line.h. What the wrapper writes is in gencode.py of liballprof.
 */
#include "workload/formats/allprof/allprof_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct allprof_function functions[] = {
	{ "MPI_Send", "pntrgc", "send", false },
	{ "MPI_Bsend", "pntrgc", "bsend", false },
	{ "MPI_Ssend", "pntrgc", "ssend", false },
	{ "MPI_Rsend", "pntrgc", "rsend", false },
	{ "MPI_Isend", "pntrgcq", "isend", false },
	{ "MPI_Ibsend", "pntrgcq", "ibsend", false },
	{ "MPI_Issend", "pntrgcq", "issend", false },
	{ "MPI_Irsend", "pntrgcq", "irsend", false },
	{ "MPI_Recv", "pntrgcp", "recv", false },
	{ "MPI_Irecv", "pntrgcq", "irecv", false },
	{ "MPI_Sendrecv", "pntrgpntrgcp", "sendrecv", false },
	{ "MPI_Sendrecv_replace", "pntrgrgcp", "sendrecv", false },
	{ "MPI_Probe", "rgcp", "probe", false },
	{ "MPI_Wait", "qp", "wait", false },
	{ "MPI_Waitall", "nqp", "waitall", false },
	{ "MPI_Waitany", "nqpp", "waitany", false },
	{ "MPI_Waitsome", "nqppp", "waitsome", false },
	{ "MPI_Test", "qpp", "test", false },
	{ "MPI_Testall", "nqpp", "testall", false },
	{ "MPI_Testany", "nqppp", "testany", false },
	{ "MPI_Testsome", "nqppp", "testsome", false },
	{ "MPI_Request_free", "q", "request_free", false },
	{ "MPI_Barrier", "c", "barrier", false },
	{ "MPI_Bcast", "pntrc", "bcast", false },
	{ "MPI_Reduce", "ppntorc", "reduce", false },
	{ "MPI_Allreduce", "ppntoc", "allreduce", false },
	{ "MPI_Scan", "ppntoc", "scan", false },
	{ "MPI_Exscan", "ppntoc", "exscan", false },
	{ "MPI_Gather", "pntpntrc", "gather", false },
	{ "MPI_Scatter", "pntpntrc", "scatter", false },
	{ "MPI_Allgather", "pntpntc", "allgather", false },
	{ "MPI_Alltoall", "pntpntc", "alltoall", false },
	{ "MPI_Gatherv", "pntpCCtrc", "gatherv", false },
	{ "MPI_Scatterv", "pCCtpntrc", "scatterv", false },
	{ "MPI_Allgatherv", "pntpCCtc", "allgatherv", false },
	{ "MPI_Alltoallv", "pCCtpCCtc", "alltoallv", false },
	{ "MPI_Reduce_scatter", "ppCtoc", "reduce_scatter", false },
	{ "MPI_Reduce_scatter_block", "ppntoc", "reduce_scatter_block", false },
	{ "MPI_Ibarrier", "cq", "barrier", true },
	{ "MPI_Ibcast", "pntrcq", "bcast", true },
	{ "MPI_Ireduce", "ppntorcq", "reduce", true },
	{ "MPI_Iallreduce", "ppntocq", "allreduce", true },
	{ "MPI_Igather", "pntpntrcq", "gather", true },
	{ "MPI_Iscatter", "pntpntrcq", "scatter", true },
	{ "MPI_Iallgather", "pntpntcq", "allgather", true },
	{ "MPI_Ialltoall", "pntpntcq", "alltoall", true },
	{ "MPI_Comm_dup", "cp", "comm_dup", false },
	{ "MPI_Comm_split", "ciip", "comm_split", false },
	{ "MPI_Cart_create", "cippip", "comm_dup", false },
};

/* Functions that communicate nothing, or nothing that a schedule has: by the beginning of their names. */
static const char *const local[] = {
	"MPI_Init",
	"MPI_Finalize",
	"MPI_Comm_rank",
	"MPI_Comm_size",
	"MPI_Comm_group",
	"MPI_Comm_compare",
	"MPI_Comm_free",
	"MPI_Comm_test",
	"MPI_Comm_set_",
	"MPI_Comm_get_",
	"MPI_Comm_remote_",
	"MPI_Comm_create",
	"MPI_Cart_",
	"MPI_Graph",
	"MPI_Dims_create",
	"MPI_Topo_test",
	"MPI_Group_",
	"MPI_Type_",
	"MPI_Op_",
	"MPI_Info_",
	"MPI_Get_",
	"MPI_Address",
	"MPI_Pack",
	"MPI_Unpack",
	"MPI_Attr_",
	"MPI_Keyval_",
	"MPI_Errhandler_",
	"MPI_Error_",
	"MPI_Wtime",
	"MPI_Wtick",
	"MPI_Buffer_",
	"MPI_Status_",
	"MPI_Pcontrol",
	"MPI_Iprobe",
	"MPI_Add_error_",
	"MPI_Alloc_mem",
	"MPI_Free_mem",
	"MPI_Query_",
	"MPI_Is_thread_",
	"MPI_Test_cancelled",
	"MPI_Request_get_status",
};

const struct allprof_function *allprof_function_of(const char *name, size_t length)
{
	static const struct allprof_function left_out = { "", "", NULL, false };
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (strlen(functions[i].name) == length && !memcmp(functions[i].name, name, length))
			return &functions[i];
	for (size_t i = 0; i < sizeof local / sizeof *local; i++)
		if (length >= strlen(local[i]) && !memcmp(local[i], name, strlen(local[i])))
			return &left_out;
	return NULL;
}

/* The rest of a line, field by field. */
struct allprof_fields {
	const char *at, *end;
	bool over;
};

/* The next field; false: there is none. */
static bool next_field(struct allprof_fields *f, const char **from, const char **to)
{
	if (f->over)
		return false;
	const char *colon = memchr(f->at, ':', (size_t)(f->end - f->at));
	*from = f->at;
	*to = colon ? colon : f->end;
	f->at = *to + 1;
	f->over = !colon;
	return true;
}

/* A number, at *at, which moves behind it, and behind a comma there; negative ones as far as `negative` allows. */
static bool take_number(const char **at, const char *to, bool negative, uint64_t *out)
{
	bool minus = *at < to && **at == '-';
	const char *p = *at + minus;
	uint64_t value = 0;
	if (minus && !negative)
		return false;
	if (p == to || *p < '0' || *p > '9')
		return false;
	for (; p < to && *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(value, 10u, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*p - '0'), &value))
			return false;
	if (p < to && *p != ',')
		return false;
	*at = p < to ? p + 1 : p;
	*out = minus ? -value : value;
	return !minus || value <= INT64_MAX;
}

/* Microseconds, with up to six decimals; or "-". */
static bool take_time(const char *from, const char *to, bool *given, uint64_t *us, uint32_t *ps)
{
	uint32_t scale = 100000;
	*given = to - from != 1 || *from != '-';
	*us = 0;
	*ps = 0;
	if (!*given)
		return true;
	const char *p = from;
	for (; p < to && *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(*us, 10u, us) || __builtin_add_overflow(*us, (uint64_t)(*p - '0'), us))
			return false;
	if (p == from)
		return false;
	if (p < to && *p == '.')
		for (p++; p < to && *p >= '0' && *p <= '9'; p++, scale /= 10)
			*ps += (uint32_t)(*p - '0') * scale;
	return p == to;
}

static bool take_words(const char *from, const char *to, unsigned n, bool negative, uint64_t *out)
{
	for (unsigned i = 0; i < n; i++)
		if (!take_number(&from, to, negative, &out[i]))
			return false;
	return from == to;
}

/* One argument of a call; false: it is none of its kind. */
static bool take_argument(struct allprof_fields *f, char kind, struct allprof_call *c)
{
	const char *from, *to;
	uint64_t word[3] = { 0 };
	if (!next_field(f, &from, &to))
		return false;
	switch (kind) {
	case 't':
		if (!take_words(from, to, 3, true, word))
			return false;
		c->type[c->types++ & 1].size = word[1];
		return word[1] <= UINT32_MAX;
	case 'c':
		if (!take_words(from, to, 3, true, word))
			return false;
		c->comm = (struct allprof_comm){ word[0], word[1], word[2] };
		c->has_comm = true;
		return word[2] >= 1 && word[2] <= ALLPROF_RANKS && word[1] < word[2];
	case 'C':
		if (!take_words(from, to, 1, true, word) || !next_field(f, &from, &to))
			return false;
		c->numbers[c->lists++ & 3] = (struct allprof_numbers){ from, to };
		return true;
	default:
		break;
	}
	if (!take_words(from, to, 1, true, word))
		return false;
	if (kind == 'n')
		c->count[c->counts++ & 1] = word[0];
	else if (kind == 'r')
		c->rank[c->ranks++ & 1] = (int64_t)word[0];
	else if (kind == 'g')
		c->tag[c->tags++ & 1] = (int64_t)word[0];
	else if (kind == 'q')
		c->request = word[0];
	else if (kind == 'i')
		c->other[c->others++ & 3] = word[0];
	else
		c->address[c->addresses++ & 3] = word[0];
	return kind != 'n' || word[0] <= INT32_MAX;
}

static const char *kind_name(char kind)
{
	switch (kind) {
	case 'n':
		return "count";
	case 't':
		return "datatype (number,size,extent)";
	case 'r':
		return "rank";
	case 'g':
		return "tag";
	case 'c':
		return "communicator (handle,rank,size)";
	case 'q':
		return "request";
	case 'o':
		return "operation";
	case 'C':
		return "list of numbers";
	case 'i':
		return "number";
	default:
		return "address";
	}
}

/* Of a function that is left out, its two times. */
static int read_outer(struct allprof_fields *f, struct allprof_call *c, char why[160])
{
	const char *from = NULL, *to = NULL, *last = NULL, *last_end = NULL;
	while (next_field(f, &from, &to)) {
		last = from;
		last_end = to;
	}
	if (!last || !take_time(last, last_end, &c->ends, &c->end_us, &c->end_ps)) {
		snprintf(why, 160, "the last field is no time");
		return -1;
	}
	return 1;
}

static int read_arguments(struct allprof_fields *f, struct allprof_call *c, char why[160])
{
	const char *from, *to;
	unsigned argument = 0;
	for (const char *kind = c->function->arguments; *kind; kind++) {
		argument++;
		if (!take_argument(f, *kind, c)) {
			snprintf(why, 160, "argument %u of %s is no %s", argument, c->function->name, kind_name(*kind));
			return -1;
		}
	}
	if (!next_field(f, &from, &to) || !take_time(from, to, &c->ends, &c->end_us, &c->end_ps) || !f->over) {
		snprintf(why, 160, "%s has %u arguments, and then the time at which it ends", c->function->name,
		         argument);
		return -1;
	}
	return 1;
}

int allprof_read_line(const char *line, const char *end, struct allprof_call *c, char why[160])
{
	struct allprof_fields f = { .at = line, .end = end };
	const char *from, *to;
	*c = (struct allprof_call){ .name = line };
	if (line == end || *line == '#')
		return 0;
	next_field(&f, &from, &to);
	c->name_length = (size_t)(to - from);
	if (c->name_length < 5 || memcmp(from, "MPI_", 4) != 0) {
		snprintf(why, 160, "\"%.*s\" is no call of MPI", (int)(c->name_length > 40 ? 40 : c->name_length),
		         from);
		return -1;
	}
	c->function = allprof_function_of(from, c->name_length);
	if (!c->function) {
		snprintf(why, 160, "%.*s cannot be replayed", (int)(c->name_length > 60 ? 60 : c->name_length), from);
		return -1;
	}
	if (!next_field(&f, &from, &to) || !take_time(from, to, &c->begins, &c->begin_us, &c->begin_ps)) {
		snprintf(why, 160,
		         "behind the function's name the time at which it begins is expected, in microseconds");
		return -1;
	}
	return c->function->form ? read_arguments(&f, c, why) : read_outer(&f, c, why);
}
