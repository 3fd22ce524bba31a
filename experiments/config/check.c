/* experiments/config/check.c - checks that involve several keys: names that must match or differ, keys that exclude
 * each other, and defaults that depend on other keys. */
#include "experiments/config/classes.h"
#include "experiments/config/config.h"

#include "base/memory.h"
#include "base/units.h"
#include "network/network.h"
#include "workload/mpi/kinds.h"
#include "workload/process/process.h"
#include "workload/workload.h"

#include <inttypes.h>
#include <string.h>

static void check_job(struct net_config *net, uint32_t i, struct base_errors *errors)
{
	struct net_job *job = &net->jobs[i];
	char scope[48], key[64];
	snprintf(scope, sizeof scope, "traffic.[%" PRIu32 "]", i);
	if (!job->name) {
		snprintf(key, sizeof key, "job%" PRIu32, i);
		job->name = base_strdup(key);
	}
	snprintf(key, sizeof key, "%s.name", scope);
	for (uint32_t k = 0; k < i; k++)
		if (net->jobs[k].name && !strcmp(net->jobs[k].name, job->name)) {
			base_errorf(errors, key, "two jobs are named \"%.60s\": names must differ", job->name);
			break;
		}
	xp_classes_choose(net, job, scope, errors);
	wl_check_job(net, i, errors);
}

bool xp_output_name(const char *path, bool *compressed)
{
	size_t length = strlen(path);
	*compressed = length > 9 && !strcmp(path + length - 9, ".jsonl.gz");
	return *compressed || !strcmp(path, "-") || (length > 6 && !strcmp(path + length - 6, ".jsonl"));
}

static void check_output(const struct net_output *output, struct base_errors *errors)
{
	bool compressed;
	if (output->file && !xp_output_name(output->file, &compressed))
		base_errorf(errors, "output.file",
		            "the name of a result log must end in .jsonl.gz (compressed JSON Lines) or .jsonl (plain), "
		            "or be - (plain, on standard output), not \"%s\"",
		            output->file);
}

/* Jobs that would never send. `how`: which keys the end of the run comes from. */
static void check_starts(const struct net_config *net, uint64_t end, const char *how, struct base_errors *errors)
{
	for (uint32_t i = 0; i < net->njobs; i++) {
		const struct net_job *job = &net->jobs[i];
		char key[64], at[48];
		if (job->start < end && job->burst_length >= end - job->start) {
			snprintf(key, sizeof key, "traffic.[%" PRIu32 "].burst_length", i);
			base_print_quantity(BASE_TIME, end, at, sizeof at);
			base_errorf(errors, key,
			            "the first burst lasts until the end of the run at %s (%s), so no pause follows",
			            at, how);
		}
		if (job->start < end)
			continue;
		snprintf(key, sizeof key, "traffic.[%" PRIu32 "].start", i);
		base_print_quantity(BASE_TIME, end, at, sizeof at);
		base_errorf(errors, key, "must be before the end of the run at %s (%s)", at, how);
	}
}

/* After how many iterations a job's process stops; 0: it never stops, or has no such key. */
static int64_t iterations_of(const struct net_job *job)
{
	const struct base_param *p = job->process.plugin ? job->process.plugin->params : NULL;
	for (; p && p->name; p++)
		if (p->type == BASE_INT && !strcmp(p->name, "iterations"))
			return *(const int64_t *)(const void *)((const char *)job->process.params + p->offset);
	return 0;
}

/* Checks a run that lasts until its estimates are precise enough (time.precision). Such a run requires a steady state:
 * no job may stop, and all jobs must have started by the end of the warm-up. */
static void check_lasting(const struct net_config *net, struct base_errors *errors)
{
	for (uint32_t i = 0; i < net->njobs; i++) {
		const struct net_job *job = &net->jobs[i];
		char key[64];
		snprintf(key, sizeof key, "traffic.[%" PRIu32 "].stop", i);
		if (job->stop)
			base_errorf(errors, key,
			            "cannot be combined with time.precision, which measures a steady state: leave it "
			            "out, or set time.warmup and time.measure in place of time.precision");
		snprintf(key, sizeof key, "traffic.[%" PRIu32 "].iterations", i);
		if (iterations_of(job))
			base_errorf(errors, key,
			            "cannot be combined with time.precision, which measures a steady state, since the "
			            "process stops after %" PRId64
			            ": set 0 (no limit), or time.warmup and time.measure in place of time.precision",
			            iterations_of(job));
		snprintf(key, sizeof key, "traffic.[%" PRIu32 "].burst_length", i);
		if (job->burst_length)
			base_errorf(errors, key,
			            "cannot be combined with time.precision, which measures a steady state: leave it "
			            "out, or set time.warmup and time.measure in place of time.precision");
		snprintf(key, sizeof key, "traffic.[%" PRIu32 "].start", i);
		if (net->time.warmup != BASE_AUTO_TIME_VALUE && job->start > net->time.warmup)
			base_errorf(errors, key, "must not be after the end of time.warmup with time.precision");
	}
}

/* Is a key of this section wrong already? */
static bool is_blamed(const struct base_errors *errors, const char *section)
{
	size_t length = strlen(section);
	for (size_t i = 0; i < errors->n; i++)
		if (!strncmp(errors->v[i].key, section, length) && strchr(".", errors->v[i].key[length]))
			return true;
	return false;
}

/* May an assignment that could not be made have been about a section? */
static bool may_be_missing(const struct base_errors *errors, const char *section)
{
	for (size_t i = 0; i < errors->n; i++)
		if (errors->v[i].key[0] == '@' &&
		    (strstr(errors->v[i].key, section) || strstr(errors->v[i].text, section)))
			return true;
	return false;
}

