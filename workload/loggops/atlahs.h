/* workload/loggops/atlahs.h - the rules of ATLAHS' LogGOPSim (spcl/atlahs) where they differ from LogGOPSim's; part of
 * rules.h.
 *
 * The time for a message's bytes is part of its latency, not of its receiver's. The receiver's processor is busy after
 * message and receive have matched, and it is the receive's processor. An operation begins no earlier than the end of
 * the operation that released it, on whatever processor. Operations that become ready together are not ordered by kind.
 */

/* Inserts an operation that has become ready. */
static void atlahs_enter_ready(const struct step *s, uint32_t rank, uint32_t from, uint32_t to, uint64_t end)
{
	struct model *m = s->m;
	for (uint32_t k = from; k < to; k++) {
		uint32_t i = m->goal->next[k];
		const struct wl_goal_op *op = &m->goal->op[i];
		if (end > m->earliest[i])
			SET(s, &m->earliest[i], end);
		SET(s, &m->waits[i], m->waits[i] - 1);
		if (m->waits[i])
			continue;
		uint64_t t = *cpu_of(m, rank, op->cpu), nic = *nic_of(m, rank, op->nic, false);
		t = op->kind == WL_GOAL_SEND && nic > t ? nic : t;
		t = m->earliest[i] > t ? m->earliest[i] : t;
		push_pending(s, (struct pending){ t, s->now, s->born, rank, count_of(s, rank), i, NONE });
	}
}

static void atlahs_start(const struct step *s, uint32_t rank, uint32_t i)
{
	const struct wl_goal_op *op = &s->m->goal->op[i];
	atlahs_enter_ready(s, rank, op->mid, op[1].first, s->now);
}

static void atlahs_finish(const struct step *s, uint32_t rank, uint32_t i, uint64_t end)
{
	const struct wl_goal_op *op = &s->m->goal->op[i];
	struct host *h = &s->m->host[rank];
	SET(s, &h->done, h->done + 1);
	atlahs_enter_ready(s, rank, op->first, op->mid, end);
}

static void raise_clock(const struct step *s, uint64_t *clock, uint64_t t)
{
	if (*clock < t)
		SET(s, clock, t);
}

/* Message and receive have matched; `late`: the receive was posted after the message. */
static void atlahs_match(const struct step *s, uint32_t rank, uint32_t recv, uint32_t send, uint32_t source, bool late)
{
	struct model *m = s->m;
	const struct wl_goal_op *r = &m->goal->op[recv], *op = &m->goal->op[send];
	uint64_t *cpu = cpu_of(m, rank, r->cpu), *nic = nic_of(m, rank, late ? r->nic : op->nic, true);
	uint64_t free =
	    late && m->p.compat ? *nic_of(m, rank, r->nic, false) : *nic; /* the original looks at the sender's */
	uint64_t size = late && m->p.compat ? r->size : op->size;
	uint64_t through = (free > s->now ? free : s->now) + m->p.g, end = through + m->p.o + per_byte(m, m->O, size);
	SET(s, nic, through);
	raise_clock(s, cpu, end);
	if (size > m->p.S) { /* the sender continues now */
		raise_clock(s, cpu_of(m, source, late ? r->cpu : op->cpu), end);
		raise_clock(s, nic_of(m, source, late ? r->nic : op->nic, false), through);
		atlahs_finish(s, source, send, end);
	}
	atlahs_finish(s, rank, recv, end);
}

static void atlahs_calc(const struct step *s, const struct pending *p)
{
	const struct wl_goal_op *op = &s->m->goal->op[p->op];
	uint64_t *cpu = cpu_of(s->m, p->rank, op->cpu), t;
	if (*cpu > p->time) {
		put_back(s, *p, *cpu);
		return;
	}
	if (__builtin_mul_overflow(op->size, s->m->p.unit, &t) || t > LATEST)
		t = LATEST;
	SET(s, cpu, p->time + t);
	atlahs_start(s, p->rank, p->op);
	atlahs_finish(s, p->rank, p->op, p->time + t);
}

static void atlahs_send(const struct step *s, const struct pending *p)
{
	struct model *m = s->m;
	const struct wl_goal_op *op = &m->goal->op[p->op];
	uint64_t *cpu = cpu_of(m, p->rank, op->cpu), *nic = nic_of(m, p->rank, op->nic, false);
	uint64_t t = *cpu > *nic ? *cpu : *nic, G = per_byte(m, m->G, op->size);
	if (t > p->time) {
		put_back(s, *p, t);
		return;
	}
	uint64_t end = p->time + m->p.o + per_byte(m, m->O, op->size);
	SET(s, cpu, end);
	SET(s, nic, p->time + m->p.g + G);
	send_message(s, p, end + G);
	atlahs_start(s, p->rank, p->op);
	if (op->size <= m->p.S)
		atlahs_finish(s, p->rank, p->op, end);
}

static void atlahs_recv(const struct step *s, const struct pending *p)
{
	struct model *m = s->m;
	struct host *h = &m->host[p->rank];
	uint32_t previous = NONE;
	atlahs_start(s, p->rank, p->op);
	for (uint32_t at = h->arrived; at != NONE; previous = at, at = m->next_message[at]) {
		uint32_t send = m->messages.send[at], source = wl_goal_rank_of(m->goal, send);
		if (!message_fits(m, p->op, send, source))
			continue;
		unlink_from(s, &h->arrived, &h->arrived_last, m->next_message, previous, at);
		atlahs_match(s, p->rank, p->op, send, source, true);
		return;
	}
	append_to_list(s, &h->posted, &h->posted_last, m->next_op, p->op);
}

static void atlahs_message(const struct step *s, const struct pending *p)
{
	struct model *m = s->m;
	const struct wl_goal_op *op = &m->goal->op[p->op];
	struct host *h = &m->host[op->peer];
	uint32_t previous = NONE, at = h->posted;
	while (at != NONE && !message_fits(m, at, p->op, p->rank)) {
		previous = at;
		at = m->next_op[at];
	}
	if (at != NONE) {
		uint64_t cpu = *cpu_of(m, op->peer, m->goal->op[at].cpu), nic = *nic_of(m, op->peer, op->nic, true);
		uint64_t t = cpu > nic ? cpu : nic;
		if (t > p->time) {
			put_back(s, *p, t);
			return;
		}
	}
	count_message(s, p, op);
	if (at == NONE) {
		append_to_list(s, &h->arrived, &h->arrived_last, m->next_message, p->message);
		return;
	}
	unlink_from(s, &h->posted, &h->posted_last, m->next_op, previous, at);
	atlahs_match(s, op->peer, at, p->op, p->rank, false);
}
