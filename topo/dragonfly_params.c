/* topo/dragonfly_params.c - parameters and named systems of the dragonfly. */
#include "topo/dragonfly.h"
#include "topo/params.h"

#include <stddef.h>

#define MOST_PORTS 60000

struct preset {
	const char *name;
	struct topo_dragonfly_params numbers;
};

/* By enum topo_dragonfly_preset.
 * dragonfly-1056: Kim et al., ISCA'08, the usual study. slingshot-max: De Sensi et al., SC20, II-B: 279,040 endpoints.
 * shandy: the same, II-F: 1,024 nodes of two NICs, 8 groups of 16 switches, 8 cables per pair of groups.
 * edison: Cray XC30, 15 groups of six chassis of 16, 12 cables per pair of groups (CODES' model of it). */
static const struct preset presets[] = {
	[TOPO_DRAGONFLY_1056] = { "dragonfly-1056", { .p = 4, .a = 8, .h = 4, .g = 33 } },
	[TOPO_SLINGSHOT_MAX] = { "slingshot-max", { .p = 16, .a = 32, .h = 17, .g = 545 } },
	[TOPO_SHANDY] = { "shandy", { .p = 16, .a = 16, .g = 8, .trunk = 8 } },
	[TOPO_EDISON] = { "edison",
	                  { .p = 4,
	                    .a = 96,
	                    .g = 15,
	                    .trunk = 12,
	                    .group = TOPO_GROUP_GRID,
	                    .rows = 6,
	                    .columns = 16,
	                    .black = 3 } },
};

#define PARAM(field) .name = #field, .offset = offsetof(struct topo_dragonfly_params, field)
#define COUNT(field) PARAM(field), .type = BASE_INT, .default_value = "", .min = 1, .max = MOST_PORTS

const struct base_param dragonfly_params[] = {
	{ PARAM(preset), .type = BASE_ENUM, .default_value = "none",
	  .choices = "none|dragonfly-1056|slingshot-max|shandy|edison",
	  .help = "a known system; explicit values override its own" },
	{ COUNT(p), .unit = "endpoints", .help = "endpoints per switch; required without a preset" },
	{ COUNT(a), .unit = "switches", .help = "switches per group; if omitted, rows * columns, or the preset's" },
	{ COUNT(h), .unit = "ports",
	  .help = "global ports per switch (the maximum, if switches have different numbers)" },
	{ COUNT(g), .unit = "groups", .help = "groups; if omitted, as many as h allows (a h / trunk + 1)" },
	{ COUNT(trunk), .unit = "cables",
	  .help = "cables per pair of groups, spread evenly over the switches; if omitted, floor(a h / (g - 1))" },
	{ PARAM(arrangement), .type = BASE_ENUM, .default_value = "absolute",
	  .choices = "absolute|relative|palmtree|circulant", .help = "mapping of global ports to groups",
	  .source = "Hastings et al. 2015; Garcia et al. 2013" },
	{ PARAM(group), .type = BASE_ENUM, .default_value = "auto", .choices = "auto|full|grid",
	  .help = "full: all switches of a group are connected to each other; grid: those of a row and those of a "
	          "column (Cray XC); auto: grid if rows or columns are given" },
	{ COUNT(rows), .unit = "rows", .help = "grid: rows of a group (chassis)" },
	{ COUNT(columns), .unit = "columns", .help = "grid: columns of a group (switches per chassis)" },
	{ PARAM(black), .type = BASE_INT, .default_value = "", .min = 1, .max = TOPO_MAX_NEXT, .unit = "cables",
	  .help = "grid: parallel cables between two switches of a column; if omitted, 1, or the preset's" },
	{ 0 }
};

static bool has_groups(const void *params)
{
	return ((const struct topo_dragonfly_params *)params)->g != 1;
}

const struct base_condition dragonfly_conditions[] = {
	{ "h trunk arrangement", "with more than one group", has_groups, NULL },
	{ 0 },
};

static void use_preset(struct topo_dragonfly_params *in)
{
	const struct topo_dragonfly_params *from = &presets[in->preset].numbers;
	in->p = in->p ? in->p : from->p;
	if (!in->h && !in->trunk) {
		in->h = from->h;
		in->trunk = from->trunk;
	}
	in->g = in->g ? in->g : from->g;
	if (!in->a && !in->rows && !in->columns) {
		in->a = from->a;
		in->rows = in->group == TOPO_GROUP_FULL ? 0 : from->rows;
		in->columns = in->group == TOPO_GROUP_FULL ? 0 : from->columns;
	}
	in->black = in->black || in->group == TOPO_GROUP_FULL ? in->black : from->black;
	in->group = in->group ? in->group : from->group;
}

static int check_range(const struct topo_dragonfly_params *in, struct base_errors *errors)
{
	const struct {
		const char *key;
		int64_t value;
	} all[] = { { "p", in->p },
		    { "a", in->a },
		    { "h", in->h },
		    { "g", in->g },
		    { "trunk", in->trunk },
		    { "rows", in->rows },
		    { "columns", in->columns },
		    { "black", in->black } };
	int status = 0;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i].value < 0 || all[i].value > MOST_PORTS)
			status = base_errorf(errors, all[i].key, "%lld is out of range (1 to %d)",
			                     (long long)all[i].value, MOST_PORTS);
	if (in->black > TOPO_MAX_NEXT)
		status = base_errorf(errors, "black", "at most %d parallel cables are supported", TOPO_MAX_NEXT);
	return status;
}

