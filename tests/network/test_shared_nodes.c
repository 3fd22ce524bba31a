/* tests/network/test_shared_nodes.c - several processes of a job at an endpoint: processes_per_node, mapping files that
 * name an endpoint more than once, nic.sharing and section node, against closed forms.
 *
 * One switch: 100 Gb/s (80 ps a byte), cables of 100 ns, 100 ns inside, cut-through, so that a packet
 * of b bytes alone takes 300 ns + 80 b ps. Inside a node, unless a test says otherwise, 80 Gb/s (100 ps a byte) for one
 * that copies, no limit for all of them together, and 300 ns. */
#include "network/application.h"
#include "tests/network/units.h"

#include <stdlib.h>
#include <unistd.h>

#define LATENCY 300000ull
#define COPY 100ull
#define NODE "node = { bandwidth = \"100Tbps\"; copy = \"80Gbps\"; latency = \"300ns\"; }; "

/* A file of its own for a test; removed with its name. */
static char *file_of(const char *text)
{
	char name[] = "/tmp/tilefly-shared-XXXXXX";
	int fd = mkstemp(name);
	cr_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	return strdup(name);
}

static void remove_file(char *name)
{
	unlink(name);
	free(name);
}

static void build(struct netrun *x, uint32_t ports, const char *more, const char *job)
{
	char text[3000];
	snprintf(
	    text, sizeof text,
	    "seed = 1; topology = { kind = \"single\"; ports = %u; }; links = { default = { bandwidth = \"100Gbps\"; "
	    "latency = \"100ns\"; }; }; switch = { kind = \"ideal\"; traversal = \"100ns\"; buffer = \"1MB\"; "
	    "forwarding "
	    "= \"cut-through\"; }; %s traffic = ( { %s } );",
	    ports, more, job);
	cr_assert(netrun_build(x, NULL, text), "%s: %s\n%s", x->errors.n ? x->errors.v[0].key : "", netrun_error(x),
	          text);
}

static struct net_flow flow(uint32_t ports, const char *more, const char *job)
{
	struct netrun x = { 0 };
	build(&x, ports, more, job);
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s", netrun_error(&x));
	struct net_flow f = x.r->jobs[0];
	cr_assert_eq(f.created, f.delivered + f.in_flight + f.queued + f.dropped);
	netrun_free(&x);
	return f;
}

#define WINDOW "time = { warmup = \"0us\"; measure = \"100us\"; drain = false; }; "

/* --- inside a node ------------------------------------------------------------------------------------------- */

/* Bytes at the rate, rounded up, and the latency: to the picosecond. */
Test(shared_nodes, a_message_alone_takes_bytes_over_the_rate_of_copying_and_the_latency)
{
	static const uint64_t bytes[] = { 1, 7, 1000, 12345 }, rate[] = { 70, 80, 800 }; /* Gb/s */
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < 3; k++) {
			char node[200], job[200];
			snprintf(node, sizeof node,
			         WINDOW "node = { bandwidth = \"800Gbps\"; copy = \"%luGbps\"; latency = \"250ns\"; };",
			         rate[k]);
			snprintf(job, sizeof job,
			         "process = \"ping-pong\"; size = \"%luB\"; packet = \"256B\"; processes_per_node = 2;",
			         bytes[i]);
			struct net_flow f = flow(1, node, job);
			uint64_t one = (bytes[i] * 8000 + rate[k] - 1) / rate[k] + 250000;
			cr_expect_eq(f.iteration.min, one); /* the first, of the one that answers */
			cr_expect_eq(f.iteration.max, 2 * one, "%lu B: %lu, not %lu", bytes[i], f.iteration.max,
			             2 * one);
			cr_expect_eq(f.created, 0, "packets of messages inside a node");
			cr_expect_eq(f.inside_bytes, f.inside_messages * bytes[i]);
			cr_expect_float_eq(f.inside_latency_ps, (double)one, 1e-6);
		}
}

/* What copies at a time shares the node's bandwidth: four at twice the rate of one take twice as long each. */
Test(shared_nodes, those_that_copy_share_the_bandwidth_of_their_node)
{
	struct net_flow f =
	    flow(1, WINDOW "node = { bandwidth = \"160Gbps\"; copy = \"80Gbps\"; latency = \"300ns\"; };",
	         "process = \"ping-pong\"; size = \"1000B\"; packet = \"256B\"; processes_per_node = 8;");
	cr_expect_eq(f.iteration.max, 2 * (2 * 1000 * COPY + LATENCY), "%lu", f.iteration.max);
}

