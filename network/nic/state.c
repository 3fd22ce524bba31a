/* network/nic/state.c - the memory of NICs and sinks, and the congestion control of a network. */
#include "network/nic/node.h"
#include "network/part.h"

#include <math.h>

#include "base/memory.h"
#include "base/units.h"

#include <stdlib.h>

/* The classes in order, as interfaces distinguish classes: where they do not, all are, or none is (check_order()). */
static uint32_t ordered_classes(const struct net *n)
{
	uint32_t of = 0;
	for (uint32_t k = 0; k < n->config->nclasses; k++)
		if (n->config->classes[k].ordering == NET_ORDERED)
			of |= 1u << (n->nic.classes == 1 ? 0 : k);
	return of;
}

bool net_retries(const struct net *n)
{
	int choice = n->config->nic.retry;
	return choice == NET_RETRY_ON ||
	       (choice == NET_RETRY_AUTO && (n->common.lossy || n->config->nic.loss > 0 || n->failures.on));
}

/* Packets from one switch to another take at least one lookahead: the shortest cable plus `lead`; and a switch may
 * decide up to `lead` late. An acknowledgement or control frame passes that cable, two switches and an endpoint's link.
 */
static int check_stage(const struct net *n, struct base_errors *errors)
{
	uint64_t lead = n->common.ops->timing.lead ? n->common.ops->timing.lead(&n->common) : 0;
	uint64_t terminal = n->common.link[SW_LINK_TERMINAL].latency;
	char stage[48], least[48];
	if (!n->topo.max_ports || 2 * n->nic.ack_stage + terminal >= 2 * lead)
		return 0;
	base_print_quantity(BASE_TIME, n->nic.ack_stage, stage, sizeof stage);
	base_print_quantity(BASE_TIME, lead - terminal / 2, least, sizeof least);
	return base_errorf(errors, "nic.ack_stage",
	                   "%s is too short: the acknowledgement would precede the switches' own control information; "
	                   "at least %s is required",
	                   stage, least);
}

#define FEW_SWITCHES 128u /* all pairs of them are looked at */

/* The longest round trip without load. With many switches, that of the first switch to all others: if that is not the
 * longest, it is not much shorter. */
static uint64_t longest_round_trip(const struct net *n)
{
	uint64_t most = 0;
	for (topo_switch from = 0; from < n->topo.switches; from++) {
		if (!topo_endpoints_at(&n->topo, from))
			continue;
		for (topo_switch to = 0; to < n->topo.switches; to++) {
			uint32_t cables;
			if (!topo_endpoints_at(&n->topo, to))
				continue;
			uint64_t ps = net_round_trip(n, from, to, &cables);
			most = ps > most ? ps : most;
		}
		if (n->topo.switches > FEW_SWITCHES)
			break;
	}
	return most;
}

