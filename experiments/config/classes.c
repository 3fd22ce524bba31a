/* experiments/config/classes.c - traffic classes: published profiles, the class of each job, and which of their keys
 * have an effect. */
#include "experiments/config/classes.h"

#include "base/memory.h"
#include "routing/routing.h"
#include "workload/mpi/kinds.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST 6

/* The traffic classes of HPE's driver for Slingshot (reference: drivers/net/ethernet/hpe/ss1/cxi_qos_profiles.c): their
 * priority, and minimum and maximum share of bandwidth in the fabric, or at the network interface if the driver defines
 * none for the fabric. The low-latency class has the highest priority and limited bandwidth. Jobs that name no class
 * use the first one. DA: dedicated access, LL: low latency, BD: bulk data, BE: best effort, ET: Ethernet. */
static const struct {
	struct {
		const char *name;
		int64_t priority;
		double min, max;
	} class[MOST];
} profiles[] = {
	[XP_PROFILE_LL_BE_BD_ET] = { { { "BE", 0, 0.5, 1 },
	                               { "LL", 1, 0.02, 0.05 },
	                               { "BD", 0, 0.2, 1 },
	                               { "ET", 0, 0.2, 1 } } },
	[XP_PROFILE_LL_BE_BD_ET1_ET2] = { { { "BE", 0, 0.4, 1 },
	                                    { "LL", 1, 0.02, 0.05 },
	                                    { "BD", 0, 0.2, 1 },
	                                    { "ET1", 0, 0.25, 1 },
	                                    { "ET2", 0, 0.13, 1 } } },
	[XP_PROFILE_HPC] = { { { "BE", 0, 0.1, 1 },
	                       { "LL", 1, 0.15, 0.3 },
	                       { "DA", 0, 0.5, 1 },
	                       { "BD", 0, 0.15, 1 },
	                       { "ET", 0, 0.1, 1 } } },
};

static void add_profile(struct net_config *net)
{
	net->classes = base_calloc(MOST, sizeof *net->classes);
	for (uint32_t k = 0; k < MOST && profiles[net->classes_profile].class[k].name; k++) {
		net->classes[k] = (struct net_class){ .name = base_strdup(profiles[net->classes_profile].class[k].name),
			                              .priority = profiles[net->classes_profile].class[k].priority,
			                              .min_bandwidth = profiles[net->classes_profile].class[k].min,
			                              .max_bandwidth = profiles[net->classes_profile].class[k].max,
			                              .framing = NET_CLASS_FRAMING_DEFAULT };
		net->nclasses = k + 1;
	}
}

void xp_classes_complete(struct net_config *net, struct base_errors *errors)
{
	if (net->classes_profile != XP_PROFILE_NONE && net->nclasses) {
		base_errorf(errors, "classes_profile",
		            "already defines the classes: remove either this key or the list \"classes\"");
		net->classes_profile = XP_PROFILE_NONE;
	}
	if (net->classes_profile != XP_PROFILE_NONE)
		add_profile(net);
	if (net->nclasses)
		return;
	net->classes = base_calloc(1, sizeof *net->classes);
	net->nclasses = 1;
	net->classes[0].name = base_strdup("bulk");
	net->classes[0].max_bandwidth = 1.0;
	net->classes[0].framing = NET_CLASS_FRAMING_DEFAULT;
}

void xp_classes_check(const struct net_config *net, struct base_errors *errors)
{
	char key[64];
	double guaranteed = 0;
	for (uint32_t i = 0; i < net->nclasses; i++) {
		const struct net_class *c = &net->classes[i];
		guaranteed += c->min_bandwidth;
		snprintf(key, sizeof key, "classes.[%" PRIu32 "].min_bandwidth", i);
		if (c->min_bandwidth > c->max_bandwidth)
			base_errorf(errors, key, "%g exceeds max_bandwidth = %g of the same class", c->min_bandwidth,
			            c->max_bandwidth);
		snprintf(key, sizeof key, "classes.[%" PRIu32 "].name", i);
		for (uint32_t k = 0; k < i; k++)
			if (c->name && net->classes[k].name && !strcmp(c->name, net->classes[k].name)) {
				base_errorf(errors, key, "two classes are named \"%.60s\": names must differ", c->name);
				break;
			}
	}
	if (guaranteed > 1.0 + 1e-9)
		base_errorf(
		    errors, "classes",
		    "the min_bandwidth values of all classes sum up to %g; at most 1, the whole link, is allowed",
		    guaranteed);
}

