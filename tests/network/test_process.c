/* tests/network/test_process.c - processes: closed loops and collectives against closed forms of times and of messages,
 * together with congestion control, and refused where they make no sense. */
#include "experiments/config/config.h"
#include "network/nic/nic.h"
#include "routing/leg.h"
#include "tests/network/units.h"

#include <stdlib.h>
#include <unistd.h>

struct outcome {
	uint64_t created, delivered, queued, messages;
	struct net_latency iteration, message;
	struct net_control control;
	double accepted;
};

static struct outcome outcome_of(const char *text)
{
	struct netrun x = { 0 };
	cr_assert(netrun_build(&x, NULL, text), "%s\n%s", netrun_error(&x), text);
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s\n%s", netrun_error(&x), text);
	const struct net_flow *f = &x.r->jobs[0];
	struct outcome o = { f->created,   f->delivered,       f->queued,    f->message_latency.n,
		             f->iteration, f->message_latency, x.r->control, f->accepted_load };
	netrun_free(&x);
	return o;
}

/* One switch, cut-through: cables of 50 ns, 100 ns inside, 200 Gb/s: 40 ps a byte; an acknowledgement takes
 * two cables and the switch. */
#define ONE                                                                                                            \
	"seed = 1; time = { warmup = \"0us\"; measure = \"%uus\"; drain = false; }; "                                  \
	"topology = { kind = \"single\"; ports = %u; }; links = { default = { bandwidth = \"200Gbps\"; }; terminal = " \
	"{ "                                                                                                           \
	"latency = \"50ns\"; }; }; switch = { kind = \"ideal\"; buffer = \"1MB\"; traversal = \"100ns\"; }; "          \
	"traffic = ( { packet = \"1000B\"; %s } );"

static struct outcome one(unsigned us, unsigned ports, const char *job)
{
	char text[3000];
	snprintf(text, sizeof text, ONE, us, ports, job);
	return outcome_of(text);
}

/* There: two cables, the switch, the bits of the packets one after the other. */
static uint64_t way(uint64_t bytes)
{
	return 200000 + 40 * bytes;
}

Test(process, ping_pong_takes_two_ways)
{
	static const unsigned sizes[] = { 1, 8, 1000, 1001, 65536 };
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		char job[200];
		snprintf(job, sizeof job, "process = \"ping-pong\"; size = \"%uB\";", sizes[i]);
		struct outcome o = one(100, 2, job);
		uint64_t trip = 2 * way(sizes[i]);
		cr_expect_eq(o.iteration.max, trip, "%u bytes: %lu ps, not %lu", sizes[i], o.iteration.max, trip);
		/* the first of member 1 begins when the job does, and ends when the question has come */
		cr_expect_eq(o.iteration.min, way(sizes[i]));
		cr_expect_eq(o.message.min, way(sizes[i]));
		cr_expect_geq(o.iteration.n, 2 * (100000000 / trip) - 2);
	}
	struct outcome paused =
	    one(100, 2, "process = \"ping-pong\"; size = \"8B\"; pause = \"1us\"; iterations = 10;");
	cr_expect_eq(paused.iteration.n, 20);
	cr_expect_eq(paused.created, 20);
	cr_expect_eq(paused.delivered, 20);
}

/* w messages of s bytes under way, the next one when one is acknowledged: a cable, a stage and a cable later. While
 * they do not fill the link, one per trip and member. */
Test(process, a_window_is_a_trip_and_its_acknowledgement)
{
	struct outcome o = one(100, 2, "process = \"window\"; size = \"3000B\"; to = \"first\";");
	uint64_t trip = way(3000) + 200000;
	cr_expect_eq(o.iteration.min, trip);
	cr_expect_eq(o.iteration.max, trip);
	cr_expect_eq(o.iteration.n, 100000000 / trip);
	o = one(100, 2, "process = \"window\"; size = \"3000B\"; to = \"first\"; outstanding = 2;");
	cr_expect_eq(o.iteration.max, trip + 120000, "the second waits until the first has left, once");
	cr_expect_eq(o.iteration.n, 100000000 / trip + (100000000 - 120000) / trip);
	o = one(200, 2, "process = \"window\"; size = \"3000B\"; to = \"first\"; outstanding = 9;");
	cr_expect_float_eq(o.accepted, 0.5, 0.003, "of two endpoints one sends all the time: %f", o.accepted);
	o = one(200, 9, "process = \"window\"; size = \"5000B\"; iterations = 40; outstanding = 3;");
	cr_expect_eq(o.iteration.n, 9 * 40);
	cr_expect_eq(o.created, 9 * 40 * 5, "packets of 1000 bytes");
	cr_expect_eq(o.delivered, o.created);
}