static int build_control(struct net *n, struct base_errors *errors)
{
	const struct net_choice *choice = &n->config->congestion;
	const struct cc_ops *ops = choice->plugin->ops;
	const struct sw_link *l = &n->common.link[SW_LINK_TERMINAL];
	uint32_t longest = 0; /* with its gap */
	for (uint32_t j = 0; j < n->traffic.streams; j++) {
		uint32_t wire = net_wire_bytes(n, j, n->max_payload);
		longest = wire > longest ? wire : longest;
	}
	n->nic.cc = (struct cc){ .ops = ops,
		                 .plugin = choice->plugin,
		                 .params = choice->params,
		                 .ps_per_byte_q16 = l->ps_per_byte_q16,
		                 .max_frame = longest,
		                 .trims = n->common.trims,
		                 .retry = n->path.retry,
		                 .drops = (n->common.lossy && !n->common.trims) || n->config->nic.loss > 0,
		                 .header = longest - n->max_payload };
	if (ops->wants & CC_WANTS_RTT)
		n->nic.cc.rtt = longest_round_trip(n);
	if (ops->pair_words > CC_PAIR_WORDS)
		return base_errorf(errors, "congestion.kind",
		                   "\"%s\" requests %u words per pair of endpoints; at most %u are supported",
		                   choice->plugin->name, ops->pair_words, CC_PAIR_WORDS);
	const struct {
		unsigned wants;
		bool there;
		const char *name;
	} needed[] = { { CC_HAS_RECEIVER, ops->source.control, "control" },
		       { CC_WANTS_SINKS, ops->receiver.arrives, "arrives" },
		       { CC_WANTS_SINKS, ops->receiver.leaves, "leaves" },
		       { CC_HAS_RECEIVER, ops->receiver.tick, "tick" },
		       { CC_WANTS_REQUESTS, ops->requests.asks, "asks" },
		       { CC_WANTS_REQUESTS, ops->requests.requested, "requested" } };
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
		if (ops->wants & needed[i].wants && !needed[i].there)
			return base_missing(choice->plugin, needed[i].name, errors);
	n->nic.sink_classes = ops->receiver.by_class && n->nic.wants & CC_HAS_RECEIVER ? n->nic.classes : 1;
	n->nic.sink_stride = n->nic.sink_classes > 1 ? n->topo.max_endpoints : 0;
	size_t before = errors->errors;
	errors->scope = "congestion";
	int status = ops->build ? ops->build(&n->nic.cc, errors) : 0;
	status = base_built(choice->plugin, status, before, errors);
	errors->scope = NULL;
	if (!status && ops->receiver.quiet)
		n->nic.quiet = ops->receiver.quiet(&n->nic.cc);
	return status ? status : net_recovery_check(n, errors);
}

#define DEFAULT_BACKOFF UINT64_C(1000000000) /* ps: of nic.backoff, as its help says */

/* Where a switch does not distinguish classes, interfaces do not either, and flows are in order in all that jobs have,
 * or in none. */
static void check_order(const struct net *n, struct base_errors *errors)
{
	uint32_t with[2] = { UINT32_MAX, UINT32_MAX };
	for (uint32_t j = 0; n->nic.ordered && n->nic.classes == 1 && j < n->traffic.streams; j++) {
		uint32_t class = n->traffic.job[j].class_index;
		with[n->config->classes[class].ordering == NET_ORDERED] = class;
	}
	if (with[0] == UINT32_MAX || with[1] == UINT32_MAX)
		return;
	char key[64];
	snprintf(key, sizeof key, "classes.[%u].ordering", with[1]);
	base_errorf(errors, key,
	            "\"flow\" differs from classes.[%u], which has \"none\": switch \"%s\" does not distinguish "
	            "classes, so either all classes keep the order of flows or none does",
	            with[0], n->config->sw.plugin->name);
}

/* What the scheme needs of the switches, and of retransmission. */
/* A scheme whose sources follow no class. */
static void check_equal_classes(const struct net *n, const char *scheme, struct base_errors *errors)
{
	const struct net_config *config = n->config;
	for (uint32_t k = 0; k < config->nclasses; k++) {
		const struct net_class *c = &config->classes[k];
		if (c->min_bandwidth <= 0 && c->max_bandwidth >= 1 && c->priority == config->classes[0].priority)
			continue;
		base_errorf(errors, "congestion.kind",
		            "\"%s\" controls the rate of each source regardless of traffic classes, so min_bandwidth, "
		            "max_bandwidth and priority of class \"%s\" would not be kept; \"none\", \"window\" and "
		            "\"slingshot\" keep them",
		            scheme, c->name);
		return;
	}
	if (config->nclasses > 1)
		base_warnf(errors, "congestion.kind",
		           "\"%s\" controls the rate of each source regardless of traffic classes, so classes do not "
		           "share a receiver fairly",
		           scheme);
}

