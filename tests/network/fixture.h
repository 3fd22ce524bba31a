/* tests/network/fixture.h - a network from configuration text, run to its end. For units and MPI programs alike: no
 * test framework here. */
#ifndef TESTS_NETWORK_FIXTURE_H
#define TESTS_NETWORK_FIXTURE_H

#include "experiments/config/builtin.h"
#include "experiments/config/config.h"
#include "network/network.h"
#include "workload/workload.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct netrun {
	struct base_registry registry;
	struct base_errors errors;
	struct xp_config config;
	struct net *net;
	enum net_outcome outcome;
	const struct net_result *r;
	enum sim_wish (*progress)(void *arg, uint64_t committed_ps, uint64_t end_ps, uint64_t events);
	void *progress_arg;
};

/* What the network says if the network cannot be built or does not conserve. */
static inline const char *netrun_error(const struct netrun *x)
{
	return x->errors.n ? x->errors.v[0].text : "";
}

/* Builds; false with errors. A zero struct first; `extra` may add a plug-in. */
static inline bool netrun_build(struct netrun *x, const struct base_plugin *extra, const char *text)
{
	xp_register_builtin(&x->registry);
	if (extra)
		base_register(&x->registry, extra, &x->errors);
	if (xp_config_parse(&x->config, text, strlen(text), "test", NULL, NULL, XP_WHOLE, &x->registry, &x->errors))
		return false;
	struct net_setup setup = { .config = &x->config.net,
		                   .registry = &x->registry,
		                   .build_traffic = wl_build,
		                   .destroy_traffic = wl_destroy,
		                   .progress = x->progress,
		                   .progress_arg = x->progress_arg };
	x->net = net_create(&setup, &x->errors);
	return x->net != NULL;
}

static inline enum net_outcome netrun_go(struct netrun *x)
{
	x->outcome = net_run(x->net, &x->errors);
	x->r = net_results(x->net);
	return x->outcome;
}

static inline void netrun_free(struct netrun *x)
{
	net_destroy(x->net);
	xp_config_free(&x->config);
	base_errors_free(&x->errors);
	base_registry_free(&x->registry);
	*x = (struct netrun){ 0 };
}

#endif
