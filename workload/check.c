/* workload/check.c - checks of a job that need no topology: its sizes, class and times. */
#include "base/memory.h"
#include "workload/job.h"
#include "workload/mpi/collective.h"
#include "workload/open/size.h"
#include "workload/workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int wl_find_class(const struct net_config *config, const char *name, uint32_t *index, struct base_errors *errors)
{
	*index = 0;
	if (!name || !config->nclasses)
		return 0;
	const char **known = base_calloc(config->nclasses, sizeof *known);
	int status = -1;
	for (uint32_t i = 0; i < config->nclasses && status; i++) {
		known[i] = config->classes[i].name ? config->classes[i].name : "";
		if (strcmp(known[i], name))
			continue;
		*index = i;
		status = 0;
	}
	const char *near = status ? base_nearest(name, known, config->nclasses) : NULL;
	if (near)
		base_errorf(errors, "class", "there is no class \"%.60s\"; did you mean \"%.60s\"?", name, near);
	else if (status)
		base_errorf(errors, "class", "there is no class \"%.60s\"; the first class is \"%.60s\"", name,
		            known[0]);
	free(known);
	return status;
}

int wl_check_times(const struct net_job *c, struct base_errors *errors)
{
	if (c->stop && c->stop <= c->start)
		return base_errorf(errors, "stop", "must be after the job's start");
	if (c->burst_length && c->stop && c->stop - c->start <= c->burst_length)
		return base_errorf(errors, "burst_length", "the job stops before its first burst ends");
	return 0;
}

int wl_check_job(const struct net_config *config, uint32_t i, struct base_errors *errors)
{
	const struct net_job *c = &config->jobs[i];
	const char *scope = errors->scope;
	char key[48];
	uint32_t index;
	snprintf(key, sizeof key, "traffic.[%u]", i);
	errors->scope = key;
	int status = wl_sizes_check(c, errors);
	status |= wl_find_class(config, c->class_name, &index, errors);
	status |= wl_check_times(c, errors);
	errors->scope = scope;
	return status;
}

int wl_no_member(const struct wl_pattern *p, const char *key, int64_t endpoint, struct base_errors *errors)
{
	long long e = endpoint;
	if (e >= 0 && e < (long long)p->topo->endpoints)
		return base_errorf(errors, key, "endpoint %lld does not belong to this job", e);
	return base_errorf(errors, key, "endpoint %lld does not belong to this job: the topology has endpoints 0 to %u",
	                   e, p->topo->endpoints - 1);
}

int wl_check_collectives(uint64_t used, const struct net_config *config, struct base_errors *errors)
{
	struct mpi_choices choices;
	const char *scope = errors->scope;
	errors->scope = "mpi";
	int status = mpi_choices_read(&choices, config->mpi.collectives, "collectives", errors);
	if (!status)
		status = mpi_choices_check(&choices, used, "collectives", errors);
	errors->scope = scope;
	return status;
}
