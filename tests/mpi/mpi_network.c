/* tests/mpi/mpi_network.c - whole networks: every topology and routing, below and beyond saturation, with buffers of a
 * few packets so that credits run out, on any number of ranks, under every scheduler, partition and choice of records:
 * one digest, and everything conserved (net_run fails otherwise). */
#include "network/net.h"
#include "tests/mpi/reference.h"
#include "tests/network/cases.h"
#include "tests/network/fixture.h"

#include <stdlib.h>

static const char *const records[] = {
	"",
	"record = { timeline = \"700ns\"; ports = true; packets = true; activity = true; histograms = true; };",
	"record = { histograms = false; packets = true; };",
};

static const char *const engines[] = {
	"sync = \"conservative\";",
	"sync = \"conservative\"; partition = \"random\"; window = \"7ns\";",
	"sync = \"optimistic\";",
	"sync = \"optimistic\"; partition = \"random\"; optimism = 60; gvt_interval = 9;",
	"sync = \"optimistic\"; partition = \"random\"; window = \"130ns\"; optimism = 3;",
	"sync = \"conservative\"; balance = \"shake\";",
	"sync = \"optimistic\"; balance = \"shake\"; partition = \"random\";",
	"sync = \"optimistic\"; balance = \"shake\"; window = \"110ns\"; optimism = 2;",
	"sync = \"optimistic\"; stress = 1;",
	"sync = \"optimistic\"; stress = 15; partition = \"random\";",
	"sync = \"optimistic\"; stress = 50; window = \"60ns\";",
	"sync = \"conservative\"; threads = \"auto\";",
	"threads = \"auto\"; partition = \"random\"; window = \"17ns\";",
	"threads = 2;",
	"threads = 3; partition = \"random\"; window = \"9ns\";",
#ifdef TILEFLY_HAVE_METIS
	"partition = \"metis\"; threads = \"auto\";",
	"sync = \"conservative\"; partition = \"metis\";",
	"sync = \"optimistic\"; partition = \"metis\"; stress = 5;",
#endif
};
#define ENGINES (sizeof engines / sizeof *engines)

struct answer {
	uint64_t digest, hops, created, delivered, latency_p99, message_n;
	double latency_mean;
};

static uint64_t moved;    /* LPs, to another rank */
static uint64_t informed; /* of them, that know queues of others (UGAL-G) */
static uint64_t shared;   /* runs in which ranks shared their switches */

static struct answer run(const char *network, const char *engine, const char *record, uint64_t *packets)
{
	static char text[4000];
	struct netrun x = { 0 };
	struct answer a = { 0 };
	/* ranks that shared their switches would have nothing to undo */
	snprintf(text, sizeof text, "%s engine = { %s%s }; %s", network, engine,
	         strstr(engine, "threads") ? "" : " threads = 1;", record);
	*packets = 0;
	if (!netrun_build(&x, NULL, text)) {
		REFERENCE_CHECK(false, "not built: %s", netrun_error(&x));
	} else {
		enum net_outcome outcome = netrun_go(&x);
		REFERENCE_CHECK(outcome == NET_DONE && x.errors.errors == 0, "outcome %d: %s", (int)outcome,
		                netrun_error(&x));
		const struct net_flow *f = &x.r->total;
		REFERENCE_CHECK(f->created == f->delivered + f->dropped + f->in_flight + f->queued && f->created > 0,
		                "created %lu", f->created);
		REFERENCE_CHECK(x.config.net.time.drain != NET_DRAIN_ON || f->delivered + f->dropped == f->created,
		                "not drained: %lu of %lu", f->delivered, f->created);
		a = (struct answer){ x.r->digest,    x.r->packet_hops,     f->created,     f->delivered,
			             f->latency.p99, f->message_latency.n, f->latency.mean };
		*packets = x.r->counters.events_rolled_back;
		moved += x.r->counters.lps_moved;
		informed += strstr(network, "ugal-g") ? x.r->counters.lps_moved : 0;
		shared += x.r->threads > 1 && strstr(engine, "auto");
	}
	netrun_free(&x);
	return a;
}

static bool same(struct answer a, struct answer b)
{
	return a.digest == b.digest && a.hops == b.hops && a.created == b.created && a.delivered == b.delivered &&
	       a.message_n == b.message_n && !(a.latency_mean < b.latency_mean) && !(a.latency_mean > b.latency_mean);
}

int main(int argc, char **argv)
{
	static struct answer want[CASES];
	uint64_t undone = 0, n;
	reference_watch(EVERY_CASE ? 1700 : 170);
	setenv("TILEFLY_LINE_NS", "45", 0); /* cores with a cache in common: ranks share, whatever this machine is */
	const char *part = getenv("TILEFLY_PART"); /* of five tests with these cases: each audits a fifth of them */
	if (reference_here())
		for (size_t i = 0; i < CASES; i++) {
			snprintf(reference_case, sizeof reference_case, "case %zu, sequential", i);
			want[i] = run(cases[i], "sync = \"sequential\";", "", &n);
			if (part && i % 5 != strtoul(part, NULL, 10))
				continue;
			struct answer audited =
			    run(cases[i], "sync = \"sequential\"; audit = true;", records[1 + i % 2], &n);
			REFERENCE_CHECK(same(want[i], audited), "audited: digest %016lx, not %016lx", audited.digest,
			                want[i].digest);
		}
	if (sim_mpi_start(&argc, &argv))
		return 1;
	sim_broadcast(want, sizeof want);
	for (size_t i = 0; i < CASES; i++)
		for (size_t k = 0; k < ENGINES; k++) {
			if (!EVERY_CASE && (i + k + 5 * (unsigned)sim_ranks()) % 13)
				continue; /* other combinations on each number of ranks */
			snprintf(reference_case, sizeof reference_case, "case %zu, %s records %zu", i, engines[k],
			         (i + k) % 3);
			net_prefetch_from = k % 2 ? 0 : SIZE_MAX; /* asks for memory ahead, or not */
			struct answer got = run(cases[i], engines[k], records[(i + k) % 3], &n);
			undone += n;
			REFERENCE_CHECK(same(want[i], got), "digest %016lx, not %016lx; %lu delivered, not %lu",
			                got.digest, want[i].digest, got.delivered, want[i].delivered);
		}
	snprintf(reference_case, sizeof reference_case, "all");
	REFERENCE_CHECK(undone > 1000, "only %lu events were rolled back: this tests nothing", undone);
	REFERENCE_CHECK(sim_ranks() == 1 || (moved > 1000 && informed > (EVERY_CASE ? 50 : 10)),
	                "only %lu LPs changed their rank, %lu with UGAL-G: this tests nothing", moved, informed);
	REFERENCE_CHECK(sim_cores_pool() == 1 || shared > 0, "no ranks shared their switches: this tests nothing");
	return reference_end();
}
