/* tests/mpi/mpi_loggops.c - schedules under the LogGOPS model: every host's end time as LogGOPSim computes it, under
 * three sets of parameters, from text and binary, with every scheduler; and what cannot be finished is told. */
#include "tests/mpi/ties.h"
#include "workload/loggops/loggops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int failures;

static const struct way {
	enum sim_sync sync;
	uint32_t stress;
	bool audit, compat;
} ways[] = {
	{ .sync = SIM_SEQUENTIAL }, { .sync = SIM_SEQUENTIAL, .audit = true }, { .sync = SIM_CONSERVATIVE },
	{ .sync = SIM_OPTIMISTIC }, { .sync = SIM_OPTIMISTIC, .stress = 40 },
};
static const struct way compat_way = { .sync = SIM_OPTIMISTIC, .stress = 40, .compat = true };

static void set_params(struct wl_loggops_params *p, const char *set)
{
	static const struct wl_loggops_params d = { .L = 2500, .o = 1500, .g = 1000, .G = 6, .S = 65535, .unit = 1 };
	static const struct wl_loggops_params s1 = {
		.L = 110000, .o = 30000, .g = 5000, .G = 4, .S = 16384, .unit = 1
	};
	static const struct wl_loggops_params s2 = {
		.L = 1200, .o = 400, .g = 700, .G = 1, .O = 2, .S = 8192, .unit = 1
	};
	*p = !strcmp(set, "D") ? d : !strcmp(set, "S1") ? s1 : s2;
	p->kind = WL_LOGGOPS;
}

static void complain(const char *name, const char *set, const struct way *w, const char *what)
{
	failures++;
	if (sim_rank() == 0)
		fprintf(stderr, "%s, set %s, scheduler %d, stress %u, audit %d: %s\n", name, set, (int)w->sync,
		        w->stress, w->audit, what);
}

static void compare(const struct wl_goal *g, const char *name, const char *set, const struct way *w, const char *ends,
                    uint64_t events, uint64_t *digest)
{
	struct wl_loggops_params p;
	struct wl_loggops_result r;
	struct base_errors errors = { 0 };
	char text[128], *at = (char *)ends;
	set_params(&p, set);
	p.sync = w->sync;
	p.stress = w->stress;
	p.audit = w->audit;
	p.compat = w->compat;
	if (wl_loggops_run(g, &p, &r, &errors) || r.outcome != SIM_DONE) {
		complain(name, set, w, errors.n ? errors.v[0].text : "it did not end");
	} else {
		for (uint32_t i = 0; i < g->ranks; i++) {
			uint64_t want = strtoull(at, &at, 10);
			snprintf(text, sizeof text, "host %u ends at %llu, not %llu", i, (unsigned long long)r.end[i],
			         (unsigned long long)want);
			if (r.end[i] != want)
				complain(name, set, w, text);
		}
		if (*digest && *digest != r.digest)
			complain(name, set, w, "another digest");
		*digest = r.digest;
		if (r.unfinished || r.waits || r.events != events)
			complain(name, set, w, "unfinished, or another number of events");
	}
	wl_loggops_free(&r);
	base_errors_free(&errors);
}

static bool load(struct wl_goal *g, const char *name, const char *end)
{
	char path[1024];
	struct base_errors errors = { 0 };
	snprintf(path, sizeof path, "%s/goal/%s.%s", TILEFLY_TEST_DATA, name, end);
	bool good = !wl_goal_load(g, path, &errors);
	base_errors_free(&errors);
	return good;
}

/* One row of the table: case, set, events, the greatest end, all ends. */
static void check_row(char *line)
{
	const char *name = strtok(line, ","), *set = strtok(NULL, ",");
	uint64_t events = strtoull(strtok(NULL, ","), NULL, 10), digest = 0;
	strtok(NULL, ",");
	const char *ends = strtok(NULL, ",\n");
	for (int form = 0; form < 2; form++) {
		struct wl_goal g;
		if (!load(&g, name, form ? "bin" : "goal")) {
			failures += !form; /* not all of them are there in binary form */
			continue;
		}
		for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
			if (g.cpus ==
			        1 && /* else operations of one begin before what they require on another is over */
			    (sim_ranks() == 1 || ways[i].sync != SIM_SEQUENTIAL))
				compare(&g, name, set, &ways[i], ends, events, &digest);
		compare(&g, name, set, &compat_way, ends, events, &(uint64_t){ 0 });
		wl_goal_free(&g);
	}
}

