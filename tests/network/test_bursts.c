/* tests/network/test_bursts.c - bursts of open jobs: when packets leave, and what becomes of what had no time to.
 *
 * Two jobs of endpoint 0 create a packet of 1000 bytes every 80 ns each, in bursts, and its link carries one in 80 ns:
 * of a burst of 8 us, in which 2 x 100 packets are created, 100 have time to leave, or 99 where the first is not
 * created at its beginning. */
#include "tests/network/cases.h"
#include "tests/network/units.h"

#define START 3000000u /* ps */
#define LENGTH 8000000u
#define PAUSE 12000000u
#define PERIOD (LENGTH + PAUSE)
#define PACKET 80000u
#define COUNT 5u

#define JOB(name, more)                                                                                              \
	"{ name = \"" name "\"; pattern = \"incast\"; target = 1; nodes = \"0-1\"; load = 1.0; packet = \"1000B\"; " \
	"injection = \"periodic\"; start = \"3us\"; burst_length = \"8us\"; burst_pause = \"12us\"; " more " }"
#define TWO(more)                                                                                                \
	"topology = { kind = \"single\"; ports = 3; };"                                                          \
	"links = { default = { bandwidth = \"100Gbps\"; latency = \"30ns\"; }; };" SWITCH(                       \
	    "400KB", "") "traffic = (" JOB("a", more) "," JOB("b", more) "); record = { packets = true; };"      \
									 "time = { warmup = \"0us\"; measure = " \
									 "\"103us\"; drain = true; };"

struct left {
	unsigned in_burst[64], in_pause;
	uint64_t longest;    /* from creation to the first bit on the link */
	unsigned late_begun; /* packets that left in a later burst than that in which they were created */
};

static void see_packet(void *arg, const struct net_packet_record *p)
{
	struct left *l = arg;
	uint64_t since = p->injected - START, burst = since / PERIOD;
	cr_assert_geq(p->injected, START);
	cr_assert_lt(burst, 64);
	if (since % PERIOD < LENGTH)
		l->in_burst[burst]++;
	else
		l->in_pause++;
	if (p->injected - p->created > l->longest)
		l->longest = p->injected - p->created;
	l->late_begun += (p->created - START) / PERIOD < burst;
}

static struct left run_bursts(struct netrun *x, const char *more, const char *also)
{
	struct left l = { .in_pause = 0 };
	char text[3000];
	snprintf(text, sizeof text, TWO("%s") "%s", more, more, also);
	run(x, "%s", text);
	cr_assert_eq(x->r->total.created, x->r->total.delivered, "all arrive: %s", more);
	net_each_packet(x->net, see_packet, &l);
	cr_expect_eq(l.in_pause, 0, "%s: %u packets leave in pauses", more, l.in_pause);
	return l;
}

Test(bursts, what_is_carried_leaves_in_the_next_bursts)
{
	struct netrun x = { 0 };
	struct left l = run_bursts(&x, "", "");
	cr_expect_eq(x.r->total.created, 2 * COUNT * LENGTH / PACKET);
	cr_expect_eq(x.r->total.discarded, 0);
	for (unsigned i = 0; i < 2 * COUNT - 1; i++)
		cr_expect(l.in_burst[i] == LENGTH / PACKET || l.in_burst[i] == LENGTH / PACKET - 1, "burst %u: %u", i,
		          l.in_burst[i]);
	cr_expect_gt(l.late_begun, 4 * COUNT * 10);
	netrun_free(&x);
}

Test(bursts, what_is_dropped_leaves_nothing)
{
	struct netrun x = { 0 };
	struct left l = run_bursts(&x, "burst_backlog = \"drop\";", "");
	cr_expect_eq(x.r->total.created + x.r->total.discarded, 2 * COUNT * LENGTH / PACKET);
	cr_expect_leq(x.r->total.created, COUNT * LENGTH / PACKET);
	cr_expect_geq(x.r->total.created, COUNT * (LENGTH / PACKET - 1));
	cr_expect_lt(l.longest, LENGTH);
	cr_expect_eq(l.late_begun, 0);
	netrun_free(&x);
}

