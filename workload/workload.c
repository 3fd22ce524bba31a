/* workload/workload.c - see workload.h */
#include "workload/workload.h"

#include "base/memory.h"
#include "workload/checked.h"
#include "workload/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_JOBS = WL_MOST_STREAMS };

/* A sub-stream of SIM_DRAW_SETUP; the job's number is in the low byte. */
#define SUB_SETUP 0x776c0000u

struct sim_draw wl_setup_draw(uint64_t seed, uint32_t job, uint32_t what, uint32_t index)
{
	return sim_draw4(seed, what, index, SIM_DRAW_SETUP, SUB_SETUP | job);
}

uint64_t wl_exponential_factor(uint64_t mean)
{
	return wl_mul_high(mean, 0xb17217f7d1cf79ac); /* ln 2 * 2^64 */
}

uint64_t wl_neglog2_exact(uint64_t y)
{
	unsigned zeros = (unsigned)__builtin_clzll(y);
	uint64_t m = y << zeros, log = 0; /* m / 2^63 in [1, 2): its logarithm's digits come from repeated squaring */
	for (int i = 0; i < 48; i++) {
		unsigned __int128 square = (unsigned __int128)m * m >> 63;
		bool digit = square >> 64 != 0;
		m = (uint64_t)(square >> digit);
		log = log << 1 | digit;
	}
	return ((uint64_t)(zeros + 1) << 48) - log;
}

static void each_size(const struct net_traffic *t, uint32_t job, void (*visit)(void *arg, uint32_t bytes, double share),
                      void *arg)
{
	const struct wl *w = t->impl;
	const struct wl_job *j = &w->jobs[wl_job_of(w, job)];
	if (j->process.ops)
		visit(arg, w->faces[job].max_packet, 1);
	else
		wl_sizes_each(&j->sizes, visit, arg);
}

static bool sends(const struct wl_job *j, uint32_t endpoint)
{
	if (j->absent)
		return false;
	if (j->process.ops)
		return wl_process_first_at(&j->process, endpoint) != WL_NO_MEMBER;
	uint32_t index = wl_index(&j->pattern, endpoint);
	return index != WL_IDLE && j->pattern.ops->destination(&j->pattern, index, 0, 0, 0) != WL_IDLE;
}

static uint32_t jobs_at(const struct net_traffic *t, uint32_t endpoint, uint8_t *out)
{
	const struct wl *w = t->impl;
	uint32_t n = 0;
	for (uint32_t i = 0; i < w->njobs; i++)
		if (sends(&w->jobs[i], endpoint))
			out[n++] = (uint8_t)i;
	return n;
}

/* Of a process all interfaces of its node inject, as far as it has a rank, or sends. */
static bool injects(const struct wl *w, const struct wl_job *j, uint32_t endpoint)
{
	if (!j->process.ops || j->absent)
		return sends(j, endpoint);
	uint32_t first = wl_process_first_at(&j->process, topo_home_of(&w->nodes, endpoint));
	return first != WL_NO_MEMBER && wl_process_sends_from(&j->process, first);
}

static uint64_t senders(const struct net_traffic *t, uint32_t class_index)
{
	const struct wl *w = t->impl;
	uint64_t n = 0;
	uint32_t of = 0, last = 0;
	for (uint32_t i = 0; i < w->streams; i++)
		if (class_index == NET_ALL_CLASSES || w->faces[i].class_index == class_index) {
			of++;
			last = i;
		}
	if (of == 1 && last < w->njobs)
		return w->faces[last].members;
	for (uint32_t e = 0; of && e < w->nodes.n * w->nodes.nics; e++)
		for (uint32_t i = 0; i < w->streams; i++)
			if ((class_index == NET_ALL_CLASSES || w->faces[i].class_index == class_index) &&
			    injects(w, &w->jobs[wl_job_of(w, i)], e)) {
				n++;
				break;
			}
	return n;
}

