/* tests/topo/test_published.c - families held against instances that other programs made: the generators of EvalNet
 * (github spcl/EvalNet 14ba88c), files and the rule of dragonfly-plus-topo-gen-v3.py of CODES (codes-org/codes
 * a5958cf), graphs of networkx 2.8. Facts were counted from their adjacency lists by another program (numpy); the whole
 * spectrum and the number of pairs at each distance were equal, too. docs/topologies.md has the table. */
#include "tests/topo/fixture.h"

static const struct published {
	const struct base_plugin *plugin;
	const char *text, *source;
	uint32_t switches, cables, least, most, diameter;
	double distance; /* mean over ordered pairs of switches */
	uint32_t girth;
	double first, second; /* eigenvalues of the adjacency matrix */
} row[] = {
	{ &topo_slimfly, "q=5", "EvalNet SlimFly", 50, 175, 7, 7, 2, 1.857143, 5, 7.000000, 2.000000 },
	{ &topo_slimfly, "q=7", "EvalNet SlimFly", 98, 539, 11, 11, 2, 1.886598, 3, 11.000000, 4.000000 },
	{ &topo_slimfly, "q=9", "EvalNet SlimFly", 162, 1053, 13, 13, 2, 1.919255, 3, 13.000000, 4.000000 },
	{ &topo_slimfly, "q=13", "EvalNet SlimFly", 338, 3211, 19, 19, 2, 1.943620, 3, 19.000000, 6.000000 },
	{ &topo_dragonfly, "p=2 a=4 h=2", "EvalNet Dragonfly", 36, 90, 5, 5, 3, 2.352381, 3, 5.000000, 3.627403 },
	{ &topo_dragonfly, "p=4 a=8 h=4", "EvalNet Dragonfly", 264, 1452, 11, 11, 3, 2.693744, 3, 11.000000, 8.560897 },
	{ &topo_hyperx, "dims=4,4,4", "EvalNet HyperX", 64, 288, 9, 9, 3, 2.285714, 3, 9.000000, 5.000000 },
	{ &topo_hyperx, "dims=8,8", "EvalNet HyperX", 64, 448, 14, 14, 2, 1.777778, 3, 14.000000, 6.000000 },
	{ &topo_hyperx, "dims=2,2,2,2,2,2", "EvalNet Hypercube", 64, 192, 6, 6, 6, 3.047619, 4, 6.000000, 4.000000 },
	{ &topo_torus, "dims=5,5,5 endpoints=1", "EvalNet Torus", 125, 375, 6, 6, 6, 3.629032, 4, 6.000000, 4.618034 },
	{ &topo_torus, "dims=4,6,3 endpoints=1", "networkx grid periodic", 72, 216, 6, 6, 6, 3.211268, 3, 6.000000,
	  5.000000 },
	{ &topo_torus, "dims=8,5 wrap=false endpoints=1", "networkx grid", 40, 67, 2, 4, 11, 4.333333, 4, 3.611436,
	  3.264140 },
	{ &topo_fattree, "k=8", "EvalNet FatTree", 80, 256, 4, 8, 4, 2.881013, 4, 6.928203, 5.656854 },
	{ &topo_kary_ntree, "k=4 n=3", "EvalNet KaryN", 48, 128, 4, 8, 4, 2.695035, 4, 5.656854, 4.000000 },
	{ &topo_polarfly, "q=7", "EvalNet Brown", 57, 224, 7, 8, 2, 1.859649, 3, 7.874779, 2.645751 },
	{ &topo_polarfly, "q=9", "EvalNet Brown", 91, 450, 9, 10, 2, 1.890110, 3, 9.899908, 3.000000 },
	{ &topo_oft, "k=4", "EvalNet OFT", 39, 104, 4, 8, 3, 2.175439, 4, 5.656854, 2.449490 },
	{ &topo_oft, "k=6", "EvalNet OFT", 93, 372, 6, 12, 3, 2.275362, 4, 8.485281, 3.162278 },
	{ &topo_mlfm, "h=5", "EvalNet MLFM", 45, 150, 5, 10, 4, 2.242424, 4, 7.071068, 4.472136 },
	{ &topo_polarfly, "q=16", "EvalNet Brown", 273, 2312, 16, 17, 2, 1.937729, 3, 16.941165, 4.000000 },
	{ &topo_slimfly, "q=8", "EvalNet SlimFly", 128, 768, 12, 12, 2, 1.905512, 3, 12.000000, 4.000000 },
	{ &topo_slimfly, "q=16", "EvalNet SlimFly", 512, 6144, 24, 24, 2, 1.953033, 3, 24.000000, 8.000000 },
	{ &topo_mlfm, "h=9", "EvalNet MLFM", 135, 810, 9, 18, 4, 2.407960, 4, 12.727922, 8.485281 },
	{ &topo_dragonfly, "p=2 a=4 h=2 arrangement=relative", "CODES dfdally-72", 36, 90, 5, 5, 3, 2.342857, 3,
	  5.000000, 3.555795 },
	{ &topo_dragonfly, "p=2 a=4 h=2 arrangement=palmtree", "CODES dfdally-72", 36, 90, 5, 5, 3, 2.342857, 3,
	  5.000000, 3.555795 },
	{ &topo_dragonfly, "p=9 a=18 h=9 g=19 arrangement=relative", "CODES dfdally-3k", 342, 4446, 26, 26, 3, 2.161290,
	  3, 26.000000, 18.424030 },
	{ &topo_dragonfly, "p=9 a=18 h=9 g=19 arrangement=palmtree", "CODES dfdally-3k", 342, 4446, 26, 26, 3, 2.161290,
	  3, 26.000000, 18.424030 },
	{ &topo_dragonfly_plus, "leaves=4 spines=4 p=4 h=4 g=5", "CODES topo-gen-v3 rule, h = g-1", 40, 120, 4, 8, 3,
	  2.205128, 3, 6.472136, 4.000000 },
	{ &topo_dragonfly_plus, "leaves=4 spines=4 p=4 h=4 g=17 arrangement=round-robin", "EvalNet Megafly", 136, 408,
	  4, 8, 5, 3.244444, 3, 6.472136, 5.577495 },
	{ &topo_bundlefly, "q=5 supernode=5", "EvalNet Bundlefly", 250, 1125, 9, 9, 3, 2.638554, 5, 9.000000,
	  6.588723 },
	{ &topo_bundlefly, "q=3 supernode=5", "EvalNet Bundlefly", 90, 315, 7, 7, 3, 2.444694, 3, 7.000000, 4.623475 },
	{ &topo_polarstar, "q=4 supernode=iq degree=3 endpoints=1", "EvalNet Polarstar", 168, 672, 8, 8, 3, 2.590818, 3,
	  8.000000, 5.000000 },
	{ &topo_polarstar, "q=3 supernode=paley degree=4 endpoints=1", "EvalNet Polarstar, spare ports free", 117, 450,
	  7, 8, 3, 2.506631, 3, 7.746568, 5.732051 },
	{ &topo_spectralfly, "p=3 q=5 endpoints=2", "EvalNet Spectralfly", 120, 240, 4, 4, 6, 3.714286, 6, 4.000000,
	  3.000000 },
	{ &topo_spectralfly, "p=5 q=7 endpoints=2", "EvalNet Spectralfly", 336, 1008, 6, 6, 6, 3.749254, 6, 6.000000,
	  4.000000 },
	{ &topo_spectralfly, "p=11 q=7 endpoints=2", "EvalNet Spectralfly", 168, 1008, 12, 12, 3, 2.389222, 3,
	  12.000000, 6.000000 },
	{ &topo_spectralfly, "p=5 q=11 endpoints=2", "EvalNet Spectralfly", 660, 1980, 6, 6, 6, 3.864947, 6, 6.000000,
	  4.372281 },
	{ &topo_xgft, "children=4,4,4 parents=1,2,3", "EvalNet XGFT without endpoints", 30, 56, 2, 7, 4, 2.685057, 4,
	  4.472136, 3.464102 },
	{ &topo_xgft, "children=8,4 parents=1,4", "EvalNet XGFT without endpoints", 8, 16, 4, 4, 2, 1.428571, 4,
	  4.000000, 0.000000 },
	{ &topo_xgft, "children=3,2,4 parents=1,3,2", "EvalNet XGFT without endpoints", 26, 48, 3, 4, 4, 2.664615, 4,
	  3.741657, 2.828427 },
	{ &topo_slimfly, "q=17", "EvalNet SlimFly", 578, 7225, 25, 25, 2, 1.956672, 3, 25.000000, 8.000000 },
};

