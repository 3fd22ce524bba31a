/* workload/formats/goal/goal.c - see goal.h: files as bytes, and what is asked of a schedule. */
#include "workload/formats/goal/goal.h"

#include "base/input.h"
#include "base/mapped.h"
#include "base/memory.h"
#include "workload/formats/goal/build.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The most that is read of standard input that is no file. */
#define MOST_BYTES ((size_t)4 << 30)

#define ADVICE "; use more memory (another host, ulimit -v), fewer ranks or fewer operations"

/* What is no regular file is read to its end. Returns NULL, or why it cannot be. */
static const char *slurp(int fd, char **out, size_t *n)
{
	size_t room = 0;
	for (*out = NULL, *n = 0;;) {
		if (*n == MOST_BYTES)
			return "is longer than 4 GiB, the maximum";
		if (*n == room) {
			room = room ? 2 * room : 65536;
			*out = base_realloc(*out, room);
		}
		ssize_t got = read(fd, *out + *n, room - *n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? strerror(errno) : NULL;
		*n += (size_t)got;
	}
}

static int cannot_read(const char *path, const char *why, struct base_errors *errors)
{
	char place[1024];
	snprintf(place, sizeof place, "@%.1000s", path);
	const char *scope = errors->scope;
	errors->scope = NULL;
	base_errorf(errors, place, "cannot be read: %s", why);
	errors->scope = scope;
	return -1;
}

static int parse_mapped(struct wl_goal *out, const struct base_mapped *m, const char *path, struct base_errors *errors)
{
	char why[64];
	size_t before = errors->n;
	int status = wl_goal_parse(out, m->bytes, m->n, path, errors);
	const char *changed = base_mapped_changed(m);
	if (!changed)
		return status;
	wl_goal_free(out);
	base_errors_drop(errors, before); /* what is wrong with what no version of it has */
	snprintf(why, sizeof why, "it %s", changed);
	return cannot_read(path, why, errors);
}

int wl_goal_load(struct wl_goal *out, const char *path, struct base_errors *errors)
{
	struct stat st;
	const char *why = NULL;
	*out = (struct wl_goal){ 0 };
	int fd = !strcmp(path, "-") ? dup(STDIN_FILENO) : base_open_input(path, false, &why);
	if (fd < 0 || fstat(fd, &st)) {
		int status = cannot_read(path, why ? why : strerror(errno), errors);
		if (fd >= 0)
			close(fd);
		return status;
	}
	struct base_mapped *mapped = NULL;
	char *bytes = NULL;
	size_t n = 0;
	if (S_ISREG(st.st_mode) && st.st_size > 0)
		mapped = base_map_file(fd, (size_t)st.st_size, &why);
	else
		why = S_ISDIR(st.st_mode) ? "is a directory" : slurp(fd, &bytes, &n);
	close(fd);
	int status = why      ? cannot_read(path, why, errors)
	             : mapped ? parse_mapped(out, mapped, path, errors)
	                      : wl_goal_parse(out, bytes, n, path, errors);
	base_unmap_file(mapped);
	free(bytes);
	return status;
}

/* Sums are kept in 64 bits. */
static int check_sums(const struct wl_goal *g, const char *name, struct base_errors *errors)
{
	static const char *const what[] = { NULL, "sends", "receives", "computations" };
	uint64_t sum[WL_GOAL_CALC + 1] = { 0 };
	for (uint32_t i = 0; i < g->ops; i++) {
		const struct wl_goal_op *op = &g->op[i];
		if (!__builtin_add_overflow(sum[op->kind], op->size, &sum[op->kind]))
			continue;
		char place[1024];
		snprintf(place, sizeof place, "@%.1000s", name);
		return base_errorf(errors, place, "its %s sum up to more than 18446744073709551615 %s", what[op->kind],
		                   op->kind == WL_GOAL_CALC ? "units of time" : "bytes");
	}
	return 0;
}

int wl_goal_parse(struct wl_goal *out, const char *bytes, size_t n, const char *name, struct base_errors *errors)
{
	const char *scope = errors->scope;
	bool binary = n >= 8 && (!memcmp(bytes + 2, "\0\0\0\0\0", 6) /* a number below 65536 in eight bytes */
	                         || !memcmp(bytes,
	                                    "\xff\xaa\xdd"
	                                    "DUMPI",
	                                    8));
	errors->scope = NULL;
	*out = (struct wl_goal){ 0 };
	base_memory_for("%.600s: reading a schedule of %zu bytes takes %zu bytes per operation and %zu per dependency, "
	                "and up to three times as much temporarily" ADVICE,
	                name, n, sizeof *out->op, sizeof *out->next);
	int status =
	    binary ? wl_goal_read_binary(out, bytes, n, name, errors) : wl_goal_read_text(out, bytes, n, name, errors);
	if (!status && check_sums(out, name, errors)) {
		wl_goal_free(out);
		status = -1;
	}
	base_memory_made();
	errors->scope = scope;
	return status;
}

void wl_goal_memory_for(const struct wl_goal *g, const char *name, const char *what)
{
	base_memory_for("%.600s: a schedule of %" PRIu32 " ranks, %" PRIu32 " operations and %" PRIu32
	                " dependencies, of which %zu bytes are the schedule itself, %s" ADVICE,
	                name, g->ranks, g->ops, g->dependencies,
	                g->ops * sizeof *g->op + g->dependencies * sizeof *g->next, what);
}

void wl_goal_scale(struct wl_goal *goal, double by)
{
	const double most = 1e17;
	for (uint32_t i = 0; i < goal->ops && by != 1; i++)
		if (goal->op[i].kind == WL_GOAL_CALC) {
			double time = (double)goal->op[i].size * by;
			goal->op[i].size = (uint64_t)(time < most ? time + 0.5 : most);
		}
}

void wl_goal_free(struct wl_goal *goal)
{
	free(goal->first_op);
	free(goal->op);
	free(goal->next);
	*goal = (struct wl_goal){ 0 };
}

void wl_goal_count(const struct wl_goal *g, struct wl_goal_facts *out)
{
	*out = (struct wl_goal_facts){ 0 };
	for (uint32_t i = 0; i < g->ops; i++) {
		const struct wl_goal_op *op = &g->op[i];
		out->sends += op->kind == WL_GOAL_SEND;
		out->recvs += op->kind == WL_GOAL_RECV;
		out->calcs += op->kind == WL_GOAL_CALC;
		out->send_bytes += op->kind == WL_GOAL_SEND ? op->size : 0;
		out->recv_bytes += op->kind == WL_GOAL_RECV ? op->size : 0;
		out->calc_time += op->kind == WL_GOAL_CALC ? op->size : 0;
		out->requires += op->mid - op->first;
		out->irequires += op[1].first - op->mid;
	}
}

uint32_t wl_goal_rank_of(const struct wl_goal *g, uint32_t op)
{
	uint32_t low = 0, high = g->ranks; /* first_op[low] <= op < first_op[high] */
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (g->first_op[middle] <= op)
			low = middle;
		else
			high = middle;
	}
	return low;
}

const char *wl_goal_describe(const struct wl_goal *g, uint32_t i, char *out, size_t room)
{
	const struct wl_goal_op *op = &g->op[i];
	char peer[32] = "any rank", tag[32] = "any tag";
	if (op->peer != WL_GOAL_ANY)
		snprintf(peer, sizeof peer, "rank %" PRIu32, op->peer);
	if (op->tag != WL_GOAL_ANY)
		snprintf(tag, sizeof tag, "tag %" PRIu32, op->tag);
	if (op->kind == WL_GOAL_CALC)
		snprintf(out, room, "calc %" PRIu64, op->size);
	else
		snprintf(out, room, "%s %" PRIu64 " B %s %s, %s", op->kind == WL_GOAL_SEND ? "send" : "recv", op->size,
		         op->kind == WL_GOAL_SEND ? "to" : "from", peer, tag);
	return out;
}
