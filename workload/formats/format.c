/* workload/formats/format.c - see format.h */
#include "workload/formats/format.h"

#include <string.h>

const struct wl_format *wl_format_of(const struct base_plugin *plugin)
{
	const struct wl_process_ops *ops = plugin->ops;
	return !strcmp(plugin->kind, "process") && ops ? ops->format : NULL;
}

bool wl_format_fits(const struct wl_format *f, const char *file)
{
	size_t length = strlen(file), n;
	for (const char *at = f->ends; *at; at += n + strspn(at + n, " ")) {
		n = strcspn(at, " ");
		if (length > n && !strncmp(file + length - n, at, n))
			return true;
	}
	return false;
}

int wl_trace_open(const struct wl_format *f, struct wl_trace *out, const void *params, const struct topo *topo,
                  struct base_errors *errors)
{
	int status = f->open(out, params, topo, errors);
	if (!status && out->source.ops)
		out->ranks = out->source.ranks;
	return status;
}

void wl_trace_close(const struct wl_format *f, struct wl_trace *t)
{
	if (f->close)
		f->close(t);
	else if (t->source.ops)
		t->source.ops->close(&t->source);
}

int wl_trace_play(const struct wl_format *f, const struct wl_trace *t, struct wl_play *out, struct wl_to_goal *goal,
                  struct base_errors *errors)
{
	return f->play ? f->play(t, out, goal, errors) : wl_play(out, &t->source, goal, errors);
}

static void write_messages(struct base_json *j, const char *name, const struct wl_play_message *m, uint32_t n)
{
	base_json_array(j, name);
	for (uint32_t i = 0; i < n; i++) {
		base_json_object(j, NULL);
		if (m[i].source == UINT32_MAX)
			base_json_null(j, "source");
		else
			base_json_uint(j, "source", m[i].source);
		base_json_uint(j, "dest", m[i].dest);
		if (m[i].tag == WL_MPI_ANY)
			base_json_null(j, "tag");
		else
			base_json_uint(j, "tag", (uint64_t)m[i].tag);
		base_json_uint(j, "bytes", m[i].bytes);
		base_json_end(j);
	}
	base_json_end(j);
}

void wl_trace_write_left(const struct wl_play *p, struct base_json *j)
{
	write_messages(j, "messages_left", p->message, p->listed_lost);
	write_messages(j, "receives_left", p->message + p->listed_lost, p->listed_left);
}

int wl_calls_build(struct wl_process *p, struct base_errors *errors)
{
	const struct wl_format *f = p->ops->format;
	const char *key = p->plugin->params[0].name;
	struct base_errors found = { 0 };
	struct wl_trace t = { .name = wl_format_file(p->plugin, p->params) };
	int status = wl_trace_open(f, &t, p->params, p->topo, &found);
	if (!status && f->warn)
		f->warn(&t, true, key, errors);
	wl_process_pass_on(&found, key, errors);
	return status ? -1 : wl_mpi_build(p, t.source, errors);
}

int wl_calls_schedule(const struct wl_process *p, struct wl_goal *out, struct wl_schedule_facts *facts,
                      struct base_errors *errors)
{
	return wl_mpi_schedule(p, p->plugin->params[0].name, wl_format_file(p->plugin, p->params), out, facts, errors);
}
