/* experiments/config/effect.c - errors for keys that are set but have no effect in this configuration.
 *
 * The conditions are declared next to the keys: conditions of parameter tables (base/param.h), and capabilities that
 * switch models and the network declare. The decision depends on values, not on where they were written, so a resolved
 * configuration gets the same errors as the original. Conditions that depend on the graph are checked by
 * net_check_effects() when the network is built. */
#include "congestion/congestion.h"
#include "experiments/config/classes.h"
#include "experiments/config/config.h"
#include "experiments/config/schema.h"
#include "switch/switch.h"
#include "workload/process/process.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- every section ------------------------------------------------------------------------------------ */

/* Is something wrong with a key of `section` already? Then what depends on it is not judged. */
static bool has_failed(const struct base_errors *errors, const char *section)
{
	size_t length = strlen(section);
	for (size_t i = 0; i < errors->n; i++) {
		const struct base_error *e = &errors->v[i];
		if (!e->warning && !strncmp(e->key, section, length) &&
		    (!e->key[length] || strchr(".[", e->key[length])))
			return true;
	}
	return false;
}

static void judge_entry(const struct xp_section *s, const char *scope, const char *base, struct base_errors *errors)
{
	if (has_failed(errors, scope))
		return;
	errors->scope = scope;
	base_conditions_check(s->table, s->conditions, base, NULL, errors);
	for (int i = 0; i < XP_PICKS && s->pick[i].key; i++) {
		const struct net_choice *choice = (const struct net_choice *)(const void *)(base + s->pick[i].offset);
		if (choice->plugin)
			base_conditions_check(choice->plugin->params, choice->plugin->conditions, choice->params, NULL,
			                      errors);
	}
	errors->scope = NULL;
}

static void judge_sections(const struct net_config *config, struct base_errors *errors)
{
	const char *net = (const char *)config;
	for (const struct xp_section *s = xp_sections; s->path; s++) {
		if (!s->entry_bytes) {
			judge_entry(s, s->path, net + s->offset, errors);
			continue;
		}
		if (s->named) /* links of a class: net_check_effects() */
			continue;
		const char *entries = *(char *const *)(const void *)(net + s->offset);
		uint32_t n = *(const uint32_t *)(const void *)(net + s->count_offset);
		for (uint32_t i = 0; i < n; i++) {
			char scope[64];
			snprintf(scope, sizeof scope, "%s.[%" PRIu32 "]", s->path, i);
			judge_entry(s, scope, entries + i * s->entry_bytes, errors);
		}
	}
}

/* --- what switches and network do not act on ------------------------------------------------------------ */

/* Alone it must be another run, and one that ends. */
static void judge_isolated(const struct net_config *net, uint32_t i, struct base_errors *errors)
{
	const struct net_job *job = &net->jobs[i];
	if (!job->isolate)
		return;
	if (net->njobs < 2)
		base_errorf(errors, "isolate", "has no effect: there is no other job");
	else if (net->time.applications &&
	         (xp_job_is_open(job) || !((const struct wl_process_ops *)job->process.plugin->ops)->ends_run))
		base_errorf(errors, "isolate",
		            "the run ends with another job's process, so this job alone would never end; set isolate "
		            "for that other job");
}

/* A burst delays a member between two iterations, as a pause does, so the conditions of `pause` apply. */
static void judge_bursts(const struct net_job *job, struct base_errors *errors)
{
	const struct base_plugin *process = job->process.plugin;
	if (!job->burst_length)
		return;
	if (!((const struct wl_process_ops *)process->ops)->in_bursts)
		base_errorf(errors, "burst_length",
		            "has no effect with process \"%s\": it has no iterations that could wait for a burst",
		            process->name);
	for (const struct base_condition *c = process->conditions; c && c->keys; c++)
		if (base_condition_is_of(c, "pause") && c->holds && !c->holds(job->process.params))
			base_errorf(errors, "burst_length",
			            "has an effect only %s: the first iteration begins when the job starts", c->only);
}