static int check_needs(const struct net *n, struct base_errors *errors)
{
	const struct cc_ops *ops = n->config->congestion.plugin->ops;
	const struct net_nic_config *nic = &n->config->nic;
	const char *scheme = n->config->congestion.plugin->name, *sw = n->config->sw.plugin->name;
	size_t before = errors->errors;
	if (ops->needs & CC_NEEDS_LOSSLESS && n->common.lossy)
		base_errorf(
		    errors, "congestion.kind",
		    "\"%s\" requires a network without loss, but switch \"%s\" drops packets in this configuration",
		    scheme, sw);
	if (ops->needs & CC_NEEDS_ECN && !n->common.marks)
		base_errorf(
		    errors, "congestion.kind",
		    "\"%s\" requires switches that mark packets, but switch \"%s\" marks none in this configuration",
		    scheme, sw);
	if (ops->needs & CC_NEEDS_EQUAL_CLASSES && n->nic.classes > 1)
		check_equal_classes(n, scheme, errors);
	if (nic->retry == NET_RETRY_OFF && nic->loss > 0)
		base_errorf(errors, "nic.retry",
		            "must not be off with nic.loss = %g: lost packets would never be retransmitted", nic->loss);
	if (nic->retry == NET_RETRY_OFF && n->common.lossy && (ops->wants || n->traffic.process || n->nic.ordered))
		base_errorf(errors, "nic.retry",
		            "must not be off, because switch \"%s\" drops packets: processes that wait for an answer "
		            "would wait forever",
		            sw);
	if (nic->retry == NET_RETRY_OFF && n->common.lossy && n->config->time.precision > 0)
		base_errorf(errors, "nic.retry",
		            "must not be off, because switch \"%s\" drops packets, and time.precision would count the "
		            "dropped packets as a growing backlog",
		            sw);
	if (nic->retry == NET_RETRY_OFF && !n->common.lossy && nic->loss <= 0 && !n->failures.on)
		base_errorf(errors, "nic.retry", "has an effect only if packets can be lost");
	if (nic->ordering != NET_ORDER_PATH && !n->nic.ordered)
		base_errorf(errors, "nic.ordering",
		            "has an effect only with a class that keeps order (classes[].ordering)");
	check_order(n, errors);
	if (nic->ack_every && !net_retries(n))
		base_errorf(errors, "nic.ack_every", "has an effect only with nic.retry");
	if (nic->timeout != BASE_AUTO_TIME_VALUE && !net_retries(n))
		base_errorf(errors, "nic.timeout", "has an effect only with nic.retry");
	if (nic->backoff != DEFAULT_BACKOFF && !net_retries(n))
		base_errorf(errors, "nic.backoff", "has an effect only with nic.retry");
	return errors->errors > before ? -1 : 0;
}

#define TIMEOUT_LEAST UINT64_C(15000000) /* ps; as the help of nic.timeout says, with ... */
#define TIMEOUT_MORE UINT64_C(985000000) /* ... at most 1 ms in all */

/* In addition to a round trip without load. Models without credits report by buffer_share() how many bytes an output
 * may hold. */
static uint64_t timeout(const struct net *n)
{
	uint64_t chosen = n->config->nic.timeout, buffer = n->common.ops->buffer_share(&n->common);
	uint64_t drain = 6 * (buffer * n->common.link[SW_LINK_TERMINAL].ps_per_byte_q16 >> 16);
	return chosen != BASE_AUTO_TIME_VALUE ? chosen : TIMEOUT_LEAST + (drain < TIMEOUT_MORE ? drain : TIMEOUT_MORE);
}

/* The classes of messages of a job, also of those that it sends in others than its own. */
static uint32_t classes_of_job(const struct net *n, uint32_t job)
{
	uint32_t of = 1u << net_nic_class(n, job);
	for (uint32_t k = n->traffic.jobs; k < n->traffic.streams; k++)
		of |= n->traffic.job[k].of == job ? 1u << net_nic_class(n, k) : 0;
	return of;
}

