/* workload/formats/otf2/otf2.c - see otf2.h: conversion of the events of an archive to calls.
 *
 * A receive is posted at one event, but its source is known at another event, when it completes: its record is written
 * without the source and updated then. Completions become a wait, at the end of the MPI function in which they
 * occurred. */
#include "workload/formats/otf2/otf2.h"

#include "base/exhausted.h"
#include "base/format.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/stamp.h"
#include "workload/formats/bytes.h"
#include "workload/formats/map.h"
#include "workload/formats/otf2/otf2_archive.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SILENCE_MS 120000 /* then the library hangs */
#define COMMS_MOST 1000000u

/* A rank, while events come. */
struct otf2_state {
	uint64_t last, compute; /* ps: end of the last function of MPI; what was computed since the last call */
	uint32_t depth;         /* of functions of MPI */
	struct wl_map posted;   /* request: place of its record */
	struct mpi_list done;   /* requests that completed in this function */
};

struct otf2_reading {
	struct otf2 *o;
	struct otf2_state *state;
	struct base_errors *errors;
	const char *path;
	int fd;
	char buffer[65536];
	size_t at, n;
	bool hangs, ended;
	/* The archive's files, as they were before they were read. */
	struct stamped {
		char *path; /* owned */
		struct base_stamp stamp;
	} * file;
	size_t files;
};

static int wrong(struct otf2_reading *g, const char *what)
{
	char key[1200];
	return base_errorf(g->errors, wl_trace_key(g->path, 0, key, sizeof key), "%s", what);
}

/* --- what the other program writes -------------------------------------------------------------------------------- */

static bool get_bytes(struct otf2_reading *g, void *out, size_t bytes)
{
	for (size_t done = 0; done < bytes;) {
		if (g->at == g->n) {
			struct pollfd p = { .fd = g->fd, .events = POLLIN };
			int ready;
			do {
				ready = poll(&p, 1, SILENCE_MS);
			} while (ready < 0 && errno == EINTR);
			ssize_t got = ready > 0 ? read(g->fd, g->buffer, sizeof g->buffer) : -1;
			if (ready > 0 && got < 0 && errno == EINTR)
				continue;
			g->hangs = ready == 0;
			if (got <= 0)
				return false;
			g->at = 0;
			g->n = (size_t)got;
		}
		size_t part = g->n - g->at < bytes - done ? g->n - g->at : bytes - done;
		memcpy((char *)out + done, g->buffer + g->at, part);
		g->at += part;
		done += part;
	}
	return true;
}

/* --- calls ---------------------------------------------------------------------------------------------------------
 */

static uint64_t emit(struct otf2_reading *g, uint32_t rank, struct wl_spool_record r)
{
	struct otf2_state *s = &g->state[rank];
	r.compute = s->compute;
	s->compute = 0;
	return wl_spool_add(&g->o->spool, rank, &r);
}

static void flush_done(struct otf2_reading *g, uint32_t rank)
{
	struct otf2_state *s = &g->state[rank];
	for (uint32_t i = 0; i < s->done.n; i++)
		emit(g, rank,
		     (struct wl_spool_record){
			 .op = WL_MPI_WAITALL, .goes_on = i + 1 < s->done.n, .request = s->done.v[i] });
	s->done.n = 0;
}

/* A communicator of the rank, as its calls name it. */
static int comm_handle(struct otf2_reading *g, const struct otf2_record *e, uint32_t *handle)
{
	if (e->comm >= g->o->comms)
		return wrong(g,
		             "has an event of a communicator that is not defined, or that is not an MPI communicator");
	const struct otf2_comm *c = &g->o->comm[e->comm];
	*handle = c->handle;
	if (e->peer >= (int64_t)c->n)
		return wrong(g, "has an event of a rank that does not belong to its communicator");
	return 0;
}

static struct wl_spool_record message(const struct otf2_record *e, enum mpi_op op, uint32_t comm)
{
	return (struct wl_spool_record){ .op = (uint8_t)op,
		                         .comm = comm,
		                         .peer = (int32_t)e->peer,
		                         .tag = (int32_t)e->tag,
		                         .bytes = e->a,
		                         .request = e->request + 1 };
}

/* The data of each rank about a collective, in the terms of struct mpi_call. OTF2 contains totals of what a rank sent
 * and received; the block sizes of a v variant follow from all ranks' records: otf2_counts.h. */