/* Pattern and injection, of jobs with a process. */
static void judge_process(const struct net_config *net, uint32_t i, struct base_errors *errors)
{
	const struct net_job *job = &net->jobs[i];
	const struct net_choice *choice[] = { &job->pattern, &job->injection };
	static const char *const default_value[] = { "uniform", "poisson" }, *const key[] = { "pattern", "injection" };
	if (xp_job_is_open(job))
		return;
	for (int k = 0; k < 2; k++)
		if (choice[k]->plugin && strcmp(choice[k]->plugin->name, default_value[k]) != 0)
			base_errorf(errors, key[k], "has no effect with process \"%s\", which determines what is sent",
			            job->process.plugin->name);
	if (job->load > 0)
		base_errorf(errors, "load", "has no effect with process \"%s\", which determines what is sent",
		            job->process.plugin->name);
	judge_bursts(job, errors);
	if (job->packet.n > 1)
		base_errorf(errors, "packet",
		            "must be a single size with a process: messages are split into packets of this size");
}

static bool is_of_messages(const struct base_param *p)
{
	return !strcmp(p->name, "stack") || !strcmp(p->name, "overhead_send") || !strcmp(p->name, "overhead_receive") ||
	       !strcmp(p->name, "latency") || !strcmp(p->name, "per_node") || !strcmp(p->name, "choose") ||
	       !strcmp(p->name, "order") || !strcmp(p->name, "sharing");
}

/* Is this set by a stack? Then the stack is to blame. */
static bool is_of_stack(const struct base_param *p)
{
	return !strcmp(p->name, "overhead_send") || !strcmp(p->name, "overhead_receive") || !strcmp(p->name, "latency");
}

/* Keys of section nic that affect only messages of processes, since the packets of patterns are decided in advance. */
static void judge_messages(const struct net_config *net, struct base_errors *errors)
{
	for (uint32_t i = 0; i < net->njobs; i++)
		if (!xp_job_is_open(&net->jobs[i]))
			return;
	errors->scope = "nic";
	for (const struct base_param *p = xp_nic_table; p->name; p++)
		if (is_of_messages(p) && !base_param_is_default(p, &net->nic) && !(net->nic.stack && is_of_stack(p)))
			base_errorf(errors, p->name, "has an effect only on messages of a process (traffic[].process)");
	errors->scope = NULL;
}

/* Keys of section mpi are of processes that stand for MPI programs. */
static void judge_mpi(const struct net_config *net, const struct base_registry *registry, struct base_errors *errors)
{
	unsigned used = 0;
	for (uint32_t i = 0; i < net->njobs; i++)
		if (!xp_job_is_open(&net->jobs[i]))
			used |= ((const struct wl_process_ops *)net->jobs[i].process.plugin->ops)->mpi;
	errors->scope = "mpi";
	for (const struct base_param *p = xp_mpi_table; p->name; p++) {
		unsigned used_by = !strcmp(p->name, "collectives") ? WL_USES_COLLECTIVES
		                   : !strcmp(p->name, "classes")   ? WL_USES_CLASSES
		                                                   : WL_USES_MESSAGES;
		if (base_param_is_default(p, &net->mpi) || used & used_by)
			continue;
		char *names = wl_process_names(registry, used_by, false);
		base_errorf(errors, p->name, "has an effect only with a process that calls MPI: %s", names);
		free(names);
	}
	errors->scope = NULL;
}

/* Keys of section record that are of applications. */
static void judge_applications(const struct net_config *net, const struct base_registry *registry,
                               struct base_errors *errors)
{
	const struct net_record *r = &net->record;
	for (uint32_t i = 0; i < net->njobs; i++)
		if (!xp_job_is_open(&net->jobs[i]) &&
		    ((const struct wl_process_ops *)net->jobs[i].process.plugin->ops)->application)
			return;
	if (!r->ranks && !r->path)
		return;
	char *names = wl_process_names(registry, 0, true);
	base_errorf(errors, r->ranks ? "record.ranks" : "record.path",
	            "has an effect only with a process that is an application: %s", names);
	free(names);
}

static bool has_order(const struct net_config *net)
{
	for (uint32_t i = 0; i < net->nclasses; i++)
		if (net->classes[i].ordering == NET_ORDERED)
			return true;
	return false;
}