/* Of an endpoint's sources, and of its node's processes. */
static uint8_t classes_at(const struct net *n, uint32_t endpoint)
{
	uint8_t jobs[256];
	uint32_t of = 0, k = n->traffic.jobs_at(&n->traffic, endpoint, jobs), home = topo_home_of(&n->nodes, endpoint);
	for (uint32_t i = 0; i < k; i++)
		of |= classes_of_job(n, jobs[i]);
	k = home != endpoint ? n->traffic.jobs_at(&n->traffic, home, jobs) : 0;
	for (uint32_t i = 0; i < k; i++)
		of |= n->traffic.job[jobs[i]].process ? classes_of_job(n, jobs[i]) : 0;
	return (uint8_t)__builtin_popcount(of);
}

/* Each class of an endpoint has room for a packet in its part of the switch's buffer. */
static int check_shares(const struct net *n, struct base_errors *errors)
{
	const struct sw_ops *ops = n->common.ops;
	uint32_t bytes = (ops->links.terminal_share ? ops->links.terminal_share : ops->buffer_share)(&n->common);
	if (n->common.creditless || bytes / n->nic.classes >= n->common.max_packet)
		return 0;
	for (uint32_t e = 0; e < n->topo.endpoints; e++) {
		uint32_t classes = classes_at(n, e);
		if (classes > 1 && bytes / classes < n->common.max_packet)
			return base_errorf(errors, "switch.buffer",
			                   "endpoint %u sends %u traffic classes, among which the %u bytes of its "
			                   "switch's input buffer are divided; packets of up to %u bytes do not fit",
			                   e, classes, bytes, n->common.max_packet);
	}
	return 0;
}

/* Which classes interfaces distinguish: those with lanes; if only some classes are paused, all of them, which share the
 * endpoint's link equally. */
static void choose_classes(struct net *n)
{
	struct sw_common shared = n->common;
	const struct sw_class_rule all = { .max_q16 = 65536 };
	struct sw_class_rule rules[SW_MAX_CLASSES];
	for (uint32_t k = 0; k < SW_MAX_CLASSES; k++)
		rules[k] = all;
	if (shared.lossy_classes) {
		base_checkf(shared.traffic_classes <= SW_MAX_CLASSES, "%u classes", shared.traffic_classes);
		shared.lanes.classes = shared.traffic_classes;
		shared.class_rules = rules;
	}
	sw_class_order_init(&shared, &n->nic.class_order);
	n->nic.classes = shared.lanes.classes;
	n->nic.rotates = n->traffic.places > 1 && n->config->nic.sharing == NET_NIC_FAIR;
	n->nic.in_line = n->traffic.places > 1 && n->config->nic.sharing == NET_NIC_IN_ORDER;
	n->nic.plain = n->nic.classes == 1 && !n->nic.class_order.used && !n->nic.rotates;
}

int net_nics_check(struct net *n, struct base_errors *errors)
{
	choose_classes(n);
	n->nic.ordered = ordered_classes(n);
	n->processes.places = n->traffic.places > 1 ? n->traffic.places : 1;
	if (check_needs(n, errors) | net_nodes_check(n, errors) | net_node_check(n, errors))
		return -1;
	if (check_shares(n, errors))
		return -1;
	n->nic.loss = (uint32_t)(n->config->nic.loss * 0x1p32);
	net_path_of_endpoints(n);
	if (!n->path.exact)
		return 0;
	const struct cc_ops *ops = n->config->congestion.plugin->ops;
	if (n->common.lossy_classes && n->config->nic.retry == NET_RETRY_AUTO && n->config->nic.loss <= 0)
		n->nic.untimed = ~n->common.lossy_classes;
	n->nic.timeout = timeout(n);
	n->nic.pair_bytes = n->path.pairs_short
	                        ? NET_PAIR_SHORT
	                        : offsetof(struct net_pair, cc.word) + ops->pair_words * sizeof(uint64_t);
	if (n->rt.entropy && net_entropy_check(n, errors))
		return -1;
	if (!n->path.pairs)
		return build_control(n, errors);
	if (n->topo.no_routes)
		return base_errorf(errors, n->nic.wants ? "congestion.kind" : "traffic",
		                   "there is no path for acknowledgements: %s", n->topo.no_routes);
	uint64_t stage = n->config->nic.ack_stage;
	n->nic.ack_stage = stage != BASE_AUTO_TIME_VALUE ? stage : (uint64_t)net_traversal(n);
	if (net_acks_check(n, errors))
		return -1;
	return check_stage(n, errors) | build_control(n, errors);
}

