/* docs/examples/token.c - a process as a plug-in: a token goes round the members of a job.
 *
 * Member 0 writes to member 1, which writes to member 2 when the message has come, and so on. When the token is back at
 * member 0 an iteration has ended, and the next one begins after `pause`.
 *
 *      traffic = ( { process = "token"; size = "256B"; iterations = 10; } );
 *
 * A process is what each member of a job runs in place of sending by a pattern at a load. Functions are called when the
 * job starts, when a message has come, and when a timer that was asked for expires; what they do depends on the
 * member's state and on what they are given, and on nothing else. The state lies in the logical process and begins as
 * zeros; the network saves it before each call, so it is written plainly, and a rollback undoes it. */
#include "workload/process/process.h"

static const struct base_param params[] = {
	WL_LOOP_PARAMS("64B", "bytes of the token"), /* the keys size, iterations and pause, which every process has */
	{ .name = NULL },
};

struct token_state { /* of member 0 */
	uint64_t rounds, began;
};

static size_t state_bytes(const struct wl_process *p)
{
	(void)p;
	return sizeof(struct token_state);
}

/* The call is for endpoint call->endpoint, which runs member `me`; messages go to endpoints. */
static void pass_on(const struct wl_process *p, struct net_process_call *call, uint32_t me)
{
	uint32_t next = me + 1 == p->members ? 0 : me + 1;
	net_post(call, wl_process_place(p, next), wl_loop_of(p)->size, 0);
}

static void begin_round(const struct wl_process *p, struct net_process_call *call)
{
	struct token_state *s = call->state;
	s->began = call->now;
	pass_on(p, call, 0);
}

static void start(const struct wl_process *p, struct net_process_call *call, uint32_t me)
{
	if (me == 0)
		begin_round(p, call);
}

static void delivered(const struct wl_process *p, struct net_process_call *call, uint32_t me,
                      const struct net_message *m)
{
	struct token_state *s = call->state;
	(void)m;
	if (me) {
		pass_on(p, call, me);
		return;
	}
	net_iteration(call, call->now - s->began);
	if (++s->rounds == (uint64_t)wl_loop_of(p)->iterations) /* 0: it goes on as long as the run */
		return;
	uint64_t at = wl_process_resumes(p, call);
	if (at > call->now)
		net_timer(call, at, 0);
	else
		begin_round(p, call);
}

static void timer(const struct wl_process *p, struct net_process_call *call, uint32_t me, uint64_t what)
{
	(void)me, (void)what; /* of member 0, the only one that asks for timers, and for one thing only */
	begin_round(p, call);
}

static const struct wl_process_ops ops = {
	.in_bursts = true, /* it asks wl_process_resumes() */
	.state_bytes = state_bytes,
	.start = start,
	.delivered = delivered,
	.timer = timer,
};

static const struct base_condition conditions[] = { WL_LOOP_CONDITION, { .keys = NULL } };

static const struct base_plugin token = {
	.kind = "process",
	.name = "token",
	.summary = "a token goes round the members",
	.params = params,
	.params_bytes = sizeof(struct wl_loop),
	.conditions = conditions,
	.ops = &ops,
};

extern const unsigned tilefly_plugin_abi;
extern const struct base_plugin *const tilefly_plugins[];

const unsigned tilefly_plugin_abi = BASE_PLUGIN_ABI;
const struct base_plugin *const tilefly_plugins[] = { &token, NULL };