/* Determines a, rows, columns. */
static int read_group(struct dragonfly *d, struct topo_dragonfly_params *in, struct base_errors *errors)
{
	d->grid = in->group == TOPO_GROUP_GRID || (in->group == TOPO_GROUP_AUTO && (in->rows || in->columns));
	if (!d->grid) {
		if (in->rows || in->columns || in->black)
			return base_errorf(errors,
			                   in->rows      ? "rows"
			                   : in->columns ? "columns"
			                                 : "black",
			                   "has an effect only for grid groups");
		if (!in->a)
			return base_errorf(errors, "a", "is required (switches per group), or a preset");
	} else {
		if (!in->rows && in->a && in->columns && in->a % in->columns == 0)
			in->rows = in->a / in->columns;
		if (!in->columns && in->a && in->rows && in->a % in->rows == 0)
			in->columns = in->a / in->rows;
		if (!in->rows || !in->columns)
			return base_errorf(errors, in->rows ? "columns" : "rows", "is required for grid groups%s",
			                   in->a ? " (rows * columns must equal a)" : "");
		if (!in->a)
			in->a = in->rows * in->columns;
		if (in->a != in->rows * in->columns)
			return base_errorf(errors, "a", "%lld switches are not %lld rows of %lld columns",
			                   (long long)in->a, (long long)in->rows, (long long)in->columns);
	}
	if (in->a > MOST_PORTS)
		return base_errorf(errors, "a", "%lld switches per group are too many (at most %d)", (long long)in->a,
		                   MOST_PORTS);
	d->a = (uint32_t)in->a;
	d->rows = d->grid ? (uint32_t)in->rows : 1;
	d->columns = d->grid ? (uint32_t)in->columns : d->a;
	d->black = in->black ? (uint32_t)in->black : 1;
	d->local_ports = d->grid ? d->columns - 1 + (d->rows - 1) * d->black : d->a - 1;
	return 0;
}

/* Determines g and trunk. */
static int read_wiring(struct dragonfly *d, const struct topo_dragonfly_params *in, struct base_errors *errors)
{
	int64_t ports = in->a * in->h, g = in->g, trunk = in->trunk;
	if (g == 1) { /* one group uses no global ports */
		d->g = 1;
		d->trunk = 0;
		return 0;
	}
	if (!in->h && !trunk)
		return base_errorf(errors, "h", "is required (global ports per switch), or trunk, or a preset");
	if (!g && !in->h)
		return base_errorf(errors, "g", "is required (groups) if h is omitted");
	if (!g)
		g = ports / (trunk ? trunk : 1) + 1;
	if (g < 2)
		return base_errorf(errors, "trunk",
		                   "%lld cables per pair of groups: a group has only %lld global ports",
		                   (long long)trunk, (long long)ports);
	if (!trunk) {
		trunk = ports / (g - 1);
		if (trunk < 1)
			return base_errorf(
			    errors, "g",
			    "%lld groups are too many; %lld switches with %lld global ports each reach %lld",
			    (long long)g, (long long)in->a, (long long)in->h, (long long)(ports + 1));
		if (ports % (g - 1))
			base_warnf(errors, "h",
			           "%lld of the %lld global ports of each group stay unused: %lld cables to each of "
			           "%lld groups",
			           (long long)(ports % (g - 1)), (long long)ports, (long long)trunk,
			           (long long)(g - 1));
	} else if (in->h && (g - 1) * trunk > ports) {
		return base_errorf(errors, "trunk",
		                   "%lld cables to each of %lld groups need %lld global ports per group; %lld switches "
		                   "with %lld each have %lld",
		                   (long long)trunk, (long long)(g - 1), (long long)(g - 1) * trunk, (long long)in->a,
		                   (long long)in->h, (long long)ports);
	}
	if (g > TOPO_MAX_SWITCHES)
		return base_errorf(errors, "g", "%lld groups are not supported (at most %u switches)", (long long)g,
		                   TOPO_MAX_SWITCHES);
	if ((g - 1) * trunk > MOST_PORTS * in->a)
		return base_errorf(errors, "trunk", "more than %d global ports per switch are not supported",
		                   MOST_PORTS);
	if (g * (g - 1) * trunk > (int64_t)1 << 30)
		return base_errorf(errors, "g", "more than 2^29 global cables are not supported");
	d->g = (uint32_t)g;
	d->trunk = (uint32_t)trunk;
	return 0;
}

int dragonfly_read(struct dragonfly *d, const void *params, uint32_t *endpoints, struct base_errors *errors)
{
	struct topo_dragonfly_params in = *(const struct topo_dragonfly_params *)params;
	size_t before = errors->errors;
	if (check_range(&in, errors))
		return -1;
	if (in.preset != TOPO_PRESET_NONE)
		use_preset(&in);
	if (!in.p)
		base_errorf(errors, "p", "is required (endpoints per switch), or a preset");
	if (!read_group(d, &in, errors))
		read_wiring(d, &in, errors);
	if (errors->errors > before)
		return -1;
	if (d->g > 511)
		base_warnf(errors, "g", "%u groups: Slingshot hardware addresses at most 511", d->g);
	d->arrangement = in.arrangement;
	*endpoints = (uint32_t)in.p;
	return 0;
}