/* Nothing comes back to endpoints that no control and no process is at. */
static void judge_nic(const struct net_config *net, const struct base_registry *registry, struct base_errors *errors)
{
	const struct base_plugin *plugin = net->congestion.plugin;
	for (uint32_t i = 0; i < net->njobs; i++) {
		char scope[64];
		snprintf(scope, sizeof scope, "traffic.[%" PRIu32 "]", i);
		errors->scope = scope;
		judge_process(net, i, errors);
		judge_isolated(net, i, errors);
		errors->scope = NULL;
	}
	judge_messages(net, errors);
	if (net->nic.per_node == 1 && net->nic.choose != NET_NIC_BY_PAIR)
		base_errorf(errors, "nic.choose",
		            "has an effect only with several interfaces per node (nic.per_node above 1)");
	judge_mpi(net, registry, errors);
	judge_applications(net, registry, errors);
	if (net->nic.ack_width <= 0 && net->nic.ack_bytes != 4)
		base_errorf(errors, "nic.ack_bytes", "has an effect only with nic.ack_width");
	if (net->nic.ack_width <= 0 && net->nic.ack == NET_ACK_HOP_BY_HOP)
		base_errorf(
		    errors, "nic.ack",
		    "has an effect only with nic.ack_width: acknowledgements that take no link time never wait");
	bool retries = net->nic.retry == NET_RETRY_ON || net->nic.loss > 0 ||
	               (xp_classes_lose(net) && net->nic.retry == NET_RETRY_AUTO);
	bool acknowledged = retries || (has_order(net) && net->nic.ordering == NET_ORDER_PATH);
	for (uint32_t i = 0; i < net->njobs; i++)
		acknowledged |= !xp_job_is_open(&net->jobs[i]) &&
		                ((const struct wl_process_ops *)net->jobs[i].process.plugin->ops)->wants_acknowledged;
	if (!plugin || retries || ((const struct cc_ops *)plugin->ops)->wants)
		return;
	errors->scope = "nic";
	for (const struct base_param *p = xp_nic_table; p->name; p++)
		if (!base_param_is_default(p, &net->nic) &&
		    !(acknowledged && (!strcmp(p->name, "ack_stage") || !strcmp(p->name, "ack_width") ||
		                       !strcmp(p->name, "ack") || !strcmp(p->name, "ack_bytes"))) &&
		    strcmp(p->name, "ordering") != 0 && strcmp(p->name, "retry") != 0 &&
		    strcmp(p->name, "ack_every") != 0 && strcmp(p->name, "timeout") != 0 &&
		    strcmp(p->name, "backoff") != 0 && /* see net_nics_check() */
		    !is_of_messages(p))
			base_errorf(errors, p->name,
			            "has an effect only with congestion control (congestion.kind other than \"%s\")",
			            plugin->name);
	errors->scope = NULL;
}

/* --- on a formula ------------------------------------------------------------------------------------------ */

/* Keys that have no effect with an analytical network model, because they concern only switches and links; keys NULL:
 * all keys of the section. If set, they cause errors. The sections links, switch, routing, congestion, nic and classes
 * describe the switched network as a whole; they cause only a warning, because one file may be used with both kinds of
 * network. */
static const struct {
	const char *section, *keys, *but; /* but: of all keys, those that act; judge_recorded() knows where */
} not_on_a_formula[] = {
	{ "time", NULL, NULL },
	{ "record", NULL, "ranks path" },
	{ "engine", "partition balance threads window optimism gvt_interval path", NULL },
	{ "traffic",
	  "packet dscp allocation processes_per_node mapping mapping_file eager control pause burst_length burst_pause "
	  "burst_backlog "
	  "isolate",
	  NULL },
	{ "mpi", "control overhead", NULL },
};

