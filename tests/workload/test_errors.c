/* tests/workload/test_errors.c - every impossible job is refused with its key; no text crashes the reader. */
#include "tests/workload/fixture.h"

#include <math.h>

/* One job on 12 endpoints, spoilt by `statement`. */
#define REFUSED(pattern, params, statement, key, part)                  \
	do {                                                            \
		struct fixture f;                                       \
		fixture_flat(&f, 12, 2);                                \
		struct net_job *job = fixture_job(&f, pattern, params); \
		(void)job;                                              \
		statement;                                              \
		fixture_fails(&f, key, part);                           \
		fixture_free(&f);                                       \
	} while (0)

Test(errors, nodes)
{
#define NODES(text, part) REFUSED(&wl_uniform, "", job->nodes = text, "traffic.[0].nodes", part)
	NODES("", "must be \"all\", a list of ranges");
	NODES("some", "must be \"all\", a list of ranges");
	NODES("0-", "must be \"all\", a list of ranges");
	NODES("-3", "must be \"all\", a list of ranges");
	NODES("1,,2", "must be \"all\", a list of ranges");
	NODES("1,2,", "must be \"all\", a list of ranges");
	NODES("1 2", "must be \"all\", a list of ranges");
	NODES("99999999999,1", "must be \"all\", a list of ranges");
	NODES("5-3", "the range 5-3 is decreasing");
	NODES("0-12", "no endpoint 12; the last one is 11");
	NODES("0-3,2", "endpoint 2 is listed twice");
	NODES("0", "at least one");
	NODES("13", "more than the network's 12");
	NODES("1", "no other endpoint to send to");
	NODES("4-4", "no other endpoint to send to");
	REFUSED(&wl_uniform, "", job->nodes = "8"; fixture_job(&f, &wl_uniform, "")->nodes = "5", "traffic.[1].nodes",
	                                           "the earlier jobs leave only 4 of 12");
}

Test(errors, sizes_of_bit_permutations)
{
	REFUSED(&wl_bit_complement, "", , "traffic.[0].nodes", "12 is not one, the nearest are 8 and 16");
	REFUSED(&wl_bit_reverse, "", , "traffic.[0].nodes", "power of 2");
	REFUSED(&wl_shuffle, "", , "traffic.[0].nodes", "power of 2");
	REFUSED(&wl_transpose, "", , "traffic.[0].nodes",
	        "power of 4 as the number of endpoints; 12 is not one, the nearest are 4 and 16");
	REFUSED(&wl_transpose, "", job->nodes = "8", "traffic.[0].nodes", "the nearest are 4 and 16");
	REFUSED(&wl_transpose, "", job->nodes = "2", "traffic.[0].nodes", "the nearest is 4");
}

Test(errors, pattern_parameters)
{
	REFUSED(&wl_incast, "target=12", , "traffic.[0].target", "endpoint 12 does not belong");
	REFUSED(&wl_incast, "target=7", job->nodes = "0-3", "traffic.[0].target", "endpoint 7 does not belong");
	REFUSED(&wl_hotspot, "targets=3,12", , "traffic.[0].targets", "endpoint 12 does not belong");
	REFUSED(&wl_hotspot, "targets=-1", , "traffic.[0].targets", "endpoint -1 does not belong");
	REFUSED(&wl_hotspot, "targets=3,3", , "traffic.[0].targets", "endpoint 3 is listed twice");
	REFUSED(&wl_hotspot, "targets=0,1,2", job->nodes = "2", "traffic.[0].targets", "3 targets are more");
	REFUSED(&wl_adversarial, "", , "traffic.[0].pattern", "several groups");
	REFUSED(&wl_worst_case, "", , "traffic.[0].pattern", "topology \"flat\" defines no worst case");
	REFUSED(&wl_tornado, "", job->nodes = "2", "traffic.[0].pattern", "leaves all 2 endpoints of the job idle");
	struct fixture f;
	fixture_topo(&f, &topo_dragonfly, "p=2 a=4 h=2 g=9");
	fixture_job(&f, &wl_adversarial, "offset=9");
	fixture_fails(&f, "traffic.[0].offset", "9 is not between 1 and 8, since there are 9 groups");
	fixture_free(&f);
}

Test(errors, rates_and_sizes)
{
	REFUSED(&wl_uniform, "", job->load = -0.1, "traffic.[0].load", "-0.1 is not between 0 and 1");
	REFUSED(&wl_uniform, "", job->load = 1.5, "traffic.[0].load", "1.5 is not between 0 and 1");
	REFUSED(&wl_uniform, "", job->load = NAN, "traffic.[0].load", "nan is not between 0 and 1");
	REFUSED(&wl_uniform, "", job->load = 1e-13, "traffic.[0].load", "too small");
	REFUSED(&wl_uniform, "", (job->load = 1e-9, job->message = UINT32_MAX), "traffic.[0].load", "less than once");
	REFUSED(&wl_uniform, "", f.config.link_terminal.bandwidth = 0, "links.terminal.bandwidth", "without bandwidth");
	REFUSED(&wl_uniform, "", f.config.link_terminal.bandwidth = 1, "traffic.[0].packet", "more than 70 s");
	REFUSED(&wl_uniform, "", job->packet.n = 0, "traffic.[0].packet", "must have at least one packet size");
	REFUSED(&wl_uniform, "", job->packet.v[0] = 0, "traffic.[0].packet", "0 bytes are not between 1");
	REFUSED(&wl_uniform, "", job->packet.v[0] = INT64_MAX, "traffic.[0].packet", "are not between 1");
	REFUSED(&wl_uniform, "", job->message = (uint64_t)1 << 32, "traffic.[0].message",
	        "4294967296 bytes are too many");
	REFUSED(&wl_uniform, "", job->stop = job->start = 5, "traffic.[0].stop", "after the job's start");
}

