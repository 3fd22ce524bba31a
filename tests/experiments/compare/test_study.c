/* tests/experiments/compare/test_study.c - what a study file becomes. */
#include "experiments/compare/compare.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int read_text(struct xp_study *study, const char *text, struct base_errors *errors)
{
	char path[] = "/tmp/tilefly-study.XXXXXX";
	int fd = mkstemp(path);
	cr_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	int status = xp_study_read(study, path, errors);
	unlink(path);
	return status;
}

Test(study, defaults)
{
	struct xp_study s;
	struct base_errors errors = { 0 };
	cr_assert(
	    !read_text(&s, "config = { }; equal = \"endpoints\"; endpoints = 100; candidates = \"slimfly\";", &errors));
	cr_expect_eq(s.basis, XP_EQUAL_ENDPOINTS);
	cr_expect_eq(s.ncandidates, 1);
	cr_expect_str_eq(s.candidate[0].family->name, "slimfly");
	cr_expect_eq(s.candidate[0].radix, 64);
	cr_expect_eq(s.ndemands, 3);
	cr_expect_str_eq(s.demand[1].pattern, "worst-permutation");
	cr_expect_eq(s.nroutings, 1);
	cr_expect_null(s.routing[0].set);
	cr_expect_eq(s.number.limit, 10000000000);
	xp_study_free(&s);
	base_errors_free(&errors);
}

/* 50 packets of 64 B to one of 4,000 B: (51 (50 x 64^2 + 4000^2)) / (50 x 64 + 4000)^2; bursts of 4 in half of the
 * time: 1 + 2 x 4 / 4; no more than 32. */
Test(study, uneven_traffic_and_hotspots)
{
	struct xp_study s;
	struct base_errors errors = { 0 };
	cr_assert(!read_text(
	    &s,
	    "config = { }; equal = \"endpoints\"; endpoints = 100; candidates = \"slimfly\";\n"
	    "job = { packet = [\"64B\", \"4KB\"]; weight = [50, 1]; };\n"
	    "traffic = ( \"uniform\", { name = \"b\"; pattern = \"uniform\"; packet = \"1KB\"; weight = [1];\n"
	    "  injection = \"on-off\"; burst = 4; duty = 0.5; self = true; },\n"
	    "  { name = \"c\"; pattern = \"hotspot\"; injection = \"on-off\"; targets = [1, 2, 3]; fraction = 0.25; } "
	    ");",
	    &errors));
	cr_expect_float_eq(s.demand[0].uneven, 51 * (50 * 4096.0 + 16e6) / (7200.0 * 7200.0), 1e-9);
	cr_expect_float_eq(s.demand[1].uneven, 3, 1e-12);
	cr_expect_float_eq(s.demand[2].uneven, 32, 1e-12);
	cr_expect(!s.demand[0].self && s.demand[1].self);
	cr_expect_eq(s.demand[2].targets, 3);
	cr_expect_float_eq(s.demand[2].hot, 0.25, 1e-12);
	struct xp_series series = { .demand = &s.demand[1] };
	cr_expect_float_eq(xp_search_packets(&series, 100), 300, 1e-9);
	xp_study_free(&s);
	base_errors_free(&errors);
}

Test(study, groups_and_names)
{
	struct xp_study s;
	struct base_errors errors = { 0 };
	cr_assert(!read_text(&s,
	                     "config = { }; equal = \"ports\"; budget = 640; radix = 32;\n"
	                     "candidates = ( { family = \"oft\"; name = \"o\"; radix = 16; throughput = 0.5; },\n"
	                     "               { topology = { kind = \"torus\"; dims = [4, 4]; }; } );\n"
	                     "routings = ( \"minimal\", { name = \"b\"; kind = \"ugal-l\"; bias = \"2KB\"; } );\n"
	                     "job = { packet = \"512B\"; injection = \"bernoulli\"; };\n"
	                     "traffic = ( \"tornado\", { pattern = \"hotspot\"; fraction = 0.2; packet = \"1KB\"; } ); "
	                     "rank = \"hotspot\";\n"
	                     "collectives = ( { process = \"barrier\"; } );",
	                     &errors));
	cr_expect_str_eq(s.budget, "640");
	cr_expect_eq(s.candidate[0].radix, 16);
	cr_expect_float_eq(s.candidate[0].throughput, 0.5, 1e-12);
	cr_expect_str_eq(s.candidate[1].name, "torus");
	cr_expect(strstr(s.candidate[1].topology, "dims = ( 4, 4 )"), "%s", s.candidate[1].topology);
	cr_expect(strstr(s.routing[1].set, "bias = \"2KB\"") && !strstr(s.routing[1].set, "name"), "%s",
	          s.routing[1].set);
	cr_expect_eq(s.rank, 1);
	cr_expect(strstr(s.demand[1].job, "\"1KB\"") && !strstr(s.demand[1].job, "512B"), "%s", s.demand[1].job);
	cr_expect(strstr(s.collective[0].job, "512B") && !strstr(s.collective[0].job, "bernoulli"), "%s",
	          s.collective[0].job);
	xp_study_free(&s);
	base_errors_free(&errors);
}

Test(study, errors_have_lines)
{
	struct xp_study s;
	struct base_errors errors = { 0 };
	cr_assert(read_text(
	    &s, "config = { };\nequal = \"cost\";\ndelivered = \"5Tbps\";\ncandidates = ( \"slimfly\",\n\"slimfly\" );",
	    &errors));
	cr_expect_eq(errors.errors, 3); /* no budget, delivered, a second slimfly */
	bool line5 = false;
	for (size_t i = 0; i < errors.n; i++)
		line5 |= strstr(errors.v[i].key, ":5: ") != NULL;
	cr_expect(line5);
	xp_study_free(&s);
	base_errors_free(&errors);
}
