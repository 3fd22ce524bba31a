/* tests/topo/test_edges.c - graphs from files: round trips, errors with their line, and whatever bytes may come. */
#include "topo/cables.h"

#include "tests/topo/fixture.h"

#include <stdio.h>
#include <unistd.h>
#include <zlib.h>

static char folder[] = "/tmp/tilefly-edges-XXXXXX";
static char path[64];

static void make_folder(void)
{
	cr_assert(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/graph", folder);
}

static void remove_folder(void)
{
	unlink(path);
	rmdir(folder);
}

TestSuite(edges, .init = make_folder, .fini = remove_folder);

static void put(const void *bytes, size_t n)
{
	FILE *out = fopen(path, "wb");
	cr_assert(out);
	fwrite(bytes, 1, n, out);
	fclose(out);
}

static int try_with(struct topo *t, const char *more, struct base_errors *errors)
{
	char text[128];
	snprintf(text, sizeof text, "file=%s%s", path, more);
	return try_topo(t, &topo_edges, text, errors);
}

static int try_file(struct topo *t, struct base_errors *errors)
{
	return try_with(t, " endpoints=2", errors);
}

static void expect_text_error(const char *text, unsigned line, const char *want)
{
	struct topo t;
	struct base_errors errors = { 0 };
	char place[96];
	put(text, strlen(text));
	if (line)
		snprintf(place, sizeof place, "%s:%u: ", path, line);
	else
		snprintf(place, sizeof place, "%s", path);
	cr_expect_neq(try_file(&t, &errors), 0, "accepted: %s", text);
	bool found = false;
	for (size_t i = 0; i < errors.n; i++)
		found = found || (!strncmp(errors.v[i].text, place, strlen(place)) && strstr(errors.v[i].text, want));
	cr_expect(found, "wanted \"%s ... %s\", got \"%s\"", place, want, errors.n ? errors.v[0].text : "nothing");
	base_errors_free(&errors);
}

Test(edges, errors_name_the_line)
{
	expect_text_error("0 1\n1 2\n2 x\n", 3, "a switch number is expected (0, 1, 2, ...): \"x\"");
	expect_text_error("0 1\n\n# fine\n-1 2\n", 4, "a switch number");
	expect_text_error("0 1\n5\n", 2, "two switch numbers are expected");
	expect_text_error("0 1 local extra\n", 1, "more than \"src dst class\"");
	expect_text_error("0 1\n1 1\n", 2, "to itself");
	expect_text_error("0 16384\n", 1, "at most 16384 switches");
	expect_text_error("0 99999999999999999999999999\n", 1, "at most 16384 switches");
	expect_text_error("0 1\n2 3\n", 0, "not connected: switch 2 cannot be reached");
	expect_text_error("0 1\n1 3\n", 0, "switch 2 has no cable");
	expect_text_error("1 2\n2 3\n", 0, "switch 0 has no cable");
	expect_text_error("", 0, "lists no cables");
	expect_text_error("# nothing\n", 0, "lists no cables");
	expect_text_error("0 1 override\n", 1, "\"override\", which is reserved in configurations for rules");
	expect_text_error("0 1 bandwidth=\n", 1, "a bandwidth from 1Mbps to 1000Tbps is expected, is empty: \"\"");
	expect_text_error("0 1 bandwidth=5\n", 1, "a bandwidth from 1Mbps to 1000Tbps is expected");
	expect_text_error("0 1 bandwidth=1bps\n", 1, "this is out of range: \"1bps\"");
	expect_text_error("0 1 latency=2s\n", 1, "this is out of range: \"2s\"");
	expect_text_error("0 1 latency=0ps\n", 1, "this is out of range: \"0ps\"");
	expect_text_error("0 1 latency=5ns/\n", 1, "a latency from 1ps to 1s is expected");
	expect_text_error("0 1 latency=5ns latency=6ns\n", 1, "given twice for one cable: \"latency=6ns\"");
	expect_text_error("0 1 absent=maybe\n", 1, "absent=true or absent=false is expected: \"absent=maybe\"");
	expect_text_error("0 1 absent=true/false\n", 1, "for both directions: credits and acknowledgements");
	expect_text_error("0 1 local width=4\n", 1, "a cable has bandwidth=, latency= and absent=, nothing else");
	expect_text_error("0 1 latency=5ns local\n", 1, "more than \"src dst class\"");
	expect_text_error("0 1 absent=true\n", 0, "lists no cables");
	expect_text_error("0 1 abcdefghijklmnopqrstuvwxyzabcdef\n", 1, "at most 31 characters");
	expect_text_error("0 1\n1 2 default\n", 2,
	                  "no link class may be called \"default\", which is reserved in configurations for all links");
	expect_text_error("0 1 terminal\n", 1,
	                  "\"terminal\", which is reserved in configurations for links to endpoints");
	expect_text_error("0 1 rack\n1 2 rack.row\n", 2,
	                  "\"rack.row\", which is not a valid name in configurations: a letter");
	expect_text_error("0 1 10G\n", 1, "\"10G\", which is not a valid name in configurations: a letter");
	expect_text_error("0 1 a*\n", 1, "\"a*\", which is not a valid name in configurations");
	expect_text_error("0 1\nendpoints\n", 2, "expected is \"endpoints SWITCH N\" or \"endpoints FIRST-LAST N\"");
	expect_text_error("0 1\nendpoints 0\n", 2, "expected is");
	expect_text_error("0 1\nendpoints 0 1 2\n", 2, "expected is");
	expect_text_error("0 1\nendpoints x 1\n", 2, "a switch number is expected (0, 1, 2, ...): \"x\"");
	expect_text_error("0 1\nendpoints 0- 1\n", 2, "a switch number");
	expect_text_error("0 1\nendpoints -1 1\n", 2, "a switch number");
	expect_text_error("0 1\nendpoints 1-0 1\n", 2, "begins with the smaller one");
	expect_text_error("0 1\nendpoints 0 -1\n", 2, "a number of endpoints is expected: \"-1\"");
	expect_text_error("0 1\nendpoints 0 65536\n", 2, "at most 65535");
	expect_text_error("0 1\nendpoints 0 99999999999999999999\n", 2, "at most 65535");
	expect_text_error("0 1\nendpoints 0 4\nendpoints 0-1 4\n", 3, "given twice: \"0-1\"");
	expect_text_error("0 1\nendpoints 0-16384 1\n", 2, "at most 16384 switches");
	expect_text_error("0 1\nendpoints 2 1\n", 0, "switch 2 has no cable");
	expect_text_error("endpoints 0-1 1\n", 0, "lists no cables");
	expect_error(&topo_edges, "file=/nonexistent/graph", "file", "cannot be opened");
	expect_error(&topo_edges, "file=/tmp", "file", "/tmp cannot be opened: is a directory");
}

Test(edges, all_problems_of_a_file_at_once)
{
	struct topo t;
	struct base_errors errors = { 0 };
	const char *text = "0 a\n1\n0 1\n2 2\n0 1 x y\n";
	put(text, strlen(text));
	cr_assert_neq(try_file(&t, &errors), 0);
	cr_expect_eq(errors.errors, 4);
	base_errors_free(&errors);
	char many[4000] = "";
	for (int i = 0; i < 100; i++)
		strcat(many, "a b\n");
	put(many, strlen(many));
	errors = (struct base_errors){ 0 };
	cr_assert_neq(try_file(&t, &errors), 0);
	cr_expect_eq(errors.errors, 21, "%zu", errors.errors);
	base_errors_free(&errors);
}

Test(edges, notation)
{
	const char *text = "# a square with a double side\r\n0\t1 global # inline\r\n 1 2\n2 3 global\n3 0\n0 1 local";
	struct topo t;
	struct base_errors errors = { 0 };
	put(text, strlen(text));
	cr_assert_eq(try_file(&t, &errors), 0, "%s", errors.n ? errors.v[0].text : "");
	cr_assert_eq(errors.n, 0);
	check_cables(&t, "square");
	check_shortest(&t, "square");
	cr_assert_eq(t.switches, 4);
	cr_assert_eq(t.endpoints, 8);
	cr_assert_eq(t.link_classes, 2);
	cr_assert_str_eq(t.link_class_name[0], "global");
	cr_assert_str_eq(t.link_class_name[1], "local");
	struct topo_facts f;
	topo_compute_facts(&t, &f);
	cr_assert_eq(f.links, 5);
	cr_assert_eq(f.links_by_class[0], 2);
	cr_assert_eq(f.girth, 2);
	cr_assert_eq(f.bisection_links, 2);
	topo_port out[TOPO_MAX_NEXT];
	cr_assert_eq(t.ops->next(&t, 0, 1, 0, out), 2); /* both parallel cables */
	cr_assert_eq(t.ops->next(&t, 0, 2, 0, out), 3);
	topo_destroy(&t);
	base_errors_free(&errors);
}

/* Own values by column; a second one is that of the direction back, "-" that of the class. */
Test(edges, columns)
{
	const char *text = "0 1 bandwidth=40Gbps latency=12ns/15ns\n2 0 bandwidth=-/10Gbps\n1 2 far latency=3us\n"
			   "0 2 absent=true\n2 3\n";
	const struct {
		topo_switch s;
		topo_port p;
		struct topo_direction own;
		const char *name;
	} rows[] = { { 0, 0, { 40000000000, 12000 }, "local" },
		     { 1, 0, { 40000000000, 15000 }, "local" },
		     { 1, 1, { 0, 3000000 }, "far" },
		     { 2, 1, { 0, 3000000 }, "far" },
		     { 2, 0, { 0, 0 }, "local" },
		     { 0, 1, { 10000000000, 0 }, "local" },
		     { 2, 2, { 0, 0 }, "local" } };
	struct topo t;
	struct base_errors errors = { 0 };
	for (int again = 0; again < 2; again++) {
		if (!again)
			put(text, strlen(text));
		cr_assert_eq(try_with(&t, "", &errors), 0, "%s", errors.n ? errors.v[0].text : "");
		cr_assert_eq(t.switches, 4);
		cr_assert_eq(topo_named_classes(&t), 2);
		cr_assert_eq(topo_ports(&t, 0), 2);
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
			int k = topo_peer(&t, rows[i].s, rows[i].p).link_class;
			cr_expect(topo_same_direction(t.kinds->v[k].own, rows[i].own), "row %zu", i);
			cr_expect_str_eq(t.link_class_name[k], rows[i].name);
		}
		FILE *out = fopen(path, "wb"); /* and once more from what is written */
		cr_assert_eq(topo_write_edges(&t, out), 0);
		fclose(out);
		topo_destroy(&t);
	}
	base_errors_free(&errors);
}

