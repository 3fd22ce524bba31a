/* workload/formats/allprof/allprof.c - see allprof.h. A trace is converted to a recording (docs/mpi.md) in a temporary
 * file, line by line: line n of a rank's part corresponds to line n of the rank's trace file, which error messages
 * name.
 *
 * A trace identifies requests by their addresses, and an array of requests by the address of the first one: the
 * distance of two requests in an array follows from the addresses of open requests. A trace identifies communicators by
 * handles that no call returns: a handle that has not occurred before belongs to the oldest communicator that was
 * created and has no handle yet. */
#include "workload/formats/allprof/allprof.h"

#include "base/exhausted.h"
#include "base/format.h"
#include "base/mapped.h"
#include "base/memory.h"
#include "workload/formats/allprof/allprof_line.h"
#include "workload/formats/bytes.h"
#include "workload/formats/map.h"
#include "workload/formats/recorded/recorded_text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROBLEMS 20u
#define FIRST_COMM 2u

struct allprof {
	struct mpi_source text;     /* of the recording */
	struct base_mapped *mapped; /* its bytes */
	struct wl_allprof_facts facts;
	uint32_t ranks;
	char **file;              /* [ranks] owned */
	struct base_stamp *stamp; /* [ranks] */
};

/* Of the rank that is read. */
struct allprof_reading {
	struct allprof *a;
	FILE *out;
	struct base_errors *errors;
	uint32_t rank, problems;
	unsigned long line;
	struct wl_map open;   /* requests by address */
	struct wl_map comm;   /* number by handle, + 1 */
	uint32_t made, named; /* communicators: made by calls, and named since */
	bool timed, finished;
	uint64_t base_us, last; /* ps since base_us: the end of the last call */
	uint64_t compute;       /* ps since the last call that is kept */
};

__attribute__((format(printf, 2, 3))) static int fail_line(struct allprof_reading *r, const char *fmt, ...)
{
	char key[1200], text[300];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (r->problems++ < PROBLEMS)
		base_errorf(r->errors, wl_trace_key(r->a->file[r->rank], r->line, key, sizeof key), "%s", text);
	return -1;
}

static void count_function(struct allprof *a, const struct allprof_call *c)
{
	struct wl_allprof_facts *f = &a->facts;
	uint32_t i = 0;
	while (i < f->functions && (strlen(f->function[i].name) != c->name_length ||
	                            memcmp(f->function[i].name, c->name, c->name_length) != 0))
		i++;
	if (i == ALLPROF_NAMES || c->name_length >= sizeof f->function[0].name)
		return;
	if (i == f->functions) {
		memcpy(f->function[i].name, c->name, c->name_length);
		f->function[i].left_out = !c->function->form;
		f->functions++;
	}
	f->function[i].count++;
}

/* --- time ----------------------------------------------------------------------------------------------------------
 */

/* A moment in ps since the first one of the rank; before that 0. */
static uint64_t moment_of(const struct allprof_reading *r, uint64_t us, uint32_t ps)
{
	uint64_t since = us > r->base_us ? us - r->base_us : 0;
	return since > UINT64_MAX / 2000000 ? UINT64_MAX / 2 : since * 1000000 + ps;
}

/* What passes between two calls is computation. */
static void pass_time(struct allprof_reading *r, const struct allprof_call *c)
{
	if (!r->timed && (c->begins || c->ends))
		r->base_us = c->begins ? c->begin_us : c->end_us;
	if (c->begins) {
		uint64_t begin = moment_of(r, c->begin_us, c->begin_ps);
		if (r->timed && begin < r->last)
			r->a->facts.backward++;
		else if (r->timed)
			r->compute += begin - r->last;
		r->last = r->timed && begin < r->last ? r->last : begin;
	}
	if (c->ends) {
		uint64_t end = moment_of(r, c->end_us, c->end_ps);
		r->last = end > r->last ? end : r->last;
	}
	r->timed |= c->begins || c->ends;
}

