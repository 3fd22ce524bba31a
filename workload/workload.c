/* workload/workload.c - see workload.h
 *
 * Invariants of a source: while created != NET_NEVER, `left` > 0 and created < the job's end; `dst` is another member
 * of the job. Message n of (job, endpoint) draws four words once: two for the gap before it, the third for its
 * destination, the fourth for its size. The gap's low word serves as the pattern's coin: it moves a gap by 2^-32 of
 * itself at most. */
#include "workload/workload.h"

#include "base/memory.h"
#include "workload/checked.h"
#include "workload/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_JOBS = 255 }; /* sw_packet.job is a byte */

/* Sub-streams of SIM_DRAW_SETUP; the job's number is in the low byte. */
#define SUB_SETUP 0x776c0000u
#define SUB_FIRST 0x776c0100u

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

#define SUB_SIZE 0x200u /* sub-streams of SIM_DRAW_ARRIVAL; the job's number is in the low byte */

/* Bytes of a message of a distribution: a function of its source and time, so that its receiver knows them, too. */
static uint32_t drawn_bytes(const struct wl *w, uint32_t job, uint32_t endpoint, uint64_t created)
{
	uint32_t sub = SUB_SIZE | job | (uint32_t)(created >> 32) << 10;
	struct sim_draw d = sim_draw4(w->seed, endpoint, (uint32_t)created, SIM_DRAW_ARRIVAL, sub);
	return wl_distribution_bytes(&w->jobs[job].sizes.drawn, d.v[0]);
}

static inline const struct wl_injection *injection_of(const struct wl_job *j, uint32_t endpoint)
{
	return j->own ? &j->own[j->own_of[wl_index(&j->pattern, endpoint)]] : &j->injection;
}

/* Moves *s to message n, created at `created`, of which `d` is the draw. rare: the job may have a distribution of
 * sizes. */
static inline __attribute__((always_inline)) void set_message(const struct wl *w, uint32_t job, uint32_t endpoint,
                                                              struct net_source *s, uint32_t n, uint64_t created,
                                                              struct sim_draw d, bool rare)
{
	const struct wl_job *j = &w->jobs[job];
	s->created = created;
	s->message = n;
	if (rare && j->sizes.drawn.n)
		s->left = drawn_bytes(w, job, endpoint, created);
	else
		s->left = wl_message_bytes(&j->sizes, d.v[3]);
	if (!j->pattern.ops->fixed)
		s->dst = j->pattern.ops->destination(&j->pattern, wl_index(&j->pattern, endpoint), n, d.v[2], d.v[1]);
}

/* a + b, NET_NEVER if that is not before `end`. */
static inline uint64_t time_before(uint64_t a, uint64_t b, uint64_t end)
{
	uint64_t sum;
	return __builtin_add_overflow(a, b, &sum) || sum >= end ? NET_NEVER : sum;
}

static void start_source(const struct net_traffic *t, uint32_t job, uint32_t endpoint, struct net_source *s)
{
	const struct wl *w = t->impl;
	const struct wl_job *j = &w->jobs[job];
	const struct wl_pattern *p = &j->pattern;
	*s = (struct net_source){ .created = NET_NEVER };
	if (j->process.ops)
		return;
	uint32_t index = wl_index(p, endpoint);
	if (j->silent || index == WL_IDLE || p->ops->destination(p, index, 0, 0, 0) == WL_IDLE)
		return;
	struct sim_draw first = sim_draw4(w->seed, endpoint, 0, SIM_DRAW_SETUP, SUB_FIRST | job);
	const struct wl_injection *in = injection_of(j, endpoint);
	uint64_t busy = in->ops->first(in, first);
	uint64_t created = time_before(j->start, j->bursts.length ? wl_bursts_since(&j->bursts, busy) : busy, j->end);
	if (created == NET_NEVER)
		return;
	struct sim_draw d = sim_draw4(w->seed, endpoint, 0, SIM_DRAW_ARRIVAL, job);
	s->dst = p->ops->destination(p, index, 0, d.v[2], d.v[1]);
	set_message(w, job, endpoint, s, 0, created, d, true);
}

/* When the next message is created, `gap` of the injection process after the last one; NET_NEVER: not at all. */
static uint64_t in_burst(const struct wl_job *j, const struct wl_injection *in, uint32_t n, uint64_t last,
                         uint64_t bits)
{
	uint64_t busy = wl_bursts_busy(&j->bursts, last - j->start);
	uint64_t next = time_before(busy, in->ops->gap(in, n, busy, bits), NET_NEVER);
	return next == NET_NEVER ? next : time_before(j->start, wl_bursts_since(&j->bursts, next), j->end);
}

