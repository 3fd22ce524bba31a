/* experiments/compare/prepare.c - from a study file to designs with bounds. All errors in the study are reported here,
 * before any file is written. */
#include "experiments/compare/compare.h"
#include "experiments/config/message.h"
#include "workload/open/distribution.h"
#include "workload/workload.h"

#include "base/clock.h"
#include "base/format.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONG_MESSAGES 20.0 /* that a window holds at least, of those in few packets */

/* --- assignments ----------------------------------------------------------------------------------------- */

/* Sections that the study makes for every run. */
static const char *reserved(const struct xp_study *s, const char *text)
{
	static const char *const names[] = {
		"topology", "traffic", "time", "output", "record", "routing", "congestion"
	};
	size_t n = sizeof names / sizeof *names;
	const bool own[] = {
		true, true, true, true, true, s->nroutings && s->routing[0].set, s->ncongestions && s->congestion[0].set
	};
	for (size_t i = 0; i < n; i++)
		if (own[i] && xp_paths_overlap(names[i], text))
			return names[i];
	return NULL;
}

char *xp_section_text(const struct xp_node *section)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = base_memory_stream(&text, &bytes);
	if (!out)
		return base_strdup("");
	fprintf(out, "%s=", section->name);
	xp_tree_print(out, section, 0);
	fclose(out);
	return text;
}

/* Sections of `config`, then `set`, then the command line. */
static int collect_sets(struct xp_compare *c, struct base_errors *errors)
{
	const struct xp_ground *g = &c->study.ground;
	size_t sections = g->group ? g->group->n : 0;
	const char **v = base_calloc(sections + g->nset + c->runs.nset + 1, sizeof *v),
		   **at = base_calloc(sections + g->nset + c->runs.nset + 1, sizeof *at);
	c->section = base_calloc(sections + 1, sizeof *c->section);
	c->section_at = base_calloc(sections + 1, sizeof *c->section_at);
	size_t n = 0;
	for (; n < sections; n++) {
		const struct xp_node *node = g->group->child[n];
		struct base_buffer place = { 0 };
		base_buffer_printf(&place, "%s:%u", node->file ? node->file : g->path, node->line);
		c->section_at[n] = place.data;
		v[n] = c->section[n] = xp_section_text(node);
		at[n] = c->section_at[n];
	}
	for (size_t i = 0; i < g->nset; i++, n++) {
		v[n] = g->set[i];
		at[n] = g->set_at[i];
	}
	for (size_t i = 0; i < c->runs.nset; i++, n++)
		v[n] = c->runs.set[i];
	c->nsections = sections;
	c->sets = (struct xp_sets){ .v = v, .n = n, .at = at };
	for (size_t i = 0; i < n; i++) {
		const char *name = reserved(&c->study, v[i]);
		char place[1024];
		if (!name)
			continue;
		snprintf(place, sizeof place, "%s%.900s", at[i] ? "" : "--set ", at[i] ? at[i] : v[i]);
		xp_error_at(errors, place, "%s%s is set by the study and cannot be set here", at[i] ? "" : "section ",
		            name);
	}
	return errors->errors ? -1 : 0;
}

void xp_study_blame(const struct xp_compare *c, const struct xp_config *config, const struct base_errors *found,
                    struct base_errors *errors)
{
	const struct xp_ground *g = &c->study.ground;
	for (size_t i = 0; i < found->n; i++) {
		char place[1024];
		if (found->v[i].warning)
			continue;
		xp_config_place(config, found->v[i].key, place, sizeof place);
		for (size_t k = 0; k < c->nsections; k++) {
			size_t length = strlen(c->section_at[k]), name = strcspn(c->section[k], "=");
			if (!strncmp(place, c->section_at[k], length) && place[length] == ':' &&
			    !strncmp(found->v[i].key, c->section[k], name))
				xp_tree_locate(g->group, g->path, found->v[i].key, place, sizeof place);
		}
		size_t k = 0;
		while (k < errors->n && (strcmp(errors->v[k].text, found->v[i].text) != 0 ||
		                         strcmp(errors->v[k].key + (*errors->v[k].key == '@'), place) != 0))
			k++;
		if (k == errors->n)
			xp_error_at(errors, place, "%s", found->v[i].text);
	}
}

/* --- designs --------------------------------------------------------------------------------------------- */