static void set_weights(struct net_job *job, size_t n, int64_t first, int64_t second)
{
	job->weight.v = base_calloc(2, sizeof(int64_t));
	job->weight.v[0] = first;
	job->weight.v[1] = second;
	job->weight.n = n;
	job->packet.v[1] = 64;
	job->packet.n = 2;
}

Test(errors, weights)
{
	REFUSED(&wl_uniform, "", set_weights(job, 1, 1, 1), "traffic.[0].weight", "1 weights for 2 packet sizes");
	REFUSED(&wl_uniform, "", set_weights(job, 2, 0, 0), "traffic.[0].weight", "above zero");
	REFUSED(&wl_uniform, "", set_weights(job, 2, -1, 2), "traffic.[0].weight", "-1 is not between");
	REFUSED(&wl_uniform, "", set_weights(job, 2, 1, INT64_MAX), "traffic.[0].weight", "is not between");
}

Test(errors, injection)
{
	struct {
		double burst, duty;
	} wrong[] = { { 0.5, 0.5 }, { NAN, 0.5 }, { 4, 0 }, { 4, 1.5 } };
	for (int i = 0; i < 4; i++)
		REFUSED(
		    &wl_uniform, "",
		    (fixture_injection(job, &wl_on_off, ""), memcpy(job->injection.params, &wrong[i], sizeof wrong[i])),
		    i < 2 ? "traffic.[0].burst" : "traffic.[0].duty", "is not between");
	REFUSED(&wl_uniform, "", (fixture_injection(job, &wl_on_off, "burst=1000000"), job->load = 1e-7),
	        "traffic.[0].burst", "70 s");
	REFUSED(&wl_uniform, "",
	        (fixture_injection(job, &wl_bernoulli, ""), f.config.link_terminal.bandwidth = 1ul << 52),
	        "traffic.[0].injection", "at least 2 ps");
	REFUSED(&wl_uniform, "", job->injection.plugin = NULL, "traffic.[0].injection", "no injection is selected");
	REFUSED(&wl_uniform, "", job->pattern.plugin = &wl_poisson, "traffic.[0].pattern", "no pattern is selected");
}

Test(errors, class_names)
{
	struct net_class classes[] = { { .name = (char *)"bulk" }, { .name = (char *)"urgent" } };
	REFUSED(&wl_uniform, "", (f.config.classes = classes, f.config.nclasses = 2, job->class_name = (char *)"bulc"),
	        "traffic.[0].class", "did you mean \"bulk\"?");
	REFUSED(&wl_uniform, "",
	        (f.config.classes = classes, f.config.nclasses = 2, job->class_name = (char *)"zzzzzz"),
	        "traffic.[0].class", "there is no class \"zzzzzz\"");
}

Test(errors, too_many_jobs)
{
	struct fixture f;
	fixture_flat(&f, 4, 1);
	f.config.njobs = 256;
	fixture_fails(&f, "traffic", "256 jobs are too many; at most 255");
	f.config.njobs = 0;
	fixture_free(&f);
}

/* Every problem of every job at once, and the caller's scope is as before. */
Test(errors, all_at_once)
{
	struct fixture f;
	fixture_flat(&f, 12, 1);
	struct net_job *job = fixture_job(&f, &wl_transpose, "");
	job->load = 2;
	job->packet.v[0] = -4;
	job->start = 7;
	job->stop = 3;
	fixture_job(&f, &wl_incast, "target=99");
	fixture_job(&f, &wl_uniform, "")->nodes = "x";
	f.errors.scope = "outer";
	cr_assert_eq(wl_build(&f.traffic, &f.config, &f.topo, &f.errors), -1);
	const char *keys[] = { "traffic.[0].packet", "traffic.[0].load",   "traffic.[0].stop",
		               "traffic.[0].nodes",  "traffic.[1].target", "traffic.[2].nodes" };
	cr_assert_eq(f.errors.n, 6);
	for (size_t i = 0; i < 6; i++)
		cr_assert_str_eq(f.errors.v[i].key, keys[i]);
	cr_assert_str_eq(f.errors.scope, "outer");
	fixture_free(&f);
}

/* Random texts of the characters that matter: refused or read, never a crash; what is read has consistent counts. */
Test(errors, random_nodes)
{
	static const char letters[] = "0123456789,,-- al";
	uint32_t read = 0;
	for (uint32_t i = 0; i < 20000; i++) {
		struct fixture f;
		fixture_flat(&f, 12, 1);
		char text[16] = { 0 };
		struct sim_draw d = sim_draw4(3, 0, i, SIM_DRAW_MODEL, 0);
		for (uint32_t k = 0; k < d.v[0] % 12; k++)
			text[k] = letters[sim_draw4(3, 1 + k, i, SIM_DRAW_MODEL, 0).v[0] % (sizeof letters - 1)];
		struct net_job *job = fixture_job(&f, &wl_uniform, "");
		job->nodes = text;
		job->allocation = (int)(d.v[1] % 3);
		if (!wl_build(&f.traffic, &f.config, &f.topo, &f.errors)) {
			uint32_t n = 0;
			uint8_t list[1];
			for (uint32_t e = 0; e < 12; e++)
				n += f.traffic.jobs_at(&f.traffic, e, list);
			cr_assert_eq(n, f.traffic.job[0].members);
			cr_assert_geq(n, 2);
			read++;
		}
		fixture_free(&f);
	}
	cr_assert_gt(read, 100);
}
