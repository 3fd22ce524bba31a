/* topo/fattree.c - fat trees of identical switches: the folded Clos network of k-port switches, and the k-ary n-tree.
 * Both are extended generalised fat trees (xgft.c).
 *
 * fattree: levels of k-port switches, half of the ports down and half up, on the top level all down: 2 (k/2)^levels
 * endpoints. Al-Fares, Loukissas, Vahdat, "A Scalable, Commodity Data Center Network Architecture", SIGCOMM 2008,
 * section 3.1, for three levels: k^3 / 4 endpoints on 5 k^2 / 4 switches. Leiserson, IEEE ToC 34(10), 1985.
 *
 * kary-ntree: n levels of k^(n-1) switches, k^n endpoints; the switches of the top level use half of their 2k ports.
 * Petrini and Vanneschi, "k-ary n-trees: High Performance Networks for Massively Parallel Architectures", IPPS 1997. */
#include "topo/params.h"
#include "topo/xgft.h"

#include <stddef.h>

static int fattree_build(struct topo *topo, const void *params, struct base_errors *errors)
{
	const struct topo_fattree_params *in = params;
	size_t before = errors->errors;
	if (in->k < 2)
		base_errorf(errors, "k", "%lld is too small; the minimum is 2", (long long)in->k);
	else if (in->k % 2)
		base_errorf(errors, "k", "%lld is odd: half of the ports lead up; the nearest are %lld and %lld",
		            (long long)in->k, (long long)in->k - 1, (long long)in->k + 1);
	if (in->levels < 2 || in->levels > TOPO_XGFT_LEVELS)
		base_errorf(errors, "levels", "2 to %d levels of switches are supported, not %lld", TOPO_XGFT_LEVELS,
		            (long long)in->levels);
	if (errors->errors > before)
		return -1;
	uint64_t children[TOPO_XGFT_LEVELS], parents[TOPO_XGFT_LEVELS], half = (uint64_t)in->k / 2;
	uint32_t h = (uint32_t)in->levels;
	for (uint32_t i = 0; i < h; i++) {
		children[i] = i + 1 < h ? half : 2 * half;
		parents[i] = i ? half : 1;
	}
	return topo_xgft_make(topo, h, children, parents, NULL, errors);
}

static int kary_build(struct topo *topo, const void *params, struct base_errors *errors)
{
	const struct topo_kary_ntree_params *in = params;
	size_t before = errors->errors;
	if (in->k < 2)
		base_errorf(errors, "k", "%lld is too small; the minimum is 2", (long long)in->k);
	if (in->n < 2 || in->n > TOPO_XGFT_LEVELS)
		base_errorf(errors, "n", "2 to %d levels of switches are supported, not %lld", TOPO_XGFT_LEVELS,
		            (long long)in->n);
	if (errors->errors > before)
		return -1;
	uint64_t children[TOPO_XGFT_LEVELS], parents[TOPO_XGFT_LEVELS];
	for (int64_t i = 0; i < in->n; i++) {
		children[i] = (uint64_t)in->k;
		parents[i] = i ? (uint64_t)in->k : 1;
	}
	return topo_xgft_make(topo, (uint32_t)in->n, children, parents, NULL, errors);
}

static const struct base_param fattree_params[] = {
	{ BASE_KEY(INT, struct topo_fattree_params, k, NULL), .unit = "ports", .min = 2, .max = 65534,
	  .help = "ports of a switch, an even number; makes 2 (k/2)^levels endpoints",
	  .source = "SIGCOMM 2008 Al-Fares et al., 3.1" },
	{ BASE_KEY(INT, struct topo_fattree_params, levels, "3"), .unit = "levels", .min = 2, .max = TOPO_XGFT_LEVELS,
	  .help = "levels of switches" },
	{ 0 }
};

static const struct base_param kary_params[] = {
	{ BASE_KEY(INT, struct topo_kary_ntree_params, k, NULL), .unit = "children", .min = 2, .max = 32767,
	  .help = "children and parents of a switch; makes k^n endpoints", .source = "IPPS 1997 Petrini, Vanneschi" },
	{ BASE_KEY(INT, struct topo_kary_ntree_params, n, NULL), .unit = "levels", .min = 2, .max = TOPO_XGFT_LEVELS,
	  .help = "levels of switches" },
	{ 0 }
};

static const struct topo_ops fattree_ops = { .build = fattree_build, TOPO_XGFT_OPS };
static const struct topo_ops kary_ops = { .build = kary_build, TOPO_XGFT_OPS };

const struct base_plugin topo_fattree = {
	BASE_DESCRIBE("topology", "fattree", fattree_params, struct topo_fattree_params, &fattree_ops),
	.summary = "fat tree of k-port switches, by default with three levels (folded Clos)",
	.source = "Al-Fares, Loukissas, Vahdat, SIGCOMM 2008; Leiserson, IEEE ToC 1985",
};

const struct base_plugin topo_kary_ntree = {
	BASE_DESCRIBE("topology", "kary-ntree", kary_params, struct topo_kary_ntree_params, &kary_ops),
	.summary = "k-ary n-tree: n levels of switches with k children and k parents",
	.source = "Petrini, Vanneschi: k-ary n-trees, IPPS 1997",
};