/* --- communicators ---------------------------------------------------------------------------------------------------
 */

/* The number of a call's communicator in the recording; -1 with an error. */
static int64_t comm_of(struct allprof_reading *r, const struct allprof_comm *c)
{
	const uint64_t *known = wl_map_find(&r->comm, c->handle);
	int64_t number;
	if (known)
		return (int64_t)*known - 1;
	bool all = c->size == r->a->ranks && c->rank == r->rank;
	if (all && !r->comm.n) {
		number = WL_MPI_WORLD;
	} else if (r->named < r->made) {
		r->a->facts.in_order += r->made - r->named > 1;
		number = FIRST_COMM + r->named++;
	} else if (c->size == 1) {
		number = WL_MPI_SELF;
	} else if (all) {
		r->a->facts.as_world += r->comm.n > 0;
		number = WL_MPI_WORLD;
	} else {
		return fail_line(
		    r,
		    "communicator %" PRIu64 ", of %" PRIu64 " of the %" PRIu32
		    " ranks, is made by no MPI_Comm_split, MPI_Comm_dup or MPI_Cart_create before it: which "
		    "ranks it has is not known",
		    c->handle, c->size, r->a->ranks);
	}
	*wl_map_put(&r->comm, c->handle) = (uint64_t)number + 1;
	return number;
}

/* --- calls -----------------------------------------------------------------------------------------------------------
 */

static void write_peer(struct allprof_reading *r, const char *key, int64_t rank, bool receives)
{
	if (receives && rank == -1)
		fprintf(r->out, " %s=any", key);
	else if (rank < 0)
		fprintf(r->out, " %s=null", key);
	else
		fprintf(r->out, " %s=%" PRId64, key, rank);
}

static void write_tag(struct allprof_reading *r, const char *key, int64_t tag)
{
	if (tag < 0)
		fprintf(r->out, " %s=any", key);
	else
		fprintf(r->out, " %s=%" PRId64, key, tag);
}

/* The numbers of a call: how many there are, and of which size. */
static uint64_t bytes_of(const struct allprof_call *c, unsigned which)
{
	return c->count[which] * c->type[which].size;
}

static int write_message(struct allprof_reading *r, const struct allprof_call *c, bool receives)
{
	bool both = c->ranks == 2, replace = both && c->counts == 1;
	if (c->rank[0] > INT32_MAX || c->rank[0] < INT32_MIN || c->tag[0] > INT32_MAX || c->rank[1] > INT32_MAX ||
	    c->tag[1] > INT32_MAX)
		return fail_line(r, "a rank or a tag is beyond 2147483647");
	write_peer(r, receives ? "from" : "to", c->rank[0], receives);
	write_tag(r, "tag", c->tag[0]);
	if (c->counts)
		fprintf(r->out, " bytes=%" PRIu64, bytes_of(c, 0));
	if (both) {
		write_peer(r, "rfrom", c->rank[1], true);
		write_tag(r, "rtag", c->tag[1]);
		fprintf(r->out, " rbytes=%" PRIu64, bytes_of(c, !replace));
	}
	return 0;
}

/* The request of a call that begins something. */
static void write_begun(struct allprof_reading *r, const struct allprof_call *c)
{
	*wl_map_put(&r->open, c->request) = 1;
	fprintf(r->out, " request=%" PRIu64, c->request);
}

/* How far two requests of an array are apart: 8 or 4 bytes, of which more are open. */
static uint64_t stride_of(const struct allprof_reading *r, const struct allprof_call *c)
{
	uint64_t found[2] = { 0, 0 };
	for (unsigned k = 0; k < 2; k++)
		for (uint64_t i = 0; i < c->count[0]; i++)
			found[k] += wl_map_find(&r->open, c->request + i * (k ? 4 : 8)) != NULL;
	return found[1] > found[0] ? 4 : 8;
}

/* Writes the requests of a wait or test call that are still open. Null requests and requests that an earlier wait has
 * completed are omitted. all: the call completes all of them. */