/* Moves *s to the message after its own. rare: some job has bursts, a distribution of sizes, or different loads. */
static inline __attribute__((always_inline)) void next_message(const struct wl *w, uint32_t job, uint32_t endpoint,
                                                               struct net_source *s, bool rare)
{
	const struct wl_job *j = &w->jobs[job];
	uint32_t n = s->message + 1;
	struct sim_draw d = sim_draw4(w->seed, endpoint, n, SIM_DRAW_ARRIVAL, job);
	uint64_t bits = (uint64_t)d.v[0] << 32 | d.v[1];
	uint64_t created;
	const struct wl_injection *in = rare ? injection_of(j, endpoint) : &j->injection;
	if (rare && j->bursts.length)
		created = in_burst(j, in, n, s->created, bits);
	else
		created = time_before(s->created, in->ops->gap(in, n, s->created - j->start, bits), j->end);
	if (created == NET_NEVER)
		s->created = NET_NEVER;
	else
		set_message(w, job, endpoint, s, n, created, d, rare);
}

/* Bytes of the source's next packet. */
static inline uint32_t packet_bytes(const struct wl *w, uint32_t job, uint32_t endpoint, const struct net_source *s)
{
	const struct wl_job *j = &w->jobs[job];
	uint32_t bytes = j->sizes.packet;
	if (!bytes) /* a mix: the size was drawn with the message */
		bytes =
		    wl_packet_bytes(&j->sizes, sim_draw4(w->seed, endpoint, s->message, SIM_DRAW_ARRIVAL, job).v[3]);
	return bytes < s->left ? bytes : s->left;
}

static inline __attribute__((always_inline)) void take_next(const struct net_traffic *t, uint32_t job,
                                                            uint32_t endpoint, struct net_source *s,
                                                            struct sw_packet *packet, bool rare)
{
	const struct wl *w = t->impl;
	uint32_t bytes = packet_bytes(w, job, endpoint, s);
	packet->created = s->created;
	packet->src = endpoint;
	packet->dst = s->dst;
	packet->seq = s->packet++;
	packet->bytes = bytes;
	packet->job = (uint8_t)job;
	s->left -= bytes;
	if (!s->left)
		next_message(w, job, endpoint, s, rare);
}

static void take_message(const struct net_traffic *t, uint32_t job, uint32_t endpoint, struct net_source *s,
                         struct sw_packet *packet)
{
	take_next(t, job, endpoint, s, packet, false);
}

static void take_rare(const struct net_traffic *t, uint32_t job, uint32_t endpoint, struct net_source *s,
                      struct sw_packet *packet)
{
	take_next(t, job, endpoint, s, packet, true);
}

static uint64_t resume_burst(const struct net_traffic *t, uint32_t job, uint64_t now)
{
	const struct wl_job *j = &((const struct wl *)t->impl)->jobs[job];
	return j->process.ops || now < j->start ? now : wl_bursts_next(&j->bursts, now);
}

/* Has no packet of the source's message been taken? */
static bool is_whole(const struct wl *w, uint32_t job, uint32_t endpoint, const struct net_source *s)
{
	const struct wl_sizes *z = &w->jobs[job].sizes;
	if (z->drawn.n)
		return s->left == drawn_bytes(w, job, endpoint, s->created);
	return s->left == wl_message_bytes(z, sim_draw4(w->seed, endpoint, s->message, SIM_DRAW_ARRIVAL, job).v[3]);
}

static uint64_t packets_of_message(const struct wl *w, uint32_t job, uint32_t endpoint, const struct net_source *s)
{
	uint64_t packet = packet_bytes(w, job, endpoint, s);
	return (s->left + packet - 1) / packet;
}

/* Its size, where that is drawn, is another one then. */
static void create_later(const struct wl *w, uint32_t job, uint32_t endpoint, struct net_source *s, uint64_t created)
{
	s->created = created;
	if (w->jobs[job].sizes.drawn.n && created != NET_NEVER)
		s->left = drawn_bytes(w, job, endpoint, created);
}

static uint64_t ready_in_bursts(const struct net_traffic *t, uint32_t job, uint32_t endpoint, struct net_source *s,
                                uint64_t free, uint64_t now, uint64_t *discarded)
{
	const struct wl *w = t->impl;
	const struct wl_job *j = &w->jobs[job];
	const struct wl_bursts *b = &j->bursts;
	if (s->created == NET_NEVER || j->process.ops || !b->length)
		return s->created > now || s->created == NET_NEVER ? s->created : now;
	if (b->backlog != NET_BACKLOG_CARRY && s->created < now && is_whole(w, job, endpoint, s)) {
		if (b->backlog == NET_BACKLOG_CLOSED && s->created < free)
			create_later(w, job, endpoint, s, time_before(wl_bursts_next(b, free), 0, j->end));
		uint64_t begins = wl_bursts_begin(b, now);
		while (b->backlog == NET_BACKLOG_DROP && s->created < begins) {
			*discarded += packets_of_message(w, job, endpoint, s);
			next_message(w, job, endpoint, s, true);
		}
	}
	if (s->created == NET_NEVER)
		return NET_NEVER;
	return wl_bursts_next(b, s->created > now ? s->created : now);
}

static void each_size(const struct net_traffic *t, uint32_t job, void (*visit)(void *arg, uint32_t bytes, double share),
                      void *arg)
{
	const struct wl_job *j = &((const struct wl *)t->impl)->jobs[job];
	if (j->process.ops)
		visit(arg, ((const struct wl *)t->impl)->faces[job].max_packet, 1);
	else
		wl_sizes_each(&j->sizes, visit, arg);
}

