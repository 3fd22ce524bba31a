/* workload/open/sources.c - what the network asks of the arrival processes of jobs: the first message of each source,
 * and the next.
 *
 * Invariants of a source: while created != NET_NEVER, `left` > 0 and created < the job's end; `dst` is another member
 * of the job. Message n of (job, endpoint) draws four words once: two for the gap before it, the third for its
 * destination, the fourth for its size. The gap's low word serves as the pattern's coin: it moves a gap by 2^-32 of
 * itself at most. */
#include "workload/jobs.h"

/* A sub-stream of SIM_DRAW_SETUP; the job's number is in the low byte. */
#define SUB_FIRST 0x776c0100u
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
	const struct wl_job *j = &((const struct wl *)t->impl)->jobs[wl_job_of(t->impl, job)];
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

const struct net_traffic_ops *wl_source_ops(const struct wl *w)
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
