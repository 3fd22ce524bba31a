/* network/bias.c - the biases of routing for traffic classes that set a bias of their own (classes[].bias), for
 * routings with rt_ops.has_bias. A routing decision looks up the bias by the packet's job: rt_class_bias(). */
#include "base/memory.h"
#include "network/net.h"

#include <stdio.h>

#define LEAST_PACKET 256 /* bytes that count as one packet, of smaller ones, which come several at a time */

/* Bytes for each hop of a non-minimal route that a bias of "auto" is. */
static uint64_t bytes_per_hop(const struct net *n)
{
	uint32_t packet = n->common.max_packet;
	return 3ull * (packet < LEAST_PACKET ? LEAST_PACKET : packet);
}

void net_bias_default(struct net *n)
{
	if (n->rt.auto_bias)
		n->rt.bias = bytes_per_hop(n);
}

static int read_bias(const struct net *n, uint32_t k, struct rt_bias *bias, struct base_errors *errors)
{
	char scope[64];
	uint64_t bytes = 0;
	snprintf(scope, sizeof scope, "classes.[%u]", k);
	errors->scope = scope;
	int status = rt_bias_read(n->config->routing.plugin, n->config->classes[k].bias, &bytes, errors);
	errors->scope = NULL;
	bool automatic = bytes == BASE_AUTO_SIZE_VALUE;
	*bias = (struct rt_bias){ .bytes = automatic ? 0 : bytes, .per_hop = automatic ? bytes_per_hop(n) : 0 };
	return status;
}

int net_class_biases(struct net *n, struct base_errors *errors)
{
	const struct net_config *c = n->config;
	int status = 0;
	for (uint32_t k = 0; k < c->nclasses; k++) {
		if (!c->classes[k].bias)
			continue;
		if (!n->classes.bias)
			n->classes.bias = base_calloc(c->nclasses, sizeof *n->classes.bias);
		status |= read_bias(n, k, &n->classes.bias[k], errors);
		for (uint32_t j = 0; j < n->traffic.streams; j++)
			if (n->traffic.job[j].class_index == k)
				n->classes.bias_of_job[j] = &n->classes.bias[k];
	}
	return status;
}