static uint64_t message_bytes(const struct net_traffic *t, uint32_t job, uint32_t endpoint, uint64_t created)
{
	const struct wl *w = t->impl;
	const struct wl_sizes *z = &w->jobs[job].sizes;
	return z->drawn.n ? drawn_bytes(w, job, endpoint, created) : z->message;
}

static uint64_t source_weight(const struct net_traffic *t, uint32_t job, uint32_t endpoint)
{
	const struct wl_job *j = &((const struct wl *)t->impl)->jobs[job];
	if (!j->own)
		return UINT64_C(1) << 32;
	return (uint64_t)(j->pattern.ops->share(&j->pattern, wl_index(&j->pattern, endpoint)) * 0x1p32 + 0.5);
}

static const struct net_traffic_ops traffic_ops = { .start = start_source,
	                                            .take = take_message,
	                                            .message = message_bytes };
static const struct net_traffic_ops rare_ops = {
	.start = start_source, .take = take_rare, .weight = source_weight, .message = message_bytes
};
static const struct net_traffic_ops burst_ops = { .start = start_source,
	                                          .take = take_rare,
	                                          .resumes = resume_burst,
	                                          .ready = ready_in_bursts,
	                                          .weight = source_weight,
	                                          .message = message_bytes };

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

/* Of a process all interfaces of its node inject, as far as it has a rank. */
static bool injects(const struct wl *w, const struct wl_job *j, uint32_t endpoint)
{
	if (!j->process.ops || j->absent)
		return sends(j, endpoint);
	uint32_t first = wl_process_first_at(&j->process, topo_home_of(&w->nodes, endpoint));
	return first != WL_NO_MEMBER && (!j->process.ranks || first < j->process.ranks);
}

static uint64_t senders(const struct net_traffic *t, uint32_t class_index)
{
	const struct wl *w = t->impl;
	uint64_t n = 0;
	uint32_t of = 0, last = 0;
	for (uint32_t i = 0; i < w->njobs; i++)
		if (class_index == NET_ALL_CLASSES || w->faces[i].class_index == class_index) {
			of++;
			last = i;
		}
	if (of == 1)
		return w->faces[last].members;
	for (uint32_t e = 0; of && e < w->nodes.n * w->nodes.nics; e++)
		for (uint32_t i = 0; i < w->njobs; i++)
			if ((class_index == NET_ALL_CLASSES || w->faces[i].class_index == class_index) &&
			    injects(w, &w->jobs[i], e)) {
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
		return base_errorf(errors, kind, "no %s is chosen", kind);
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
		return base_errorf(errors, "nodes", "a job of %u endpoint%s has nobody to send to", j->members.n,
		                   j->members.n == 1 ? "" : "s");
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
	return base_errorf(errors, "pattern", "it leaves all %u endpoints of the job idle", j->members.n);
}

static int build_job(struct wl *w, uint32_t i, const struct net_config *config, const struct topo *topo, uint8_t *taken,
                     struct base_errors *errors)
{
	const struct net_job *c = &config->jobs[i];
	struct wl_job *j = &w->jobs[i];
	struct net_traffic_job *face = &w->faces[i];
	uint64_t bandwidth = config->link_terminal.bandwidth;
	*face = (struct net_traffic_job){ .name = c->name ? c->name : "",
		                          .load = c->load,
		                          .per_endpoint = face->per_endpoint };
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

static const struct net_traffic_ops *ops_of(const struct wl *w)
{
	const struct net_traffic_ops *ops = &traffic_ops;
	for (uint32_t i = 0; i < w->njobs; i++) {
		const struct wl_job *j = &w->jobs[i];
		if (j->bursts.length && !j->process.ops)
			return &burst_ops;
		if (j->bursts.length || j->own || j->sizes.drawn.n)
			ops = &rare_ops;
	}
	return ops;
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
		return base_errorf(errors, "traffic", "%u jobs are more than the %d that are possible", config->njobs,
		                   MAX_JOBS);
	if (!config->link_terminal.bandwidth)
		base_errorf(errors, "links.terminal.bandwidth", "endpoints cannot send over a link without bandwidth");
	struct wl *w = base_alloc(sizeof *w);
	*w = (struct wl){ .seed = config->seed,
		          .unread = unread,
		          .njobs = config->njobs,
		          .jobs = base_calloc(config->njobs + 1, sizeof *w->jobs),
		          .faces = base_calloc(config->njobs + 1, sizeof *w->faces) };
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
	if (errors->errors == before && !config->alone && !w->unread)
		check_collectives(w, config, errors);
	free(taken);
	bool processes = false;
	for (uint32_t i = 0; i < w->njobs; i++)
		processes |= w->jobs[i].process.ops != NULL;
	uint64_t period = find_period(w);
	*out = (struct net_traffic){ .ops = ops_of(w),
		                     .process = processes ? &wl_process_calls : NULL,
		                     .jobs = w->njobs,
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