static bool collective(const struct otf2_record *e, uint32_t n, struct wl_spool_record *r)
{
	static const uint8_t op[] = { WL_MPI_BARRIER,
		                      WL_MPI_BCAST,
		                      WL_MPI_GATHER,
		                      WL_MPI_GATHERV,
		                      WL_MPI_SCATTER,
		                      WL_MPI_SCATTERV,
		                      WL_MPI_ALLGATHER,
		                      WL_MPI_ALLGATHERV,
		                      WL_MPI_ALLTOALL,
		                      WL_MPI_ALLTOALLV,
		                      WL_MPI_ALLTOALLV,
		                      WL_MPI_ALLREDUCE,
		                      WL_MPI_REDUCE,
		                      WL_MPI_REDUCE_SCATTER,
		                      WL_MPI_SCAN,
		                      WL_MPI_EXSCAN,
		                      WL_MPI_REDUCE_SCATTER_BLOCK };
	if (e->operation >= sizeof op)
		return false; /* handles and windows: nothing is sent */
	r->op = op[e->operation];
	r->peer = e->peer < 0 ? 0 : (int32_t)e->peer;
	r->bytes = e->a;
	r->received = e->b;
	if (r->op == WL_MPI_BCAST || r->op == WL_MPI_SCATTER || r->op == WL_MPI_SCATTERV ||
	    r->op == WL_MPI_REDUCE_SCATTER_BLOCK)
		r->bytes = e->b ? e->b : e->a;
	else if (r->op == WL_MPI_ALLGATHER)
		r->bytes = e->b / n;
	else if (r->op == WL_MPI_ALLTOALL)
		r->bytes = e->a / n;
	return true;
}

static void complete_request(struct otf2_reading *g, const struct otf2_record *e, const struct wl_spool_record *r)
{
	struct otf2_state *s = &g->state[e->rank];
	const uint64_t *place = wl_map_find(&s->posted, e->request);
	struct wl_spool_record filled = *r, old;
	if (place) {
		uint64_t at = *place;
		const struct wl_spool_record *here = wl_spool_last(&g->o->spool, e->rank, at);
		if (here)
			old = *here;
		else if (pread(g->o->spool.fd, &old, sizeof old, (off_t)at) != (ssize_t)sizeof old)
			old.compute = 0;
		filled.compute = old.compute;
		wl_spool_change(&g->o->spool, e->rank, at, &filled);
		wl_map_remove(&s->posted, e->request);
	} else {
		emit(g, e->rank, filled); /* posted before the recording began */
	}
	mpi_list_add(&s->done, e->request + 1);
}

static int take_collective(struct otf2_reading *g, const struct otf2_record *e)
{
	struct wl_otf2_rank *facts = &g->o->facts.rank[e->rank];
	struct wl_spool_record r = { .request = e->request + 1 };
	uint32_t handle = 0;
	if (comm_handle(g, e, &handle))
		return -1;
	r.comm = handle;
	facts->collectives++;
	facts->collective_sent += e->a;
	facts->collective_received += e->b;
	if (!collective(e, g->o->comm[e->comm].n, &r))
		return 0;
	r.nonblocking = e->what == OTF2_ICOLL_DONE;
	if (r.nonblocking)
		complete_request(g, e, &r);
	else
		emit(g, e->rank, r);
	return 0;
}

static int take_message(struct otf2_reading *g, const struct otf2_record *e)
{
	struct wl_otf2_rank *facts = &g->o->facts.rank[e->rank];
	uint32_t comm = 0;
	bool send = e->what == OTF2_SEND || e->what == OTF2_ISEND;
	if (comm_handle(g, e, &comm))
		return -1;
	if (e->peer < 0 || e->tag < 0 || e->tag > INT32_MAX)
		return wrong(g, e->peer < 0 ? "has a message from or to no rank"
		                            : "has a message with a tag above 2147483647");
	*(send ? &facts->send_bytes : &facts->receive_bytes) += e->a;
	facts->sends += e->what == OTF2_SEND;
	facts->isends += e->what == OTF2_ISEND;
	facts->receives += e->what == OTF2_RECV;
	if (e->what == OTF2_IRECV_DONE) {
		struct wl_spool_record r = message(e, WL_MPI_IRECV, comm);
		complete_request(g, e, &r);
	} else {
		emit(g, e->rank,
		     message(e,
		             e->what == OTF2_SEND ? WL_MPI_SEND
		             : send               ? WL_MPI_ISEND
		                                  : WL_MPI_RECV,
		             comm));
	}
	return 0;
}