/* Of two messages, of b and 3 b bytes, with bandwidth for one: both go at half the rate until the first has b, at 2 b,
 * and the other, which has b then, has its other 2 b at 4 b. */
Test(shared_nodes, shares_are_equal_while_messages_last)
{
	char *calls = file_of("ranks 4\nrank 0\nsend to=1 tag=0 bytes=1000\nrank 1\nrecv from=0 tag=0 bytes=1000\n"
	                      "rank 2\nsend to=3 tag=0 bytes=3000\nrank 3\nrecv from=2 tag=0 bytes=3000\n");
	char job[300];
	snprintf(job, sizeof job, "process = \"recorded\"; file = \"%s\"; packet = \"256B\"; processes_per_node = 4;",
	         calls);
	struct net_flow f = flow(1, "node = { bandwidth = \"80Gbps\"; copy = \"80Gbps\"; latency = \"300ns\"; };", job);
	cr_expect_eq(f.completion_ps, 4 * 1000 * COPY + LATENCY, "%lu", f.completion_ps);
	cr_expect_float_eq(f.inside_latency_ps, (double)(3 * 1000 * COPY + LATENCY), 1e-6); /* mean of 2 b and 4 b */
	remove_file(calls);
}

/* A process copies its messages one after the other, beside others. */
Test(shared_nodes, a_process_copies_its_messages_one_after_the_other)
{
	static const char job[] =
	    "process = \"all-to-all\"; paced = false; size = \"1000B\"; packet = \"256B\"; iterations = "
	    "1; processes_per_node = 4;";
	struct net_flow f = flow(1, WINDOW NODE, job);
	cr_expect_eq(f.iteration.max, 3 * 1000 * COPY + LATENCY, "%lu", f.iteration.max);
	f = flow(1, WINDOW "node = { bandwidth = \"160Gbps\"; copy = \"80Gbps\"; latency = \"300ns\"; };", job);
	cr_expect_eq(f.iteration.max, 2 * 3 * 1000 * COPY + LATENCY, "%lu", f.iteration.max);
	cr_expect_eq(f.inside_messages, 12);
	cr_expect_eq(f.inside_under_way, 0);
}

/* Overheads keep the process busy, not its node: both ends of all pairs at once. The sender learns that a message has
 * come one latency later. */
Test(shared_nodes, overheads_are_of_processes)
{
	struct net_flow f =
	    flow(1, WINDOW NODE "nic = { overhead_send = \"70ns\"; overhead_receive = \"30ns\"; };",
	         "process = \"ping-pong\"; size = \"1000B\"; packet = \"256B\"; processes_per_node = 8;");
	cr_expect_eq(f.iteration.max, 2 * (70000 + 1000 * COPY + LATENCY + 30000), "%lu", f.iteration.max);
	f = flow(1, WINDOW NODE,
	         "process = \"window\"; to = \"next\"; size = \"1000B\"; packet = \"256B\"; processes_per_node = 2;");
	cr_expect_eq(f.iteration.min, 1000 * COPY + 2 * LATENCY, "%lu", f.iteration.min);
	cr_expect_eq(f.iteration.max, f.iteration.min);
}

/* --- the interface ------------------------------------------------------------------------------------------- */

#define FOUR                                                                                                           \
	"ranks 8\nrank 0\nsend to=4 tag=0 bytes=1000000\nrank 1\nsend to=5 tag=0 bytes=1000000\nrank 2\nsend to=6 "    \
	"tag=0 "                                                                                                       \
	"bytes=1000000\nrank 3\nsend to=7 tag=0 bytes=1000000\nrank 4\nrecv from=0 tag=0 bytes=1000000\nrank 5\nrecv " \
	"from=1 tag=0 bytes=1000000\nrank 6\nrecv from=2 tag=0 bytes=1000000\nrank 7\nrecv from=3 tag=0 "              \
	"bytes=1000000\n"

/* Four processes send 1 MB each to another node: the link has 4 MB to carry, 4 x 80 us, and the last bit of them all is
 * there 300 ns later, however they share it. One after the other, they have come at 80, 160, 240, 320 us; by turns, all
 * have 250 packets of 4000 B, and the last of the first process is the 997th of all, 320 ns each. */
