/* tests/mpi/mpi_instruments.c - readings of switches' instruments are the same on any number of ranks, under every
 * scheduler and partition. */
#include "experiments/config/config.h"
#include "tests/mpi/reference.h"
#include "tests/network/instruments.h"

static const char *const engines[] = {
	"sync = \"conservative\"; partition = \"random\";",
	"sync = \"optimistic\";",
	"sync = \"optimistic\"; partition = \"random\"; stress = 10;",
	"sync = \"conservative\"; balance = \"shake\"; partition = \"random\";",
	"sync = \"optimistic\"; balance = \"shake\";",
	"sync = \"conservative\"; threads = \"auto\";",
	"threads = 2; partition = \"random\";",
};

/* Each rank has read a share, those of lower ranks before it. */
static struct readings together(const struct readings *mine)
{
	struct readings r = { .ordered = true };
	size_t bytes;
	struct readings *all = sim_share_bytes(mine, sizeof *mine, &bytes);
	for (size_t i = 0; i < bytes / sizeof *all; i++) {
		if (!all[i].switches)
			continue;
		r.ordered &= all[i].ordered && (!r.switches || all[i].first > r.last);
		r.last = all[i].last;
		r.switches += all[i].switches;
		r.hash += all[i].hash;
	}
	free(all);
	return r;
}

static struct readings run(const char *sw, const char *engine)
{
	static char text[4000];
	struct netrun x = { 0 };
	struct readings r = { 0 };
	snprintf(text, sizeof text,
	         READINGS_NETWORK "%s record = { switch = true; switches = \"0-20,30\"; }; engine = { %s%s };", sw,
	         engine, strstr(engine, "threads") ? "" : " threads = 1;");
	if (!netrun_build(&x, NULL, text)) {
		REFERENCE_CHECK(false, "not built: %s", netrun_error(&x));
	} else {
		enum net_outcome outcome = netrun_go(&x);
		REFERENCE_CHECK(outcome == NET_DONE && x.errors.errors == 0, "outcome %d: %s", (int)outcome,
		                netrun_error(&x));
		net_each_switch(x.net, readings_take, &r);
	}
	netrun_free(&x);
	return together(&r);
}

int main(int argc, char **argv)
{
	static struct readings want[READINGS_SWITCHES];
	reference_watch(170);
	if (reference_here())
		for (size_t i = 0; i < READINGS_SWITCHES; i++)
			want[i] = run(readings_switches[i], "sync = \"sequential\";");
	if (sim_mpi_start(&argc, &argv))
		return 1;
	sim_broadcast(want, sizeof want);
	for (size_t i = 0; i < READINGS_SWITCHES; i++)
		for (size_t k = 0; k < sizeof engines / sizeof *engines; k++) {
			snprintf(reference_case, sizeof reference_case, "switch %zu, %s", i, engines[k]);
			struct readings got = run(readings_switches[i], engines[k]);
			REFERENCE_CHECK(got.switches == 22 && got.ordered, "%lu switches", got.switches);
			REFERENCE_CHECK(got.hash == want[i].hash, "hash %016lx, not %016lx", got.hash, want[i].hash);
		}
	return reference_end();
}