/* Time that passes outside of functions of MPI is computation. */
static void pass(struct otf2_reading *g, const struct otf2_record *e)
{
	struct otf2_state *s = &g->state[e->rank];
	if (!s->depth && e->ps > s->last) {
		s->compute += e->ps - s->last;
		g->o->facts.rank[e->rank].compute_ps += e->ps - s->last;
	}
	s->last = e->ps;
}

static int take_event(struct otf2_reading *g, const struct otf2_record *e)
{
	struct otf2_state *s = &g->state[e->rank];
	switch ((enum otf2_what)e->what) {
	case OTF2_FIRST:
		s->last = e->ps;
		return 0;
	case OTF2_ENTER:
		pass(g, e);
		s->depth++;
		return 0;
	case OTF2_LEAVE:
		pass(g, e);
		if (s->depth && --s->depth == 0)
			flush_done(g, e->rank);
		return 0;
	case OTF2_SEND:
	case OTF2_ISEND:
	case OTF2_RECV:
	case OTF2_IRECV_DONE:
		pass(g, e);
		return take_message(g, e);
	case OTF2_COLLECTIVE:
	case OTF2_ICOLL_DONE:
		pass(g, e);
		return take_collective(g, e);
	case OTF2_IRECV_POSTED:
	case OTF2_ICOLL_POSTED:
		pass(g, e);
		g->o->facts.rank[e->rank].irecvs += e->what == OTF2_IRECV_POSTED;
		*wl_map_put(&s->posted, e->request) =
		    emit(g, e->rank, (struct wl_spool_record){ .op = WL_MPI_COMPUTE });
		return 0;
	case OTF2_ISEND_DONE:
		pass(g, e);
		mpi_list_add(&s->done, e->request + 1);
		if (!s->depth)
			flush_done(g, e->rank);
		return 0;
	case OTF2_CANCELLED:
		wl_map_remove(&s->posted, e->request);
		return 0;
	case OTF2_ONE_SIDED:
		return wrong(g, "has one-sided communication, which cannot be replayed");
	case OTF2_BEGIN:
	case OTF2_COMM:
	case OTF2_UNUSED:
	case OTF2_END:
	case OTF2_ERROR:
	default:
		return wrong(g, "cannot be read: the versions of tilefly-otf2 and tilefly differ");
	}
}

/* --- definitions ---------------------------------------------------------------------------------------------------
 */

static int take_error(struct otf2_reading *g, const struct otf2_record *e)
{
	char text[500];
	size_t n = e->a < sizeof text ? (size_t)e->a : sizeof text - 1;
	if (!get_bytes(g, text, n))
		n = 0;
	text[n] = 0;
	g->ended = true;
	return wrong(g, text);
}

static int begin_ranks(struct otf2_reading *g, const struct otf2_record *e)
{
	struct otf2 *o = g->o;
	if (e->what != OTF2_BEGIN || !e->a || e->a > WL_OTF2_RANKS || e->b > COMMS_MOST)
		return wrong(g, "has no ranks, more than 1048576 ranks, or more than 1000000 communicators");
	o->ranks = (uint32_t)e->a;
	o->comm = base_calloc(e->b + 1, sizeof *o->comm);
	o->facts.rank = base_calloc(o->ranks, sizeof *o->facts.rank);
	g->state = base_calloc(o->ranks, sizeof *g->state);
	if (wl_spool_begin(&o->spool, o->ranks))
		return wrong(g, "no temporary file can be created; the environment variable TMPDIR sets its directory");
	for (uint64_t i = 0; i < e->b; i++) {
		struct otf2_record r;
		struct otf2_comm *c = &o->comm[o->comms++];
		if (!get_bytes(g, &r, sizeof r))
			return -1;
		if (r.what == OTF2_ERROR)
			return take_error(g, &r);
		if (r.what != OTF2_COMM || r.a > o->ranks)
			return wrong(g, "has a communicator with more ranks than the archive");
		c->n = r.b ? 1 : (uint32_t)r.a;
		c->handle = r.b ? WL_MPI_SELF : OTF2_FIRST_COMM + (uint32_t)i;
		c->all = !r.b && r.a == o->ranks;
		c->rank = base_calloc(r.a + 1, sizeof *c->rank);
		if (!get_bytes(g, c->rank, r.a * sizeof *c->rank))
			return -1;
		for (uint32_t k = 0; k < r.a; k++) {
			if (c->rank[k] >= o->ranks)
				return wrong(g, "has a communicator with a rank that does not exist");
			c->all = c->all && c->rank[k] == k;
		}
		bool first = c->all;
		for (uint32_t k = 0; k + 1 < o->comms; k++)
			first = first && o->comm[k].handle != WL_MPI_WORLD;
		if (first)
			c->handle = WL_MPI_WORLD;
	}
	return 0;
}