static void plan_processes(struct net *n)
{
	size_t most = 0;
	for (uint32_t j = 0; j < n->jobs; j++) {
		size_t bytes = n->traffic.job[j].process ? n->traffic.process->state_bytes(&n->traffic, j) : 0;
		most = bytes > most ? bytes : most;
	}
	size_t each = (size_t)n->endpoints.sources * n->processes.places; /* processes of an endpoint */
	n->processes.bytes = (sizeof(struct net_process) + most + 7) & ~(size_t)7;
	n->processes.endpoint_bytes = each * n->processes.bytes;
	n->processes.at_iterations = n->stride;
	n->processes.at = n->processes.at_iterations + n->jobs * sizeof(struct net_iterations);
	n->processes.at_ranks = n->processes.at + n->topo.max_endpoints * n->processes.endpoint_bytes;
	n->processes.rank_bytes = 0;
	for (uint32_t j = 0; j < n->jobs; j++) {
		size_t bytes = sizeof(struct net_rank) + net_call_kinds(n, j) * sizeof(struct net_rank_call);
		n->processes.rank_bytes =
		    n->traffic.job[j].calls && bytes > n->processes.rank_bytes ? bytes : n->processes.rank_bytes;
	}
	n->processes.at_nodes = n->processes.at_ranks + n->topo.max_endpoints * each * n->processes.rank_bytes;
	n->processes.node_bytes = net_node_bytes(n);
	n->stride = n->processes.at_nodes + n->topo.max_endpoints * n->processes.node_bytes;
}

void net_nics_plan(struct net *n)
{
	if (!n->path.exact)
		return;
	net_chains_plan(n);
	size_t nics = (size_t)n->topo.max_endpoints * n->nic.classes;
	size_t sinks = (size_t)n->topo.max_endpoints * n->nic.sink_classes;
	n->nic.at_nics = (n->stride + 7) & ~(size_t)7;
	n->nic.at_classes = n->nic.at_nics + n->topo.max_endpoints * sizeof(struct net_nic);
	n->nic.at_buckets = (n->nic.at_classes + nics * sizeof(struct net_nic_class) + 7) & ~(size_t)7;
	n->nic.at_sinks = n->nic.at_buckets + (n->nic.class_order.used ? nics * sizeof(struct sw_class_buckets) : 0);
	n->nic.at_sinks = (n->nic.at_sinks + 63) & ~(size_t)63; /* what a quiet one needs is in one line */
	n->nic.at_acks =
	    (n->nic.at_sinks + (n->nic.wants & CC_HAS_RECEIVER ? sinks * sizeof(struct net_sink) : 0) + 7) & ~(size_t)7;
	n->stride = n->nic.at_acks + net_ack_ways(n) * sizeof(uint64_t);
	if (n->traffic.process)
		plan_processes(n);
}

#define REVERSE_SWITCHES 512u /* a table of 2 MB */