void xp_config_look_further(const struct xp_config *config, struct base_errors *errors)
{
	const struct net_choice *topology = &config->net.topology;
	struct topo topo;
	if (!topology->plugin || may_be_missing(errors, "topology"))
		return;
	bool whole = is_blamed(errors, "links.override"); /* then without */
	struct net_config config_of = config->net;
	config_of.noverrides = whole ? 0 : config_of.noverrides;
	bool built = !is_blamed(errors, "topology") && !net_build_topology(&config_of, &topo, errors);
	if (!built) {
		net_check_link_classes_of_kind(&config->net, errors);
		return;
	}
	net_check_link_classes(&config->net, &topo, errors);
	topo_destroy(&topo);
}

int xp_config_check_traffic(const struct xp_config *config, struct base_errors *errors)
{
	struct topo topo;
	int status = net_build_topology(&config->net, &topo, errors);
	if (status)
		return -1;
	status = wl_check(&config->net, &topo, errors);
	topo_destroy(&topo);
	return status;
}

/* Does a job end the run? */
static bool has_applications(const struct net_config *net)
{
	for (uint32_t i = 0; i < net->njobs; i++) {
		const struct base_plugin *process = net->jobs[i].process.plugin;
		if (process && process->ops && ((const struct wl_process_ops *)process->ops)->ends_run)
			return true;
	}
	return false;
}

/* The run ends with its applications. */
static void check_application_time(struct net_config *net, struct base_errors *errors)
{
	struct net_time *t = &net->time;
	if (t->precision > 0)
		base_errorf(
		    errors, "time.precision",
		    "has no effect with a process that ends the run: the run ends when the process has finished");
	if (t->measure != BASE_AUTO_TIME_VALUE)
		base_errorf(errors, "time.measure",
		            "has no effect with a process that ends the run; time.limit sets the maximum length");
	if (t->drain != NET_DRAIN_AUTO)
		base_errorf(
		    errors, "time.drain",
		    "has no effect with a process that ends the run: the run ends when the process has finished");
	if (t->warmup == BASE_AUTO_TIME_VALUE)
		t->warmup = 0;
	if (t->warmup >= t->limit)
		base_errorf(errors, "time.limit", "must be after time.warmup");
	for (uint32_t i = 0; i < net->njobs; i++) {
		const struct base_plugin *process = net->jobs[i].process.plugin;
		char key[64];
		snprintf(key, sizeof key, "traffic.[%" PRIu32 "].stop", i);
		if (net->jobs[i].stop && process && process->ops &&
		    ((const struct wl_process_ops *)process->ops)->ends_run)
			base_errorf(errors, key, "has no effect with process \"%s\", which ends by itself",
			            process->name);
	}
}

/* What "auto" means depends on precision. */
static void check_time(struct net_time *t, struct base_errors *errors)
{
	if (t->precision > 0 && t->limit == BASE_AUTO_TIME_VALUE)
		t->limit = 10000000000;
	if (t->precision > 0 && t->measure != BASE_AUTO_TIME_VALUE)
		base_errorf(errors, "time.measure",
		            "cannot be combined with time.precision, which sets the length of the measured window: "
		            "remove one of the two (--set time.measure=auto)");
	if (t->precision > 0 && t->drain != NET_DRAIN_AUTO)
		base_errorf(errors, "time.drain",
		            "has no effect with time.precision: the run ends when its estimates are precise enough");
	if (t->precision > 0 && t->warmup != BASE_AUTO_TIME_VALUE && t->warmup >= t->limit)
		base_errorf(errors, "time.limit", "must be after time.warmup");
	if (t->precision > 0)
		return;
	if (t->warmup == BASE_AUTO_TIME_VALUE)
		t->warmup = XP_WARMUP;
	if (t->measure == BASE_AUTO_TIME_VALUE)
		t->measure = XP_MEASURE;
}

/* When a run ends at the latest, before it drains; ps. */
static uint64_t longest(const struct net_time *t)
{
	return t->precision > 0 || t->applications ? t->limit : t->warmup + t->measure;
}

void xp_config_check(struct net_config *net, const struct base_registry *registry, struct base_errors *errors)
{
	net->time.applications = has_applications(net);
	if (net->time.applications)
		check_application_time(net, errors);
	else
		check_time(&net->time, errors);
	xp_classes_complete(net, errors);
	xp_classes_check(net, errors);
	for (uint32_t i = 0; i < net->njobs; i++)
		check_job(net, i, errors);
	xp_classes_prune(net, errors);
	wl_kinds_read(&(struct wl_kinds){ .named = 0 }, net, errors);
	if (net->formula.kind == NET_SWITCHED && !is_blamed(errors, "switch") && !is_blamed(errors, "classes"))
		xp_classes_lossless(net, errors);
	if (!is_blamed(errors, "time"))
		check_starts(net, longest(&net->time),
		             net->time.precision > 0 || net->time.applications ? "time.limit"
		                                                               : "time.warmup + time.measure",
		             errors);
	if (net->time.precision > 0 && !net->time.applications)
		check_lasting(net, errors);
	if (net->formula.kind == NET_SWITCHED && net->record.timeline &&
	    longest(&net->time) / net->record.timeline > 1000000)
		base_errorf(errors, "record.timeline", "divides this run into more than a million bins%s",
		            !net->time.applications                   ? ""
		            : net->time.limit == BASE_AUTO_TIME_VALUE ? "; the run has no known end: set time.limit"
		                                                      : "; time.limit sets the length of the run");
	check_output(&net->output, errors);
	xp_config_judge(net, registry, errors);
}
