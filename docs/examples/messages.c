/* docs/examples/messages.c - a format as a plug-in: an application is a file of its messages, one a line, FROM TO
 * BYTES.
 *
 *      0 1 800
 *      1 2 800      rank 1 sends when it has received
 *
 * Ranks send and receive in the order of the lines. Beside `tilefly workload FILE.messages --plugin ./messages.so`,
 * which finds the format by the end of the file's name, checks the file and makes a schedule of it, a configuration
 * replays it:
 *
 *      traffic = ( { process = "messages"; file = "app.messages"; } );
 *
 * A format of MPI calls is a source of them (workload/mpi/call.h) and a function that opens it. Here open() reads the
 * whole file, and a place in it is the number of a line; a source of large files keeps them where they are. */
#include "base/input.h"
#include "base/memory.h"
#include "workload/formats/format.h"

#include <stdio.h>
#include <stdlib.h>

struct message {
	uint32_t from, to;
	uint64_t bytes;
};

struct messages {
	struct message *v;
	size_t n;
};

/* The call of a rank that is next from a cursor on. It depends on nothing else: a run may go back. */
static enum mpi_next next_call(const struct mpi_source *s, uint32_t rank, struct mpi_cursor *at, struct mpi_call *call,
                               struct base_errors *errors)
{
	const struct messages *all = s->data;
	(void)errors; /* open() has found them */
	for (uint64_t i = at->word[0]; i < all->n; i++) {
		const struct message *m = &all->v[i];
		if (m->from != rank && m->to != rank)
			continue;
		call->op = m->from == rank ? WL_MPI_SEND : WL_MPI_RECV;
		call->peer = (int32_t)(m->from == rank ? m->to : m->from);
		call->bytes = m->bytes;
		at->word[0] = i + 1;
		return WL_MPI_CALL;
	}
	return WL_MPI_END;
}

static void close_messages(struct mpi_source *s)
{
	struct messages *all = s->data;
	free(all->v);
	free(all);
}

static const struct mpi_source_ops source_ops = { .next = next_call, .close = close_messages };

/* Parameters begin with those of all processes of MPI calls. */
struct messages_params {
	struct mpi_params mpi;
	char *file;
};

static const struct base_param params[] = {
	{ "file", BASE_FILE, offsetof(struct messages_params, file), NULL, NULL, 0, 0, NULL, "one message a line",
	  NULL },
	WL_CALLS_PARAMS, /* mapping and compute_scale */
	{ .name = NULL },
};

static int read_messages(FILE *stream, const char *path, struct mpi_source *out, struct base_errors *errors)
{
	struct messages *all = out->data;
	struct message m;
	char line[200], rest, key[300];
	while (fgets(line, sizeof line, stream)) {
		int numbers = sscanf(line, "%u %u %lu %c", &m.from, &m.to, &m.bytes, &rest);
		snprintf(key, sizeof key, "@%.200s:%zu", path, all->n + 1); /* the place of an error: FILE:LINE */
		if (numbers != 3 || m.from == m.to || m.from > INT32_MAX - 1 || m.to > INT32_MAX - 1)
			return base_errorf(errors, key, "not of the form FROM TO BYTES, of two ranks");
		all->v = base_realloc(all->v, (all->n + 1) * sizeof *all->v);
		all->v[all->n++] = m;
		out->ranks = m.from >= out->ranks ? m.from + 1 : out->ranks;
		out->ranks = m.to >= out->ranks ? m.to + 1 : out->ranks;
	}
	snprintf(key, sizeof key, "@%.200s", path);
	return all->n ? 0 : base_errorf(errors, key, "has no messages");
}

static int open_messages(struct wl_trace *out, const void *p, const struct topo *topo, struct base_errors *errors)
{
	const char *path = ((const struct messages_params *)p)->file, *why = NULL;
	char key[300];
	(void)topo;                                 /* a format may ask what the network is like; NULL: there is none */
	int fd = base_open_input(path, true, &why); /* results name what they were made from */
	FILE *stream = fd < 0 ? NULL : fdopen(fd, "r");
	snprintf(key, sizeof key, "@%.200s", path);
	if (!stream)
		return base_errorf(errors, key, "cannot be read: %s", why ? why : "out of memory");
	out->source = (struct mpi_source){ .ops = &source_ops, .data = base_calloc(1, sizeof(struct messages)) };
	int status = read_messages(stream, path, &out->source, errors);
	fclose(stream);
	if (status)
		close_messages(&out->source);
	return status;
}

static const struct wl_format format = {
	.content = WL_TRACE,
	.what = "messages, one a line",
	.ends = ".messages",
	.open = open_messages,
};

static const struct wl_process_ops ops = WL_CALLS_PROCESS(&format);

static const struct base_plugin messages = {
	BASE_DESCRIBE("process", "messages", params, struct messages_params, &ops),
	.summary = "members send each other the messages of a file",
	.conditions = wl_mapping_conditions,
};

const unsigned tilefly_plugin_abi = BASE_PLUGIN_ABI;
const struct base_plugin *const tilefly_plugins[] = { &messages, NULL };