/* More than 255 classes, each with a name. */
Test(edges, many_classes)
{
	char *text = base_alloc(1 << 20);
	size_t n = 0;
	for (int i = 0; i < 4000; i++)
		n += (size_t)sprintf(text + n, "0 1 c%d\n", i);
	struct topo t;
	struct base_errors errors = { 0 };
	put(text, n);
	cr_assert_eq(try_file(&t, &errors), 0);
	cr_assert_eq(t.link_classes, 4000);
	cr_assert_str_eq(t.link_class_name[topo_peer(&t, 1, 3999).link_class], "c3999");
	topo_destroy(&t);
	for (int i = 4000; i < 4097; i++)
		n += (size_t)sprintf(text + n, "0 1 c%d\n", i);
	put(text, n);
	cr_assert_neq(try_file(&t, &errors), 0);
	cr_assert(strstr(errors.v[0].text, ":4097: at most 4096 link classes"), "%s", errors.v[0].text);
	base_errors_free(&errors);
	free(text);
}

Test(edges, both_directions_get_a_warning)
{
	struct topo t;
	struct base_errors errors = { 0 };
	put("0 1\n1 0\n1 2\n2 1\n", 16);
	cr_assert_eq(try_file(&t, &errors), 0);
	cr_assert_eq(errors.n, 1);
	cr_assert(errors.v[0].warning && strstr(errors.v[0].text, "both directions"));
	topo_destroy(&t);
	base_errors_free(&errors);
	put("0 1\n1 0\n1 2\n2 1\n0 1\n", 20); /* two there, one back: parallel cables */
	cr_assert_eq(try_file(&t, &errors), 0);
	cr_assert_eq(errors.n, 0);
	topo_destroy(&t);
	base_errors_free(&errors);
}