static void write_requests(struct allprof_reading *r, const struct allprof_call *c, bool all)
{
	uint64_t n = c->counts ? c->count[0] : 1, stride = c->counts ? stride_of(r, c) : 8;
	const char *sign = " reqs=";
	for (uint64_t i = 0; i < n; i++) {
		uint64_t request = c->request + i * stride;
		if (!wl_map_find(&r->open, request))
			continue;
		fprintf(r->out, "%s%" PRIu64, sign, request);
		sign = ",";
		if (all)
			wl_map_remove(&r->open, request);
	}
}

static bool any_open(const struct allprof_reading *r, const struct allprof_call *c)
{
	uint64_t n = c->counts ? c->count[0] : 1, stride = c->counts ? stride_of(r, c) : 8;
	for (uint64_t i = 0; i < n; i++)
		if (wl_map_find(&r->open, c->request + i * stride))
			return true;
	return false;
}

/* " counts=3,4,5", in bytes; -1 with an error if they are not one of each rank. */
static int write_counts(struct allprof_reading *r, const struct allprof_call *c, const char *key, unsigned list,
                        unsigned type)
{
	const char *at = c->numbers[list].at, *end = c->numbers[list].end;
	uint64_t n = 0;
	fprintf(r->out, " %s", key);
	while (at < end) {
		uint64_t value = 0;
		const char *begin = at;
		for (; at < end && *at >= '0' && *at <= '9' && value <= INT32_MAX; at++)
			value = 10 * value + (uint64_t)(*at - '0');
		if (at == begin || value > INT32_MAX || (at < end && *at != ','))
			return fail_line(r, "a list of counts has something else than numbers: \"%.*s\"",
			                 (int)(end - begin > 20 ? 20 : end - begin), begin);
		fprintf(r->out, "%c%" PRIu64, n++ ? ',' : '=', value * c->type[type].size);
		at += at < end;
	}
	if (n != c->comm.size)
		return fail_line(r, "%" PRIu64 " counts for a communicator of %" PRIu64 " ranks", n, c->comm.size);
	return 0;
}

static bool is_in_place(uint64_t address)
{
	return address == 1 || address == UINT64_MAX; /* MPI_IN_PLACE of Open MPI and of MPICH */
}

/* Amounts of a collective in one rank's terms: workload/mpi/call.h. */
static int write_amounts(struct allprof_reading *r, const struct allprof_call *c)
{
	const char *form = c->function->form;
	bool root = c->ranks && c->rank[0] == (int64_t)c->comm.rank, in_place = is_in_place(c->address[0]);
	bool reduces = strchr(c->function->arguments, 'o') != NULL;
	if (reduces && c->counts)
		fprintf(r->out, " element=%" PRIu64 " bytes=%" PRIu64, c->type[0].size ? c->type[0].size : 1,
		        bytes_of(c, 0));
	if (reduces && c->lists) {
		fprintf(r->out, " element=%" PRIu64, c->type[0].size ? c->type[0].size : 1);
		return write_counts(r, c, "counts", 0, 0);
	}
	if (reduces)
		return 0;
	if (!strcmp(form, "bcast") || !strcmp(form, "gather") || !strcmp(form, "allgather") ||
	    !strcmp(form, "alltoall"))
		fprintf(r->out, " bytes=%" PRIu64, bytes_of(c, c->counts > 1 && in_place));
	else if (!strcmp(form, "scatter"))
		fprintf(r->out, " bytes=%" PRIu64, bytes_of(c, !root));
	else if (!strcmp(form, "gatherv")) {
		fprintf(r->out, " bytes=%" PRIu64, bytes_of(c, 0));
		return root ? write_counts(r, c, "counts", 0, 1) : 0;
	} else if (!strcmp(form, "scatterv")) {
		fprintf(r->out, " bytes=%" PRIu64, c->count[0] * c->type[1].size);
		return root ? write_counts(r, c, "counts", 0, 0) : 0;
	} else if (!strcmp(form, "allgatherv")) {
		return write_counts(r, c, "counts", 0, 1);
	} else if (!strcmp(form, "alltoallv")) {
		return write_counts(r, c, "counts", 0, 0) || write_counts(r, c, "rcounts", 2, 1) ? -1 : 0;
	}
	return 0;
}