Test(process, requests_are_answered)
{
	struct outcome o =
	    one(100, 2, "process = \"request-response\"; size = \"64B\"; response = \"4096B\"; to = \"first\";");
	cr_expect_eq(o.iteration.min, way(64) + way(4096));
	cr_expect_eq(o.iteration.max, o.iteration.min);
	o = one(300, 7, "process = \"request-response\"; iterations = 25;");
	cr_expect_eq(o.iteration.n, 7 * 25);
	cr_expect_eq(o.created, 7 * 25 * 6, "one packet of 64 bytes, and 4096 in five");
}

/* Messages of an iteration, from the tables of the algorithms. */
Test(process, collectives_send_as_many_messages_as_their_algorithms_say)
{
	for (unsigned p = 2; p <= 40; p += p < 20 ? 1 : 7) {
		unsigned k = 0, lg = 0, rows = 1;
		while (2u << k <= p)
			k++;
		while (1u << lg < p)
			lg++;
		unsigned q = 1u << k, r = p - q;
		for (unsigned f = 1; f * f <= p; f++)
			rows = p % f ? rows : f;
		unsigned columns = p / rows;
		const struct {
			const char *process;
			unsigned messages;
		} rules[] = {
			{ "allreduce", q * k + 2 * r }, { "all-to-all", p * (p - 1) },
			{ "barrier", p * lg },          { "broadcast", 2 * (p - 1) },
			{ "ring", p * (p - 1) },        { "sweep", 2 * (rows * (columns - 1) + columns * (rows - 1)) },
			{ "ping-pong", p / 2 * 2 },
		};
		for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
			char job[200];
			snprintf(job, sizeof job, "process = \"%s\"; size = \"100B\"; iterations = 3;",
			         rules[i].process);
			struct outcome o = one(500, p, job);
			unsigned whole = strcmp(rules[i].process, "ping-pong") ? p : p / 2 * 2;
			cr_expect_eq(o.messages, 3 * rules[i].messages, "%s of %u: %lu messages, not 3 times %u",
			             rules[i].process, p, o.messages, rules[i].messages);
			cr_expect_eq(o.iteration.n, 3 * whole, "%s of %u: %lu", rules[i].process, p, o.iteration.n);
		}
	}
}

/* A barrier of two is one message each way, at once; so is an allreduce; dissemination among 8 three in a row. */
Test(process, steps_follow_each_other)
{
	struct outcome o = one(100, 2, "process = \"barrier\";");
	cr_expect_eq(o.iteration.min, way(8));
	o = one(100, 8, "process = \"barrier\";");
	cr_expect_eq(o.iteration.min, 3 * way(8));
	cr_expect_eq(o.iteration.max, 3 * way(8));
	o = one(100, 8, "process = \"allreduce\"; size = \"800B\";");
	cr_expect_eq(o.iteration.max, 3 * way(800));
	o = one(200, 8, "process = \"all-to-all\"; size = \"1000B\";");
	cr_expect_eq(o.iteration.max, 7 * way(1000), "paced: no two write to one");
	o = one(100, 8, "process = \"broadcast\"; size = \"1000B\";");
	/* down three levels by the child that is served first, whose tokens are the last to come back */
	cr_expect_eq(o.iteration.max, 3 * way(1000) + 3 * way(8));
	o = one(100, 6, "process = \"halo\"; dims = [3, 2]; size = \"10B\"; iterations = 1;");
	cr_expect_eq(o.messages, 6 * 4, "in a dimension of two both neighbours are the same");
}

/* Iterations begin in bursts only, all members' at once, and one that has begun is ended: as many in each as begin
 * before its end. */
