/* tests/network/incast.h - messages to one endpoint, and when each of their senders had its last acknowledgement. */
#ifndef TESTS_NETWORK_INCAST_H
#define TESTS_NETWORK_INCAST_H

#include "experiments/config/config.h"
#include "tests/network/units.h"

#include <stdlib.h>

#define INCAST_ENDPOINTS 1024u

struct incast {
	double first, last, mean, jain; /* us, of completions; of message over completion */
	uint64_t marked, again, peak;
	struct net_retry_result retry;
	struct net_control control;
};

struct incast_completions {
	uint64_t at[INCAST_ENDPOINTS];
};

static inline void incast_complete(void *arg, const struct net_packet_record *p)
{
	uint64_t *at = &((struct incast_completions *)arg)->at[p->src];
	*at = p->delivered > *at ? p->delivered : *at;
}

/* `answer`: us from a message's last bit to its acknowledgement at the source, which the references count. `n`: of
 * senders. */
static inline struct incast incast_of(const char *text, unsigned n, double answer)
{
	struct netrun x = { 0 };
	static struct incast_completions c;
	memset(&c, 0, sizeof c);
	cr_assert(netrun_build(&x, NULL, text), "%s\n%s", netrun_error(&x), text);
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s\n%s", netrun_error(&x), text);
	net_each_packet(x.net, incast_complete, &c);
	struct incast o = { .first = 1e9,
		            .marked = x.r->control.marked,
		            .retry = x.r->retry,
		            .control = x.r->control,
		            .peak = x.r->switches.peak_bytes };
	double sum = 0, squares = 0;
	unsigned senders = 0;
	for (unsigned i = 0; i < INCAST_ENDPOINTS; i++) {
		if (!c.at[i])
			continue;
		double us = (double)c.at[i] * 1e-6 + answer, rate = 1 / us;
		o.first = us < o.first ? us : o.first;
		o.last = us > o.last ? us : o.last;
		o.mean += us / n;
		sum += rate;
		squares += rate * rate;
		senders++;
	}
	cr_assert_eq(senders, n);
	o.jain = sum * sum / (n * squares);
	netrun_free(&x);
	return o;
}

#define INCAST_MESSAGES(size, packet, nodes)                                                                    \
	"traffic = ( { process = \"window\"; to = \"first\"; size = \"" size "\"; packet = \"" packet           \
	"\"; nodes = \"" nodes                                                                                  \
	"\"; iterations = 1; } ); record = { packets = true; }; time = { warmup = \"0us\"; measure = \"5ms\"; " \
	"drain = true; }; routing = { kind = \"minimal\"; };"

/* 1 MiB each in packets of 4,096 bytes with 64 of headers, as in the runs of uet-htsim. `queue`, `nic` and `control`
 * are keys of the switch, of the NIC and of the congestion control. */
static inline struct incast incast_at_200g(unsigned n, unsigned seed, const char *queue, const char *nic,
                                           const char *control)
{
	char text[2000];
	snprintf(text, sizeof text,
	         "seed = %u; topology = { kind = \"single\"; ports = %u; }; links = { default = { bandwidth = "
	         "\"200Gbps\"; }; terminal = { latency = \"250ns\"; header = \"64B\"; }; }; switch = { kind = "
	         "\"output-queued\"; latency = \"350ns\"; ecn_kmin = \"24960B\"; ecn_kmax = \"99840B\"; %s }; nic = { "
	         "ack_stage = \"350ns\"; ack_every = \"16KiB\"; %s }; congestion = { %s pair_rtt = \"2375840ps\"; "
	         "};" INCAST_MESSAGES("1MiB", "4096B", "all"),
	         seed, n + 1, queue, nic, control);
	return incast_of(text, n, 0.85);
}

#endif