/* Each packet is created when the one before it has left, or waits for one of the other job. */
Test(bursts, a_closed_loop_has_no_backlog)
{
	struct netrun x = { 0 };
	struct left l = run_bursts(&x, "burst_backlog = \"closed\";", "");
	cr_expect_eq(x.r->total.discarded, 0);
	cr_expect_leq(x.r->total.created, COUNT * LENGTH / PACKET);
	cr_expect_geq(x.r->total.created, COUNT * (LENGTH / PACKET - 1));
	cr_expect_leq(l.longest, PACKET);
	cr_expect_eq(l.in_burst[COUNT], 0);
	netrun_free(&x);
}

/* A message of four packets of which one has left is ended in the next burst; others are discarded whole. */
Test(bursts, a_message_that_has_begun_is_not_dropped)
{
	struct netrun x = { 0 };
	struct left l = run_bursts(&x, "message = \"4000B\"; burst_backlog = \"drop\";", "");
	cr_expect_eq(x.r->total.created % 4, 0);
	cr_expect_eq(x.r->total.discarded % 4, 0);
	cr_expect_eq(x.r->total.created + x.r->total.discarded, 2 * COUNT * LENGTH / PACKET);
	cr_expect_gt(x.r->total.discarded, 0);
	for (unsigned i = 0; i < COUNT; i++)
		cr_expect_leq(l.in_burst[i], LENGTH / PACKET);
	cr_expect_leq(l.late_begun, 2 * 3 * COUNT);
	netrun_free(&x);
}

/* What a control holds back has been taken from its source, and waits for the next burst even so. */
Test(bursts, what_a_control_holds_back_keeps_the_pauses)
{
	static const char *const backlog[] = { "", "burst_backlog = \"drop\";", "burst_backlog = \"closed\";" };
	for (int i = 0; i < 3; i++) {
		struct netrun x = { 0 };
		struct left l = run_bursts(
		    &x, backlog[i], "congestion = { kind = \"window\"; window = \"1500B\"; }; nic = { table = 8; };");
		cr_expect_gt(x.r->control.throttles, 0);
		cr_expect_gt(l.in_burst[1], 10);
		netrun_free(&x);
	}
}

/* Of three rhythms each offers what its share of the time is: with pauses kept the network gets just that. */
Test(bursts, impact_follows_the_share_of_time)
{
	static const unsigned length[] = { 10, 50, 10 }, pause[] = { 10, 50, 100 };
	uint64_t busy[3];
	for (int i = 0; i < 3; i++) {
		struct netrun x = { 0 };
		run(&x,
		    "topology = { kind = \"single\"; ports = 9; }; links = { default = { bandwidth = \"100Gbps\"; "
		    "latency "
		    "= \"30ns\"; }; };" SWITCH("4KB",
		                               "") "traffic = ( { pattern = \"incast\"; target = 8; load = 1.0; packet "
		                                   "= \"1000B\"; burst_length = \"%uus\"; burst_pause = \"%uus\"; } ); "
		                                   "time = { warmup = \"0us\"; measure = \"1100us\"; "
		                                   "drain = false; };",
		    length[i], pause[i]);
		busy[i] = x.r->total.delivered * PACKET / 1000000; /* us in which the receiver's link was busy */
		netrun_free(&x);
	}
	/* the receiver's link is busy while bursts last, and for as long as the buffers of eight inputs hold more */
	uint64_t more = 8 * 4 * PACKET / 1000000 + 1, bursts[] = { 1100 / 20, 1100 / 100, 1100 / 110 };
	for (int i = 0; i < 3; i++) {
		cr_expect_geq(busy[i] + 2 * bursts[i], bursts[i] * length[i], "%u/%u: %lu us", length[i], pause[i],
		              busy[i]);
		cr_expect_leq(busy[i], (bursts[i] + 1) * (length[i] + more), "%u/%u: %lu us", length[i], pause[i],
		              busy[i]);
	}
}
