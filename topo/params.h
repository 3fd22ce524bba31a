/* topo/params.h - the parameter structs of the built-in topologies, as their plug-in tables describe them.
 * Builders read them; programs that build a topology without a configuration file fill them. */
#ifndef TOPO_PARAMS_H
#define TOPO_PARAMS_H

#include "base/param.h"

#include <stdint.h>

/* The row `endpoints` in the parameter table of a topology, if its default is a fraction of a switch's network
 * ports. */
#define TOPO_ENDPOINTS_BY(params, part)                                                            \
	{                                                                                          \
		.name = "endpoints", .type = BASE_AUTO_INT, .offset = offsetof(params, endpoints), \
		.default_value = "auto", .unit = "endpoints", .min = 1, .max = 65535,              \
		.help = "endpoints per switch; auto: " part " of the network ports, rounded down"  \
	}

struct topo_slimfly_params {
	int64_t q;
	int64_t endpoints; /* per switch; BASE_AUTO: floor(k'/2) */
	int64_t trunk;     /* here and below: parallel cables that replace each; 0 is 1 */
};

enum topo_arrangement { TOPO_ABSOLUTE, TOPO_RELATIVE, TOPO_PALMTREE, TOPO_CIRCULANT };
enum topo_group_kind { TOPO_GROUP_AUTO, TOPO_GROUP_FULL, TOPO_GROUP_GRID };
enum topo_dragonfly_preset { TOPO_PRESET_NONE, TOPO_DRAGONFLY_1056, TOPO_SLINGSHOT_MAX, TOPO_SHANDY, TOPO_EDISON };

/* Formats parameters as text; numbers that are 0 are omitted. */
struct topo_dragonfly_params {
	int64_t p, a, h, g;
	int64_t trunk;   /* cables per pair of groups */
	int arrangement; /* enum topo_arrangement */
	int preset;      /* enum topo_dragonfly_preset */
	int group;       /* enum topo_group_kind */
	int64_t rows, columns, black;
};

enum topo_torus_pairs { TOPO_PAIRS_SINGLE, TOPO_PAIRS_DOUBLE };
struct topo_torus_params {
	struct base_ints dims;
	int64_t endpoints;
	struct base_ints wrap; /* one for all, or one per dimension */
	int64_t trunk;
	int pairs; /* enum topo_torus_pairs: cables of a ring of two switches */
};

enum topo_hyperx_order { TOPO_HYPERX_ANY, TOPO_HYPERX_DIMENSION };

struct topo_hyperx_params {
	struct base_ints dims;
	struct base_ints trunk; /* one for all, or one per dimension */
	int64_t endpoints;      /* per switch; BASE_AUTO: the least product of size and trunk */
	int order;              /* enum topo_hyperx_order */
};

struct topo_xgft_params {
	struct base_ints children, parents; /* by level, from the lowest */
	struct base_ints trunk;             /* one for all, or one per level; none: 1 */
};

struct topo_fattree_params {
	int64_t k; /* ports of a switch */
	int64_t levels;
};

struct topo_kary_ntree_params {
	int64_t k, n;
};

/* Formats parameters as text; numbers that are 0 are omitted. */
struct topo_dragonfly_plus_params {
	int64_t p, leaves, spines, h, g;
	int64_t trunk;   /* cables per pair of groups */
	int arrangement; /* index in its choices */
};

struct topo_polarfly_params {
	int64_t q;
	int64_t endpoints; /* per switch; BASE_AUTO: floor((q + 1) / 2) */
	int64_t trunk;     /* here and below: parallel cables that replace each; 0 is 1 */
};

enum topo_supernode { TOPO_SUPERNODE_IQ, TOPO_SUPERNODE_PALEY };

struct topo_polarstar_params {
	int64_t q;
	int supernode; /* enum topo_supernode */
	int64_t degree;
	int64_t endpoints; /* per switch; BASE_AUTO: a third of the network ports */
	int64_t trunk;
};

struct topo_bundlefly_params {
	int64_t q, supernode;
	int64_t endpoints; /* per switch; BASE_AUTO: a third of the network ports */
	int64_t trunk;
};

enum topo_accelerators { TOPO_ACCELERATORS_OWN, TOPO_ACCELERATORS_BOUGHT };

struct topo_hammingmesh_params {
	struct base_ints board, boards; /* two each: along a row, along a column */
	int accelerators;               /* enum topo_accelerators */
};

struct topo_spectralfly_params {
	int64_t p, q, endpoints, trunk;
};

struct topo_jellyfish_params {
	int64_t switches, degree, endpoints, seed, trunk;
};

struct topo_oft_params {
	int64_t k;
	int64_t endpoints; /* per leaf; BASE_AUTO: k */
	int64_t trunk;
};

struct topo_mlfm_params {
	int64_t h;
	int64_t endpoints; /* per local switch; BASE_AUTO: h */
	int64_t trunk;
};

struct topo_edges_params {
	char *file;
	int64_t endpoints;
	int64_t trunk;
};

struct topo_import_params {
	char *file, *intra; /* intra may be NULL or "" */
	int format;         /* index in import_formats of topo/import/formats.h, + 1; 0: any */
	int64_t endpoints;  /* BASE_AUTO: not set */
	int64_t trunk;
};

struct topo_single_params {
	int64_t ports;
};

#endif
