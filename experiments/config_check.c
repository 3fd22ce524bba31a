/* experiments/config_check.c - what no single row of a table can say: names that must match or differ, keys that
 * exclude each other; and the defaults that depend on other keys. */
#include "experiments/config.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void default_class(struct net_config *net)
{
	if (net->nclasses)
		return;
	net->classes = base_calloc(1, sizeof *net->classes);
	net->nclasses = 1;
	net->classes[0].name = base_strdup("bulk");
	net->classes[0].max_bandwidth = 1.0;
}

static void check_classes(const struct net_config *net, struct base_errors *errors)
{
	char key[64];
	double guaranteed = 0;
	for (uint32_t i = 0; i < net->nclasses; i++) {
		const struct net_class *c = &net->classes[i];
		guaranteed += c->min_bandwidth;
		snprintf(key, sizeof key, "classes.[%" PRIu32 "].min_bandwidth", i);
		if (c->min_bandwidth > c->max_bandwidth)
			base_errorf(errors, key, "%g is more than this class's max_bandwidth, %g", c->min_bandwidth,
			            c->max_bandwidth);
		snprintf(key, sizeof key, "classes.[%" PRIu32 "].name", i);
		for (uint32_t k = 0; k < i; k++)
			if (c->name && net->classes[k].name && !strcmp(c->name, net->classes[k].name)) {
				base_errorf(errors, key, "two classes are named \"%.60s\"", c->name);
				break;
			}
	}
	if (guaranteed > 1.0 + 1e-9)
		base_errorf(errors, "classes", "the min_bandwidth of all classes sum up to %g, more than the link",
		            guaranteed);
}

static void check_class_name(const struct net_config *net, struct net_job *job, const char *key,
                             struct base_errors *errors)
{
	const char *names[255];
	if (!job->class_name) {
		job->class_name = base_strdup(net->classes[0].name ? net->classes[0].name : "bulk");
		return;
	}
	for (uint32_t i = 0; i < net->nclasses; i++) {
		names[i] = net->classes[i].name ? net->classes[i].name : "";
		if (!strcmp(names[i], job->class_name))
			return;
	}
	const char *near = base_nearest(job->class_name, names, net->nclasses);
	if (near)
		base_errorf(errors, key, "there is no class \"%.60s\"; did you mean \"%.60s\"?", job->class_name, near);
	else
		base_errorf(errors, key, "there is no class \"%.60s\"; the first is \"%.60s\"", job->class_name,
		            names[0]);
}

static void check_sizes(const struct net_job *job, const char *scope, struct base_errors *errors)
{
	int64_t sum = 0;
	errors->scope = scope;
	if (!job->packet.n)
		base_errorf(errors, "packet", "an empty list of sizes");
	for (size_t i = 0; i < job->weight.n; i++)
		sum += job->weight.v[i];
	if (job->weight.n && job->weight.n != job->packet.n)
		base_errorf(errors, "weight", "has %zu entries, but packet has %zu sizes", job->weight.n,
		            job->packet.n);
	else if (job->weight.n && !sum)
		base_errorf(errors, "weight", "all weights are 0");
	errors->scope = NULL;
}

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
			base_errorf(errors, key, "two jobs are named \"%.60s\"", job->name);
			break;
		}
	snprintf(key, sizeof key, "%s.class", scope);
	check_class_name(net, job, key, errors);
	check_sizes(job, scope, errors);
	snprintf(key, sizeof key, "%s.stop", scope);
	if (job->stop && job->stop <= job->start)
		base_errorf(errors, key, "not after start");
}

void xp_config_check(struct net_config *net, struct base_errors *errors)
{
	default_class(net);
	check_classes(net, errors);
	for (uint32_t i = 0; i < net->njobs; i++)
		check_job(net, i, errors);
	if (net->record.switches && *net->record.switches && !net->record.instruments)
		base_errorf(errors, "record.switches", "needs record.switch = true");
	if (net->record.activity && !net->record.timeline)
		base_errorf(errors, "record.activity", "needs record.timeline, the width of its bins");
	if (net->record.timeline && (net->time.warmup + net->time.measure) / net->record.timeline > 1000000)
		base_errorf(errors, "record.timeline", "makes more than a million bins of this run");
	if (net->output.csv && !net->output.file)
		base_errorf(errors, "output.csv", "needs output.file: the tables take its name");
}