/* A triangle, as graph tools write it. warning: what has to be said of it, or NULL. */
static void is_triangle(const char *text, const char *warning)
{
	struct topo t;
	struct topo_facts f;
	struct base_errors errors = { 0 };
	put(text, strlen(text));
	cr_assert_eq(try_file(&t, &errors), 0, "%s: %s", text, errors.n ? errors.v[0].text : "");
	topo_compute_facts(&t, &f);
	cr_expect(f.switches == 3 && f.links == 3 && f.girth == 3, "%s", text);
	cr_expect_eq(errors.n, warning != NULL, "%s", text);
	if (warning && errors.n)
		cr_expect(errors.v[0].warning && strstr(errors.v[0].text, warning), "%s", errors.v[0].text);
	topo_destroy(&t);
	base_errors_free(&errors);
}

Test(edges, lists_of_graph_tools)
{
	is_triangle("0 1 {}\n1 2 {}\n2 0 {}\n", NULL);
	is_triangle("0 1 {'weight': 3, 'name': \"a # b\"}\n1 2 {}\n2 0 {'weight': 1}\n",
	            ":1: attributes in braces are not read, in 2 lines");
	is_triangle("3 3\n0 1 {}\n1 2 {}\n2 0 {}\n", "is read as a header");
	is_triangle("% exported\n%\n0 1\n1 2\n2 0\n", NULL);
	is_triangle("\xef\xbb\xbf"
	            "0 1\n1 2\n2 0\n",
	            NULL);
	is_triangle("0,1\n1, 2\n2,0,\r\n", NULL);
	is_triangle("3,3\n0,1\n1,2\n2,0\n", "is read as a header");
	expect_text_error("1 2\n2 3\n3 1\n", 0, "begins with 1");
	expect_text_error("0 1 {'weight': 3\n", 1, "do not end with");
	expect_text_error("0 1 {\n", 1, "do not end with");
	expect_text_error("{} 0 1\n", 1, "switch number");
	expect_text_error("0 {} 1\n", 1, "switch number");
	expect_text_error("0 1 % comment\n", 1, "more than");
	expect_text_error("0 1 10\n", 1, "10");
	expect_text_error("0 1 \xef\xbb\xbf\n", 1, "printable");
}