static int write_collective(struct allprof_reading *r, const struct allprof_call *c)
{
	if (c->ranks && (c->rank[0] < 0 || (uint64_t)c->rank[0] >= c->comm.size))
		return fail_line(r, "%s: root %" PRId64 " is none of the %" PRIu64 " ranks", c->function->name,
		                 c->rank[0], c->comm.size);
	if (c->ranks)
		fprintf(r->out, " root=%" PRId64, c->rank[0]);
	if (write_amounts(r, c))
		return -1;
	if (c->function->nonblocking) {
		fprintf(r->out, " nonblocking");
		write_begun(r, c);
	}
	return 0;
}

/* New communicators are numbered; their handles are met later. */
static void write_new_comm(struct allprof_reading *r, const struct allprof_call *c)
{
	bool split = !strcmp(c->function->form, "comm_split");
	int64_t color = (int64_t)c->other[0], key = (int64_t)c->other[1];
	if (split && (color < 0 || color > INT32_MAX)) { /* MPI_UNDEFINED */
		fprintf(r->out, " color=none");
		return;
	}
	if (split)
		fprintf(r->out, " color=%" PRId64 " key=%" PRId64, color, key > INT32_MAX || key < INT32_MIN ? 0 : key);
	fprintf(r->out, " new=%u", FIRST_COMM + r->made++);
}

static int write_call(struct allprof_reading *r, const struct allprof_call *c)
{
	const char *form = c->function->form;
	int64_t comm = c->has_comm ? comm_of(r, &c->comm) : 0;
	bool waits = !strncmp(form, "wait", 4), tests = !strncmp(form, "test", 4),
	     frees = !strcmp(form, "request_free");
	int status = 0;
	if (comm < 0)
		return -1;
	if ((waits || tests || frees) && !any_open(r, c))
		return 0; /* nothing is waited for */
	fprintf(r->out, "%s", form);
	if (c->has_comm)
		fprintf(r->out, " comm=%" PRId64, comm);
	if (waits || tests || frees)
		write_requests(r, c, !strcmp(form, "wait") || !strcmp(form, "waitall"));
	else if (!strncmp(form, "comm_", 5))
		write_new_comm(r, c);
	else if (c->tags)
		status =
		    write_message(r, c, strstr(form, "recv") == form || strstr(form, "irecv") == form || *form == 'p');
	else
		status = write_collective(r, c);
	if (c->tags && strchr(c->function->arguments, 'q'))
		write_begun(r, c);
	if (r->compute)
		fprintf(r->out, " compute=%" PRIu64, r->compute);
	r->compute = 0;
	return status;
}

static int take_line(struct allprof_reading *r, const char *line, const char *end)
{
	struct allprof_call c;
	char why[160];
	int kind = allprof_read_line(line, end, &c, why);
	if (kind < 0)
		return fail_line(r, "%s", why);
	if (!kind)
		return 0;
	if (r->finished)
		return fail_line(r, "%.*s behind MPI_Finalize", (int)(c.name_length > 60 ? 60 : c.name_length), c.name);
	count_function(r->a, &c);
	pass_time(r, &c);
	r->finished = c.name_length == 12 && !memcmp(c.name, "MPI_Finalize", 12);
	if (c.function->form)
		return write_call(r, &c);
	if (r->finished && r->compute)
		fprintf(r->out, "compute compute=%" PRIu64, r->compute);
	return 0;
}

/* --- files -----------------------------------------------------------------------------------------------------------
 */