/* Distances from `from` into d[]; the shortest cycle through it that a breadth-first search finds. */
static uint32_t search_from(const struct topo *t, topo_switch from, uint32_t *d, topo_switch *queue, topo_port *back)
{
	uint32_t head = 0, tail = 0, shortest = UINT32_MAX;
	for (topo_switch s = 0; s < t->switches; s++)
		d[s] = UINT32_MAX;
	d[from] = 0;
	back[from] = UINT16_MAX;
	queue[tail++] = from;
	while (head < tail) {
		topo_switch s = queue[head++];
		for (topo_port p = 0; p < topo_ports(t, s); p++) {
			struct topo_hop there = topo_peer(t, s, p);
			if (p == back[s])
				continue;
			if (d[there.to] != UINT32_MAX) {
				uint32_t cycle = d[s] + d[there.to] + 1;
				shortest = cycle < shortest ? cycle : shortest;
				continue;
			}
			d[there.to] = d[s] + 1;
			back[there.to] = there.port;
			queue[tail++] = there.to;
		}
	}
	cr_assert_eq(tail, t->switches);
	return shortest;
}

static void check_distances(const struct topo *t, const struct published *x)
{
	uint32_t *d = base_calloc(t->switches, sizeof *d), girth = UINT32_MAX, diameter = 0;
	topo_switch *queue = base_calloc(t->switches, sizeof *queue);
	topo_port *back = base_calloc(t->switches, sizeof *back);
	double sum = 0;
	for (topo_switch s = 0; s < t->switches; s++) {
		uint32_t cycle = search_from(t, s, d, queue, back);
		girth = cycle < girth ? cycle : girth;
		for (topo_switch to = 0; to < t->switches; to++) {
			sum += d[to];
			diameter = d[to] > diameter ? d[to] : diameter;
		}
	}
	cr_expect_eq(girth, x->girth, "%s %s: girth %u", x->plugin->name, x->text, girth);
	cr_expect_eq(diameter, x->diameter, "%s %s: diameter %u", x->plugin->name, x->text, diameter);
	sum /= (double)t->switches * (t->switches - 1);
	cr_expect_float_eq(sum, x->distance, 1e-6, "%s %s: mean distance %f", x->plugin->name, x->text, sum);
	free(d);
	free(queue);
	free(back);
}