/* --- the other program ----------------------------------------------------------------------------------------------
 */

/* Beside this one, as built or as installed. */
static bool find_program(char *out, size_t room)
{
	static const char *const where[] = { "", "../bin/", "../libexec/tilefly/" };
	char self[2048];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n <= 0)
		return false;
	self[n] = 0;
	char *slash = strrchr(self, '/');
	for (size_t i = 0; i < sizeof where / sizeof *where && slash; i++) {
		snprintf(out, room, "%.*s/%stilefly-otf2", (int)(slash - self), self, where[i]);
		if (!access(out, X_OK))
			return true;
	}
	return false;
}

/* Visits NAME.def and what is in NAME/, in the order of their names, but folders. */
static void each_file(const char *path, void (*visit)(void *arg, const char *path, bool regular), void *arg)
{
	size_t n = strlen(path);
	char *name = NULL;
	struct stat st;
	if (n < 5 || strcmp(path + n - 5, ".otf2") != 0)
		return;
	name = base_format("%.*s.def", (int)n - 5, path);
	if (!stat(name, &st))
		visit(arg, name, S_ISREG(st.st_mode));
	free(name);
	name = base_strndup(path, n - 5);
	struct dirent **entry = NULL;
	int entries = scandir(name, &entry, NULL, alphasort);
	if (entries < 0 && errno == ENOMEM)
		base_exhausted();
	for (int i = 0; i < entries; i++) {
		char *file = base_format("%s/%s", name, entry[i]->d_name);
		if (!stat(file, &st) && !S_ISDIR(st.st_mode))
			visit(arg, file, S_ISREG(st.st_mode));
		free(file);
		free(entry[i]);
	}
	free(entry);
	free(name);
}

static void stamp_file(struct otf2_reading *g, const char *path)
{
	struct base_stamp stamp;
	if (!base_stamp_make(&stamp, -1, path))
		return;
	g->file = base_realloc(g->file, (g->files + 1) * sizeof *g->file);
	g->file[g->files++] = (struct stamped){ base_strdup(path), stamp };
}

/* Are they what they were? The calls are copies, so later nothing is read again. */
static int check_stamps(const struct otf2_reading *g)
{
	char key[1200];
	int status = 0;
	for (size_t i = 0; i < g->files && !status; i++)
		if (base_stamp_differs(&g->file[i].stamp, -1, g->file[i].path))
			status = base_errorf(g->errors, wl_trace_key(g->file[i].path, 0, key, sizeof key), "%s",
			                     BASE_WAS_CHANGED);
	return status;
}

static void free_reading(struct otf2_reading *g)
{
	for (size_t i = 0; i < g->files; i++)
		free(g->file[i].path);
	free(g->file);
	free(g->state);
	free(g);
}

/* The library would wait for the writer of a FIFO. */
static void refuse_special(void *arg, const char *path, bool regular)
{
	struct otf2_reading *g = arg;
	char key[1200];
	if (!regular)
		base_errorf(g->errors, wl_trace_key(path, 0, key, sizeof key), "is not a regular file");
	base_note_input(path); /* the other process reads it */
	stamp_file(g, path);
}

