/* workload/processes.c - jobs whose members run processes: passes the network's calls to the plug-in of the job. */
#include "workload/jobs.h"

#include "base/memory.h"
#include "workload/process/mapping.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct wl_process *process_of(const struct net_traffic *t, uint32_t job)
{
	const struct wl *w = t->impl;
	return &w->jobs[wl_job_of(w, job)].process;
}

static size_t process_bytes(const struct net_traffic *t, uint32_t job)
{
	const struct wl_process *p = process_of(t, job);
	return p->ops->state_bytes(p);
}

static void process_start(const struct net_traffic *t, struct net_process_call *call)
{
	const struct wl_process *p = process_of(t, call->job);
	p->ops->start(p, call, wl_process_member(p, call->endpoint));
}

uint32_t wl_rank_endpoint(const struct net_traffic *t, uint32_t job, uint32_t rank)
{
	const struct wl_process *p = process_of(t, job);
	return wl_process_endpoint(p, p->ops->member_of ? p->ops->member_of(p, rank) : rank);
}

int wl_schedule(const struct net_traffic *t, uint32_t job, struct wl_goal *out, struct wl_schedule_facts *facts,
                struct base_errors *errors)
{
	const struct wl_process *p = process_of(t, job);
	const char *scope = errors->scope;
	char key[32];
	snprintf(key, sizeof key, "traffic.[%u]", job);
	errors->scope = key;
	*facts = (struct wl_schedule_facts){ 0 };
	int status = p->ops->schedule(p, out, facts, errors);
	errors->scope = scope;
	return status;
}

static void process_sent(const struct net_traffic *t, struct net_process_call *call, const struct net_message *m)
{
	const struct wl_process *p = process_of(t, call->job);
	p->ops->sent(p, call, wl_process_member(p, call->endpoint), m);
}

static void process_acknowledged(const struct net_traffic *t, struct net_process_call *call,
                                 const struct net_message *m)
{
	const struct wl_process *p = process_of(t, call->job);
	p->ops->acknowledged(p, call, wl_process_member(p, call->endpoint), m);
}

static void process_delivered(const struct net_traffic *t, struct net_process_call *call, const struct net_message *m)
{
	const struct wl_process *p = process_of(t, call->job);
	p->ops->delivered(p, call, wl_process_member(p, call->endpoint), m);
}

static void process_timer(const struct net_traffic *t, struct net_process_call *call, uint64_t what)
{
	const struct wl_process *p = process_of(t, call->job);
	p->ops->timer(p, call, wl_process_member(p, call->endpoint), what);
}

static void process_regions(const struct net_traffic *t, uint32_t job, uint32_t endpoint,
                            void (*visit)(void *arg, void *at, size_t bytes), void *arg)
{
	const struct wl_process *p = process_of(t, job);
	if (p->ops->regions)
		p->ops->regions(p, wl_process_member(p, endpoint), visit, arg);
}

static void process_report(const struct net_traffic *t, uint32_t job, uint32_t endpoint, struct net_process_report *r)
{
	const struct wl_process *p = process_of(t, job);
	if (p->ops->report)
		p->ops->report(p, wl_process_member(p, endpoint), r);
}

static uint64_t process_was_read(const struct net_traffic *t, uint32_t job, struct base_errors *errors)
{
	const struct wl_process *p = process_of(t, job);
	return p->ops->was_read ? p->ops->was_read(p, errors) : 0;
}

static bool process_wants_sent(const struct net_traffic *t, uint32_t job)
{
	const struct wl_process *p = process_of(t, job);
	return p->ops->wants_sent && !p->sent_unused;
}

static bool process_wants_acknowledged(const struct net_traffic *t, uint32_t job)
{
	return process_of(t, job)->ops->wants_acknowledged;
}

const struct net_process_ops wl_process_calls = { .state_bytes = process_bytes,
	                                          .start = process_start,
	                                          .sent = process_sent,
	                                          .acknowledged = process_acknowledged,
	                                          .delivered = process_delivered,
	                                          .timer = process_timer,
	                                          .regions = process_regions,
	                                          .report = process_report,
	                                          .was_read = process_was_read,
	                                          .wants_sent = process_wants_sent,
	                                          .wants_acknowledged = process_wants_acknowledged };

/* --- how many processes an endpoint has ----------------------------------------------------------------------- */