static int create(struct net *n, struct base_errors *errors)
{
	size_t switches = n->topo.switches;
	(void)errors;
	n->nic.nics = base_calloc_aligned(n->room * sizeof *n->nic.nics, 64);
	if (!n->path.pairs || switches > REVERSE_SWITCHES)
		return 0;
	uint64_t *table = base_calloc(switches * switches, sizeof *table);
	for (topo_switch to = 0; to < switches; to++)
		for (topo_switch from = 0; topo_endpoints_at(&n->topo, to) && from < switches; from++)
			if (topo_endpoints_at(&n->topo, from))
				table[from * switches + to] = net_reverse_walk(n, from, to);
	n->nic.reverse = table;
	return 0;
}

#define PATH_SWITCHES 3 /* that a flow goes through, about */

static uint32_t records(double n)
{
	return n < 1e9 ? (uint32_t)ceil(n) : 1000000000;
}

static double kept(const struct net *n, const struct net_load *load)
{
	double lps = n->topo.switches, endpoints = n->topo.endpoints, under_way = load->under_way, pairs = under_way;
	double partners = load->partners, table = 0;
	uint64_t bytes = sizeof(struct net_nics), size = n->topo.switches;
	if (n->path.numbers) { /* of all that have ever had traffic, here as many to each of an endpoint's partners */
		pairs = endpoints / lps * partners * -expm1(-load->messages / (endpoints * partners));
		bytes += sw_pool_bytes(records(n->path.retry ? under_way : 0), sizeof(struct net_sent)) +
		         sw_pool_bytes(records(pairs), sizeof(struct net_received)) +
		         sw_pool_bytes(records(n->path.paths ? PATH_SWITCHES * pairs : 0), sizeof(struct net_way));
	}
	bytes += net_chains_bytes(n, n->nic.wants && !n->path.pairs_late ? pairs : 0);
	if (n->nic.wants && !n->path.pairs_late)
		bytes += sw_pool_bytes(records(pairs), n->nic.pair_bytes);
	if (n->nic.wants & CC_HAS_RECEIVER && !n->nic.quiet)
		bytes += sw_pool_bytes(records(load->last), sizeof(struct net_contributor));
	if (n->nic.wants & CC_WANTS_SINKS && (!n->path.deliveries || n->nic.quiet))
		bytes += sw_pool_bytes(records(load->last), sizeof(struct net_present));
	table = n->path.pairs && size <= REVERSE_SWITCHES ? (double)(size * size * sizeof(uint64_t)) : 0;
	return lps * (double)bytes + table;
}

/* The pools of a logical process, in the order in which they are shown; bytes of a record, 0: n->nic.pair_bytes. */
static const struct {
	size_t at, bytes;
} pools[] = {
	{ offsetof(struct net_nics, present), sizeof(struct net_present) },
	{ offsetof(struct net_nics, pairs), 0 },
	{ offsetof(struct net_nics, sent), sizeof(struct net_sent) },
	{ offsetof(struct net_nics, received), sizeof(struct net_received) },
	{ offsetof(struct net_nics, words), sizeof(struct net_word) },
	{ offsetof(struct net_nics, early), sizeof(struct net_early) },
	{ offsetof(struct net_nics, paths), sizeof(struct net_way) },
	{ offsetof(struct net_nics, held), sizeof(struct net_held) },
	{ offsetof(struct net_nics, contributors), sizeof(struct net_contributor) },
	{ offsetof(struct net_nics, coming), sizeof(struct net_coming) },
};
#define POOLS (sizeof pools / sizeof *pools)

static struct sw_pool *pool_at(struct net_nics *x, unsigned k)
{
	return (struct sw_pool *)(void *)((char *)x + pools[k].at);
}

