/* network/checks/checks.c - conservation checks at the end of every run: the counters must agree with the contents of
 * the network, that is, pending events, packets waiting in switches, and credits in flight. */
#include "network/checks/checks.h"
#include "base/memory.h"
#include "network/nic/nic.h"
#include "network/part.h"

#include <inttypes.h>
#include <stdlib.h>

static void tally_event(void *arg, const struct sim_event *ev)
{
	struct net_tally *t = arg;
	const struct net *n = t->n;
	base_checkf(ev->time >= sim_reached(n->engine), "an event of %llu ps is left at %llu",
	            (unsigned long long)ev->time, (unsigned long long)sim_reached(n->engine));
	const struct sw_packet *p = (const struct sw_packet *)(const void *)ev->payload;
	switch (ev->kind) {
	case NET_DELIVER:
		t->in_flight[p->job]++;
		break;
	case NET_ARRIVE:
		t->in_flight[p->job]++;
		t->credit_bytes += p->bytes;
		break;
	case NET_INJECT:
		t->terminal_bytes += p->bytes;
		if (sw_injected(p, ev->time) < n->times.end)
			t->in_flight[p->job]++;
		else if (sw_created(&n->common, p, ev->time) < n->times.end)
			t->queued[p->job]++;
		break;
	case NET_HANDLED: {
		uint32_t job, packets = net_message_unposted(n, ev, &job);
		t->queued[job] += packets;
		break;
	}
	case NET_CREDIT:
	case NET_RESYNC:
		t->credit_bytes += (uint32_t)(ev->payload[0] >> 8);
		break;
	case NET_GIVE_BACK:
		t->terminal_bytes += (uint32_t)ev->payload[0];
		break;
	default:
		break;
	}
}

struct acks_of {
	const struct net *n;
	uint64_t acks;
};

static void tally_ack(void *arg, const struct sim_event *ev)
{
	struct acks_of *x = arg;
	x->acks += net_nic_ack_counts(x->n, ev);
}

/* Checks the records of the exact path: the numbers of packets in flight of all pairs of endpoints must sum up to the
 * packets that were injected and neither delivered nor reported by a pending acknowledgement; the sums that sinks keep
 * must equal those of their contributors; and the bytes of the traffic classes of an endpoint must sum up to the bytes
 * that it sent. Returns false with an error if not. Collective. */
static bool pairs_conserved(struct net *n, struct base_errors *errors)
{
	struct net_nics_sums s = { 0 };
	struct acks_of x = { n, 0 };
	for (uint32_t i = 0; i < n->count; i++)
		net_nics_sum(n, net_lp_at(n, n->first + i), &s);
	sim_leftovers(n->engine, tally_ack, &x);
	uint64_t v[] = { s.in_flight, x.acks,     s.backlog,  s.contributions, s.records, s.counted,
		         s.left,      s.numbered, s.received, s.misplaced,     s.early };
	uint64_t injected = 0, delivered = 0;
	sim_sum_u64(v, sizeof v / sizeof *v);
	for (uint32_t j = 0; j < n->jobs; j++) {
		injected += n->shared.job[j].injected;
		delivered += n->shared.job[j].delivered;
	}
	delivered += v[10]; /* or waits to be, at its receiver */
	if (n->path.retry && (v[7] != injected || v[8] != delivered))
		base_errorf(errors, "",
		            "retransmitted packets are not conserved: %" PRIu64 " injected and %" PRIu64
		            " numbered, %" PRIu64 " delivered and %" PRIu64 " recorded",
		            injected, v[7], delivered, v[8]);
	else if (!n->path.retry && n->nic.wants & CC_WANTS_ACKS && v[0] != injected - delivered + v[1])
		base_errorf(errors, "",
		            "acknowledgements are not conserved: pairs count %" PRIu64
		            " packets in flight, but %" PRIu64 " packets and %" PRIu64 " acknowledgements are",
		            v[0], injected - delivered, v[1]);
	else if (v[2] != v[3] || v[4] != v[5])
		base_errorf(errors, "",
		            "records of congestion control are not conserved: the backlog is counted as %" PRIu64
		            " and as %" PRIu64 " bytes, and %" PRIu64 " of %" PRIu64 " records were found",
		            v[2], v[3], v[4], v[5]);
	else if (v[6])
		base_errorf(errors, "",
		            "%" PRIu64 " records of pairs of endpoints have no traffic and were not released", v[6]);
	else if (v[9])
		base_errorf(errors, "",
		            "at %" PRIu64 " endpoints the bytes of all classes do not sum up to the bytes sent", v[9]);
	else
		return true;
	return false;
}