Test(shared_nodes, four_senders_share_one_interface)
{
	char *calls = file_of(FOUR), *map = file_of("0 0 0 0 1 1 1 1 # nodes of ranks\n");
	for (int i = 0; i < 4; i++) {
		char job[400];
		int n = snprintf(job, sizeof job, "process = \"recorded\"; file = \"%s\"; packet = \"4000B\"; ", calls);
		if (i < 2)
			snprintf(job + n, sizeof job - (size_t)n, "mapping_file = \"%s\";", map);
		else
			snprintf(job + n, sizeof job - (size_t)n, "processes_per_node = 4;");
		bool fair = i % 2 == 0;
		struct net_flow f = flow(2,
		                         fair ? "mpi = { eager = \"1GB\"; };"
		                              : "mpi = { eager = \"1GB\"; }; nic = { sharing = \"in-order\"; };",
		                         job);
		cr_expect_eq(f.completion_ps, 4 * 80000000ull + LATENCY, "%lu", f.completion_ps);
		cr_expect_eq(f.delivered_bytes, 4000000);
		cr_expect_eq(f.endpoints, 2);
		cr_expect_eq(f.processes, 8);
		cr_expect_eq(f.inside_messages, 0);
		double mean = fair ? 320000 * 998.5 : 200e6;
		cr_expect_float_eq(f.message_latency.mean, mean + (double)LATENCY, 1e-3, "%g", f.message_latency.mean);
		cr_expect_eq(f.message_latency.min, (fair ? 997 * 320000ull : 80000000ull) + LATENCY, "%lu",
		             f.message_latency.min);
	}
	remove_file(calls);
	remove_file(map);
}

/* A process's own messages for one destination keep their order beside those of another: packets go a b a b ..., and
 * the two messages of a, which has two, end after 20 and 30 packets, that of b with its 10th, the 20th of all. */
Test(shared_nodes, messages_of_a_process_stay_in_order)
{
	char *calls =
	    file_of("ranks 4\nrank 0\nisend to=2 tag=0 bytes=40000 request=1\nisend to=2 tag=1 bytes=40000 "
	            "request=2\nwaitall reqs=1,2\nrank 1\nsend to=3 tag=0 bytes=40000\nrank 2\nrecv from=0 "
	            "tag=0 bytes=40000\nrecv from=0 tag=1 bytes=40000\nrank 3\nrecv from=1 tag=0 bytes=40000\n");
	char job[400];
	snprintf(job, sizeof job, "process = \"recorded\"; file = \"%s\"; packet = \"4000B\"; processes_per_node = 2;",
	         calls);
	struct net_flow f = flow(2, "mpi = { eager = \"1GB\"; };", job);
	uint64_t packet = 320000;
	cr_expect_eq(f.completion_ps, 30 * packet + LATENCY, "%lu", f.completion_ps);
	cr_expect_eq(f.message_latency.min, 19 * packet + LATENCY, "%lu", f.message_latency.min);
	cr_expect_float_eq(f.message_latency.mean, (19.0 + 20 + 30) / 3 * (double)packet + (double)LATENCY, 1e-3, "%g",
	                   f.message_latency.mean);
	remove_file(calls);
}

/* 16 processes at each of 8 nodes, each with a block for each other. Bytes are conserved, inside and outside; no node
 * is faster than its link, nor than its processes copy; and as all nodes send the same all the time, no node is slower
 * by more than what turns cost. */
Test(shared_nodes, all_to_all_of_many_processes)
{
	enum { NODES = 8, EACH = 16, BYTES = 500 };
	const uint64_t outside = EACH * EACH * (NODES - 1), inside = EACH * (EACH - 1); /* messages of a node */
	for (int paced = 0; paced < 2; paced++) {
		char job[300];
		snprintf(job, sizeof job,
		         "process = \"all-to-all\"; paced = %s; size = \"500B\"; packet = \"500B\"; iterations = 1; "
		         "processes_per_node = 16;",
		         paced ? "true" : "false");
		struct net_flow f =
		    flow(NODES, "time = { warmup = \"0us\"; measure = \"1ms\"; drain = false; }; " NODE, job);
		cr_expect_eq(f.iteration.n, NODES * EACH, "%lu", f.iteration.n);
		cr_expect_eq(f.inside_messages, NODES * inside);
		cr_expect_eq(f.inside_bytes, NODES * inside * BYTES);
		cr_expect_eq(f.inside_under_way, 0);
		cr_expect_eq(f.delivered_bytes, NODES * outside * BYTES);
		cr_expect_eq(f.delivered, NODES * outside);
		cr_expect_eq(f.created, f.delivered);
		cr_expect_geq(f.iteration.max, outside * BYTES * 80 + LATENCY, "%lu", f.iteration.max);
		cr_expect_geq(f.iteration.max, (EACH - 1) * BYTES * COPY + LATENCY);
		if (!paced)
			cr_expect_leq(f.iteration.max, outside * BYTES * 80 * 3 / 2, "%lu", f.iteration.max);
	}
}