/* The class that has the code point, or NULL with an error. */
static const struct net_class *marked(const struct net_config *net, int64_t dscp, const char *key,
                                      struct base_errors *errors)
{
	const struct net_class *found = NULL;
	for (uint32_t i = 0; i < net->nclasses; i++) {
		const struct net_class *c = &net->classes[i];
		if (c->dscp != dscp)
			continue;
		if (found) {
			base_errorf(errors, key, "%" PRId64 " is the dscp of both class \"%.60s\" and class \"%.60s\"",
			            dscp, found->name ? found->name : "", c->name ? c->name : "");
			return NULL;
		}
		found = c;
	}
	if (!found)
		base_errorf(errors, key, "no class has the dscp %" PRId64, dscp);
	return found;
}

void xp_classes_choose(const struct net_config *net, struct net_job *job, const char *scope, struct base_errors *errors)
{
	char key[64];
	const struct net_class *class = &net->classes[0];
	snprintf(key, sizeof key, "%s.dscp", scope);
	if (job->dscp != BASE_AUTO)
		class = marked(net, job->dscp, key, errors);
	if (job->dscp != BASE_AUTO && job->class_name && class && class->name &&
	    strcmp(class->name, job->class_name) != 0)
		base_errorf(errors, key,
		            "%" PRId64 " is the dscp of class \"%.60s\", but the job's key \"class\" names \"%.60s\"",
		            job->dscp, class->name, job->class_name);
	if (!job->class_name)
		job->class_name = base_strdup(class && class->name   ? class->name
		                              : net->classes[0].name ? net->classes[0].name
		                                                     : "bulk");
}

static bool is_used(const struct net_config *net, const char *class)
{
	for (uint32_t j = 0; j < net->njobs; j++)
		if (net->jobs[j].class_name && class && !strcmp(net->jobs[j].class_name, class))
			return true;
	return wl_kinds_use(net, class);
}

void xp_classes_prune(struct net_config *net, struct base_errors *errors)
{
	uint32_t kept = 0;
	if (net->classes_profile == XP_PROFILE_NONE)
		return;
	for (uint32_t i = 0; i < net->nclasses; i++) {
		if (is_used(net, net->classes[i].name))
			net->classes[kept++] = net->classes[i];
		else
			free(net->classes[i].name);
	}
	if (kept) /* else no job has a class, an error */
		net->classes_profile = XP_PROFILE_NONE;
	net->nclasses = kept;
	if (kept != 1)
		return;
	base_errorf(errors, "classes_profile",
	            "has an effect only if jobs use several classes of this profile; only \"%s\" is used",
	            net->classes[0].name);
	net->classes[0].priority = 0;
	net->classes[0].min_bandwidth = 0;
	net->classes[0].max_bandwidth = 1;
}

/* --- loss ------------------------------------------------------------------------------------------------- */

static bool drops(const struct net_config *net)
{
	const struct sw_ops *sw = net->sw.plugin ? net->sw.plugin->ops : NULL;
	return sw && sw->links.waits && sw->links.waits(net->sw.params) == SW_WAITS_NEVER;
}

bool xp_classes_lose(const struct net_config *net)
{
	bool some = drops(net);
	for (uint32_t i = 0; i < net->nclasses; i++)
		some |= net->classes[i].lossless == NET_LOSSLESS_OFF;
	return some;
}

/* Of a switch that has one sort of packets: why a class cannot be of the other. */
static const char *alike(const struct net_config *net, bool lossless)
{
	if (lossless != drops(net))
		return NULL;
	return lossless ? "this switch drops packets"
	                : "this switch drops no packets: a packet is forwarded only if the next buffer has space";
}

void xp_classes_lossless(struct net_config *net, struct base_errors *errors)
{
	const struct sw_ops *sw = net->sw.plugin ? net->sw.plugin->ops : NULL;
	for (uint32_t i = 0; sw && i < net->nclasses; i++) {
		bool lossless = net->classes[i].lossless == NET_LOSSLESS_ON;
		if (net->classes[i].lossless == NET_LOSSLESS_AUTO)
			continue;
		const char *why =
		    sw->classes.lossless ? sw->classes.lossless(net->sw.params, lossless) : alike(net, lossless);
		char key[64];
		snprintf(key, sizeof key, "classes.[%" PRIu32 "].lossless", i);
		if (why)
			base_errorf(errors, key, "cannot be %s with switch \"%s\": %s", lossless ? "true" : "false",
			            net->sw.plugin->name, why);
	}
}

