/* experiments/design/print.c - a search for people, as JSON, and as files of its folder. */
#include "experiments/design/design.h"
#include "experiments/results/file.h"
#include "experiments/results/table.h"
#include "experiments/runs/folder.h"

#include "base/format.h"
#include "base/memory.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KINDS (XP_FIDELITIES + 1) /* those of a comparison, and runs of the front's own seed */

struct spent {
	uint64_t runs, events;
	double simulated_ns;
};

static void add_up(const struct xp_search_space *s, struct spent *spent)
{
	const struct xp_compare *c = &s->c;
	for (size_t i = 0; i < c->nsim_runs; i++) {
		const struct xp_sim_run *run = c->sim_run[i];
		struct spent *k = &spent[s->fresh_from && i >= s->fresh_from ? XP_FIDELITIES : run->fidelity];
		if (!run->done)
			continue;
		k->runs++;
		k->events += run->events;
		k->simulated_ns += run->simulated_ns;
	}
}

static const char *kind_name(int kind)
{
	return kind == XP_FIDELITIES ? "front" : xp_fidelity_names[kind];
}

static const char *state_of(const struct xp_space_candidate *k)
{
	return k->rejected ? "rejected" : k->front ? "front" : k->tied ? "tied" : k->chosen ? "behind" : "not run";
}

static void ends_of(const struct xp_space_candidate *k, enum xp_goal g, double *low, double *high)
{
	bool largest = g == XP_GOAL_SATURATION;
	*low = largest ? -k->worst[g] : k->best[g];
	*high = largest ? -k->best[g] : k->worst[g];
}

static size_t count(const struct xp_search_space *s, const char *state)
{
	size_t n = 0;
	for (size_t i = 0; i < s->ncandidates; i++)
		n += !strcmp(state_of(&s->candidate[i]), state);
	return n;
}

/* Those on the front, by the first objective. */
static const struct xp_search_space *sorted; /* for the comparison below alone */
static int by_first(const void *a, const void *b)
{
	const struct xp_space_candidate *x = *(const struct xp_space_candidate *const *)a,
					*y = *(const struct xp_space_candidate *const *)b;
	double p = x->best[sorted->goal[0]], q = y->best[sorted->goal[0]];
	return p < q ? -1 : p > q ? 1 : x < y ? -1 : x > y;
}

static const struct xp_space_candidate **front_of(const struct xp_search_space *s, size_t *n)
{
	const struct xp_space_candidate **out = base_calloc(s->ncandidates + 1, sizeof(struct xp_space_candidate *));
	*n = 0;
	for (size_t i = 0; i < s->ncandidates; i++)
		if (s->candidate[i].front)
			out[(*n)++] = &s->candidate[i];
	sorted = s;
	qsort(out, *n, sizeof(struct xp_space_candidate *), by_first);
	return out;
}

/* --- for people ------------------------------------------------------------------------------------------ */

static int name_columns(const struct xp_search_space *s)
{
	size_t most = 40;
	for (size_t i = 0; i < s->ncandidates; i++)
		most = strlen(s->candidate[i].name) > most ? strlen(s->candidate[i].name) : most;
	return (int)most;
}

static void columns_of(const struct xp_search_space *s, struct xp_table *t)
{
	*t = (struct xp_table){ .indent = "  " };
	xp_table_column(t, "", -name_columns(s), NULL);
	for (size_t i = 0; i < s->ngoals; i++)
		xp_table_column(t, xp_goal_names[s->goal[i]], 18, "%.4g");
}

static void add_candidate(const struct xp_search_space *s, struct xp_table *t, const struct xp_space_candidate *k)
{
	xp_table_text(t, k->name);
	for (size_t i = 0; i < s->ngoals; i++) {
		double low, high;
		ends_of(k, s->goal[i], &low, &high);
		if (low == high)
			xp_table_cell(t, "%.4g", low);
		else
			xp_table_cell(t, "%.4g .. %.4g", low, high);
	}
	xp_table_end(t);
}

static void add_all(const struct xp_search_space *s, struct xp_table *t, const char *state)
{
	for (size_t i = 0; i < s->ncandidates; i++)
		if (!strcmp(state_of(&s->candidate[i]), state))
			add_candidate(s, t, &s->candidate[i]);
}