/* Mean time between messages and the packet time; see struct wl_injection. */
static int set_rate(struct wl_job *j, double load, uint64_t bandwidth, struct base_errors *errors)
{
	struct wl_injection *in = &j->injection;
	uint64_t packet_bits = j->sizes.mean_packet_bits, message_bits = j->sizes.mean_message_bits;
	unsigned __int128 slot = packet_bits < message_bits ? packet_bits : message_bits;
	slot = slot * 1000000000000u / bandwidth;
	if (slot >> 62)
		return base_errorf(errors, "packet", "one packet takes more than 70 s on the terminal link");
	in->slot = slot ? (uint64_t)slot : 1;
	uint64_t share = (uint64_t)(load * 0x1p36 + 0.5); /* load, 36 binary places */
	if (!share) {
		if (load > 0)
			return base_errorf(errors, "load", "%g is too small: give 0 for no traffic", load);
		j->silent = true;
		in->mean = 1;
		return 0;
	}
	/* mean = bits * 10^12 / (bandwidth * load), and 10^12 * 2^36 = 5^12 * 2^48 */
	unsigned __int128 bits = (unsigned __int128)message_bits * 244140625u << 48;
	unsigned __int128 mean = bits / ((unsigned __int128)bandwidth * share);
	if (mean >> 62)
		return base_errorf(errors, "load", "%g is too small: an endpoint would send less than once in 70 s",
		                   load);
	in->mean = mean ? (uint64_t)mean : 1;
	return 0;
}

static int check_choice(const struct net_choice *choice, const char *kind, struct base_errors *errors)
{
	const struct base_plugin *plugin = choice->plugin;
	if (!plugin || !plugin->ops || strcmp(plugin->kind, kind))
		return base_errorf(errors, kind, "no %s is selected", kind);
	if (plugin->params && !choice->params)
		return base_errorf(errors, kind, "\"%s\" has no parameters set", plugin->name);
	return 0;
}

int wl_set_times(struct wl_job *j, const struct net_job *c, const struct net_time *time, struct base_errors *errors)
{
	j->start = c->start;
	j->end = c->stop ? c->stop : NET_NEVER;
	j->bursts = (struct wl_bursts){ c->start, c->burst_length, c->burst_pause, (enum net_backlog)c->burst_backlog };
	if (wl_check_times(c, errors))
		return -1;
	uint64_t measured;
	if (time->drain == NET_DRAIN_ON && !__builtin_add_overflow(time->warmup, time->measure, &measured) &&
	    measured < j->end)
		j->end = measured;
	return 0;
}

static int build_pattern(struct wl_job *j, const struct net_config *config, const struct topo *topo, uint32_t job,
                         struct base_errors *errors)
{
	if (j->members.n < 2)
		return base_errorf(errors, "nodes", "a job of %u endpoint%s has no other endpoint to send to",
		                   j->members.n, j->members.n == 1 ? "" : "s");
	const struct net_choice *choice = &config->jobs[job].pattern;
	size_t before = errors->errors;
	if (choice->plugin->loaded && !((const struct wl_pattern_ops *)choice->plugin->ops)->destination)
		return base_missing(choice->plugin, "destination", errors);
	j->pattern = (struct wl_pattern){ .ops = choice->plugin->ops,
		                          .plugin = choice->plugin,
		                          .params = choice->params,
		                          .topo = topo,
		                          .members = j->members.n,
		                          .member = j->members.member,
		                          .index_of = j->members.index_of,
		                          .seed = config->seed,
		                          .job = job,
		                          .config = config,
		                          .load = 1 };
	int status = j->pattern.ops->build ? j->pattern.ops->build(&j->pattern, errors) : 0;
	status = base_built(choice->plugin, status, before, errors);
	return !status && choice->plugin->loaded ? wl_check_pattern(&j->pattern, errors) : status;
}

static int build_injection(struct wl_job *j, const struct net_choice *choice, uint64_t seed, struct base_errors *errors)
{
	struct wl_injection *in = &j->injection;
	size_t before = errors->errors;
	in->ops = choice->plugin->ops;
	in->params = choice->params;
	in->plugin = choice->plugin;
	if (choice->plugin->loaded && (!in->ops->first || !in->ops->gap))
		return base_missing(choice->plugin, in->ops->first ? "gap" : "first", errors);
	int status = in->ops->build ? in->ops->build(in, errors) : 0;
	status = base_built(choice->plugin, status, before, errors);
	return !status && choice->plugin->loaded ? wl_check_injection(in, seed, errors) : status;
}

static bool is_idle(const struct wl_job *j, uint32_t index)
{
	return j->pattern.ops->destination(&j->pattern, index, 0, 0, 0) == WL_IDLE;
}

static void count_idle_switches(const struct wl_job *j, struct net_traffic_job *face)
{
	const struct topo *topo = j->pattern.topo;
	uint32_t *idle = base_calloc(topo->switches, sizeof *idle);
	for (uint32_t i = 0; i < j->members.n; i++)
		if (is_idle(j, i))
			idle[topo_switch_of(topo, wl_member(&j->pattern, i))]++;
	for (topo_switch s = 0; s < topo->switches; s++)
		face->idle_switches += idle[s] > 0 && idle[s] == topo_endpoints_at(topo, s);
	free(idle);
}