/* Each copy of a packet that was sent was delivered, was a duplicate, was counted as lost, or is found in flight. */
static bool copies_conserved(const struct net *n, uint64_t injected, uint64_t delivered, uint64_t found,
                             struct base_errors *errors)
{
	const struct net_nic_stats *s = n->shared.nic;
	uint64_t sent = injected + s->resent + s->probes;
	uint64_t gone = delivered + s->duplicates + s->probes_came + s->trimmed + s->damaged + s->drops;
	if (sent == gone + found)
		return true;
	base_errorf(errors, "",
	            "copies of packets are not conserved: %" PRIu64 " sent, %" PRIu64 " delivered or lost, %" PRIu64
	            " found in flight",
	            sent, gone, found);
	return false;
}

bool net_conserved(struct net *n, struct base_errors *errors)
{
	uint32_t jobs = n->jobs;
	uint64_t *v = base_calloc(2 * (size_t)jobs + 4, sizeof *v);
	struct net_tally t = { .n = n, .in_flight = v, .queued = v + jobs };
	uint64_t *credits_out = &v[2 * jobs + 2], *terminal_out = &v[2 * jobs + 3];
	sim_leftovers(n->engine, tally_event, &t);
	net_ring_coming(n, t.in_flight);
	for (uint32_t i = 0; i < n->count; i++)
		net_parts_tally(n, net_lp_at(n, n->first + i), &t);
	v[2 * jobs] = t.credit_bytes;
	v[2 * jobs + 1] = t.terminal_bytes;
	*credits_out = t.credits_out;
	*terminal_out = t.terminal_out;
	sim_sum_u64(v, 2 * (size_t)jobs + 4);
	bool ok = true;
	uint64_t found = 0, known = 0, sent = 0;
	for (uint32_t j = 0; j < jobs; j++) {
		struct net_job_stats *s = &n->shared.job[j];
		s->queued += v[jobs + j];
		if (n->path.retry) { /* what is found are copies: copies_conserved() */
			found += v[j];
			known += s->delivered;
			sent += s->injected;
			v[j] = s->injected - s->delivered;
		}
		uint64_t gone = s->delivered + s->dropped;
		if (s->created != gone + v[j] + s->queued || s->injected != gone + v[j]) {
			base_errorf(errors, "",
			            "packets are not conserved in job %s: created %" PRIu64 ", injected %" PRIu64
			            ", delivered %" PRIu64 ", dropped %" PRIu64 ", found in flight %" PRIu64
			            ", found queued %" PRIu64,
			            n->traffic.job[j].name, s->created, s->injected, s->delivered, s->dropped, v[j],
			            s->queued);
			ok = false;
		}
	}
	if (!n->common.creditless && (v[2 * jobs] != *credits_out || v[2 * jobs + 1] != *terminal_out)) {
		base_errorf(errors, "",
		            "credits are not conserved: between switches %" PRIu64 " bytes are in use and %" PRIu64
		            " were found, at terminals %" PRIu64 " and %" PRIu64,
		            *credits_out, v[2 * jobs], *terminal_out, v[2 * jobs + 1]);
		ok = false;
	}
	free(v);
	if (n->path.retry)
		ok &= copies_conserved(n, sent, known, found, errors);
	if (n->path.exact)
		ok &= pairs_conserved(n, errors);
	return ok;
}