void xp_space_text(const struct xp_search_space *s)
{
	struct spent spent[KINDS] = { 0 };
	struct xp_table t;
	size_t n;
	const struct xp_space_candidate **front = front_of(s, &n);
	add_up(s, spent);
	printf("%s\n%zu candidates of %.0f in the space; %zu rejected\n", s->c.study.ground.title, s->ncandidates,
	       s->space, count(s, "rejected"));
	bool bounds = !s->complete && !n && !count(s, "behind");
	if (bounds)
		printf("\nBounds of each candidate, from worst to best possible value:\n");
	else
		printf("\nPareto front%s, by %s:\n", s->complete ? "" : " (incomplete)", xp_goal_names[s->goal[0]]);
	columns_of(s, &t);
	for (size_t i = 0; i < n; i++)
		add_candidate(s, &t, front[i]);
	if (bounds)
		add_all(s, &t, "not run");
	xp_table_print(&t, stdout);
	columns_of(s, &t);
	add_all(s, &t, "tied");
	if (count(s, "tied"))
		printf("\nCandidates not significantly worse than the front, by the runs that selected it:\n");
	xp_table_rows(&t, stdout);
	if (count(s, "rejected"))
		printf("\nRejected:\n");
	for (size_t i = 0; i < s->ncandidates; i++)
		if (s->candidate[i].rejected)
			printf("  %s: %s\n", s->candidate[i].name, s->candidate[i].rejected);
	printf("\neffort: %zu candidates by bounds alone\n", count(s, "not run"));
	for (int k = 0; k < KINDS; k++)
		if (spent[k].runs)
			printf("  %-10s %6" PRIu64 " runs  %14" PRIu64 " events  %10.4g us simulated\n", kind_name(k),
			       spent[k].runs, spent[k].events, spent[k].simulated_ns / 1e3);
	printf("digest %016" PRIx64 "\n", xp_compare_digest(&s->c));
	free(front);
}

/* --- JSON ------------------------------------------------------------------------------------------------ */

/* How many of its runs were of which length, those of the front's own seed among the long ones. */
static void json_runs(struct base_json *j, const struct xp_search_space *s, const struct xp_space_candidate *k)
{
	uint64_t n[2] = { 0 };
	for (size_t i = 0; k->design && i < s->c.columns; i++)
		for (size_t r = 0; r < k->design->series[i].nruns; r++)
			n[k->design->series[i].run[r]->fidelity == XP_LONG]++;
	base_json_uint(j, "short_runs", n[0]);
	base_json_uint(j, "long_runs", n[1]);
}

static void json_candidate(const struct xp_search_space *s, struct base_json *j, const struct xp_space_candidate *k)
{
	base_json_object(j, NULL);
	base_json_string(j, "name", k->name);
	base_json_string(j, "state", state_of(k));
	base_json_string(j, "rejected", k->rejected);
	base_json_bool(j, "own_seed", k->measured);
	json_runs(j, s, k);
	base_json_string(j, "beaten_by", k->beaten_by == XP_NO_VALUE ? NULL : s->candidate[k->beaten_by].name);
	base_json_object(j, "variables");
	for (size_t v = 0; v < s->nvariables; v++)
		base_json_string(j, s->variable[v].path, xp_space_candidate_label(s, k, v));
	base_json_end(j);
	if (!k->rejected && k->design) {
		base_json_uint(j, "endpoints", k->design->net->costing.topo.endpoints);
		base_json_uint(j, "switches", k->design->net->costing.topo.switches);
		base_json_uint(j, "radix", k->design->net->costing.bill.radix);
		base_json_object(j, "objectives");
		for (size_t i = 0; i < s->ngoals; i++) {
			double low, high;
			ends_of(k, s->goal[i], &low, &high);
			base_json_array(j, xp_goal_names[s->goal[i]]);
			base_json_double(j, NULL, isfinite(low) ? low : NAN);
			base_json_double(j, NULL, isfinite(high) ? high : NAN);
			base_json_end(j);
		}
		base_json_end(j);
	}
	base_json_end(j);
}

static void json_unit(struct base_json *j, const struct xp_search_space *s, enum xp_goal goal)
{
	char unit[128];
	bool money = goal == XP_GOAL_COST && s->c.wish.base.priced;
	snprintf(unit, sizeof unit, "%.60s%s%.60s", money ? topo_currency(&s->c.wish.base.model) : "", money ? " " : "",
	         xp_goal_units[goal]);
	base_json_string(j, "unit", unit);
}

void xp_space_json(const struct xp_search_space *s, struct base_json *j)
{
	struct spent spent[KINDS] = { 0 };
	char digest[24];
	add_up(s, spent);
	snprintf(digest, sizeof digest, "%016" PRIx64, xp_compare_digest(&s->c));
	base_json_object(j, NULL);
	base_json_string(j, "record", "design");
	base_json_int(j, "format", 1);
	base_json_string(j, "name", s->c.study.ground.name);
	base_json_string(j, "title", s->c.study.ground.title);
	base_json_string(j, "description", s->c.study.ground.description);
	base_json_bool(j, "complete", s->complete);
	base_json_double(j, "space", s->space);
	base_json_array(j, "objectives");
	for (size_t i = 0; i < s->ngoals; i++) {
		base_json_object(j, NULL);
		base_json_string(j, "name", xp_goal_names[s->goal[i]]);
		json_unit(j, s, s->goal[i]);
		base_json_string(j, "best", s->goal[i] == XP_GOAL_SATURATION ? "most" : "least");
		base_json_end(j);
	}
	base_json_end(j);
	base_json_array(j, "mix");
	for (size_t i = 0; i < s->c.columns; i++) {
		base_json_object(j, NULL);
		base_json_string(j, "traffic", s->c.study.demand[i].name);
		base_json_double(j, "weight", s->nweights ? s->weight[i] : 1);
		base_json_end(j);
	}
	base_json_end(j);
	base_json_double(j, "latency_load", xp_has_latency(s) ? s->c.study.number.latency_load : NAN);
	base_json_array(j, "candidates");
	for (size_t i = 0; i < s->ncandidates; i++)
		json_candidate(s, j, &s->candidate[i]);
	base_json_end(j);
	base_json_object(j, "spent");
	for (int k = 0; k < KINDS; k++) {
		base_json_object(j, kind_name(k));
		base_json_uint(j, "runs", spent[k].runs);
		base_json_uint(j, "events", spent[k].events);
		base_json_double(j, "simulated_ns", spent[k].simulated_ns);
		base_json_end(j);
	}
	base_json_end(j);
	base_json_string(j, "digest", digest);
	base_json_end(j);
	base_json_newline(j);
}