static double project(double *v, const double *out, uint32_t n)
{
	double along = 0, norm = 0;
	for (uint32_t i = 0; out && i < n; i++)
		along += v[i] * out[i];
	for (uint32_t i = 0; i < n; i++) {
		v[i] -= out ? along * out[i] : 0;
		norm += v[i] * v[i];
	}
	norm = sqrt(norm);
	for (uint32_t i = 0; i < n; i++)
		v[i] /= norm;
	return norm;
}

/* The largest eigenvalue of the adjacency matrix orthogonal to `out` (NULL: to nothing), by power iteration on A +
 * shift I; its vector into v. */
static double eigenvalue(const struct topo *t, double *v, const double *out)
{
	uint32_t n = t->switches;
	double *w = base_calloc(n, sizeof *w), shift = t->max_ports, value = 0;
	uint64_t random = 1;
	for (uint32_t s = 0; s < n; s++)
		v[s] = (double)(next_random(&random) >> 11) * 0x1p-53 - (out ? 0.5 : 0);
	project(v, out, n);
	for (int round = 0; round < 1500; round++) {
		for (topo_switch s = 0; s < n; s++) {
			w[s] = shift * v[s];
			for (topo_port p = 0; p < topo_ports(t, s); p++)
				w[s] += v[topo_peer(t, s, p).to];
		}
		memcpy(v, w, n * sizeof *v);
		double norm = project(v, out, n), before = value;
		value = norm - shift;
		if (round > 50 && fabs(value - before) < 1e-9)
			break;
	}
	free(w);
	return value;
}

static void check_spectrum(const struct topo *t, const struct published *x)
{
	double *first = base_calloc(t->switches, sizeof *first), *second = base_calloc(t->switches, sizeof *second);
	double a = eigenvalue(t, first, NULL), b = eigenvalue(t, second, first);
	cr_expect_float_eq(a, x->first, 1e-4, "%s %s: first eigenvalue %f", x->plugin->name, x->text, a);
	cr_expect_float_eq(b, x->second, 1e-3, "%s %s: second eigenvalue %f", x->plugin->name, x->text, b);
	free(first);
	free(second);
}

Test(published, instances_have_the_same_facts)
{
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const struct published *x = &row[i];
		struct topo t;
		uint32_t least = UINT32_MAX, most = 0, ports = 0;
		make_topo(&t, x->plugin, x->text);
		for (topo_switch s = 0; s < t.switches; s++) {
			uint32_t k = topo_ports(&t, s);
			least = k < least ? k : least;
			most = k > most ? k : most;
			ports += k;
		}
		cr_expect(t.switches == x->switches && ports == 2 * x->cables && least == x->least && most == x->most,
		          "%s %s, as %s: %u switches, %u ports, %u to %u each", x->plugin->name, x->text, x->source,
		          t.switches, ports, least, most);
		check_distances(&t, x);
		check_spectrum(&t, x);
		topo_destroy(&t);
	}
}
