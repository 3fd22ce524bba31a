/* tests/workload/fixture.h - one configuration with up to four jobs, on a flat network or a real topology. */
#ifndef TESTS_WORKLOAD_FIXTURE_H
#define TESTS_WORKLOAD_FIXTURE_H

#include "base/memory.h"
#include "workload/workload.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fixture {
	struct topo topo;
	struct net_config config;
	struct net_job job[4];
	struct base_errors errors;
	struct net_traffic traffic;
	void *topo_params;
	const struct base_plugin *topo_plugin;
};

/* Parameters of a plug-in from "name=value name=value"; the rest are defaults. */
static inline void *fixture_params(const struct base_plugin *plugin, const char *text)
{
	if (!plugin->params)
		return NULL;
	struct base_errors errors = { 0 };
	void *params = base_alloc(plugin->params_bytes);
	base_params_defaults(plugin->params, params, &errors);
	char *copy = base_strdup(text), *save;
	for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		char *value = strchr(word, '=');
		*value++ = '\0';
		const struct base_param *p = plugin->params;
		while (p->name && strcmp(p->name, word))
			p++;
		cr_assert(p->name, "%s has no parameter %s", plugin->name, word);
		cr_assert_eq(base_param_parse(p, params, value, &errors), 0);
	}
	free(copy);
	cr_assert_eq(errors.errors, 0);
	return params;
}

static inline struct net_choice fixture_choice(const struct base_plugin *plugin, const char *text)
{
	return (struct net_choice){ .plugin = plugin, .params = fixture_params(plugin, text) };
}

/* Switches of `per` endpoints each, nothing more. 100 Gb/s, seed 1, 20 us + 200 us. */
static inline void fixture_flat(struct fixture *f, uint32_t endpoints, uint32_t per)
{
	*f = (struct fixture){ 0 };
	f->topo = (struct topo){ .kind = "flat",
		                 .switches = endpoints / per,
		                 .endpoints = endpoints,
		                 .max_endpoints = per,
		                 .by_endpoints = topo_divider_of(per),
		                 .groups = 1 };
	f->config = (struct net_config){ .seed = 1,
		                         .link_terminal = { .bandwidth = 100000000000u, .latency = 50000 },
		                         .time = { .warmup = 20000000, .measure = 200000000 },
		                         .jobs = f->job };
}

static inline void fixture_topo(struct fixture *f, const struct base_plugin *plugin, const char *text)
{
	fixture_flat(f, 2, 1);
	f->topo_plugin = plugin;
	f->topo_params = fixture_params(plugin, text);
	cr_assert_eq(topo_build(&f->topo, plugin, f->topo_params, &f->errors), 0);
}

/* Adds a job of 256-byte packets at load 0.5 on all endpoints with Poisson injection. */
static inline struct net_job *fixture_job(struct fixture *f, const struct base_plugin *pattern, const char *text)
{
	struct net_job *job = &f->job[f->config.njobs++];
	*job = (struct net_job){ .pattern = fixture_choice(pattern, text),
		                 .injection = fixture_choice(&wl_poisson, ""),
		                 .load = 0.5 };
	job->packet.v = base_calloc(8, sizeof(int64_t));
	job->packet.v[job->packet.n++] = 256;
	return job;
}

static inline void fixture_injection(struct net_job *job, const struct base_plugin *plugin, const char *text)
{
	if (job->injection.plugin->params)
		base_params_free(job->injection.plugin->params, job->injection.params);
	free(job->injection.params);
	job->injection = fixture_choice(plugin, text);
}

static inline void fixture_build(struct fixture *f)
{
	int status = wl_build(&f->traffic, &f->config, &f->topo, &f->errors);
	cr_assert_eq(status, 0, "%s: %s", f->errors.n ? f->errors.v[0].key : "",
	             f->errors.n ? f->errors.v[0].text : "");
}

/* Asserts that building fails with exactly one error, of this key, whose text holds `part`. */
static inline void fixture_fails(struct fixture *f, const char *key, const char *part)
{
	cr_assert_eq(wl_build(&f->traffic, &f->config, &f->topo, &f->errors), -1);
	cr_assert_null(f->traffic.impl);
	cr_assert_eq(f->errors.n, 1, "%zu errors; the second: %s: %s", f->errors.n,
	             f->errors.n > 1 ? f->errors.v[1].key : "", f->errors.n > 1 ? f->errors.v[1].text : "");
	cr_assert_str_eq(f->errors.v[0].key, key);
	cr_assert(strstr(f->errors.v[0].text, part), "\"%s\" does not say \"%s\"", f->errors.v[0].text, part);
	base_errors_free(&f->errors);
}

static inline void fixture_free(struct fixture *f)
{
	wl_destroy(&f->traffic);
	for (uint32_t i = 0; i < f->config.njobs; i++) {
		struct net_choice *choices[] = { &f->job[i].pattern, &f->job[i].injection };
		for (int k = 0; k < 2; k++) {
			if (choices[k]->params)
				base_params_free(choices[k]->plugin->params, choices[k]->params);
			free(choices[k]->params);
		}
		free(f->job[i].packet.v);
		free(f->job[i].weight.v);
	}
	if (f->topo_plugin) {
		topo_destroy(&f->topo);
		base_params_free(f->topo_plugin->params, f->topo_params);
		free(f->topo_params);
	}
	base_errors_free(&f->errors);
	*f = (struct fixture){ 0 };
}

/* Destination of the first message, WL_IDLE if the endpoint never sends. */
static inline uint32_t fixture_first(const struct fixture *f, uint32_t job, uint32_t endpoint)
{
	struct net_source source;
	f->traffic.ops->start(&f->traffic, job, endpoint, &source);
	return source.created == NET_NEVER ? WL_IDLE : source.dst;
}

#endif
