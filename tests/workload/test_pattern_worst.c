/* tests/workload/test_pattern_worst.c - the worst permutation as traffic, and permutations from files. */
#include "routing/routing.h"
#include "tests/workload/fixture.h"
#include "workload/open/permutation.h"

#include <unistd.h>

static void on(struct fixture *f, const struct base_plugin *plugin, const char *text)
{
	fixture_topo(f, plugin, text);
	f->config.link_default = f->config.link_terminal;
}

/* Every endpoint sends and receives once; so many of group 0 send to one other group. */
Test(pattern_worst, dragonfly_fills_a_global_cable)
{
	struct fixture f;
	uint32_t most = 0;
	bool receives[72] = { false };
	on(&f, &topo_dragonfly, "p=2 a=4 h=2 g=9");
	fixture_job(&f, &wl_worst_permutation, "");
	fixture_build(&f);
	cr_assert_eq(f.traffic.job[0].members, 72);
	uint32_t between[9][9] = { { 0 } };
	for (uint32_t e = 0; e < 72; e++) {
		uint32_t to = fixture_first(&f, 0, e);
		cr_assert(to < 72 && to != e && !receives[to]);
		receives[to] = true;
		between[e / 8][to / 8]++;
	}
	for (uint32_t a = 0; a < 9; a++)
		for (uint32_t b = 0; b < 9; b++)
			most = a != b && between[a][b] > most ? between[a][b] : most;
	cr_assert_eq(most, 8); /* all of a group: a p flows over one cable */
	fixture_free(&f);
}

/* The configuration's routing, or another by name. */
Test(pattern_worst, of_which_routing)
{
	static const struct {
		const struct base_plugin *own;
		const char *of;
		bool valiant;
	} row[] = {
		{ &rt_minimal, "of=auto", false },    { &rt_ugal_l, "of=auto", false },
		{ &rt_valiant, "of=auto", true },     { &rt_minimal, "of=valiant", true },
		{ &rt_valiant, "of=minimal", false }, { &rt_valiant, "of=valiant", true },
	};
	uint32_t by[2][72]; /* minimal, Valiant */
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct fixture f;
		on(&f, &topo_dragonfly, "p=2 a=4 h=2 g=9");
		f.config.routing = fixture_choice(row[i].own, "");
		fixture_job(&f, &wl_worst_permutation, row[i].of);
		fixture_build(&f);
		bool differs = false;
		for (uint32_t e = 0; e < 72; e++) {
			uint32_t to = fixture_first(&f, 0, e);
			bool first = i == 0 || i == 2;
			if (first)
				by[row[i].valiant][e] = to;
			cr_assert_eq(by[row[i].valiant][e], to, "row %zu, endpoint %u", i, e);
			differs = differs || (i >= 2 && by[0][e] != by[1][e]);
		}
		cr_assert(i < 2 || differs);
		free((void *)(uintptr_t)f.config.routing.params);
		f.config.routing = (struct net_choice){ 0 };
		fixture_free(&f);
	}
}

Test(pattern_worst, errors)
{
	struct fixture f;
	fixture_flat(&f, 8, 2);
	fixture_job(&f, &wl_worst_permutation, "");
	fixture_fails(&f, "traffic.[0].pattern", "no routes");
	fixture_free(&f);
}

static char name[] = "/tmp/tilefly-permutation-XXXXXX";

static void make_file(void)
{
	int fd = mkstemp(name);
	cr_assert_geq(fd, 0);
	close(fd);
}

static void remove_file(void)
{
	unlink(name);
}

static void write_file(const char *text)
{
	FILE *out = fopen(name, "w");
	fputs(text, out);
	fclose(out);
}

static struct net_job *file_job(struct fixture *f)
{
	char text[100];
	snprintf(text, sizeof text, "file=%s", name);
	fixture_flat(f, 8, 2);
	return fixture_job(f, &wl_permutation, text);
}

Test(permutation_file, is_followed, .init = make_file, .fini = remove_file)
{
	static const uint32_t want[8] = { 3, 0, WL_IDLE, 5, WL_IDLE, 7, WL_IDLE, 1 };
	struct fixture f;
	write_file("# a comment\n0 3\n\n  1\t0 # another\n3 5\r\n5 7\n7 1");
	file_job(&f);
	fixture_build(&f);
	cr_assert_eq(f.traffic.job[0].members, 5);
	cr_assert_eq(f.traffic.job[0].idle, 3);
	for (uint32_t e = 0; e < 8; e++)
		cr_assert_eq(fixture_first(&f, 0, e), want[e], "endpoint %u", e);
	fixture_free(&f);
}

Test(permutation_file, is_what_is_written, .init = make_file, .fini = remove_file)
{
	uint32_t to[6] = { 4, 1, 0, 5, 2, 3 }, back[6];
	const bool marked[6] = { true, true, false, true };
	struct base_errors errors = { 0 };
	FILE *out = fopen(name, "w");
	cr_assert_eq(wl_write_permutation(to, marked, 6, out), 0);
	fclose(out);
	cr_assert_eq(wl_read_permutation(back, 6, name, &errors), 0);
	for (uint32_t e = 0; e < 6; e++)
		cr_assert_eq(back[e], to[e] == e ? UINT32_MAX : to[e]);
	base_errors_free(&errors);
}

Test(permutation_file, errors, .init = make_file, .fini = remove_file)
{
	static const struct {
		const char *text, *want;
	} row[] = {
		{ "0\n", ":1: must be \"SOURCE DESTINATION\"" },
		{ "0 1 2\n", ":1: must be \"SOURCE DESTINATION\"" },
		{ "0 1\n1 x\n", ":2: must be the number of an endpoint: \"x\"" },
		{ "0 -1\n", ":1: must be the number of an endpoint: \"-1\"" },
		{ "0 8\n", ":1: endpoints are numbered from 0 to 7: \"8\"" },
		{ "99999999999999999999 0\n", ":1: endpoints are numbered from 0 to 7" },
		{ "3 3\n", ":1: an endpoint must not send to itself" },
		{ "0 1\n0 2\n", ":2: this endpoint already sends in another line: \"0\"" },
		{ "0 1\n2 1\n", ":2: this endpoint already receives in another line: \"1\"" },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct fixture f;
		write_file(row[i].text);
		file_job(&f);
		fixture_fails(&f, "traffic.[0].file", row[i].want);
		fixture_free(&f);
	}
	struct fixture f;
	write_file("0 1\n2 7\n");
	file_job(&f)->nodes = "0-3";
	fixture_fails(&f, "traffic.[0].file", "endpoint 7 does not belong to this job");
	fixture_free(&f);
	write_file("# none\n");
	file_job(&f);
	fixture_fails(&f, "traffic.[0].pattern", "idle");
	fixture_free(&f);
	unlink(name);
	file_job(&f);
	fixture_fails(&f, "traffic.[0].file", "cannot be opened");
	fixture_free(&f);
}