static bool is_listed(const char *keys, const char *name)
{
	size_t length = strlen(name);
	for (const char *at = keys; at && (at = strstr(at, name)); at += length)
		if ((at == keys || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return true;
	return !keys;
}

/* Is it of section time, and what "auto" has been resolved to? */
static bool is_automatic(const struct base_param *p, const void *params)
{
	const struct net_time *t = params;
	if (!strcmp(p->name, "warmup"))
		return t->warmup == (t->applications ? 0 : XP_WARMUP);
	return !strcmp(p->name, "measure") && t->measure == XP_MEASURE;
}

static void judge_unused(const struct base_param *table, const char *keys, const char *but, const void *params,
                         struct base_errors *errors)
{
	for (const struct base_param *p = table; p && p->name; p++)
		if (is_listed(keys, p->name) && !(but && is_listed(but, p->name)) &&
		    !base_param_is_default(p, params) && !is_automatic(p, params))
			base_errorf(errors, p->name, "has no effect with an analytical network model (network.kind)");
}

/* Once a job has a class, the first is the one that was not chosen. */
static void judge_resolved(const struct net_config *net, const struct net_job *job, struct base_errors *errors)
{
	if (job->class_name && net->nclasses && net->classes[0].name &&
	    strcmp(job->class_name, net->classes[0].name) != 0)
		base_errorf(errors, "class", "has no effect with an analytical network model (network.kind)");
}

/* What acts is the same of all jobs that are played; which those are is said, too. */
static void judge_played(const struct net_config *net, const struct xp_section *s, const char *keys,
                         struct base_errors *errors)
{
	for (uint32_t i = 0; i < net->njobs; i++) {
		const struct net_job *job = &net->jobs[i];
		const struct base_plugin *process = job->process.plugin;
		char scope[64];
		snprintf(scope, sizeof scope, "traffic.[%" PRIu32 "]", i);
		bool sound = !has_failed(errors, scope);
		errors->scope = scope;
		if (!process || !process->ops || !((const struct wl_process_ops *)process->ops)->schedule) {
			base_errorf(errors, "process",
			            "process \"%s\" cannot run on an analytical network model (network.kind): only "
			            "schedules, models and traces can",
			            process ? process->name : "none");
		} else if (sound) {
			judge_process(net, i, errors);
			if (job->stop && !((const struct wl_process_ops *)process->ops)->ends_run)
				base_errorf(errors, "stop",
				            "has no effect with an analytical network model (network.kind)");
			judge_resolved(net, job, errors);
			judge_unused(s->table, keys, NULL, job, errors);
			judge_unused(process->params, keys, ((const struct wl_process_ops *)process->ops)->on_formulas,
			             job->process.params, errors);
		}
		errors->scope = NULL;
	}
}

/* What of the record a formula can tell. */
static void judge_recorded(const struct net_config *net, struct base_errors *errors)
{
	const struct net_record *r = &net->record;
	if (net->output.csv && !r->ranks && !r->path)
		base_errorf(errors, "output.csv",
		            "has no effect with an analytical network model (network.kind): it writes only the tables "
		            "of record.ranks and record.path");
	if (r->ranks && net->formula.kind == NET_LOGGOPS_ATLAHS)
		base_errorf(errors, "record.ranks", "has no effect with network.kind = \"loggops-atlahs\"");
	if (r->path && (net->formula.kind != NET_LOGGOPS || net->formula.compat))
		base_errorf(errors, "record.path",
		            "has an effect with an analytical network model only if network.kind = \"loggops\", "
		            "without compat");
}

static bool table_is_set(const struct base_param *table, const void *params)
{
	for (const struct base_param *p = table; p && p->name; p++)
		if (p->default_value && !base_param_is_default(p, params))
			return true;
	return false;
}

static bool choice_is_set(const struct xp_pick *pick, const char *base)
{
	const struct net_choice *choice = (const struct net_choice *)(const void *)(base + pick->offset);
	return choice->plugin && ((pick->default_value && strcmp(choice->plugin->name, pick->default_value) != 0) ||
	                          table_is_set(choice->plugin->params, choice->params));
}

static bool link_is_other(const struct net_link *a, const struct net_link *b)
{
	const struct net_framing *f = &a->framing, *g = &b->framing;
	return a->bandwidth != b->bandwidth || a->latency != b->latency || f->preset != g->preset ||
	       f->header != g->header || f->min_frame != g->min_frame || f->granule != g->granule || f->gap != g->gap;
}

/* Has a section another value than its defaults? What inherits its defaults follows from what it inherits from. */
static bool section_is_set(const struct net_config *net, const char *path)
{
	const struct xp_section *s = xp_sections;
	while (strcmp(s->path, path) != 0)
		s++;
	const char *base = (const char *)net + s->offset;
	bool set = table_is_set(s->table, base);
	for (int i = 0; i < XP_PICKS && s->pick[i].key; i++)
		set |= choice_is_set(&s->pick[i], base);
	return set;
}

/* Is one of these sections set? One class with all defaults counts as none. */
static size_t list_unused(const struct net_config *net, const char *out[7])
{
	static const char *const sections[] = { "switch", "routing", "congestion", "nic", "node" };
	size_t n = 0;
	if (net->nlinks || section_is_set(net, "links.default") ||
	    link_is_other(&net->link_terminal, &net->link_default))
		out[n++] = "links";
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
		if (section_is_set(net, sections[i]))
			out[n++] = sections[i];
	bool classes = net->nclasses > 1 || net->sharing != SW_MAX_MIN;
	for (uint32_t i = 0; i < net->nclasses; i++)
		classes |= table_is_set(xp_class_table, &net->classes[i]);
	if (classes)
		out[n++] = "classes";
	return n;
}

static void warn_of_unused(const struct net_config *net, struct base_errors *errors)
{
	const char *name[7];
	char list[80] = "";
	size_t n = list_unused(net, name), used = 0;
	for (size_t i = 0; i < n; i++)
		used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
		                         !i           ? ""
		                         : i + 1 == n ? " and "
		                                      : ", ",
		                         name[i]);
	if (n)
		base_warnf(errors, "network.kind",
		           "an analytical network model takes only the number of endpoints from the topology; %s %s "
		           "part of a switched network, and it does not use %s",
		           list, n > 1 || !strcmp(name[0], "links") || !strcmp(name[0], "classes") ? "are" : "is",
		           n > 1 || !strcmp(name[0], "links") || !strcmp(name[0], "classes") ? "them" : "it");
}

static void judge_formula(const struct net_config *net, const struct base_registry *registry,
                          struct base_errors *errors)
{
	for (const struct xp_section *s = xp_sections; s->path; s++)
		for (size_t i = 0; i < sizeof not_on_a_formula / sizeof *not_on_a_formula; i++) {
			if (strcmp(not_on_a_formula[i].section, s->path) != 0)
				continue;
			if (s->entry_bytes) {
				judge_played(net, s, not_on_a_formula[i].keys, errors);
			} else if (!has_failed(errors, s->path)) {
				errors->scope = s->path;
				judge_unused(s->table, not_on_a_formula[i].keys, not_on_a_formula[i].but,
				             (const char *)net + s->offset, errors);
				errors->scope = NULL;
			}
		}
	judge_recorded(net, errors);
	judge_mpi(net, registry, errors);
	bool eager = xp_is_loggops(&net->formula) && net->formula.S == BASE_AUTO_SIZE_VALUE;
	for (const struct base_param *p = xp_mpi_table; p->name && !eager; p++)
		if (!strcmp(p->name, "eager") && !base_param_is_default(p, &net->mpi))
			base_errorf(errors, "mpi.eager",
			            "has an effect with an analytical network model only if network.kind = \"loggops\" "
			            "or \"loggops-atlahs\", and without network.S");
	warn_of_unused(net, errors);
}

void xp_config_judge(const struct net_config *net, const struct base_registry *registry, struct base_errors *errors)
{
	if (net->formula.kind != NET_SWITCHED) {
		judge_sections(net, errors);
		judge_formula(net, registry, errors);
		return;
	}
	bool sound = !has_failed(errors, "classes") && !has_failed(errors, "traffic") && !has_failed(errors, "switch");
	judge_sections(net, errors);
	if (sound)
		xp_classes_judge(net, errors);
	if (net->engine.sync == NET_SYNC_OPTIMISTIC && net->engine.threads > 1)
		base_errorf(errors, "engine.sync",
		            "cannot be \"optimistic\" with %" PRId64
		            " threads: threads that share switches run conservatively",
		            net->engine.threads);
	if (!has_failed(errors, "congestion") && !has_failed(errors, "nic") && !has_failed(errors, "traffic"))
		judge_nic(net, registry, errors);
}
