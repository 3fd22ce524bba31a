/* tests/topo/test_offer.c - of more equally good ports than next() can offer, all are offered alike: to what leaves a
 * switch, to what comes to one, and to shifts; and what that is worth for trunks of more than TOPO_MAX_NEXT cables. */
#include "tests/topo/fixture.h"
#include "topo/offer.h"

#include <stdio.h>
#include <string.h>

/* How often the port that is offered most, or least, is offered, over what an even share would be, by 64 pairs of
 * switches: here + step_here k and to + step_to k. */
static void cover(uint32_t count, uint32_t here, uint32_t step_here, uint32_t to, uint32_t step_to, double *least,
                  double *most)
{
	uint32_t times[4096] = { 0 };
	topo_port out[TOPO_MAX_NEXT];
	cr_assert(count <= 4096);
	for (uint32_t k = 0; k < 64; k++) {
		int n = topo_offer(out, (struct topo_run){ 0, count }, here + k * step_here, to + k * step_to);
		for (int i = 0; i < n; i++)
			times[out[i]]++;
	}
	double even = 64. * TOPO_MAX_NEXT / count;
	*least = INFINITY;
	*most = 0;
	for (uint32_t i = 0; i < count; i++) {
		*least = fmin(*least, times[i] / even);
		*most = fmax(*most, times[i] / even);
	}
}

Test(offer, all_ports_alike)
{
	static const uint32_t counts[] = { 513, 600, 640, 672, 700, 768, 1000, 1024, 1536, 2048 };
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		for (uint32_t at = 0; at < 4; at++) {
			double least, most;
			cover(counts[i], 977 * at, 0, 100 * at, 1, &least, &most);
			cr_expect(least >= 0.8 && most <= 1.2, "of a switch, %u ports: %.3f to %.3f", counts[i], least,
			          most);
			cover(counts[i], 977 * at, 1, 100 * at, 0, &least, &most);
			cr_expect(least >= 0.8 && most <= 1.2, "to a switch, %u ports: %.3f to %.3f", counts[i], least,
			          most);
			cover(counts[i], 977 * at, 1, 100 * at, 1, &least, &most);
			cr_expect(least >= 0.8 && most <= 1.2, "of a shift, %u ports: %.3f to %.3f", counts[i], least,
			          most);
		}
}

/* Two groups of 32 switches with p endpoints at each, and `trunk` cables: half of the traffic of 64 p endpoints takes
 * them, and a switch's cables to others of its group, or its spines, carry no more than the even share and a tenth. */
Test(offer, wide_trunks_carry_what_they_have)
{
	static const struct {
		const struct base_plugin *plugin;
		const char *form;
		double local; /* of the fullest local channel, in p^2 (e - 1), if all is even */
	} row[] = { { &topo_dragonfly, "p=16 a=32 g=2 trunk=%u", 3 },
		    { &topo_dragonfly_plus, "leaves=32 spines=32 p=32 g=2 trunk=%u", 63. / 32 } };
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		for (uint32_t trunk = 544; trunk <= 1024; trunk += 160) {
			char text[100];
			struct topo t;
			struct topo_graph g;
			double global = 0, local = 0;
			snprintf(text, sizeof text, row[i].form, trunk);
			make_topo(&t, row[i].plugin, text);
			topo_graph_of(&g, &t);
			double *load = base_calloc(g.first[g.n], sizeof *load),
			       pp = (double)t.max_endpoints * t.max_endpoints;
			cr_assert_eq(topo_uniform_loads(&t, &g, load), 0);
			for (topo_switch s = 0; s < t.switches; s++)
				for (size_t k = g.first[s]; k < g.first[s + 1]; k++) {
					bool over = topo_peer(&t, s, (topo_port)(k - g.first[s])).link_class == 1;
					double *most = over ? &global : &local;
					*most = fmax(*most, load[k]);
				}
			double even = 32 * 32 * pp / trunk / (t.endpoints - 1);
			cr_expect(global >= even * (1 - 1e-9) && global <= 1.05 * even, "%s: %.4f, even %.4f", text,
			          global, even);
			cr_expect(local <= 1.1 * row[i].local * pp / (t.endpoints - 1), "%s: local %.4f", text, local);
			free(load);
			topo_graph_free(&g);
			topo_destroy(&t);
		}
}