/* --- where ranks are ------------------------------------------------------------------------------------------ */

static void expect_places(const char *more, const char *job, const uint32_t *endpoint, uint32_t ranks)
{
	struct netrun x = { 0 };
	char record[300];
	snprintf(record, sizeof record, "record = { ranks = true; }; mpi = { eager = \"1GB\"; }; %s", more);
	build(&x, 4, record, job);
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s", netrun_error(&x));
	const struct net_application *a = x.r->jobs[0].application;
	cr_assert_eq(a->lines, ranks, "%zu", a->lines);
	for (uint32_t r = 0; r < ranks; r++)
		cr_expect_eq(a->line[r].endpoint, endpoint[r], "%s: rank %u is at endpoint %u, not %u", job, r,
		             a->line[r].endpoint, endpoint[r]);
	netrun_free(&x);
}

Test(shared_nodes, ranks_are_where_the_mapping_says)
{
	char *calls = file_of(FOUR), *map = file_of("1,0,1,0,3,3,1,0"), job[500];
	static const struct {
		const char *keys;
		uint32_t at[8];
	} cases[] = { { "processes_per_node = 2;", { 0, 0, 1, 1, 2, 2, 3, 3 } },
		      { "processes_per_node = 3;", { 0, 0, 0, 1, 1, 1, 2, 2 } },
		      { "processes_per_node = 2; mapping = \"cyclic\";", { 0, 1, 2, 3, 0, 1, 2, 3 } },
		      { "processes_per_node = 4; nodes = \"3,1\";", { 3, 3, 3, 3, 1, 1, 1, 1 } },
		      { "processes_per_node = 4; nodes = \"3,1\"; mapping = \"cyclic\";",
		        { 3, 1, 3, 1, 3, 1, 3, 1 } } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(job, sizeof job, "process = \"recorded\"; file = \"%s\"; packet = \"4000B\"; %s", calls,
		         cases[i].keys);
		expect_places("", job, cases[i].at, 8);
	}
	const uint32_t mapped[] = { 1, 0, 1, 0, 3, 3, 1, 0 };
	snprintf(job, sizeof job, "process = \"recorded\"; file = \"%s\"; packet = \"4000B\"; mapping_file = \"%s\";",
	         calls, map);
	expect_places("", job, mapped, 8);
	remove_file(calls);
	remove_file(map);
}

/* A schedule of the first layout: two nodes with two interfaces, at one switch, and two ranks each. Rank 0 sends to
 * rank 1, which is at its node, by copying, and to rank 2 by interface 1 of both nodes, endpoints 1 and 3. */
Test(shared_nodes, ranks_of_a_node_with_several_interfaces)
{
	char *goal =
	    file_of("num_ranks 4\nrank 0 {\na: send 1000b to 1 nic 0\nb: send 1000b to 2 nic 1\n}\n"
	            "rank 1 {\na: recv 1000b from 0 nic 0\n}\nrank 2 {\na: recv 1000b from 0 nic 1\n}\nrank 3 {\nc: "
	            "calc 1\n}\n");
	char job[400];
	snprintf(job, sizeof job,
	         "process = \"goal\"; layout = \"v1\"; file = \"%s\"; packet = \"1000B\"; processes_per_node = 2;",
	         goal);
	struct netrun x = { 0 };
	build(&x, 4, NODE "record = { packets = true; };", job);
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s", netrun_error(&x));
	const struct net_flow *f = &x.r->jobs[0];
	struct packets l = packets_of(&x);
	cr_assert_eq(l.n, 1);
	cr_expect_eq(l.v[0].src, 1);
	cr_expect_eq(l.v[0].dst, 3);
	cr_expect_eq(l.v[0].delivered, LATENCY + 80 * 1000);
	cr_expect_eq(f->inside_messages, 1);
	cr_expect_eq(f->completion_ps, LATENCY + 1000 * COPY); /* inside, which takes longer here */
	free(l.v);
	netrun_free(&x);
	remove_file(goal);
}