Test(process, bursts)
{
	static const struct {
		const char *job;
		uint64_t trip; /* ps of an iteration */
		unsigned ports, members;
	} rows[] = { { "process = \"window\"; size = \"3000B\"; to = \"first\";", 520000, 2, 1 },
		     { "process = \"request-response\"; size = \"100B\"; response = \"900B\"; to = \"first\";", 440000,
		       2, 1 },
		     { "process = \"barrier\";", 3 * 200320, 8, 8 },
		     { "process = \"window\"; size = \"3000B\"; to = \"first\"; pause = \"80ns\";", 520000, 2, 1 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char job[300];
		uint64_t every = rows[i].trip + (strstr(rows[i].job, "pause") ? 80000 : 0);
		snprintf(job, sizeof job, "%s start = \"5us\"; burst_length = \"7us\"; burst_pause = \"20us\";",
		         rows[i].job);
		struct outcome o = one(100, rows[i].ports, job); /* bursts at 5, 32, 59 and 86 us */
		uint64_t each = (7000000 + every - 1) / every;
		cr_expect_eq(o.iteration.n, 4 * each * rows[i].members, "%s: %lu iterations, not 4 x %lu", job,
		             o.iteration.n, each);
		cr_expect_eq(o.iteration.max, rows[i].trip, "%s: a pause is no part of an iteration: %lu", job,
		             o.iteration.max);
		cr_expect_eq(o.created, o.delivered);
	}
}

/* What a job's processes have in flight is what they keep under way, whatever control there is. */
Test(process, with_congestion_control)
{
	static const char *const control[] = { "congestion = { kind = \"slingshot\"; high = \"8KB\"; low = \"2KB\"; };",
		                               "congestion = { kind = \"window\"; window = \"4KB\"; };" };
	for (int k = 0; k < 2; k++) {
		char text[3000];
		snprintf(text, sizeof text, ONE " %s", 100u, 9u,
		         "process = \"window\"; size = \"8000B\"; to = \"first\"; outstanding = 4;", control[k]);
		struct outcome o = outcome_of(text);
		cr_expect_float_eq(o.accepted * 9, 1, 0.02, "%s: the receiver's link is full: %f", control[k],
		                   o.accepted * 9);
		cr_expect_gt(o.control.throttles, 0);
		cr_expect_eq(o.control.source_waits, 0, "nic.table is for sources");
		cr_expect_leq(o.created - o.delivered, 8 * 4 * 8);
	}
}

static void refused(const char *job, const char *words)
{
	char text[3000];
	struct netrun x = { 0 };
	snprintf(text, sizeof text, ONE, 10u, 6u, job);
	cr_expect_not(netrun_build(&x, NULL, text), "%s", job);
	cr_expect(strstr(netrun_error(&x), words), "%s: \"%s\" does not say \"%s\"", job, netrun_error(&x), words);
	netrun_free(&x);
}

/* With a window that never closes pairs are asked when they may send and each packet's delivery is an event, without a
 * scheme neither: nothing else may differ. */
Test(process, a_window_that_never_closes_changes_nothing)
{
	static const char *const processes[] = {
		"process = \"all-to-all\"; size = \"3KB\"; iterations = 2;",
		"process = \"window\"; size = \"20KB\"; outstanding = 4; iterations = 40; to = \"random\";",
		"process = \"request-response\"; size = \"64B\"; response = \"9KB\"; iterations = 10;",
		"process = \"allreduce\"; size = \"10KB\"; iterations = 3;",
	};
	static const char *const switches[] = { "kind = \"ideal\"; buffer = \"16KB\";",
		                                "kind = \"tiled\"; preset = \"rosetta\";", "kind = \"crossbar\";" };
	static const char *const engines[] = { "", "engine = { sync = \"optimistic\"; stress = 30; };",
		                               "nic = { latency = \"200ns\"; overhead_receive = \"100ns\"; };" };
	for (unsigned k = 0; k < 4 * 3 * 3; k++) {
		struct netrun x[2] = { 0 };
		for (int w = 0; w < 2; w++) {
			char text[2000];
			snprintf(
			    text, sizeof text,
			    "seed = 3; time = { measure = \"400us\"; }; topology = { kind = \"torus\"; dims = [4, 3]; "
			    "endpoints = 2; }; links = { default = { bandwidth = \"100Gbps\"; }; terminal = { latency "
			    "= "
			    "\"%s\"; }; }; switch = { %s }; congestion = { %s }; %s traffic = ( { packet = "
			    "\"512B\"; %s } );",
			    k % 2 ? "1ns" : "300ns", switches[k / 4 % 3],
			    w ? "kind = \"window\"; window = \"2GiB\";" : "kind = \"none\";", engines[k / 12],
			    processes[k % 4]);
			cr_assert(netrun_build(&x[w], NULL, text), "%s\n%s", netrun_error(&x[w]), text);
			cr_assert_eq(netrun_go(&x[w]), NET_DONE, "%s\n%s", netrun_error(&x[w]), text);
		}
		const struct net_flow *f = &x[0].r->jobs[0], *g = &x[1].r->jobs[0];
		cr_assert_gt(f->delivered, 100);
		cr_expect_eq(x[0].r->digest, x[1].r->digest, "%s, %s", processes[k % 4], switches[k / 4 % 3]);
		cr_expect(!memcmp(&f->message_latency, &g->message_latency, sizeof f->message_latency));
		cr_expect(!memcmp(&f->iteration, &g->iteration, sizeof f->iteration));
		netrun_free(&x[0]);
		netrun_free(&x[1]);
	}
}

static void write_recording(const char *path, const char *to)
{
	FILE *out = fopen(path, "w");
	for (int r = 0; r < 2; r++)
		fprintf(out, "%srank %d\nsend to=%s tag=5 bytes=8\nrecv from=%d tag=5 bytes=8\n", r ? "" : "ranks 2\n",
		        r,
		        to  ? to
		        : r ? "0  "
		            : "1  ",
		        !r);
	fclose(out);
}

/* Calls are read again when their rank has come to them: what was checked before the run may have changed, all in the
 * same place. */
Test(process, a_recording_that_names_no_rank_any_more_is_an_error)
{
	static const char *const to[] = { "2  ", "999", "-99", "any" };
	for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
		char path[] = "/tmp/tilefly-changed.XXXXXX", text[600];
		struct netrun x = { 0 };
		close(mkstemp(path));
		write_recording(path, NULL);
		snprintf(text, sizeof text,
		         "topology = { kind = \"single\"; ports = 2; }; time = { limit = \"1ms\"; }; traffic = ( { "
		         "process = "
		         "\"recorded\"; file = \"%s\"; packet = \"256B\"; } );",
		         path);
		cr_assert(netrun_build(&x, NULL, text), "%s", netrun_error(&x));
		write_recording(path, to[i]);
		cr_expect_eq(netrun_go(&x), NET_WRONG);
		cr_expect(strstr(netrun_error(&x), "was changed during the run"), "%s", netrun_error(&x));
		netrun_free(&x);
		unlink(path);
	}
}