static void init(struct net *n, struct net_lp *lp)
{
	struct net_nics *x = net_nics_of(n, lp);
	net_chains_init(n, x);
	for (unsigned k = 0; k < POOLS; k++)
		sw_pool_init(pool_at(x, k));
	for (uint32_t j = 0; n->traffic.process && j < n->jobs; j++)
		net_iterations_at(n, lp, j)->least = UINT64_MAX;
	net_node_init(n, lp);
	for (uint32_t t = 0; t < lp->endpoints; t++) {
		*net_nic_at(n, lp, t) =
		    (struct net_nic){ .wake = SIM_NEVER, .classes = classes_at(n, lp->first_endpoint + t) };
		for (uint32_t k = 0; k < n->nic.classes; k++)
			*net_nic_class_at(n, lp, t, k) = (struct net_nic_class){ .ring = SW_POOL_NONE };
		if (n->nic.class_order.used)
			sw_class_buckets_init(&n->nic.class_order, net_nic_buckets(n, lp, t),
			                      n->common.link[SW_LINK_TERMINAL].ps_per_byte_q16);
		for (uint32_t k = 0; n->nic.wants & CC_HAS_RECEIVER && k < n->nic.sink_classes; k++)
			*net_sink_at(n, lp, t, k) = (struct net_sink){ .tick = SIM_NEVER,
				                                       .first = SW_POOL_NONE,
				                                       .last = SW_POOL_NONE,
				                                       .leaves = SW_POOL_NONE,
				                                       .leaves_last = SW_POOL_NONE,
				                                       .leaves_at = SIM_NEVER,
				                                       .inside = SW_POOL_NONE,
				                                       .inside_last = SW_POOL_NONE };
	}
}

static void release(struct net *n, struct net_lp *lp)
{
	if (!n->nic.nics) /* another part could not be created */
		return;
	struct net_nics *x = net_nics_of(n, lp);
	net_chains_clear(x);
	for (unsigned k = 0; k < POOLS; k++)
		sw_pool_fini(pool_at(x, k));
	*x = (struct net_nics){ 0 };
}

static void destroy(struct net *n)
{
	base_free_aligned(n->nic.nics);
	free(n->nic.reverse);
}

static void regions(struct net *n, const struct net_lp *lp, net_visit *visit, void *arg)
{
	struct net_nics *x = net_nics_of(n, lp);
	net_chains_regions(n, x, visit, arg);
	for (unsigned k = 0; k < POOLS; k++) {
		struct sw_pool *p = pool_at(x, k);
		visit(arg, &p->free, 2 * sizeof(uint32_t)); /* free and used */
		sw_pool_regions(p, pools[k].bytes ? pools[k].bytes : n->nic.pair_bytes, visit, arg);
	}
}

static bool is_there(const struct net *n)
{
	return n->path.exact;
}

static size_t bytes(const struct net *n)
{
	(void)n;
	return sizeof *n->nic.nics;
}

/* Packets that wait in queues of pairs, behind messages that block, and at receivers for earlier ones. */
static void tally(const struct net *n, const struct net_lp *lp, struct net_tally *t)
{
	uint64_t *queued = t->queued;
	uint64_t heads;
	const uint32_t *head = net_chain_heads(n, lp, NET_CHAIN_PAIRS, &heads);
	for (uint64_t h = 0; h < heads; h++)
		for (uint32_t i = head[h]; i; i = net_pair_at(n, lp, i - 1)->link)
			net_queue_tally(n, lp, net_pair_at(n, lp, i - 1)->first + 1, queued);
	net_behind_tally(n, lp, queued);
	net_node_tally(n, lp, queued);
	if (n->nic.ordered)
		net_order_tally(n, lp, t->in_flight);
}

const struct net_part net_nic_part = { .there = is_there,
	                               .bytes = bytes,
	                               .kept = kept,
	                               .create = create,
	                               .destroy = destroy,
	                               .init = init,
	                               .regions = regions,
	                               .tally = tally,
	                               .release = release };

