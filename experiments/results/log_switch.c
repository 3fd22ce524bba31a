/* experiments/results/log_switch.c - writes the record `switch`: the values of a switch's instruments, with the names
 * and units that the table of the switch model defines. */
#include "experiments/results/log.h"

#include "switch/instruments.h"

static double scaled(const struct net_switch_record *r, enum sw_meaning meaning, uint64_t word)
{
	double span = (double)r->span_ps;
	if (meaning == SW_IN_USE)
		return span > 0 ? (double)word / span : 0;
	return span > 0 ? (double)word * 1024 / span : 0;
}

static void value(struct base_json *j, const struct net_switch_record *r, enum sw_meaning meaning, uint64_t word)
{
	if (meaning == SW_IN_USE || meaning == SW_HELD)
		base_json_double(j, NULL, scaled(r, meaning, word));
	else
		base_json_uint(j, NULL, word);
}

/* One number a port of this switch; by row: a list of them a port. */
static void array(struct base_json *j, const char *key, const struct net_switch_record *r, uint32_t k, uint32_t class)
{
	const struct sw_instruments *s = r->instruments;
	const struct sw_instrument *v = &s->v[k];
	const uint64_t *words = r->words + sw_instrument_at(s, k) + (size_t) class * s->ports;
	base_json_array(j, key);
	for (uint32_t i = 0; i < r->ports; i++) {
		if (!v->by_row) {
			value(j, r, v->meaning, words[i]);
			continue;
		}
		base_json_array(j, NULL);
		for (uint32_t row = 0; row < s->rows; row++)
			value(j, r, v->meaning, words[i * s->rows + row]);
		base_json_end(j);
	}
	base_json_end(j);
}

static uint64_t sum(const struct net_switch_record *r, uint32_t k, uint32_t class)
{
	const uint64_t *words = r->words + sw_instrument_at(r->instruments, k) + (size_t) class * r->instruments->ports;
	uint64_t total = 0;
	for (uint32_t i = 0; i < r->ports; i++)
		total += words[i];
	return total;
}

/* Of a class: what passed by each output, and the stages of its latency. */
static void write_class(struct base_json *j, const struct net_switch_record *r, uint32_t class, const char *name)
{
	const struct sw_instruments *s = r->instruments;
	uint64_t packets = 0;
	base_json_object(j, NULL);
	base_json_string(j, "class", name);
	for (uint32_t k = 0; k < s->n; k++)
		if (s->v[k].meaning >= SW_PACKETS && s->v[k].meaning <= SW_LATENCY) {
			packets = s->v[k].meaning == SW_PACKETS ? sum(r, k, class) : packets;
			array(j, s->v[k].name, r, k, class);
		}
	base_json_array(j, "stages");
	for (uint32_t k = 0; k < s->n; k++) {
		if (s->v[k].meaning < SW_STAGE)
			continue;
		uint64_t ps = sum(r, k, class);
		base_json_object(j, NULL);
		base_json_string(j, "stage", s->v[k].name);
		base_json_bool(j, "wait", s->v[k].meaning == SW_WAIT);
		base_json_double(j, "mean_ns", packets ? (double)ps / (double)packets / 1000 : 0);
		base_json_double(j, "mean_packets", r->span_ps ? (double)ps / (double)r->span_ps : 0);
		array(j, "ps", r, k, class);
		base_json_end(j);
	}
	base_json_end(j);
	base_json_end(j);
}

void xp_json_tiles(struct base_json *j, uint32_t rows, uint32_t columns, uint32_t per_tile, uint32_t ports,
                   const uint16_t *place)
{
	if (!rows)
		return;
	base_json_object(j, "tiles");
	base_json_uint(j, "rows", rows);
	base_json_uint(j, "columns", columns);
	base_json_uint(j, "ports_per_tile", per_tile);
	base_json_array(j, "places");
	for (uint32_t p = 0; p < ports; p++)
		base_json_uint(j, NULL, place[p]);
	base_json_end(j);
	base_json_end(j);
}

void xp_switch_members(struct base_json *j, const struct net_switch_record *r, const struct net_config *config)
{
	const struct sw_instruments *s = r->instruments;
	base_json_uint(j, "switch", r->sw);
	base_json_string(j, "kind", r->kind);
	base_json_double(j, "span_ns", (double)r->span_ps / 1000);
	base_json_uint(j, "network_ports", r->net_ports);
	base_json_uint(j, "ports", r->ports);
	xp_json_tiles(j, s->rows, s->columns, s->per_tile, r->ports, s->place);
	for (uint32_t k = 0; k < s->n; k++)
		if (s->v[k].meaning < SW_PACKETS)
			array(j, s->v[k].name, r, k, 0);
	base_json_array(j, "classes");
	for (uint32_t class = 0; class < s->classes; class ++)
		write_class(j, r, class, class < config->nclasses ? config->classes[class].name : "");
	base_json_end(j);
}