/* A topology, written and read back, is the same graph with the same facts. */
static void round_trip(const struct base_plugin *plugin, const char *text, bool shortest)
{
	struct topo a, b;
	struct topo_facts fa, fb;
	struct base_errors errors = { 0 };
	make_topo(&a, plugin, text);
	FILE *out = fopen(path, "w");
	cr_assert_eq(topo_write_edges(&a, out), 0);
	fclose(out);
	cr_assert_eq(try_with(&b, "", &errors), 0, "%s: %s", text, errors.n ? errors.v[0].text : "");
	check_cables(&b, text);
	check_shortest(&b, text);
	topo_compute_facts(&a, &fa);
	topo_compute_facts(&b, &fb);
	cr_expect_eq(fa.switches, fb.switches, "%s", text);
	cr_expect_eq(fa.endpoints, fb.endpoints, "%s", text);
	cr_expect_eq(fa.links, fb.links, "%s", text);
	cr_expect_eq(fa.diameter, fb.diameter, "%s", text);
	cr_expect_eq(fa.girth, fb.girth, "%s", text);
	cr_expect_float_eq(fa.mean_distance, fb.mean_distance, 1e-9, "%s", text);
	if (shortest)
		cr_expect_float_eq(fa.max_channel_load_uniform, fb.max_channel_load_uniform, 1e-9, "%s", text);
	for (topo_switch s = 0; s < a.switches; s++) {
		cr_assert_eq(topo_ports(&a, s), topo_ports(&b, s));
		cr_assert_eq(topo_endpoints_at(&a, s), topo_endpoints_at(&b, s));
		for (topo_port p = 0; p < topo_ports(&a, s); p++)
			cr_assert(adjacent(&b, s, topo_peer(&a, s, p).to));
	}
	topo_destroy(&a);
	topo_destroy(&b);
	base_errors_free(&errors);
}

Test(edges, round_trips)
{
	round_trip(&topo_slimfly, "q=5 endpoints=2", true);
	round_trip(&topo_slimfly, "q=8 endpoints=2", true);
	round_trip(&topo_slimfly, "q=11 endpoints=2", true);
	round_trip(&topo_dragonfly, "p=2 a=4 h=2", false);
	round_trip(&topo_dragonfly, "p=2 rows=2 columns=3 black=2 g=3 trunk=4", false);
	round_trip(&topo_torus, "dims=5,4 endpoints=2", false);
	round_trip(&topo_torus, "dims=7 wrap=false endpoints=2", true);
	round_trip(&topo_torus, "dims=7 wrap=false endpoints=1", true);
}