/* The mapping file of a job; NULL: it has none. */
static const char *mapping_file_of(const struct net_job *c)
{
	for (const struct base_param *p = c->process.plugin->params; p && p->name && c->process.params; p++)
		if (p->type == BASE_FILE && !strcmp(p->name, "mapping_file")) {
			const char *file = *(char *const *)(const void *)((const char *)c->process.params + p->offset);
			return file && *file ? file : NULL;
		}
	return NULL;
}

static uint32_t count_per_endpoint(const struct wl *w, const struct net_job *c)
{
	if (!c->process.plugin || !c->process.plugin->ops)
		return 1;
	if (c->processes_per_node > 0) /* 0 of a configuration that was not read from a file */
		return (uint32_t)c->processes_per_node;
	const char *file = mapping_file_of(c);
	return file ? wl_mapping_most(file, w->nodes.n) : 1;
}

void wl_count_places(struct wl *w, const struct net_config *config)
{
	w->places = 1;
	for (uint32_t i = 0; i < config->njobs; i++) {
		w->faces[i].per_endpoint = count_per_endpoint(w, &config->jobs[i]);
		w->places = w->faces[i].per_endpoint > w->places ? w->faces[i].per_endpoint : w->places;
	}
}

/* Members and places are numbers of 32 bits. */
static int check_places(const struct wl *w, uint32_t per_endpoint, struct base_errors *errors)
{
	uint64_t endpoints = (uint64_t)w->nodes.n * w->nodes.nics;
	if (per_endpoint > WL_MOST_PER_ENDPOINT)
		return base_errorf(errors, "mapping_file",
		                   "names a node %" PRIu32 " times; at most %u processes are at a node", per_endpoint,
		                   WL_MOST_PER_ENDPOINT);
	if (endpoints * w->places >= INT32_MAX)
		return base_errorf(errors, "processes_per_node",
		                   "%" PRIu64 " endpoints with %" PRIu32
		                   " processes each are too many: there may be 2^31 - 2 in all",
		                   endpoints, w->places);
	return 0;
}

bool wl_process_sends_from(const struct wl_process *p, uint32_t first)
{
	if (!p->ops->sends)
		return !p->ranks || first < p->ranks;
	bool any = false;
	for (uint32_t k = 0; k < p->per_endpoint && !any; k++)
		any = p->ops->sends(p, first + k);
	return any;
}

/* Endpoints of the job that have a rank, and send if the process says which do. */
static uint32_t count_endpoints_with_ranks(const struct wl_process *p)
{
	uint32_t endpoints = p->members / p->per_endpoint, n = 0;
	for (uint32_t i = 0; p->ops->sends && i < endpoints; i++)
		n += wl_process_sends_from(p, i * p->per_endpoint);
	if (p->ops->sends)
		return n;
	if (!p->ranks || p->ranks >= p->members)
		return endpoints;
	if (p->per_endpoint == 1)
		return p->ranks;
	uint8_t *has = base_alloc(endpoints);
	for (uint32_t r = 0; r < p->ranks; r++) {
		uint8_t *at = &has[(p->ops->member_of ? p->ops->member_of(p, r) : r) / p->per_endpoint];
		n += !*at;
		*at = 1;
	}
	free(has);
	return n;
}

/* --- classes of kinds of messages ------------------------------------------------------------------------------- */

/* The stream of a job's messages in a class: its own, or a further one; WL_MOST_STREAMS: there are too many. */
static uint32_t stream_in(struct wl *w, uint32_t job, uint32_t class)
{
	if (w->faces[job].class_index == class)
		return job;
	for (uint32_t k = w->njobs; k < w->streams; k++)
		if (w->faces[k].of == job && w->faces[k].class_index == class)
			return k;
	if (w->streams == WL_MOST_STREAMS)
		return WL_MOST_STREAMS;
	struct net_traffic_job *face = &w->faces[w->streams];
	*face = w->faces[job];
	face->class_index = class;
	face->calls = NULL;
	face->ranks = 0;
	face->ends_run = false;
	face->work_ps = face->load = 0;
	face->members = face->idle = face->idle_switches = face->processes = face->messages = 0;
	return w->streams++;
}