static int check_table(void)
{
	char line[4096];
	int rows = 0;
	FILE *in = fopen(TILEFLY_TEST_DATA "/goal/ends.csv", "r");
	while (in && fgets(line, sizeof line, in))
		if (*line != '#' && strncmp(line, "case,", 5) != 0) {
			check_row(line);
			rows++;
		}
	if (in)
		fclose(in);
	return rows;
}

/* A schedule that cannot be finished, or whose messages have 0 bytes; what it says then. */
static void check_text(const char *text, uint64_t unfinished, const char *waits, uint64_t completion)
{
	static const struct way optimistic = { .sync = SIM_OPTIMISTIC };
	struct wl_goal g;
	struct wl_loggops_params p;
	struct wl_loggops_result r;
	struct base_errors errors = { 0 };
	set_params(&p, "D");
	p.sync = SIM_OPTIMISTIC;
	if (wl_goal_parse(&g, text, strlen(text), "text", &errors) || wl_loggops_run(&g, &p, &r, &errors)) {
		complain(text, "D", &optimistic, errors.n ? errors.v[0].text : "it did not run");
		return;
	}
	if (r.unfinished != unfinished || (sim_rank() == 0 && strcmp(r.waits ? r.waits : "", waits) != 0))
		complain(text, "D", &optimistic, r.waits ? r.waits : "nothing waits");
	if (completion && r.completion != completion)
		complain(text, "D", &optimistic, "another completion");
	wl_loggops_free(&r);
	wl_goal_free(&g);
	base_errors_free(&errors);
}

/* --- ties, in the order of LogGOPSim with compat -------------------------------------------------------------------
 */

/* Runs of LogGOPSim 76451de (spcl, built with g++ 12) on ties_text(number), read in the binary form: events, the
 * greatest end and the sum of all ends. By the order that does not depend on how ranks are grouped two thirds end
 * otherwise. */
static const struct ties_row {
	uint32_t number;
	char set[3];
	uint64_t events, end, sum;
} ties_rows[] = {
	{ 0, "D", 1026, 24336, 551808 },       { 0, "S1", 1026, 500668, 12663168 },
	{ 0, "S2", 1026, 9098, 213324 },       { 1, "D", 623, 4301790, 15721932 },
	{ 1, "S1", 623, 4626456, 17295964 },   { 1, "S2", 623, 2311586, 8962958 },
	{ 2, "D", 1026, 104928, 2294458 },     { 2, "S1", 1026, 710460, 15545288 },
	{ 2, "S2", 1026, 44164, 951537 },      { 3, "D", 105, 974452, 3172344 },
	{ 3, "S1", 105, 844968, 3069888 },     { 3, "S2", 105, 325184, 1099946 },
	{ 4, "D", 4266, 941020, 23524930 },    { 4, "S1", 4266, 1765880, 43681000 },
	{ 4, "S2", 4266, 383755, 9417655 },    { 5, "D", 415, 4047902, 12018712 },
	{ 5, "S1", 415, 4006384, 11831660 },   { 5, "S2", 415, 2188192, 6479880 },
	{ 6, "D", 4266, 18182242, 436154308 }, { 6, "S1", 4266, 13915336, 334121008 },
	{ 6, "S2", 4266, 9126370, 225240292 }, { 7, "D", 623, 96460, 712294 },
	{ 7, "S1", 623, 1771040, 12972084 },   { 7, "S2", 623, 38379, 277461 },
	{ 8, "D", 2133, 80092, 2150484 },      { 8, "S1", 2133, 1561728, 42154656 },
	{ 8, "S2", 2133, 24579, 616766 },      { 9, "D", 108, 15710, 89330 },
	{ 9, "S1", 108, 370184, 1935276 },     { 9, "S2", 108, 6977, 42062 },
	{ 10, "D", 513, 71452, 1500896 },      { 10, "S1", 513, 340980, 8009520 },
	{ 10, "S2", 513, 23483, 528198 },      { 11, "D", 300, 63930, 358254 },
	{ 11, "S1", 300, 1122636, 6332180 },   { 11, "S2", 300, 27864, 156396 },
};