/* With nic.per_node = 2 processes of a node use both of its interfaces, which are at two switches. */
Test(shared_nodes, processes_of_nodes_at_two_switches)
{
	static const char *const order[] = { "", "choose = \"message\";" };
	for (int i = 0; i < 2; i++) {
		struct net_flow f = flow_of(
		    WINDOW
		    "topology = { kind = \"hyperx\"; dims = [4]; endpoints = 1; }; links = { default = { bandwidth = "
		    "\"100Gbps\"; latency = \"100ns\"; }; }; nic = { per_node = 2; latency = \"300ns\"; %s }; " NODE
		    "traffic = ( { process = \"all-to-all\"; paced = false; size = \"1000B\"; packet = \"500B\"; "
		    "iterations = 1; processes_per_node = 3; } );",
		    order[i]);
		cr_expect_eq(f.iteration.n, 6);
		cr_expect_eq(f.inside_messages, 2 * 3 * 2);
		cr_expect_eq(f.delivered_bytes, 2 * 3 * 3 * 1000);
		cr_expect_eq(f.endpoints, 4);
	}
}

/* --- what is refused ------------------------------------------------------------------------------------------ */

static void refused(const char *more, const char *job, const char *key, const char *text)
{
	struct netrun x = { 0 };
	char all[2000];
	snprintf(
	    all, sizeof all,
	    "topology = { kind = \"single\"; ports = 2; }; links = { default = { bandwidth = \"100Gbps\"; latency = "
	    "\"100ns\"; }; }; %s traffic = ( { %s } );",
	    more, job);
	cr_assert(!netrun_build(&x, NULL, all), "%s", all);
	bool found = false;
	for (size_t i = 0; i < x.errors.n; i++)
		found |= strstr(x.errors.v[i].key, key) && strstr(x.errors.v[i].text, text);
	cr_expect(found, "%s: %s\n%s", x.errors.v[0].key, netrun_error(&x), all);
	netrun_free(&x);
}

#define RING "process = \"ring\"; size = \"1KB\"; packet = \"256B\"; "
Test(shared_nodes, what_has_no_effect_or_no_place_is_refused)
{
	char *calls = file_of(FOUR), *map = file_of("0 0 0 0 1 1 1 1"), *far = file_of("0 0 0 2 1 1 1 1"), job[500];
	refused("", "load = 0.1; processes_per_node = 2;", "processes_per_node", "with a process");
	refused("nic = { sharing = \"in-order\"; };", RING, "nic.sharing", "several processes at a node");
	refused("node = { copy = \"1Gbps\"; };", RING, "node.copy", "several processes at a node");
	refused("node = { latency = \"1ns\"; };", "load = 0.1;", "node.latency", "several processes at a node");
	refused("node = { bandwidth = \"1Gbps\"; };", RING "processes_per_node = 1;", "node.bandwidth",
	        "several processes at a node");
	refused("", RING "processes_per_node = 5000;", "processes_per_node", "4096");
	snprintf(job, sizeof job, "process = \"recorded\"; file = \"%s\"; packet = \"256B\"; mapping = \"cyclic\";",
	         calls);
	refused("", job, "nodes", "processes_per_node = 4 would be enough");
	snprintf(
	    job, sizeof job,
	    "process = \"recorded\"; file = \"%s\"; packet = \"256B\"; processes_per_node = 3; mapping_file = \"%s\";",
	    calls, map);
	refused("", job, "mapping_file", ":1: \"0\": has 3 ranks already, as many as processes_per_node says");
	snprintf(job, sizeof job, "process = \"recorded\"; file = \"%s\"; packet = \"256B\"; mapping_file = \"%s\";",
	         calls, far);
	snprintf(job, sizeof job, "process = \"recorded\"; file = \"%s\"; packet = \"256B\"; mapping_file = \"/none\";",
	         calls);
	refused("", job, "mapping_file", "/none: No such file");
	snprintf(job, sizeof job, "process = \"recorded\"; file = \"%s\"; packet = \"256B\"; mapping_file = \"%s\";",
	         calls, far);
	refused("", job, "mapping_file", ":1: \"2\": is not an endpoint of the network");
	remove_file(calls);
	remove_file(map);
	remove_file(far);
}
