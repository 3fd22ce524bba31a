/* workload/process/build.c - the processes of a job: built, and called by the network through their plug-in. */
#include "workload/process/build.h"

#include "base/json.h"

#include <inttypes.h>
#include <string.h>

bool wl_loop_repeats(const void *params)
{
	return ((const struct wl_loop *)params)->iterations != 1;
}

const struct base_condition wl_loop_conditions[] = {
	WL_LOOP_CONDITION,
	{ 0 },
};

char *wl_process_names(const struct base_registry *registry, unsigned mpi, bool application)
{
	struct base_buffer list = { 0 };
	for (size_t i = 0; i < registry->n; i++) {
		const struct base_plugin *plugin = registry->v[i];
		const struct wl_process_ops *ops = plugin->ops;
		if (!strcmp(plugin->kind, "process") && ops && (ops->mpi & mpi || (application && ops->application)))
			base_buffer_printf(&list, "%s%s", list.n ? ", " : "", plugin->name);
	}
	return list.data;
}

void wl_process_pass_on(struct base_errors *found, const char *key, struct base_errors *errors)
{
	for (size_t i = 0; i < found->n; i++) {
		const struct base_error *e = &found->v[i];
		const char *place = e->key + (e->key[0] == '@');
		if (e->warning)
			base_warnf(errors, key, "%s%s%s", place, *place ? ": " : "", e->text);
		else
			base_errorf(errors, key, "%s%s%s", place, *place ? ": " : "", e->text);
	}
	base_errors_free(found);
}

int wl_process_build(struct wl_process *p, const struct net_choice *choice, struct base_errors *errors)
{
	size_t before = errors->errors;
	const struct wl_process_ops *ops = p->ops = choice->plugin->ops;
	p->plugin = choice->plugin;
	p->params = choice->params;
	const char *missing = !ops->state_bytes                               ? "state_bytes"
	                      : !ops->start                                   ? "start"
	                      : !ops->delivered                               ? "delivered"
	                      : ops->wants_sent && !ops->sent                 ? "sent"
	                      : ops->wants_acknowledged && !ops->acknowledged ? "acknowledged"
	                                                                      : NULL;
	if (missing)
		return base_missing(choice->plugin, missing, errors);
	if (p->members < 2 && !(ops->ends_run && p->members))
		return base_errorf(errors, "nodes",
		                   "%u endpoint%s are too few; a process needs another endpoint to send to", p->members,
		                   p->members == 1 ? "" : "s");
	if (!choice->plugin->loaded && wl_process_is_too_long(p, wl_loop_of(p)->size))
		return base_errorf(errors, "size",
		                   "%" PRIu64 " bytes make more than 2^31 - 1 packets of %" PRIu32 " bytes",
		                   wl_loop_of(p)->size, p->packet);
	int status = ops->build ? ops->build(p, errors) : 0;
	if (!status && !choice->plugin->loaded && wl_process_is_too_long(p, p->other_size)) {
		if (ops->destroy)
			ops->destroy(p);
		return base_errorf(errors, "response",
		                   "%" PRIu64 " bytes make more than 2^31 - 1 packets of %" PRIu32 " bytes",
		                   p->other_size, p->packet);
	}
	return base_built(choice->plugin, status, before, errors);
}

uint32_t wl_process_least(const struct wl_process *p, uint32_t packet)
{
	uint64_t sizes[] = { wl_loop_of(p)->size, p->other_size };
	uint64_t least = packet;
	if (p->plugin->loaded) /* what it posts is its own business */
		return 1;
	for (int i = 0; i < 2; i++) {
		uint64_t last = sizes[i] % packet;
		if (last && last < least)
			least = last;
	}
	return (uint32_t)least;
}