static int count_members(struct wl_job *j, struct net_traffic_job *face, struct base_errors *errors)
{
	for (uint32_t i = 0; i < j->members.n; i++)
		face->idle += is_idle(j, i);
	face->members = j->members.n - face->idle;
	if (face->idle)
		count_idle_switches(j, face);
	if (face->members)
		return 0;
	return base_errorf(errors, "pattern", "the pattern leaves all %u endpoints of the job idle", j->members.n);
}

static int build_job(struct wl *w, uint32_t i, const struct net_config *config, const struct topo *topo, uint8_t *taken,
                     struct base_errors *errors)
{
	const struct net_job *c = &config->jobs[i];
	struct wl_job *j = &w->jobs[i];
	struct net_traffic_job *face = &w->faces[i];
	uint64_t bandwidth = config->link_terminal.bandwidth;
	*face = (struct net_traffic_job){
		.name = c->name ? c->name : "", .of = i, .load = c->load, .per_endpoint = face->per_endpoint
	};
	if (c->burst_length)
		face->load *= (double)c->burst_length / ((double)c->burst_length + (double)c->burst_pause);
	if (c->process.plugin && c->process.plugin->ops)
		return wl_build_processes(w, i, config, topo, taken, errors);

	bool good_injection = !check_choice(&c->injection, "injection", errors);
	bool good_pattern = !check_choice(&c->pattern, "pattern", errors);
	bool good_sizes = !wl_sizes_build(&j->sizes, c, errors);
	bool good_load = c->load >= 0 && c->load <= 1;
	if (!good_load)
		base_errorf(errors, "load", "%g is not between 0 and 1", c->load);
	bool good_nodes =
	    !wl_members_read(&j->members, c->nodes, c->allocation, &w->nodes, true, taken, w->seed, i, errors);
	wl_set_times(j, c, &config->time, errors);
	wl_find_class(config, c->class_name, &face->class_index, errors);
	face->multi_packet = j->sizes.multi_packet;
	face->min_packet = j->sizes.min_packet;
	face->max_packet = j->sizes.max_packet;

	bool built = good_pattern && good_nodes && !build_pattern(j, config, topo, i, errors);
	double load = built ? c->load * j->pattern.load : c->load;
	face->load *= built ? j->pattern.load : 1;
	if (good_injection && good_sizes && good_load && bandwidth && !set_rate(j, load, bandwidth, errors) &&
	    !j->silent && !build_injection(j, &c->injection, w->seed, errors) && built && j->pattern.ops->share)
		wl_own_injections(j, errors);
	return built ? count_members(j, face, errors) : -1;
}

/* Where no job makes collectives of calls, the keys of section mpi have no effect: see experiments/config/effect.c. */
static void check_collectives(const struct wl *w, const struct net_config *config, struct base_errors *errors)
{
	uint64_t used = 0;
	bool any = false;
	for (uint32_t i = 0; i < w->njobs; i++) {
		const struct wl_process *p = &w->jobs[i].process;
		bool calls = p->ops && p->ops->mpi & WL_USES_COLLECTIVES;
		used |= calls ? p->collectives : 0;
		any |= calls;
	}
	if (any)
		wl_check_collectives(used, config, errors);
}

/* The period of all jobs together; NET_NEVER: they hardly ever repeat. */
static uint64_t find_period(const struct wl *w)
{
	uint64_t period = 0;
	for (uint32_t i = 0; i < w->njobs; i++) {
		uint64_t own = wl_bursts_period(&w->jobs[i].bursts), a = own, b = period, rest;
		for (; b; b = rest) { /* a becomes the greatest common divisor */
			rest = a % b;
			a = b;
		}
		if (w->jobs[i].bursts.length && __builtin_mul_overflow(own, period ? period / a : 1, &period))
			return NET_NEVER;
	}
	return period;
}

/* All is as it was, the network, sizes and random numbers of the others; but it sends nothing. */
static void leave_out(struct wl *w, uint32_t i)
{
	w->jobs[i].absent = true;
	w->jobs[i].bursts.length = 0;
	w->faces[i].load = 0;
	w->faces[i].ends_run = false;
}