static void check_ties_row(const struct wl_goal *g, const struct ties_row *row, const struct way *w)
{
	struct wl_loggops_params p;
	struct wl_loggops_result r;
	struct base_errors errors = { 0 };
	uint64_t sum = 0;
	char name[32], text[160];
	snprintf(name, sizeof name, "ties %u", row->number);
	set_params(&p, row->set);
	p.compat = true;
	p.sync = w->sync;
	p.stress = w->stress;
	if (wl_loggops_run(g, &p, &r, &errors) || r.outcome != SIM_DONE) {
		complain(name, row->set, w, errors.n ? errors.v[0].text : "it did not end");
	} else {
		for (uint32_t i = 0; i < g->ranks; i++)
			sum += r.end[i];
		snprintf(text, sizeof text, "ends at %llu, in sum %llu, not at %llu, %llu",
		         (unsigned long long)r.completion, (unsigned long long)sum, (unsigned long long)row->end,
		         (unsigned long long)row->sum);
		if (r.completion != row->end || sum != row->sum || r.events != row->events || r.unfinished)
			complain(name, row->set, w, text);
	}
	wl_loggops_free(&r);
	base_errors_free(&errors);
}

static void check_ties(void)
{
	for (size_t k = 0; k < sizeof ties_rows / sizeof *ties_rows; k++) {
		struct wl_goal g;
		struct base_errors errors = { 0 };
		char *text = ties_text(ties_rows[k].number);
		if (wl_goal_parse(&g, text, strlen(text), "text", &errors)) {
			complain(text, "D", &ways[0], errors.v[0].text);
		} else {
			for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
				if (!ways[i].audit && (sim_ranks() == 1 || ways[i].sync != SIM_SEQUENTIAL))
					check_ties_row(&g, &ties_rows[k], &ways[i]);
			wl_goal_free(&g);
		}
		free(text);
		base_errors_free(&errors);
	}
}

#define BUSY_RANKS 4u
#define ALL_RANKS (2 * BUSY_RANKS + 1) /* those of even numbers do nothing */

static uint32_t draw(uint64_t *state, uint32_t below)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33) % below;
}

/* Ranks that have hundreds of operations ready at once, on two interfaces; either on two processors, as one process,
 * or on one each, with eager messages alone, so that each is a process. */
static char *busy_text(uint64_t state)
{
	static char text[1 << 18];
	char *lines[BUSY_RANKS], *at = text;
	uint32_t count[BUSY_RANKS] = { 0 }, most = 100 + draw(&state, 400);
	uint32_t cpus = 1 + (uint32_t)(state >> 40) % 2;
	size_t room = sizeof text / 8;
	FILE *out[BUSY_RANKS];
	for (uint32_t r = 0; r < BUSY_RANKS; r++)
		out[r] = fmemopen(lines[r] = calloc(1, room), room, "w");
	for (uint32_t k = 0; k < most; k++) {
		uint32_t a = draw(&state, BUSY_RANKS), b = (a + 1 + draw(&state, BUSY_RANKS - 1)) % BUSY_RANKS;
		uint32_t size = cpus == 1 || draw(&state, 4) ? draw(&state, 2000) : draw(&state, 100000),
			 tag = draw(&state, 3);
		if (draw(&state, 3)) {
			fprintf(out[a], "l%u: send %ub to %u tag %u cpu %u nic %u\n", count[a], size, 2 * b + 1, tag,
			        draw(&state, cpus), draw(&state, 2));
			fprintf(out[b], "l%u: recv %ub from %u tag %u\n", count[b]++, size, 2 * a + 1, tag);
		} else {
			fprintf(out[a], "l%u: calc %u cpu %u\n", count[a], draw(&state, 3) * draw(&state, 5000),
			        draw(&state, cpus));
		}
		if (count[a] && !draw(&state, 6))
			fprintf(out[a], "l%u requires l%u\n", count[a], draw(&state, count[a]));
		count[a]++;
	}
	at += sprintf(at, "num_ranks %u\n", ALL_RANKS);
	for (uint32_t r = 0; r < BUSY_RANKS; r++) {
		fclose(out[r]);
		at += sprintf(at, "rank %u {\n%s}\n", 2 * r + 1, lines[r]);
		free(lines[r]);
	}
	return text;
}

/* --- the same rules with one queue of all, in which what has to wait is asked again each time ------------------- */

#define SET(s, at, value) ((void)(s), *(at) = (value))
#define TRACED(m) ((void)(m), 0)
#define AS_REFERENCE(m) ((m)->as_reference)
#include "workload/loggops/rules.h"

static struct {
	struct pending v[1 << 14];
	size_t n;
} asked;

static void push_pending(const struct step *s, struct pending p)
{
	size_t i = asked.n++;
	(void)s;
	for (; i && before(&asked.v[i - 1], &p); i--) /* the first is the last one */
		asked.v[i] = asked.v[i - 1];
	asked.v[i] = p;
}