static struct netrun run_recording(char *path, bool change)
{
	char text[600];
	struct netrun x = { 0 };
	strcpy(path, "/tmp/tilefly-changed.XXXXXX");
	close(mkstemp(path));
	write_recording(path, NULL);
	snprintf(text, sizeof text,
	         "topology = { kind = \"single\"; ports = 2; }; time = { limit = \"1ms\"; }; traffic = ( { process = "
	         "\"recorded\"; file = \"%s\"; packet = \"256B\"; } );",
	         path);
	cr_assert(netrun_build(&x, NULL, text), "%s", netrun_error(&x));
	if (change)
		write_recording(path, NULL);
	netrun_go(&x);
	return x;
}

/* Whatever is in it now: calls that were read before and after are not of one program. */
Test(process, a_recording_that_was_changed_to_what_is_right_is_an_error)
{
	char path[64];
	struct netrun x = run_recording(path, true);
	cr_expect_eq(x.outcome, NET_WRONG);
	cr_expect(strstr(netrun_error(&x), path) && strstr(netrun_error(&x), "was changed during the run"), "%s",
	          netrun_error(&x));
	netrun_free(&x);
	unlink(path);
	x = run_recording(path, false);
	cr_expect_eq(x.outcome, NET_DONE, "%s", netrun_error(&x));
	netrun_free(&x);
	unlink(path);
}

Test(process, what_makes_no_sense_is_refused)
{
	refused("process = \"barrier\"; load = 0.5;", "has no effect with process \"barrier\"");
	refused("process = \"barrier\"; pattern = \"tornado\";", "has no effect with process \"barrier\"");
	refused("process = \"barrier\"; message = \"4KB\";", "without a process");
	refused("process = \"halo\"; dims = [4, 2];", "the grid has 8 points, but the job has 6 members");
	refused("process = \"sweep\"; dims = [3, 2, 1];", "at most 2");
	refused("process = \"barier\"; ", "did you mean \"barrier\"?");
	refused("process = \"ring\"; nodes = \"3-3\";", "1 endpoint");
	refused("pattern = \"uniform\";", "required, but missing");
	refused("process = \"barrier\"; burst_length = \"1us\";", "with burst_pause");
	refused("process = \"barrier\"; burst_pause = \"1us\";", "with burst_length");
	refused("process = \"barrier\"; burst_length = \"1us\"; burst_pause = \"1us\"; iterations = 1;",
	        "has an effect only with several iterations");
	refused("process = \"window\"; burst_length = \"1us\"; burst_pause = \"1us\"; iterations = 2; outstanding = 2;",
	        "has an effect only with more iterations than outstanding messages");
	refused("process = \"barrier\"; burst_length = \"10us\"; burst_pause = \"1us\";",
	        "lasts until the end of the run");
	refused("process = \"barrier\"; burst_length = \"2us\"; burst_pause = \"1us\"; stop = \"2us\";",
	        "before its first burst ends");
}