static int start_child(struct otf2_reading *g, pid_t *child)
{
	extern char **environ;
	char text[200], program[2200], *words[3] = { program, (char *)(uintptr_t)g->path, NULL };
	int ends[2];
	posix_spawn_file_actions_t files;
	if (!find_program(program, sizeof program))
		return wrong(g, "cannot be read: this tilefly was built without the OTF2 library (Debian package "
		                "libopen-trace-format2-dev)");
	const char *why;
	int anchor = base_open_input(g->path, false, &why); /* the library would wait for the writer of a FIFO */
	if (anchor < 0) {
		snprintf(text, sizeof text, "cannot be read: %s", why);
		return wrong(g, text);
	}
	close(anchor);
	stamp_file(g, g->path);
	uint64_t before = g->errors->errors;
	each_file(g->path, refuse_special, g);
	if (g->errors->errors > before)
		return -1;
	if (pipe2(ends, O_CLOEXEC))
		return wrong(g, "no pipe can be created");
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	int status = posix_spawn(child, program, &files, NULL, words, environ);
	posix_spawn_file_actions_destroy(&files);
	close(ends[1]);
	if (status) {
		close(ends[0]);
		return wrong(g, "tilefly-otf2 cannot be run");
	}
	g->fd = ends[0];
	return 0;
}

/* What the end of the other program says, if it did not say it itself. */
static int finish_child(struct otf2_reading *g, pid_t child, int status)
{
	char text[200];
	int how = 0;
	bool silent = status && !g->errors->errors;
	if (status)
		kill(child, SIGKILL); /* it may go on writing */
	close(g->fd);
	while (waitpid(child, &how, 0) < 0 && errno == EINTR)
		;
	if (!status || !silent)
		return status;
	if (g->hangs)
		return wrong(g, "the OTF2 library does not return: it delivered nothing for two minutes");
	if (WIFSIGNALED(how) && WTERMSIG(how) != SIGKILL)
		snprintf(text, sizeof text, "the OTF2 library crashed on it (%s)", strsignal(WTERMSIG(how)));
	else
		snprintf(text, sizeof text, "the OTF2 library gave up on it");
	return wrong(g, text);
}

static int read_all(struct otf2_reading *g)
{
	struct otf2_record r;
	if (!get_bytes(g, &r, sizeof r))
		return -1;
	if (r.what == OTF2_ERROR)
		return take_error(g, &r);
	if (begin_ranks(g, &r))
		return -1;
	while (get_bytes(g, &r, sizeof r)) {
		if (r.what == OTF2_END)
			return wl_spool_end(&g->o->spool) || otf2_counts_find(&g->o->spool, g->o->comm)
			           ? wrong(g, "the temporary file cannot be written; the environment variable TMPDIR "
			                      "sets its directory")
			           : 0;
		if (r.what == OTF2_ERROR)
			return take_error(g, &r);
		if (r.what == OTF2_UNUSED && r.operation < OTF2_UNUSED_KINDS) {
			g->o->facts.unused[r.operation] += r.a;
			continue;
		}
		if (r.rank >= g->o->ranks)
			return wrong(g, "has an event of a rank that does not exist");
		if (take_event(g, &r))
			return -1;
	}
	return -1;
}

int wl_otf2_open(struct mpi_source *out, const char *path, struct base_errors *errors)
{
	struct otf2 *o = base_alloc(sizeof *o);
	struct otf2_reading *g = base_alloc(sizeof *g);
	const char *scope = errors->scope;
	pid_t child = 0;
	errors->scope = NULL;
	o->spool.fd = -1;
	o->path = base_strdup(path);
	g->o = o;
	g->errors = errors;
	g->path = path;
	int status = start_child(g, &child);
	if (!status)
		status = finish_child(g, child, read_all(g)) || check_stamps(g);
	for (uint32_t i = 0; i < o->ranks && g->state; i++) {
		o->facts.unfinished += g->state[i].posted.n;
		wl_map_free(&g->state[i].posted);
		free(g->state[i].done.v);
	}
	free_reading(g);
	errors->scope = scope;
	*out = (struct mpi_source){ .ops = &otf2_source_ops, .ranks = o->ranks, .data = o };
	if (status)
		out->ops->close(out);
	return status ? -1 : 0;
}

struct visit_regular {
	void (*visit)(void *arg, const char *path);
	void *arg;
};
static void visit_regular(void *arg, const char *path, bool regular)
{
	const struct visit_regular *v = arg;
	if (regular)
		v->visit(v->arg, path);
}

void wl_otf2_files(const char *path, void (*visit)(void *arg, const char *path), void *arg)
{
	each_file(path, visit_regular, &(struct visit_regular){ visit, arg });
}