/* The last number in the name of a file: where it is, and how long. False: there is none. */
static bool find_rank(const char *path, size_t *at, size_t *digits)
{
	const char *slash = strrchr(path, '/');
	size_t n = strlen(path), first = slash ? (size_t)(slash - path) + 1 : 0;
	while (n > first && (path[n - 1] < '0' || path[n - 1] > '9'))
		n--;
	size_t end = n;
	while (n > first && path[n - 1] >= '0' && path[n - 1] <= '9')
		n--;
	*at = n;
	*digits = end - n;
	return *digits > 0;
}

static char *name_of_rank(const char *path, size_t at, size_t digits, uint32_t rank)
{
	return base_format("%.*s%" PRIu32 "%s", (int)at, path, rank, path + at + digits);
}

static uint32_t list_files(const char *path, char ***files)
{
	size_t at, digits;
	uint32_t n = 0;
	*files = NULL;
	if (!find_rank(path, &at, &digits))
		return 0;
	for (; n < ALLPROF_RANKS; n++) {
		char *name = name_of_rank(path, at, digits, n);
		if (access(name, F_OK)) {
			free(name);
			break;
		}
		if ((n & (n - 1)) == 0)
			*files = base_realloc(*files, (n ? 2 * (size_t)n : 1) * sizeof **files);
		(*files)[n] = name;
	}
	return n;
}

void wl_allprof_files(const char *path, void (*visit)(void *arg, const char *path), void *arg)
{
	char **files;
	uint32_t n = list_files(path, &files);
	for (uint32_t i = 0; i < n; i++) {
		if (strcmp(files[i], path) != 0)
			visit(arg, files[i]);
		free(files[i]);
	}
	free(files);
}

static int read_rank(struct allprof_reading *r, const char *bytes, size_t n)
{
	fprintf(r->out, "rank %" PRIu32 "\n", r->rank);
	for (size_t at = 0; at < n && r->problems < PROBLEMS;) {
		const char *begin = bytes + at, *end = memchr(begin, '\n', n - at);
		at += (size_t)((end ? end : bytes + n) - begin) + 1;
		r->line++;
		const char *stop = end ? end : bytes + n;
		take_line(r, begin, stop > begin && stop[-1] == '\r' ? stop - 1 : stop);
		fputc('\n', r->out);
	}
	r->a->facts.unfinished += !r->finished;
	return r->problems ? -1 : 0;
}

static int read_file(struct allprof *a, FILE *out, uint32_t rank, uint32_t *problems, struct base_errors *errors)
{
	struct allprof_reading r = { .a = a, .out = out, .errors = errors, .rank = rank, .problems = *problems };
	struct wl_trace_file f;
	char key[1200];
	const char *why = wl_trace_file_open(&f, a->file[rank], true);
	struct base_mapped *m = !why && f.size ? base_map_file(f.fd, f.size, &why) : NULL;
	if (!why && !m)
		why = "is empty";
	if (m) {
		a->stamp[rank] = f.stamp;
		read_rank(&r, m->bytes, m->n);
		why = base_mapped_changed(m);
	}
	if (why) {
		base_errorf(errors, wl_trace_key(a->file[rank], 0, key, sizeof key), "cannot be read: %s", why);
		r.problems++;
	}
	base_unmap_file(m);
	wl_trace_file_close(&f);
	wl_map_free(&r.open);
	wl_map_free(&r.comm);
	*problems = r.problems;
	return r.problems ? -1 : 0;
}

/* A temporary file without a name; NULL: none can be made. */
static FILE *temporary_file(void)
{
	const char *folder = getenv("TMPDIR");
	char path[4096];
	snprintf(path, sizeof path, "%s/tilefly.XXXXXX", folder && *folder ? folder : "/tmp");
	int fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return NULL;
	unlink(path);
	FILE *file = fdopen(fd, "w+");
	if (!file)
		close(fd);
	return file;
}

/* --- the source
 * ------------------------------------------------------------------------------------------------------- */

static enum mpi_next next_call(const struct mpi_source *s, uint32_t rank, struct mpi_cursor *at, struct mpi_call *call,
                               struct base_errors *errors)
{
	const struct allprof *a = s->data;
	return a->text.ops->next(&a->text, rank, at, call, errors);
}