/* --- what has no effect ---------------------------------------------------------------------------------- */

/* What a switch acts on, but not here: who has no other class beside it goes first anyway. */
static void judge_order(const struct net_config *net, unsigned honours, uint32_t i, struct base_errors *errors)
{
	const struct net_class *c = &net->classes[i];
	bool other = false;
	for (uint32_t k = 0; k < net->nclasses; k++)
		other |= net->classes[k].priority != c->priority;
	if (c->priority && !other && honours & SW_HONOURS_PRIORITY)
		base_errorf(errors, "priority", "has an effect only if another class has a different priority");
	if (c->min_bandwidth > 0 && net->nclasses == 1 && honours & SW_HONOURS_MIN_BANDWIDTH)
		base_errorf(errors, "min_bandwidth", "has an effect only if there is another class");
}

static void judge_class(const struct net_config *net, const struct sw_ops *sw, uint32_t i, struct base_errors *errors)
{
	static const struct {
		const char *key;
		unsigned bit;
	} honoured[] = { { "priority", SW_HONOURS_PRIORITY },
		         { "min_bandwidth", SW_HONOURS_MIN_BANDWIDTH },
		         { "max_bandwidth", SW_HONOURS_MAX_BANDWIDTH } };
	const struct net_class *c = &net->classes[i];
	bool marks = false;
	for (size_t k = 0; sw && k < sizeof honoured / sizeof *honoured; k++)
		for (const struct base_param *p = xp_class_table; p->name; p++)
			if (!strcmp(p->name, honoured[k].key) && !(sw->classes.honours & honoured[k].bit) &&
			    !base_param_is_default(p, c))
				base_errorf(errors, p->name, "is not implemented by switch \"%s\"",
				            net->sw.plugin->name);
	for (uint32_t j = 0; j < net->njobs; j++)
		marks |= net->jobs[j].dscp == c->dscp;
	if (c->dscp && !marks)
		base_errorf(errors, "dscp", "has an effect only if a job sets traffic[].dscp to this value");
	if (sw)
		judge_order(net, sw->classes.honours, i, errors);
	uint64_t bias;
	if (c->bias && net->routing.plugin)
		rt_bias_read(net->routing.plugin, c->bias, &bias, errors);
	if (net->njobs && !is_used(net, c->name))
		base_errorf(errors, NULL, "no job uses the class \"%.60s\"", c->name ? c->name : "");
}

/* Rules differ where classes that are equal in priority have minima. */
static void judge_sharing(const struct net_config *net, const struct sw_ops *sw, struct base_errors *errors)
{
	bool shared = false;
	for (uint32_t i = 0; i < net->nclasses; i++)
		for (uint32_t k = 0; k < net->nclasses; k++)
			shared |= i != k && net->classes[i].priority == net->classes[k].priority &&
			          net->classes[i].min_bandwidth > 0;
	if (net->sharing == SW_MAX_MIN || !sw)
		return;
	if (!(sw->classes.honours & SW_HONOURS_MIN_BANDWIDTH))
		base_errorf(errors, "classes_sharing", "is not implemented by switch \"%s\"", net->sw.plugin->name);
	else if (!shared)
		base_errorf(
		    errors, "classes_sharing",
		    "has an effect only if several classes have the same priority and one of them has a min_bandwidth");
}

/* The routing's own, where every class has another. */
static void judge_bias(const struct net_config *net, struct base_errors *errors)
{
	const struct base_param *p = net->routing.plugin ? rt_bias_param(net->routing.plugin) : NULL;
	for (uint32_t i = 0; i < net->nclasses; i++)
		if (!net->classes[i].bias)
			return;
	if (p && net->routing.params && !base_param_is_default(p, net->routing.params))
		base_errorf(errors, "routing.bias", "has no effect: every class sets its own bias");
}

void xp_classes_judge(const struct net_config *net, struct base_errors *errors)
{
	const struct sw_ops *sw = net->sw.plugin ? net->sw.plugin->ops : NULL;
	for (uint32_t i = 0; i < net->nclasses; i++) {
		char scope[64];
		snprintf(scope, sizeof scope, "classes.[%" PRIu32 "]", i);
		errors->scope = scope;
		judge_class(net, sw, i, errors);
		errors->scope = NULL;
	}
	judge_sharing(net, sw, errors);
	judge_bias(net, errors);
}