static int set_streams(struct wl *w, uint32_t job, struct wl_process *p, struct base_errors *errors)
{
	uint64_t used = (p->collectives & (wl_kind_bit(WL_MPI_EXSCAN) * 2 - 1)) | wl_kind_bit(WL_KIND_SENDS);
	w->kinds_used |= used;
	for (enum mpi_op kind = 0; kind < WL_KINDS; kind++) {
		bool is_kind = kind == WL_KIND_SENDS || mpi_is_collective(kind);
		uint32_t class = w->kinds.class_of[kind];
		if (!is_kind || class == WL_NO_CLASS || !(used & wl_kind_bit(kind)))
			continue;
		uint32_t stream = stream_in(w, job, class);
		if (stream == WL_MOST_STREAMS)
			return base_errorf(errors, "class",
			                   "jobs and the further classes of their messages (mpi.classes) are more than "
			                   "%u",
			                   WL_MOST_STREAMS);
		p->stream[kind] = (uint8_t)stream;
	}
	return 0;
}

/* The classes of a job's messages, if mpi.classes applies to them. Before its process is built, and after. */
static void choose_class(struct wl *w, uint32_t job, const struct wl_process_ops *ops)
{
	if (!(ops->mpi & WL_USES_CLASSES))
		return;
	enum mpi_op kind = ops->kinds_differ ? WL_KIND_SENDS : ops->message_kind;
	w->kinds_used |= wl_kind_bit(kind);
	if (w->kinds.class_of[kind] != WL_NO_CLASS)
		w->faces[job].class_index = w->kinds.class_of[kind];
}

int wl_build_processes(struct wl *w, uint32_t i, const struct net_config *config, const struct topo *topo,
                       uint8_t *taken, struct base_errors *errors)
{
	const struct net_job *c = &config->jobs[i];
	struct wl_job *j = &w->jobs[i];
	struct net_traffic_job *face = &w->faces[i];
	int64_t packet = c->packet.n ? c->packet.v[0] : 0;
	bool good = !wl_members_read(&j->members, c->nodes, c->allocation, &w->nodes, false, taken, w->seed, i, errors);
	wl_set_times(j, c, &config->time, errors);
	wl_find_class(config, c->class_name, &face->class_index, errors);
	choose_class(w, i, c->process.plugin->ops);
	if (packet < 1 || packet > UINT32_MAX)
		return base_errorf(errors, "packet", "must have a packet size with a process");
	j->silent = true;
	if (good && check_places(w, face->per_endpoint, errors))
		return -1;
	j->process = (struct wl_process){ .members = j->members.n * face->per_endpoint,
		                          .per_endpoint = face->per_endpoint,
		                          .places = w->places,
		                          .endpoint = j->members.member,
		                          .index_of = j->members.index_of,
		                          .topo = topo,
		                          .seed = w->seed,
		                          .job = i,
		                          .packet = config->formula.kind == NET_SWITCHED ? (uint32_t)packet : 0,
		                          .mpi = &config->mpi,
		                          .config = config,
		                          .class_index = face->class_index,
		                          .collectives = UINT64_MAX,
		                          .nodes = w->nodes,
		                          .bursts = j->bursts };
	memset(j->process.stream, (int)i, sizeof j->process.stream);
	if (w->unread && ((const struct wl_process_ops *)c->process.plugin->ops)->application)
		return good ? 0 : -1;
	if (!good || wl_process_build(&j->process, &c->process, errors)) {
		j->process.ops = NULL;
		return -1;
	}
	face->process = c->process.plugin;
	face->multi_packet = true;
	face->ends_run = j->process.ops->ends_run;
	face->calls = j->process.calls;
	face->ranks = j->process.ranks;
	face->work_ps = j->process.work_ps;
	face->messages = j->process.messages;
	if (config->link_terminal.bandwidth)
		face->work_ps += j->process.work_bytes * 8e12 / (double)config->link_terminal.bandwidth;
	face->start = j->start;
	face->end = j->end;
	face->max_packet = (uint32_t)packet;
	face->min_packet = wl_process_least(&j->process, (uint32_t)packet);
	uint32_t used = count_endpoints_with_ranks(&j->process);
	face->members = (uint64_t)used * w->nodes.nics;
	face->idle = (uint64_t)(j->members.n - used) * w->nodes.nics;
	face->processes = j->process.members;
	return j->process.ops->kinds_differ ? set_streams(w, i, &j->process, errors) : 0;
}