/* The line of a rank's own file: lines without a call are empty in the recording. */
static void place_of_call(const struct mpi_source *s, uint32_t rank, const struct mpi_cursor *at, char *out,
                          size_t room)
{
	const struct allprof *a = s->data;
	struct mpi_cursor behind = *at;
	struct mpi_call call = { 0 };
	a->text.ops->next(&a->text, rank, &behind, &call, NULL);
	mpi_call_free(&call);
	snprintf(out, room, "%.150s:%" PRIu64, a->file[rank], behind.word[1] ? behind.word[1] : 1);
}

static bool has_changed(const struct mpi_source *s, char *out, size_t room)
{
	const struct allprof *a = s->data;
	for (uint32_t i = 0; i < a->ranks; i++)
		if (base_stamp_differs(&a->stamp[i], -1, a->file[i])) {
			snprintf(out, room, "%s", a->file[i]);
			return true;
		}
	return false;
}

static void close_source(struct mpi_source *s)
{
	struct allprof *a = s->data;
	if (a->text.ops)
		a->text.ops->close(&a->text);
	base_unmap_file(a->mapped);
	for (uint32_t i = 0; i < a->ranks; i++)
		free(a->file[i]);
	free(a->file);
	free(a->stamp);
	free(a);
	*s = (struct mpi_source){ 0 };
}

static const struct mpi_source_ops allprof_ops = {
	.next = next_call, .place = place_of_call, .changed = has_changed, .close = close_source
};

const struct wl_allprof_facts *wl_allprof_facts(const struct mpi_source *s)
{
	return &((const struct allprof *)s->data)->facts;
}

static int fail_whole(const char *path, struct base_errors *errors, const char *text)
{
	char key[1200];
	return base_errorf(errors, wl_trace_key(path, 0, key, sizeof key), "%s", text);
}

/* All ranks, one behind the other, as a recording, which becomes the source. */
static int read_trace(struct allprof *a, const char *path, FILE *out, struct base_errors *errors)
{
	const char *why = NULL;
	uint32_t problems = 0;
	fprintf(out, "ranks %" PRIu32 "\n", a->ranks);
	for (uint32_t i = 0; i < a->ranks && problems < PROBLEMS; i++)
		read_file(a, out, i, &problems, errors);
	if (problems)
		return -1;
	long n = fflush(out) || ferror(out) ? -1 : ftell(out);
	if (n <= 0)
		return fail_whole(path, errors, "the temporary file cannot be written; TMPDIR says where");
	a->mapped = base_map_file(fileno(out), (size_t)n, &why);
	if (!a->mapped)
		return fail_whole(path, errors, "the temporary file cannot be read");
	return mpi_text_parse(&a->text, a->mapped->bytes, (size_t)n, path, errors);
}

int wl_allprof_open(struct mpi_source *out, const char *path, struct base_errors *errors)
{
	struct allprof *a = base_alloc(sizeof *a);
	const char *scope = errors->scope;
	FILE *file = NULL;
	size_t at, digits;
	int status = -1;
	errors->scope = NULL;
	*out = (struct mpi_source){ .ops = &allprof_ops, .data = a };
	a->ranks = list_files(path, &a->file);
	a->stamp = base_calloc(a->ranks + (size_t)1, sizeof *a->stamp);
	if (!find_rank(path, &at, &digits))
		fail_whole(path, errors, "has no number in its name, which would be its rank");
	else if (!a->ranks)
		fail_whole(path, errors, "there is no file of rank 0");
	else if (strtoull(path + at, NULL, 10) >= a->ranks)
		fail_whole(path, errors, "is missing, or the file of a rank before it is");
	else if (!(file = temporary_file()))
		fail_whole(path, errors, "no temporary file can be made; TMPDIR says where");
	else
		status = read_trace(a, path, file, errors);
	if (file)
		fclose(file);
	out->ranks = a->ranks;
	errors->scope = scope;
	if (status)
		close_source(out);
	return status;
}
