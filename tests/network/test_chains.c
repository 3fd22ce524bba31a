/* tests/network/test_chains.c - chains of records: as many heads as records ask for, and the same answer while they
 * become more, also where that is undone. */
#include "network/nic/nic.h"
#include "tests/network/units.h"

/* 64 members on 16 switches, each with messages, or packets in flight, for many others at a time. */
#define NETWORK                                                                                                      \
	"seed = 3; topology = { kind = \"torus\"; dims = [4, 4]; endpoints = 4; }; links = { default = { bandwidth " \
	"= \"100Gbps\"; latency = \"50ns\"; }; }; switch = { kind = \"ideal\"; buffer = \"64KB\"; }; "               \
	"time = { warmup = \"0us\"; measure = \"6us\"; drain = false; }; "

static const char *const traffics[] = {
	"traffic = ( { process = \"all-to-all\"; size = \"1KB\"; paced = false; packet = \"256B\"; } );",
	"traffic = ( { process = \"all-to-all\"; size = \"600B\"; paced = false; packet = \"256B\"; } ); "
	"congestion = { kind = \"slingshot\"; };",
	"traffic = ( { pattern = \"uniform\"; load = 0.6; packet = \"256B\"; } ); congestion = { kind = \"window\"; "
	"window = \"64KB\"; };",
	"traffic = ( { pattern = \"uniform\"; load = 0.5; packet = \"256B\"; } ); nic = { loss = 1e-3; };",
	"classes = ( { name = \"best-effort\"; ordering = \"flow\"; } ); routing = { kind = \"valiant\"; }; "
	"traffic = ( { pattern = \"uniform\"; load = 0.4; packet = \"256B\"; } );",
};
#define TRAFFICS (sizeof traffics / sizeof *traffics)

static const char *const engines[] = { "engine = { sync = \"sequential\"; };", "engine = { sync = \"conservative\"; };",
	                               "engine = { sync = \"optimistic\"; stress = 25; };",
	                               "engine = { sync = \"sequential\"; audit = true; };",
	                               "engine = { threads = 2; };" };

Test(chains, one_result_while_heads_become_more)
{
	for (size_t t = 0; t < TRAFFICS; t++) {
		uint64_t want = 0;
		for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
			struct netrun x = { 0 };
			run(&x, "%s %s %s", NETWORK, traffics[t], engines[e]);
			want = e ? want : x.r->digest;
			cr_expect_eq(x.r->digest, want, "%s %s", traffics[t], engines[e]);
			netrun_free(&x);
		}
	}
}

static uint32_t most_used(const struct net_nics *x)
{
	const struct sw_pool *pools[] = { &x->pairs, &x->contributors, &x->received, &x->coming, &x->paths };
	uint32_t most = 0;
	for (size_t i = 0; i < sizeof pools / sizeof *pools; i++)
		most = pools[i]->used > most ? pools[i]->used : most;
	return most;
}

/* When a record is made there are more heads than half of the records of its kind that there were; and no more than as
 * many, but for the 8 of the beginning. */
Test(chains, heads_follow_the_records)
{
	for (size_t t = 0; t < TRAFFICS; t++) {
		struct netrun x = { 0 };
		run(&x, "%s %s %s", NETWORK, traffics[t], engines[0]);
		bool more = false;
		for (uint32_t i = 0; i < x.net->count; i++) {
			const struct net_nics *nics = &x.net->nic.nics[i];
			uint64_t heads = 1ull << nics->bits, used = most_used(nics);
			cr_expect(used <= NET_CHAIN * heads, "%s: %lu records, %lu heads", traffics[t], used, heads);
			cr_expect(heads == 8 || heads < used, "%s: %lu records, %lu heads", traffics[t], used, heads);
			more |= heads > 8;
		}
		cr_expect(more, "%s: no chain was ever long", traffics[t]);
		netrun_free(&x);
	}
}