/* More packets than a process can number; as many as it can begin. */
Test(process, a_message_of_too_many_packets_is_an_error)
{
	struct netrun x = { 0 };
	char text[3000];
	snprintf(text, sizeof text, ONE, 5u, 2u, "process = \"ping-pong\"; size = \"214748364701B\"; iterations = 1;");
	memcpy(strstr(text, "\"1000B\""), "\"100B\" ", 7);
	cr_assert_not(netrun_build(&x, NULL, text));
	cr_expect(strstr(netrun_error(&x), "more than 2^31 - 1 packets"), "%s", netrun_error(&x));
	netrun_free(&x);
	memcpy(strstr(text, "214748364701B"), "214748364700B", 13);
	x = (struct netrun){ 0 };
	cr_expect(netrun_build(&x, NULL, text), "%s", netrun_error(&x));
	netrun_free(&x);
}

/* Where packets of a source and destination go one way the last one of a message completes it, and the others are not
 * counted. Tables of routing tell, or the topology does. With little room, packets of many sizes and traffic beside, it
 * comes to the same as where all are counted. */
Test(process, messages_are_whole_when_their_last_packet_is_there_or_all_are)
{
	static const char *const networks[] = { "kind = \"dragonfly\"; p = 2; a = 4; h = 2;",
		                                "kind = \"torus\"; dims = [5, 3]; endpoints = 3;",
		                                "kind = \"slimfly\"; q = 5; endpoints = 2;" };
	static const char *const engines[] = { "", "engine = { sync = \"optimistic\"; stress = 30; };" };
	size_t bytes = rt_only_bytes;
	for (unsigned k = 0; k < 3 * 2 * 2; k++) {
		uint64_t digest[3], messages[3], most[3];
		enum { BY_TABLES, BY_TOPOLOGY, COUNTED };
		for (unsigned how = BY_TABLES; how <= COUNTED; how++) {
			struct netrun x = { 0 };
			char text[2000];
			snprintf(
			    text, sizeof text,
			    "seed = %u; time = { warmup = \"0us\"; measure = \"30us\"; }; topology = { %s }; "
			    "switch = { kind = \"ideal\"; buffer = \"%s\"; }; routing = { kind = \"minimal\"; }; "
			    "%s traffic = ( { process = \"window\"; size = \"2100B\"; outstanding = 5; packet = "
			    "\"400B\"; nodes = \"0-19\"; }, { process = \"window\"; size = \"300B\"; to = \"next\"; "
			    "packet = \"64B\"; }, { pattern = \"uniform\"; load = 0.2; packet = \"200B\"; } );",
			    k, networks[k % 3], k / 3 % 2 ? "4KB" : "64KB", engines[k / 6]);
			rt_only_bytes = how == BY_TABLES ? bytes : 0;
			cr_assert(netrun_build(&x, NULL, text), "%s\n%s", netrun_error(&x), text);
			bool tells = how == BY_TABLES || k % 3 < 2; /* a Slim Fly's tables only */
			cr_expect_eq(x.net->path.in_order, tells, "%s", networks[k % 3]);
			cr_expect_eq(x.net->path.counts_packets, !tells, "%s", networks[k % 3]);
			x.net->path.in_order = how != COUNTED && tells;
			x.net->path.counts_packets = !x.net->path.in_order;
			cr_assert_eq(netrun_go(&x), NET_DONE, "%s\n%s", netrun_error(&x), text);
			digest[how] = x.r->digest;
			messages[how] = x.r->jobs[0].message_latency.n;
			most[how] = x.r->jobs[0].message_latency.max;
			netrun_free(&x);
		}
		rt_only_bytes = bytes;
		cr_expect_gt(messages[0], 100);
		for (unsigned how = BY_TOPOLOGY; how <= COUNTED; how++) {
			cr_expect_eq(digest[0], digest[how], "%s", networks[k % 3]);
			cr_expect_eq(messages[0], messages[how]);
			cr_expect_eq(most[0], most[how]);
		}
	}
}
