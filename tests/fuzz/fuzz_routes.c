/* tests/fuzz/fuzz_routes.c - any bytes as a file of routes: an error, or routes that arrive, by the hops that are
 * promised, and that the deadlock proof walks to a verdict. A libFuzzer target (preset fuzz). */
#include "memory_file.h"
#include "tests/routing/fixture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A packet of each pair of endpoints arrives. */
static void follow(const struct rt *rt)
{
	const struct topo *t = rt->topo;
	for (uint32_t src = 0; src < t->endpoints; src++)
		for (uint32_t dst = 0; dst < t->endpoints; dst++) {
			struct sw_packet p = { .src = src, .dst = dst, .seq = src + dst, .via = SW_NO_VIA };
			struct rt_env env = { .here = topo_switch_of(t, src), .in_port = RT_FROM_ENDPOINT, .seed = 1 };
			for (;; p.hops++) {
				env.drawn = 0;
				struct rt_decision d = rt->ops->route(rt, &env, &p);
				if (d.port == RT_EJECT)
					break;
				if (p.hops >= rt->max_hops || d.port >= topo_ports(t, env.here) || p.vc >= rt->vcs)
					abort();
				struct topo_hop hop = topo_peer(t, env.here, d.port);
				env.here = hop.to;
				env.in_port = hop.port;
			}
			if (env.here != topo_switch_of(t, dst))
				abort();
		}
}

static void read_on(const struct base_plugin *plugin, const char *params, const char *path, const char *more)
{
	struct fixture f;
	struct rt_proof proof;
	char text[200];
	if (fixture_topo(&f, plugin, params))
		abort();
	snprintf(text, sizeof text, "file=%s %s", path, more);
	if (!fixture_routing(&f, &rt_table, text)) {
		follow(&f.rt);
		if (rt_prove(&f.rt, f.rt.vcs, &proof, &f.errors))
			abort();
		rt_proof_free(&proof);
	} else if (!f.errors.errors) {
		abort();
	}
	fixture_free(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file file;
	memory_file_make(&file, data, size);
	read_on(&topo_torus, "dims=4 endpoints=2", file.path, "");
	read_on(&topo_hyperx, "dims=2,2", file.path, "choose=flow");
	read_on(&topo_kary_ntree, "k=2 n=2", file.path, "vc=hops");
	memory_file_close(&file);
	return 0;
}
