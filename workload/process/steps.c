/* workload/process/steps.c - see steps.h */
#include "workload/process/steps.h"

#define AHEAD 4u

struct steps_state {
	uint64_t iteration, began; /* ps */
	uint32_t step;
	bool running;
	uint16_t come[]; /* [AHEAD][steps] messages that have come, by iteration % AHEAD */
};

static const struct wl_steps_ops *ops_of(const struct wl_process *p)
{
	return (const struct wl_steps_ops *)(const void *)p->ops;
}

size_t wl_steps_state_bytes(const struct wl_process *p)
{
	return sizeof(struct steps_state) + AHEAD * (size_t)ops_of(p)->steps(p) * sizeof(uint16_t);
}

static uint16_t *come(const struct wl_process *p, struct steps_state *s, uint64_t iteration)
{
	return s->come + iteration % AHEAD * ops_of(p)->steps(p);
}

static void send(const struct wl_process *p, struct net_process_call *call, uint32_t me, const struct steps_state *s)
{
	const struct wl_steps_ops *ops = ops_of(p);
	for (uint32_t k = 0, n = ops->sends(p, me, s->step); k < n; k++) {
		struct wl_step_message m = { .step = s->step };
		ops->send(p, me, s->step, k, &m);
		net_post_as(call, wl_send_of(p, m.bytes, ops->at_once && ops->at_once(p)), wl_process_place(p, m.to),
		            m.bytes, s->iteration << 32 | m.step);
	}
}

static void go_on_steps(const struct wl_process *p, struct net_process_call *call, uint32_t me);

static void begin_step(const struct wl_process *p, struct net_process_call *call, uint32_t me)
{
	struct steps_state *s = call->state;
	s->began = call->now;
	s->step = 0;
	s->running = true;
	send(p, call, me, s);
	go_on_steps(p, call, me);
}

/* The iteration is over. */
static bool again(const struct wl_process *p, struct net_process_call *call)
{
	const struct wl_loop *loop = wl_loop_of(p);
	struct steps_state *s = call->state;
	uint16_t *v = come(p, s, s->iteration);
	for (uint32_t k = 0; k < ops_of(p)->steps(p); k++)
		v[k] = 0;
	net_iteration(call, call->now - s->began);
	s->running = false;
	s->iteration++;
	if (loop->iterations && s->iteration >= (uint64_t)loop->iterations)
		return false;
	uint64_t at = wl_process_resumes(p, call);
	if (at > call->now)
		net_timer(call, at, 0);
	return at == call->now;
}

static void go_on_steps(const struct wl_process *p, struct net_process_call *call, uint32_t me)
{
	const struct wl_steps_ops *ops = ops_of(p);
	struct steps_state *s = call->state;
	uint32_t steps = ops->steps(p);
	while (s->running && come(p, s, s->iteration)[s->step] >= ops->receives(p, me, s->step)) {
		s->step++;
		if (s->step < steps) {
			send(p, call, me, s);
		} else if (again(p, call)) {
			s->began = call->now;
			s->step = 0;
			s->running = true;
			send(p, call, me, s);
		}
	}
}

void wl_steps_start(const struct wl_process *p, struct net_process_call *call, uint32_t me)
{
	begin_step(p, call, me);
}

void wl_steps_timer(const struct wl_process *p, struct net_process_call *call, uint32_t me, uint64_t what)
{
	(void)what;
	begin_step(p, call, me);
}

void wl_steps_delivered(const struct wl_process *p, struct net_process_call *call, uint32_t me,
                        const struct net_message *m)
{
	struct steps_state *s = call->state;
	uint64_t iteration = m->tag >> 32;
	uint32_t step = (uint32_t)m->tag;
	if (iteration - s->iteration >= AHEAD || step >= ops_of(p)->steps(p))
		return; /* of an impossible past */
	come(p, s, iteration)[step]++;
	go_on_steps(p, call, me);
}