/* Two leaves of 2 and 3 endpoints under two spines, a leaf of 2 by default beside them. */
static const char small_tree[] = "0 3\n0 4\n1 3\n1 4\n2 3\n2 4\nendpoints 1 3\nendpoints 3-4 0\n";

Test(edges, endpoints_of_each_switch)
{
	static const uint32_t at[] = { 2, 3, 2, 0, 0 };
	struct topo t;
	struct topo_facts f;
	struct base_errors errors = { 0 };
	put(small_tree, strlen(small_tree));
	cr_assert_eq(try_file(&t, &errors), 0, "%s", errors.n ? errors.v[0].text : "");
	check_cables(&t, "tree");
	check_shortest(&t, "tree");
	cr_assert_eq(t.endpoints, 7);
	cr_assert_eq(t.max_endpoints, 3);
	for (topo_switch s = 0, e = 0; s < 5; s++) {
		cr_assert_eq(topo_endpoints_at(&t, s), at[s]);
		for (uint32_t i = 0; i < at[s]; i++, e++)
			cr_assert_eq(topo_switch_of(&t, e), s);
	}
	topo_compute_facts(&t, &f);
	cr_assert_eq(f.radix, 5);
	cr_assert_eq(f.network_radix, 3);
	/* Each of the 3 endpoints of leaf 1 sends 4 of its 6 shares away, over two spines. */
	cr_assert_float_eq(f.max_channel_load_uniform, 3 * 4 / 6.0 / 2, 1e-9);
	/* Pairs on one leaf: 2 + 6 + 2 of 42. */
	cr_assert_float_eq(f.mean_minimal_hops, 2 * 32 / 42.0, 1e-9);
	topo_destroy(&t);
	base_errors_free(&errors);
}

Test(edges, endpoints_round_trip)
{
	char text[96];
	struct base_errors errors = { 0 };
	struct topo t;
	put(small_tree, strlen(small_tree));
	snprintf(text, sizeof text, "file=%s endpoints=2", path);
	round_trip(&topo_edges, text, true);
	/* what was written speaks of every switch */
	cr_assert_neq(try_with(&t, " endpoints=3", &errors), 0);
	cr_assert(strstr(errors.v[0].key, "endpoints") && strstr(errors.v[0].text, "has no effect"));
	base_errors_free(&errors);
	cr_assert_eq(try_with(&t, "", &errors), 0);
	topo_destroy(&t);
}

Test(edges, no_endpoints_at_all)
{
	struct topo t;
	struct base_errors errors = { 0 };
	put("0 1\nendpoints 0-1 0\n", 20);
	cr_assert_neq(try_with(&t, "", &errors), 0);
	cr_assert(strstr(errors.v[0].text, "no switch has endpoints"), "%s", errors.v[0].text);
	base_errors_free(&errors);
}

Test(edges, reads_gzip)
{
	struct topo t;
	struct topo_facts f;
	make_topo(&t, &topo_edges, "file=" TILEFLY_TEST_DATA "/topo/mms_q9_edges.txt.gz endpoints=6");
	topo_compute_facts(&t, &f);
	cr_assert_eq(f.switches, 162);
	cr_assert_eq(f.links, 1053);
	cr_assert_eq(f.girth, 3);
	cr_assert_float_eq(f.mean_distance, 1.919255, 5.1e-7);
	/* (2 q^2 p - 1) / (p^2 (3q - 2)), the closed form for Slim Fly */
	cr_assert_float_eq(1 / f.max_channel_load_uniform, (2 * 81 * 6 - 1) / (36 * 25.0), 1e-9);
	topo_destroy(&t);
}