static void deliver_message(const struct step *s, const struct pending *message)
{
	push_pending(s, *message);
}

static void wait_until(const struct step *s, const struct pending *p, uint64_t t)
{
	put_back(s, *p, t);
}

/* When each rank ends. */
static void ask_each_time(const struct wl_goal *g, const struct wl_loggops_params *p, uint64_t *ends)
{
	struct model m = { .goal = g, .p = *p, .G = (uint64_t)(p->G * 0x1p20), .O = (uint64_t)(p->O * 0x1p20) };
	wl_loggops_make(&m);
	for (uint32_t i = 0; i < m.lps; i++)
		begin_process(&(struct step){ .m = &m, .lp = i });
	while (asked.n) {
		struct pending first = asked.v[--asked.n];
		struct step s = { .m = &m };
		(p->kind == WL_LOGGOPS ? do_pending : do_other)(&s, &first);
	}
	memset(ends, 0, g->ranks * sizeof *ends);
	for (uint32_t r = 0; r < g->ranks; r++)
		for (uint32_t c = 0; c < g->cpus; c++)
			ends[r] = *cpu_of(&m, r, c) > ends[r] ? *cpu_of(&m, r, c) : ends[r];
	wl_loggops_destroy(&m);
}

/* What waits for clocks in lists of its own goes on, with every scheduler, as if it were asked each time. */
static void check_busy(uint64_t seed)
{
	static const char *const sets[] = { "D", "S1", "S2" };
	struct wl_goal g;
	struct wl_loggops_params p;
	struct base_errors errors = { 0 };
	const char *set = sets[seed % 3];
	char *text = busy_text(seed), name[64];
	uint64_t digest = 0, ends[ALL_RANKS];
	snprintf(name, sizeof name, "busy ranks, seed %u", (unsigned)seed);
	if (wl_goal_parse(&g, text, strlen(text), "text", &errors)) {
		complain(name, set, &ways[0], errors.v[0].text);
		return;
	}
	set_params(&p, set);
	ask_each_time(&g, &p, ends);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct wl_loggops_result r;
		p.sync = ways[i].sync;
		p.stress = ways[i].stress;
		p.audit = ways[i].audit;
		if (sim_ranks() > 1 && p.sync == SIM_SEQUENTIAL)
			continue;
		if (wl_loggops_run(&g, &p, &r, &errors) || r.outcome != SIM_DONE || r.unfinished)
			complain(name, set, &ways[i], "it did not end");
		else if ((digest && digest != r.digest) || memcmp(ends, r.end, sizeof ends) != 0)
			complain(name, set, &ways[i], "another result");
		digest = r.digest;
		wl_loggops_free(&r);
	}
	wl_goal_free(&g);
	base_errors_free(&errors);
}

/* One thing waits at a time and not all that is ready: 16,000 computations are done in a moment, where going through
 * all each time would take 128 million steps. */
static void check_many(void)
{
	enum { MANY_RANKS = 2, MANY = 16000 };
	static char text[MANY * 24];
	struct wl_goal g;
	struct base_errors errors = { 0 };
	char *at = text + sprintf(text, "num_ranks %d\n", MANY_RANKS);
	for (int r = 0; r < MANY_RANKS; r++) {
		at += sprintf(at, "rank %d {\n", r);
		for (int i = 0; i < MANY / MANY_RANKS; i++)
			at += sprintf(at, "calc %d\n", 5 + r);
		at += sprintf(at, "}\n");
	}
	if (wl_goal_parse(&g, text, strlen(text), "text", &errors)) {
		complain("many", "D", &ways[0], errors.v[0].text);
		return;
	}
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct wl_loggops_params p;
		struct wl_loggops_result r;
		clock_t start = clock();
		set_params(&p, "D");
		p.sync = ways[i].sync;
		p.stress = ways[i].stress;
		if (ways[i].audit || (sim_ranks() > 1 && ways[i].sync == SIM_SEQUENTIAL))
			continue; /* an audit copies all of a rank at each event */
		if (wl_loggops_run(&g, &p, &r, &errors) || r.outcome != SIM_DONE || r.unfinished ||
		    r.end[0] != MANY / MANY_RANKS * 5 || r.end[1] != MANY / MANY_RANKS * 6)
			complain("many", "D", &ways[i], "it did not end, or at another time");
		if ((double)(clock() - start) > 3.0 * CLOCKS_PER_SEC)
			complain("many", "D", &ways[i], "more than 3 s");
		wl_loggops_free(&r);
	}
	wl_goal_free(&g);
	base_errors_free(&errors);
}