/* --- files ----------------------------------------------------------------------------------------------- */

static int save(const struct xp_search_space *s, const char *name, const struct base_buffer *text,
                struct base_errors *errors)
{
	char *path = base_format("%s/%s", s->c.runs.folder, name);
	int status = xp_file_save(path, text->data ? text->data : "", text->n, errors);
	free(path);
	return status;
}

static void write_front(const struct xp_search_space *s, struct base_buffer *out)
{
	size_t n;
	const struct xp_space_candidate **front = front_of(s, &n);
	struct xp_table t = { 0 };
	char head[64];
	xp_table_layout(&t, "candidate");
	for (size_t i = 0; i < 2 * s->ngoals; i++) {
		snprintf(head, sizeof head, "%s_%s", xp_goal_names[s->goal[i / 2]], i % 2 ? "high" : "low");
		xp_table_column(&t, head, 0, NULL);
	}
	for (size_t i = 0; i < n; i++) {
		xp_table_text(&t, front[i]->name);
		for (size_t g = 0; g < s->ngoals; g++) {
			double low, high;
			ends_of(front[i], s->goal[g], &low, &high);
			xp_table_numbers(&t, low, high);
		}
		xp_table_end(&t);
	}
	xp_table_csv(&t, out);
	free(front);
}

/* The last run of its first traffic, as `tilefly run` reads it. */
static int write_config(struct xp_search_space *s, const struct xp_space_candidate *k, struct base_errors *errors)
{
	const struct xp_series *q = &k->design->series[0];
	struct xp_sim_run *run = q->nruns ? q->run[q->nruns - 1] : k->design->latency ? k->design->latency : NULL;
	struct xp_config config = { 0 };
	struct base_buffer text = { 0 };
	char *name = NULL;
	size_t runs = s->c.nsim_runs;
	if (!run) /* closed forms alone */
		run = xp_sim_run_of_series(&s->c, &k->design->series[0], s->c.study.number.latency_load, XP_SHORT);
	int status = xp_sim_run_config(&s->c, run, &config, errors);
	if (!status) {
		name = base_format("configs/%s.cfg", k->name);
		xp_config_replay(&config.net, &text);
		status = save(s, name, &text, errors);
	}
	if (s->c.nsim_runs > runs)
		xp_sim_run_free(s->c.sim_run[--s->c.nsim_runs]);
	free(name);
	free(text.data);
	xp_config_free(&config);
	return status;
}

/* Is it the name of a configuration that a search has written, cNUMBER_WAY.cfg? */
static bool is_config(const char *name)
{
	size_t digits = *name == 'c' ? strspn(name + 1, "0123456789") : 0, length = strlen(name);
	return digits && name[1 + digits] == '_' && length > 4 && !strcmp(name + length - 4, ".cfg");
}

static bool is_on_front(const struct xp_search_space *s, const char *file)
{
	size_t length = strlen(file) - strlen(".cfg");
	for (size_t i = 0; i < s->ncandidates; i++)
		if (s->candidate[i].front && strlen(s->candidate[i].name) == length &&
		    !memcmp(s->candidate[i].name, file, length))
			return true;
	return false;
}

/* Removes the configurations of an earlier front that are not on this one. */
static void forget_configs(const struct xp_search_space *s, const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	while (dir && (entry = readdir(dir)))
		if (is_config(entry->d_name) && !is_on_front(s, entry->d_name))
			unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
}

int xp_space_write(struct xp_search_space *s, struct base_errors *errors)
{
	struct base_buffer json = { 0 }, front = { 0 };
	struct base_json j = base_json_memory(&json);
	char *folder = NULL;
	xp_space_json(s, &j);
	write_front(s, &front);
	int status = save(s, "design.json", &json, errors) || save(s, "front.csv", &front, errors) ? -1 : 0;
	folder = base_format("%s/configs", s->c.runs.folder);
	if (!status && xp_make_folder(folder, errors))
		status = -1;
	if (!status && s->complete)
		forget_configs(s, folder);
	for (size_t i = 0; i < s->ncandidates && !status && s->complete; i++)
		if (s->candidate[i].front)
			status = write_config(s, &s->candidate[i], errors);
	free(folder);
	free(json.data);
	free(front.data);
	return status;
}