void xp_design_series(struct xp_compare *c, struct xp_design *d)
{
	const struct xp_study *s = &c->study;
	size_t sizes = s->nmessages ? s->nmessages : 1, n = 0;
	d->series = base_calloc(c->columns, sizeof *d->series);
	for (size_t k = 0; k < s->ndemands; k++)
		for (size_t m = 0; m < sizes; m++)
			d->series[n++] = (struct xp_series){ .design = d,
				                             .demand = &s->demand[k],
				                             .message = s->nmessages ? s->message[m] : NULL,
				                             .cap = { .share = -1 },
				                             .high = 1 };
}

static void make_designs(struct xp_compare *c)
{
	const struct xp_study *s = &c->study;
	size_t sizes = 0;
	c->columns = s->ndemands * (s->nmessages ? s->nmessages : 1);
	c->design = base_calloc(c->nnets * s->nroutings * s->ncongestions + 1, sizeof *c->design);
	for (size_t i = 0; i < s->ncollectives; i++)
		sizes += s->collective[i].nsizes;
	for (size_t n = 0; n < c->nnets; n++)
		for (size_t r = 0; r < s->nroutings; r++)
			for (size_t g = 0; g < s->ncongestions; g++) {
				struct xp_design *d = &c->design[c->ndesigns++];
				struct base_buffer name = { 0 };
				d->net = &c->net[n];
				d->routing = &s->routing[r];
				d->congestion = &s->congestion[g];
				base_buffer_printf(&name, "%s", d->net->candidate->name);
				if (*d->routing->name)
					base_buffer_printf(&name, "_%s", d->routing->name);
				if (*d->congestion->name && s->ncongestions > 1)
					base_buffer_printf(&name, "_%s", d->congestion->name);
				d->name = name.data;
				d->collective =
				    base_calloc(sizes * (size_t)s->number.seeds + 1, sizeof(struct xp_sim_run *));
				d->curve = base_calloc(s->ncurve + 1, sizeof(struct xp_sim_run *));
				if (d->net->failed)
					d->failed = base_strdup(d->net->failed);
				xp_design_series(c, d);
			}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Results are named after design and traffic, in words joined by "-", which names may have, too. */
static int check_names(const struct xp_compare *c, struct base_errors *errors)
{
	const struct xp_study *s = &c->study;
	size_t each = s->ndemands + s->ncollectives, n = 0;
	char **name = base_calloc(c->ndesigns * each + 1, sizeof *name);
	for (size_t i = 0; i < c->ndesigns; i++)
		for (size_t k = 0; k < each; k++) {
			const char *traffic = k < s->ndemands ? s->demand[k].name : s->collective[k - s->ndemands].name;
			struct base_buffer text = { 0 };
			base_buffer_printf(&text, "%s-%s", c->design[i].name, traffic);
			for (char *p = text.data; *p; p++)
				*p = *p == '_' ? '-' : *p;
			name[n++] = text.data;
		}
	qsort(name, n, sizeof *name, by_text);
	int status = 0;
	for (size_t i = 1; i < n && !status; i++)
		if (!strcmp(name[i - 1], name[i]))
			status = xp_error_at(errors, s->ground.path,
			                     "results of two designs would have the same name \"%s...\"; give a "
			                     "candidate, a routing or an entry of \"traffic\" another \"name\"",
			                     name[i]);
	for (size_t i = 0; i < n; i++)
		free(name[i]);
	free(name);
	return status;
}

/* --- what can be wrong with runs ------------------------------------------------------------------------- */

int xp_sim_run_config(const struct xp_compare *c, const struct xp_sim_run *run, struct xp_config *config,
                      struct base_errors *errors)
{
	const char **v = base_calloc(c->sets.n + XP_RUN_SETS + 1, sizeof *v);
	size_t n = 0;
	for (size_t i = 0; i < c->sets.n; i++)
		v[n++] = c->sets.v[i];
	for (int i = 0; i < XP_RUN_SETS && run->set[i]; i++)
		v[n++] = run->set[i];
	struct xp_sets sets = { .v = v, .n = n };
	struct base_registry *registry = (struct base_registry *)(uintptr_t)&c->runs.registry;
	int status = c->wish.source ? xp_config_load(config, c->wish.source, &sets, XP_WHOLE, registry, errors)
	                            : xp_config_parse(config, "", 0, c->study.ground.path, NULL, &sets, XP_WHOLE,
	                                              registry, errors);
	free(v);
	return status;
}

/* Parameters, owned by the caller. */
static void *use_uniform(const struct base_registry *registry, struct net_choice *pattern)
{
	struct base_errors none = { 0 };
	const struct base_plugin *uniform = base_find(registry, "pattern", "uniform");
	void *params = base_calloc(1, uniform->params_bytes ? uniform->params_bytes : 1);
	base_params_defaults(uniform->params, params, &none);
	base_errors_free(&none);
	*pattern = (struct net_choice){ .plugin = uniform, .params = params };
	return params;
}

void xp_config_unit(const struct xp_compare *c, const struct xp_config *config, struct xp_unit *out)
{
	const struct net_job *job = &config->net.jobs[0];
	struct base_errors ignored = { 0 };
	double sum = 0, weight = 0;
	/* what ports hold is the same under any pattern; to find a worst permutation again would take too long */
	struct net_config net = config->net;
	struct net_job alone = *job;
	void *params = NULL;
	if (!strcmp(job->pattern.plugin->name, "worst-permutation"))
		params = use_uniform(&c->runs.registry, &alone.pattern);
	net.jobs = params ? &alone : config->net.jobs;
	net.njobs = params ? 1 : config->net.njobs;
	struct net_setup setup = { .config = &net,
		                   .registry = &c->runs.registry,
		                   .build_traffic = wl_build,
		                   .destroy_traffic = wl_destroy,
		                   .passage = &out->passage,
		                   .proved = true };
	for (size_t i = 0; i < job->packet.n; i++) {
		double w = job->weight.n ? (double)job->weight.v[i] : 1;
		sum += w * (double)job->packet.v[i];
		weight += w;
	}
	double packet = weight > 0 ? sum / weight : 1;
	out->bytes = packet;
	out->bytes = fmax(packet, LONG_MESSAGES * wl_mean_message(job) / (double)c->study.number.few);
	out->ns = out->bytes * 8e9 / (double)config->net.link_terminal.bandwidth;
	if (!net_check(&setup, &ignored))
		out->depth = (double)out->passage.buffer_bytes / packet;
	free(params);
	base_errors_free(&ignored);
}

void xp_sim_run_unit(const struct xp_compare *c, const struct xp_sim_run *run, struct xp_unit *out)
{
	struct xp_config config = { 0 };
	struct base_errors errors = { 0 };
	*out = (struct xp_unit){ 0 };
	if (!xp_sim_run_config(c, run, &config, &errors))
		xp_config_unit(c, &config, out);
	xp_config_free(&config);
	base_errors_free(&errors);
}

/* Reads the configuration of every routing, congestion control, traffic and collective once, for that network. */
static int check_runs_on(struct xp_compare *c, size_t net, struct base_errors *errors)
{
	const struct xp_study *s = &c->study;
	size_t n = 0, per_net = s->nroutings * s->ncongestions, sizes = 0;
	struct xp_design *first = &c->design[net * per_net];
	for (size_t i = 0; i < s->ncollectives; i++)
		sizes += s->collective[i].nsizes;
	struct xp_sim_run **run = base_calloc(c->columns + per_net + sizes, sizeof(struct xp_sim_run *));
	for (size_t k = 0; k < c->columns; k++)
		c->unit_ns[k] = 100;
	for (size_t k = 0; k < c->columns; k++)
		run[n++] = xp_sim_run_of_series(c, &first->series[k], .5, XP_SHORT);
	for (size_t i = 1; i < per_net; i++)
		run[n++] = xp_sim_run_of_series(c, &first[i].series[0], .5, XP_SHORT);
	for (size_t i = 0; i < s->ncollectives; i++)
		for (size_t k = 0; k < s->collective[i].nsizes; k++)
			run[n++] = xp_sim_run_of_collective(c, first, &s->collective[i], s->collective[i].size[k], 0);
	int status = xp_batch_check(c, run, n, errors);
	double depth = 0;
	for (size_t k = 0; k < c->columns && !status; k++) {
		struct xp_unit unit;
		xp_sim_run_unit(c, run[k], &unit);
		c->unit_ns[k] = unit.ns;
		depth = fmax(depth, unit.depth);
	}
	for (size_t i = 0; i < c->ndesigns; i++)
		for (size_t k = 0; k < c->columns; k++)
			c->design[i].series[k].depth = depth;
	for (size_t i = 0; i < n; i++)
		xp_sim_run_free(run[i]);
	free(run);
	c->nsim_runs = 0; /* they were only tried */
	return status;
}

static bool has_param(const struct base_plugin *plugin, const char *name)
{
	const struct base_param *p = plugin->params;
	while (p && p->name && strcmp(p->name, name) != 0)
		p++;
	return p && p->name;
}

/* Collectives are of `sizes`, one iteration of each. */
static int check_processes(const struct xp_compare *c, struct base_errors *errors)
{
	size_t before = errors->errors;
	for (size_t i = 0; i < c->study.ncollectives; i++) {
		const struct xp_collective *k = &c->study.collective[i];
		const struct base_plugin *process = base_find(&c->runs.registry, "process", k->process);
		if (process && (!has_param(process, "size") || !has_param(process, "iterations")))
			xp_error_at(errors, k->at,
			            "collectives.[%zu].process: \"%s\" determines itself what it sends; only processes "
			            "with the keys size and iterations can be compared (tilefly list processes)",
			            i, k->process);
	}
	return errors->errors > before ? -1 : 0;
}

/* Checks a configuration with the first network for which all parts are valid; errors with other networks are failures
 * of those runs. If there is no such network, the errors with the first network are reported. */
static int check_runs(struct xp_compare *c, struct base_errors *errors)
{
	size_t had = errors->n;
	int status = 0;
	if (check_processes(c, errors))
		return -1;
	for (size_t net = 0; net < c->nnets; net++) {
		struct base_errors others = { 0 };
		if (c->net[net].failed)
			continue;
		int wrong = check_runs_on(c, net, status ? &others : errors);
		base_errors_free(&others);
		if (!wrong) {
			base_errors_drop(errors, had);
			return 0;
		}
		status = -1;
	}
	return status;
}

int xp_compare_open(struct xp_compare *c, struct base_errors *errors)
{
	const struct xp_ground *g = &c->study.ground;
	c->runs.ground = g;
	if (!c->runs.folder)
		c->runs.folder = base_format("results/%s", g->name);
	bool bad = errors->errors > 0; /* of plug-ins */
	bad |= collect_sets(c, errors) != 0;
	c->runs.config = g->config ? base_format("%s/base.cfg", c->runs.folder) : xp_ground_base(g, errors);
	bad |= !c->runs.config;
	if (bad)
		return -1;
	c->wish.source = g->config ? NULL : c->runs.config;
	double start = base_seconds();
	if (xp_nets_size(c, errors))
		return -1;
	c->size_s = base_seconds() - start;
	return 0;
}

int xp_compare_prepare(struct xp_compare *c, const char *path, struct base_errors *errors)
{
	if (xp_study_read(&c->study, path, errors))
		return -1;
	xp_ground_plugins(&c->study.ground, &c->runs.registry, errors);
	if (xp_compare_open(c, errors))
		return -1;
	make_designs(c);
	c->unit_ns = base_calloc(c->columns, sizeof *c->unit_ns);
	return check_names(c, errors) || check_runs(c, errors) ? -1 : 0;
}

void xp_compare_bounds(struct xp_compare *c)
{
	double start = base_seconds();
	xp_bounds_of_nets(c);
	c->bound_s = base_seconds() - start;
}

void xp_compare_free(struct xp_compare *c)
{
	if (c->holds)
		xp_runs_release_signals(&c->mask);
	xp_bounds_free_all(c);
	for (size_t i = 0; i < c->ndesigns; i++) {
		struct xp_design *d = &c->design[i];
		for (size_t k = 0; k < c->columns; k++) {
			free(d->series[k].through);
			free(d->series[k].rest);
			free(d->series[k].impossible);
			free(d->series[k].run);
		}
		free(d->series);
		free(d->collective);
		free(d->curve);
		free(d->name);
		free(d->failed);
	}
	free(c->design);
	for (size_t i = 0; i < c->nsim_runs; i++)
		xp_sim_run_free(c->sim_run[i]);
	free(c->sim_run);
	xp_nets_free(c);
	for (size_t i = 0; i < c->nsections; i++) {
		free(c->section[i]);
		free(c->section_at[i]);
	}
	free(c->section);
	free(c->section_at);
	free((void *)(uintptr_t)c->sets.v);
	free((void *)(uintptr_t)c->sets.at);
	free(c->unit_ns);
	xp_runs_free(&c->runs);
	xp_study_free(&c->study);
}