/* What an operation requires is over before it begins, also on another processor, under `kind`. */
static void check_processors(int kind, const char *name)
{
	static const struct {
		const char *rank[2];
		uint64_t end[2];
	} of[] = {
		/* o = 1,500 of a send, then 10,000; and the message is there L = 2,500 later, and handled o later */
		{ { "a: send 1b to 1\nb: calc 10000 cpu 1\nb requires a\n", "recv 1b from 0\n" }, { 11500, 5500 } },
		{ { "send 1b to 1\n", "a: recv 1b from 0\nb: calc 10000 cpu 1\nb requires a\n" }, { 1500, 15500 } },
		{ { "a: calc 3000\nb: calc 10000 cpu 1\nb requires a\nc: calc 5 cpu 2\nc requires b\n", "calc 1\n" },
		  { 13005, 1 } },
		/* the receive is posted at 4,500, while the message is handled, from 4,000 on */
		{ { "send 1b to 1\n", "w: calc 4500 cpu 1\na: recv 1b from 0\na requires w\nb: calc 100 cpu 1\n"
		                      "b requires a\n" },
		  { 1500, 5600 } },
		/* what only requires its start begins with it */
		{ { "a: calc 3000\nb: calc 10 cpu 1\nb irequires a\n", "calc 1\n" }, { 3000, 1 } },
	};
	for (size_t i = 0; i < sizeof of / sizeof *of; i++)
		for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
			char text[512];
			struct wl_goal g;
			struct wl_loggops_params p;
			struct wl_loggops_result r;
			struct base_errors errors = { 0 };
			if (sim_ranks() > 1 && ways[k].sync == SIM_SEQUENTIAL)
				continue;
			set_params(&p, "D");
			p.kind = kind;
			p.sync = ways[k].sync;
			p.stress = ways[k].stress;
			p.audit = ways[k].audit;
			p.traced = p.path = kind == WL_LOGGOPS;
			snprintf(text, sizeof text, "num_ranks 2\nrank 0 {\n%s}\nrank 1 {\n%s}\n", of[i].rank[0],
			         of[i].rank[1]);
			if (wl_goal_parse(&g, text, strlen(text), "text", &errors) ||
			    wl_loggops_run(&g, &p, &r, &errors)) {
				complain(name, "D", &ways[k], errors.n ? errors.v[0].text : "it did not run");
				return;
			}
			if (r.end[0] != of[i].end[0] || r.end[1] != of[i].end[1]) {
				snprintf(text + strlen(text), sizeof text - strlen(text), "hosts end at %llu, %llu",
				         (unsigned long long)r.end[0], (unsigned long long)r.end[1]);
				complain(name, "D", &ways[k], text);
			}
			wl_loggops_free(&r);
			wl_goal_free(&g);
			base_errors_free(&errors);
		}
}

int main(int argc, char **argv)
{
	if (sim_mpi_start(&argc, &argv))
		return 1;
	if (check_table() != 39)
		failures++;
	for (uint64_t seed = 1; seed <= 24; seed++)
		check_busy(seed);
	check_many();
	check_ties();
	check_processors(WL_LOGGOPS, "processors, loggops");
	check_processors(WL_LOGGP, "processors, loggp");
	check_text("num_ranks 2\nrank 0 {\nsend 8b to 1 tag 3\n}\nrank 1 {\na: recv 8b from 0 tag 4\nb: calc 5\nb "
	           "requires a\n}\n",
	           2,
	           "rank 1: recv 8 B from rank 0, tag 4: no matching message was sent\n"
	           "rank 0: send 8 B to rank 1, tag 3: not received\n",
	           0);
	check_text("num_ranks 2\nrank 0 {\nsend 0b to 1\n}\nrank 1 {\nrecv 0b from 0\n}\n", 0, "", 2 * 1500 + 2500);
	/* the send's size decides, whatever the receive says */
	check_text(
	    "num_ranks 2\nrank 0 {\na: send 70000b to 1\nb: calc 7\nb requires a\n}\nrank 1 {\nrecv 1b from 0\n}\n", 0,
	    "", 5500 + 69999 * 6);
	/* to oneself */
	check_text("num_ranks 1\nrank 0 {\nsend 1b to 0\nrecv 1b from 0\n}\n", 0, "", 2 * 1500 + 2500);
	if (failures && sim_rank() == 0)
		fprintf(stderr, "%d failed\n", failures);
	sim_mpi_stop();
	return failures != 0;
}