static void find_most_jobs(struct net_traffic *t, uint32_t endpoints)
{
	uint8_t list[MAX_JOBS];
	for (uint32_t e = 0; e < endpoints && t->max_jobs_per_endpoint < t->jobs; e++) {
		uint32_t n = jobs_at(t, e, list);
		if (n > t->max_jobs_per_endpoint)
			t->max_jobs_per_endpoint = n;
	}
}

/* unread: all but what applications read. */
static int build_traffic(struct net_traffic *out, const struct net_config *config, const struct topo *topo, bool unread,
                         struct base_errors *errors)
{
	*out = (struct net_traffic){ 0 };
	size_t before = errors->errors;
	const char *scope = errors->scope;
	if (config->njobs > MAX_JOBS)
		return base_errorf(errors, "traffic", "%u jobs are too many; at most %d are possible", config->njobs,
		                   MAX_JOBS);
	if (!config->link_terminal.bandwidth)
		base_errorf(errors, "links.terminal.bandwidth", "endpoints cannot send over a link without bandwidth");
	struct wl *w = base_alloc(sizeof *w);
	*w = (struct wl){ .seed = config->seed,
		          .unread = unread,
		          .njobs = config->njobs,
		          .streams = config->njobs,
		          .jobs = base_calloc(config->njobs + 1, sizeof *w->jobs),
		          .faces = base_calloc(WL_MOST_STREAMS + 1, sizeof *w->faces) };
	wl_kinds_read(&w->kinds, config, errors);
	uint32_t nics = config->nic.per_node > 1 ? (uint32_t)config->nic.per_node : 1;
	if (topo_nodes_set(&w->nodes, topo, nics, "nic.per_node", errors))
		w->nodes = (struct topo_nodes){ .nics = 1, .endpoints = topo->max_endpoints, .n = topo->endpoints };
	uint8_t *taken = base_alloc(topo->endpoints + 1);
	wl_count_places(w, config);
	for (uint32_t i = 0; i < config->njobs; i++) {
		char key[32];
		snprintf(key, sizeof key, "traffic.[%u]", i);
		errors->scope = key;
		build_job(w, i, config, topo, taken, errors);
		if (config->alone && config->alone != i + 1)
			leave_out(w, i);
	}
	errors->scope = scope;
	if (errors->errors == before && !config->alone && !w->unread) {
		check_collectives(w, config, errors);
		if (w->kinds.named || w->kinds.others)
			wl_kinds_check(&w->kinds, w->kinds_used, errors);
	}
	free(taken);
	if (w->streams > w->njobs && config->time.precision > 0)
		base_errorf(errors, "mpi.classes",
		            "is not implemented with time.precision, whose intervals are of jobs with one class");
	bool processes = false;
	for (uint32_t i = 0; i < w->njobs; i++)
		processes |= w->jobs[i].process.ops != NULL;
	uint64_t period = find_period(w);
	*out = (struct net_traffic){ .ops = wl_source_ops(w),
		                     .process = processes ? &wl_process_calls : NULL,
		                     .jobs = w->njobs,
		                     .streams = w->streams,
		                     .job = w->faces,
		                     .places = w->places,
		                     .jobs_at = jobs_at,
		                     .senders = senders,
		                     .sizes = each_size,
		                     .period = period,
		                     .impl = w };
	if (errors->errors != before) {
		wl_destroy(out);
		return -1;
	}
	if (!unread) /* a job that is not built does not tell where it is */
		find_most_jobs(out, topo->endpoints);
	return 0;
}

int wl_build(struct net_traffic *out, const struct net_config *config, const struct topo *topo,
             struct base_errors *errors)
{
	return build_traffic(out, config, topo, false, errors);
}

int wl_check(const struct net_config *config, const struct topo *topo, struct base_errors *errors)
{
	struct net_traffic traffic;
	int status = build_traffic(&traffic, config, topo, true, errors);
	wl_destroy(&traffic);
	return status;
}

void wl_destroy(struct net_traffic *traffic)
{
	struct wl *w = traffic->impl;
	for (uint32_t i = 0; w && i < w->njobs; i++) {
		struct wl_job *j = &w->jobs[i];
		wl_unwrap_pattern(&j->pattern);
		if (j->pattern.ops && j->pattern.ops->destroy)
			j->pattern.ops->destroy(&j->pattern);
		wl_sizes_free(&j->sizes);
		free(j->own);
		free(j->own_of);
		if (j->process.ops && j->process.ops->destroy)
			j->process.ops->destroy(&j->process);
		wl_members_free(&j->members);
	}
	if (w) {
		free(w->jobs);
		free(w->faces);
		free(w);
	}
	*traffic = (struct net_traffic){ 0 };
}
