/* workload/process/loops.c - closed loops: a window of messages that are not acknowledged, and requests that are
 * answered. */
#include "sim/rng.h"
#include "workload/process/process.h"

enum { TO_RANDOM, TO_NEXT, TO_FIRST };
#define DESTINATIONS "random|next|first"

/* The destination of message number n: not itself. With TO_FIRST, which has none for member 0, `me` for that. */
static uint32_t destination(const struct wl_process *p, uint32_t me, int to, uint64_t n)
{
	if (to == TO_FIRST)
		return 0;
	if (to == TO_NEXT)
		return me + 1 == p->members ? 0 : me + 1;
	struct sim_draw d = sim_draw4(p->seed, wl_process_place(p, me), (uint32_t)n, SIM_DRAW_ARRIVAL,
	                              p->job | 0x100u | (uint32_t)(n >> 32) << 9);
	uint32_t other = sim_below(d.v[0], p->members - 1);
	return other + (other >= me);
}

/* --- window: `outstanding` messages of a member are in flight; the next is posted when one is acknowledged, or a pause
 * later. An iteration is a message, from when it is posted until it is acknowledged. */

struct loop_window {
	struct wl_loop loop;
	int64_t outstanding;
	int to;
};

static const struct base_param window_table[] = {
	WL_LOOP_PARAMS("4KiB", "bytes of each message"),
	{ "outstanding", BASE_INT, offsetof(struct loop_window, outstanding), "1", "messages", 1, 1e6, NULL,
	  "maximum number of messages of a member that are not yet acknowledged", NULL },
	{ "to", BASE_ENUM, offsetof(struct loop_window, to), "random", NULL, 0, 0, DESTINATIONS,
	  "destinations: random: a random other member for each message; next: the next member; first: all send to the "
	  "first member, which sends nothing",
	  NULL },
	{ 0 },
};

static bool goes_on_after_an_acknowledgement(const void *params)
{
	const struct loop_window *w = params;
	return !w->loop.iterations || w->loop.iterations > w->outstanding;
}

static const struct base_condition window_conditions[] = {
	{ "pause", "with more iterations than outstanding messages", goes_on_after_an_acknowledgement, NULL },
	{ 0 },
};

struct window_state {
	uint64_t posted;
};

static size_t window_bytes(const struct wl_process *p)
{
	(void)p;
	return sizeof(struct window_state);
}

static void window_post(const struct wl_process *p, struct net_process_call *call, uint32_t me)
{
	const struct loop_window *w = p->params;
	struct window_state *s = call->state;
	if (w->loop.iterations && s->posted >= (uint64_t)w->loop.iterations)
		return;
	uint32_t to = destination(p, me, w->to, s->posted);
	if (net_post(call, wl_process_place(p, to), w->loop.size, 0) != NET_NO_MESSAGE)
		s->posted++;
}

static void window_start(const struct wl_process *p, struct net_process_call *call, uint32_t me)
{
	const struct loop_window *w = p->params;
	for (int64_t i = 0; i < w->outstanding && (w->to != TO_FIRST || me); i++)
		window_post(p, call, me);
}

static void window_acknowledged(const struct wl_process *p, struct net_process_call *call, uint32_t me,
                                const struct net_message *m)
{
	uint64_t at = wl_process_resumes(p, call);
	net_iteration(call, call->now - m->posted);
	if (at > call->now)
		net_timer(call, at, 0);
	else
		window_post(p, call, me);
}

static void window_delivered(const struct wl_process *p, struct net_process_call *call, uint32_t me,
                             const struct net_message *m)
{
	(void)p, (void)call, (void)me, (void)m;
}

static void window_timer(const struct wl_process *p, struct net_process_call *call, uint32_t me, uint64_t what)
{
	(void)what;
	window_post(p, call, me);
}

static const struct wl_process_ops window_ops = { .wants_acknowledged = true,
	                                          .in_bursts = true,
	                                          .state_bytes = window_bytes,
	                                          .start = window_start,
	                                          .acknowledged = window_acknowledged,
	                                          .delivered = window_delivered,
	                                          .timer = window_timer };

const struct base_plugin wl_process_window = {
	.kind = "process",
	.name = "window",
	.summary = "each member keeps a number of messages in flight",
	.params = window_table,
	.conditions = window_conditions,
	.params_bytes = sizeof(struct loop_window),
	.ops = &window_ops,
};

/* --- request-response: a request of `size` to another member, which answers with `response`; then the next. An
 * iteration is from the request's posting to the answer's arrival. */

struct loop_request {
	struct wl_loop loop;
	uint64_t response;
	int to;
};

static const struct base_param request_table[] = {
	WL_LOOP_PARAMS("64B", "bytes of each request"),
	{ "response", BASE_SIZE, offsetof(struct loop_request, response), "4KiB", NULL, 1, 1e12, NULL,
	  "bytes of each response", NULL },
	{ "to", BASE_ENUM, offsetof(struct loop_request, to), "random", NULL, 0, 0, DESTINATIONS,
	  "destinations: random: a random other member for each request; next: the next member; first: all send to the "
	  "first member, which sends nothing",
	  NULL },
	{ 0 },
};

enum { REQUEST, RESPONSE }; /* tags */

struct request_state {
	uint64_t posted, began; /* requests; ps */
};

static size_t request_bytes(const struct wl_process *p)
{
	(void)p;
	return sizeof(struct request_state);
}

static void request_post(const struct wl_process *p, struct net_process_call *call, uint32_t me)
{
	const struct loop_request *r = p->params;
	struct request_state *s = call->state;
	if (r->loop.iterations && s->posted >= (uint64_t)r->loop.iterations)
		return;
	s->began = call->now;
	net_post(call, wl_process_place(p, destination(p, me, r->to, s->posted)), r->loop.size, REQUEST);
	s->posted++;
}

static void request_start(const struct wl_process *p, struct net_process_call *call, uint32_t me)
{
	const struct loop_request *r = p->params;
	if (r->to != TO_FIRST || me)
		request_post(p, call, me);
}

static void request_delivered(const struct wl_process *p, struct net_process_call *call, uint32_t me,
                              const struct net_message *m)
{
	const struct loop_request *r = p->params;
	const struct request_state *s = call->state;
	if (m->tag == REQUEST) {
		net_post(call, m->peer, r->response, RESPONSE);
		return;
	}
	uint64_t at = wl_process_resumes(p, call);
	net_iteration(call, call->now - s->began);
	if (at > call->now)
		net_timer(call, at, 0);
	else
		request_post(p, call, me);
}

static void request_timer(const struct wl_process *p, struct net_process_call *call, uint32_t me, uint64_t what)
{
	(void)what;
	request_post(p, call, me);
}

static int request_build(struct wl_process *p, struct base_errors *errors)
{
	(void)errors;
	p->other_size = ((const struct loop_request *)p->params)->response;
	return 0;
}

static const struct wl_process_ops request_ops = { .in_bursts = true,
	                                           .build = request_build,
	                                           .state_bytes = request_bytes,
	                                           .start = request_start,
	                                           .delivered = request_delivered,
	                                           .timer = request_timer };

const struct base_plugin wl_process_request_response = {
	.kind = "process",
	.name = "request-response",
	.summary = "each member sends a request to another one, waits for the response, and repeats",
	.params = request_table,
	.conditions = wl_loop_conditions,
	.params_bytes = sizeof(struct loop_request),
	.ops = &request_ops,
};