void net_nics_sum(const struct net *n, const struct net_lp *lp, struct net_nics_sums *sums)
{
	uint64_t heads;
	const uint32_t *pairs = net_chain_heads(n, lp, NET_CHAIN_PAIRS, &heads);
	for (uint64_t h = 0; h < heads; h++)
		for (uint32_t i = pairs[h]; i; i = net_pair_at(n, lp, i - 1)->link) {
			const struct net_pair *p = net_pair_at(n, lp, i - 1);
			sums->in_flight += p->in_flight;
			sums->numbered += n->path.pairs_short ? 0 : p->number;
			sums->left +=
			    p->state == NET_PAIR_IDLE && !p->in_flight && p->until == SIM_NEVER && !net_nic_keeps(n, p);
			sums->records++;
		}
	const uint32_t *sources = net_chain_heads(n, lp, NET_CHAIN_SOURCES, &heads);
	for (uint64_t h = 0; h < heads; h++)
		for (uint32_t i = sources[h]; i;) {
			const struct net_contributor *c =
			    sw_pool_at(&net_nics_of(n, lp)->contributors, i - 1, sizeof *c);
			sums->contributions += c->cc.backlog;
			sums->records++;
			i = c->chain;
		}
	uint64_t waiting[256] = { 0 };
	for (uint32_t i = 0; n->path.numbers && i < net_nics_of(n, lp)->received.used;
	     i++) /* they are never given back */
		sums->received += ((const struct net_received *)sw_pool_at(&net_nics_of(n, lp)->received, i,
		                                                           sizeof(struct net_received)))
		                      ->number;
	if (n->nic.ordered)
		net_order_tally(n, lp, waiting);
	for (uint32_t j = 0; j < n->jobs; j++)
		sums->early += waiting[j];
	for (uint32_t t = 0; t < lp->endpoints; t++) {
		uint64_t out = 0;
		for (uint32_t k = 0; k < n->nic.classes; k++)
			out += net_nic_class_at(n, lp, t, k)->out;
		sums->misplaced += n->nic.classes > 1 && out != net_endpoint_at(n, lp, t)->outstanding;
		sums->counted += net_nic_at(n, lp, t)->pairs;
		for (uint32_t k = 0; n->nic.wants & CC_HAS_RECEIVER && k < n->nic.sink_classes; k++) {
			const struct net_sink *s = net_sink_at(n, lp, t, k);
			sums->counted += s->cc.contributors;
			sums->backlog += s->cc.backlog;
			sums->contributions += net_sink_quiet_bytes(n, lp, s);
		}
	}
}

void net_nics_summarise(const struct net *n, struct net_result *out)
{
	const struct net_nic_stats *s = n->shared.nic;
	const struct cc_ops *ops = n->nic.cc.ops;
	uint64_t acks = s->acks;
	for (uint32_t j = 0; !n->path.deliveries && n->nic.wants & CC_WANTS_ACKS && j < n->jobs; j++)
		acks += n->shared.job[j].delivered; /* each is acknowledged */
	if (ops->wants)
		out->control = (struct net_control){ .kind = n->nic.cc.plugin->name,
			                             .acks = acks,
			                             .acks_waited_ps = s->acks_waited_ps,
			                             .marked = s->marked,
			                             .frames = s->controls,
			                             .requests = s->requests,
			                             .held = s->held,
			                             .source_waits = s->stuck,
			                             .throttles = s->parks,
			                             .throttled_ps = s->parked_ps,
			                             .pairs = s->pairs,
			                             .contributors = s->contributors };
	out->order = (struct net_order_result){
		.on = n->nic.ordered != 0, .reordered = s->early, .waited_ps = s->early_ps, .paths = s->paths
	};
	out->retry = (struct net_retry_result){ .on = n->path.retry,
		                                .resent = s->resent,
		                                .backoffs = s->backoffs,
		                                .probes = s->probes,
		                                .timeouts = s->timeouts,
		                                .dropped = s->drops,
		                                .trimmed = s->trimmed,
		                                .damaged = s->damaged,
		                                .damaged_acks = s->damaged_acks,
		                                .duplicates = s->duplicates,
		                                .reordered = s->reordered };
}