Test(edges, cut_gzip_files_are_refused)
{
	unsigned char text[60000], packed[60000];
	size_t n = 0, bytes;
	for (int i = 0; n < 50000; i++)
		n += (size_t)snprintf((char *)text + n, sizeof text - n, "%d %d\n", i, (i * 7919) % (i + 1) + i + 1);
	gzFile out = gzopen(path, "wb");
	gzwrite(out, text, (unsigned)n);
	gzclose(out);
	FILE *in = fopen(path, "rb");
	bytes = fread(packed, 1, sizeof packed, in);
	fclose(in);
	for (size_t keep = 12; keep < bytes; keep += bytes / 50) {
		struct topo t;
		struct base_errors errors = { 0 };
		put(packed, keep);
		cr_assert_neq(try_file(&t, &errors), 0, "the first %zu of %zu bytes were accepted", keep, bytes);
		cr_assert_gt(errors.errors, 0);
		base_errors_free(&errors);
	}
}

Test(edges, random_bytes_never_crash)
{
	uint64_t random = 5;
	static const char alphabet[] = "0123456789 \n\t#-xlocal\r";
	static const char *const words[] = { "endpoints ", "endpoints 0-", "\nendpoints 1 2\n", " 0\n" };
	for (int i = 0; i < 3000; i++) {
		char text[200];
		size_t n = next_random(&random) % sizeof text;
		for (size_t j = 0; j < n; j++) {
			const char *word = words[next_random(&random) % 4];
			if (next_random(&random) % 20 == 0 && j + strlen(word) < n) {
				memcpy(text + j, word, strlen(word));
				j += strlen(word) - 1;
				continue;
			}
			text[j] = next_random(&random) % 50 == 0
			              ? (char)next_random(&random)
			              : alphabet[next_random(&random) % (sizeof alphabet - 1)];
		}
		struct topo t;
		struct base_errors errors = { 0 };
		put(text, n);
		if (try_file(&t, &errors) == 0) {
			check_cables(&t, "random bytes");
			topo_destroy(&t);
		} else {
			cr_assert_gt(errors.errors, 0);
		}
		base_errors_free(&errors);
	}
}

Test(edges, random_graphs)
{
	uint64_t random = 9;
	for (int i = 0; i < 60; i++) {
		uint32_t n = 2 + (uint32_t)(next_random(&random) % 60), extra = (uint32_t)(next_random(&random) % 80);
		FILE *out = fopen(path, "w");
		for (uint32_t s = 1; s < n; s++)
			fprintf(out, "%u %u\n", s, (uint32_t)(next_random(&random) % s));
		for (uint32_t c = 0; c < extra; c++) {
			uint32_t a = (uint32_t)(next_random(&random) % n), b = (uint32_t)(next_random(&random) % n);
			if (a != b)
				fprintf(out, "%u %u %s\n", a, b, c % 2 ? "global" : "local");
		}
		fclose(out);
		struct topo t;
		struct base_errors errors = { 0 };
		cr_assert_eq(try_file(&t, &errors), 0);
		check_cables(&t, "random graph");
		check_shortest(&t, "random graph");
		check_routes(&t, "random graph", true, 2000);
		check_facts(&t, "random graph");
		topo_destroy(&t);
		base_errors_free(&errors);
	}
}

Test(edges, a_hub_with_more_ports_than_choices)
{
	FILE *out = fopen(path, "w");
	for (uint32_t s = 1; s <= 600; s++)
		fprintf(out, "0 %u\n%u 601\n", s, s);
	fclose(out);
	struct topo t;
	struct base_errors errors = { 0 };
	cr_assert_eq(try_file(&t, &errors), 0);
	topo_port port[TOPO_MAX_NEXT];
	cr_assert_eq(t.ops->next(&t, 0, 601, 0, port), TOPO_MAX_NEXT);
	for (int i = 0; i < TOPO_MAX_NEXT; i++)
		cr_assert_eq(t.ops->distance(&t, topo_peer(&t, 0, port[i]).to, 601), 1);
	topo_destroy(&t);
}

Test(edges, long_paths)
{
	for (uint32_t n = 254; n <= 257; n++) {
		FILE *out = fopen(path, "w");
		for (uint32_t s = 1; s < n; s++)
			fprintf(out, "%u %u\n", s - 1, s);
		fclose(out);
		struct topo t;
		struct base_errors errors = { 0 };
		bool good = try_file(&t, &errors) == 0;
		cr_assert_eq(good, n - 1 <= 254, "%u", n);
		if (good) {
			cr_assert_eq(t.ops->max_distance(&t), n - 1);
			topo_destroy(&t);
		}
		base_errors_free(&errors);
	}
}
