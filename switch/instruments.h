/* switch/instruments.h - internal measurements of a switch model, for the record "switch" of a result.
 *
 * A model lists its instruments in a table; their readings are 64-bit integers, one array per instrument. The contents
 * of results, and their description in the manual, follow from the table.
 *
 * The latency breakdown by traffic class and output consists of instruments, too. SW_LATENCY is the sum over packets of
 * the time from the header's arrival to the first bit on the next link; for each packet this time equals the sum of all
 * its SW_STAGE and SW_WAIT times, to the picosecond. */
#ifndef SWITCH_INSTRUMENTS_H
#define SWITCH_INSTRUMENTS_H

#include "base/check.h"

#include <stddef.h>
#include <stdint.h>

enum sw_meaning {
	SW_IN_USE, /* ps in use: printed as a fraction of the time */
	SW_HELD,   /* bytes x 1,024 ps: printed as mean bytes held */
	SW_MOST,   /* maximum bytes */
	SW_TIMES,  /* number of occurrences */
	/* The following instruments are per traffic class and output. */
	SW_PACKETS, /* packets that have left */
	SW_BYTES,   /* and their bytes */
	SW_LATENCY, /* ps, sum over these packets */
	SW_STAGE,   /* ps: the constant part of a pipeline stage */
	SW_WAIT,    /* ps: the part that depends on other packets */
};

struct sw_instrument {
	const char *name; /* of the member in the record; of a pipeline stage */
	enum sw_meaning meaning;
	uint8_t by_row; /* one per (port, row of tiles), else one per port */
	const char *help;
};

/* Counts over all switches of a run: sums or, for pause_depth and peak_bytes, maxima. */
struct sw_tally {
	uint64_t marks, trims, drops; /* packets */
	uint64_t pauses, paused_ps;   /* pause frames sent; sum over links of the time paused */
	uint64_t pause_depth;         /* the longest chain of pauses, each caused by the previous one */
	uint64_t peak_bytes;          /* maximum bytes in the queue of an output */
};

/* A time in use, or held bytes, counted up to the end of the run, which may change during the run. `sum` is the part up
 * to `end`, the next possible end of the run; `beyond` is the part after it, which ends at `last`. For intervals that
 * are counted when they begin; for those counted in advance see sw_line. */
struct sw_use {
	uint64_t sum, beyond; /* ps; bytes x 1,024 ps of what is held */
	uint64_t last, end;   /* ps; last: 0 for held bytes */
};

/* Sets the end of the run to `end`; the run may nevertheless continue beyond it. */
static inline void sw_use_until(struct sw_use *u, uint64_t end)
{
	uint64_t counted = u->last < u->end ? u->last : u->end;
	if (end > u->end) {
		uint64_t over = u->last > end ? u->last - end : 0;
		over = over < u->beyond ? over : u->beyond;
		u->sum += u->beyond - over;
		u->beyond = over;
	} else if (counted > end) { /* it was interrupted */
		uint64_t over = counted - end < u->sum ? counted - end : u->sum;
		u->sum -= over;
		u->beyond += over;
	}
	u->end = end;
}

static inline void sw_use_add(struct sw_use *u, uint64_t end, uint64_t from, uint64_t to)
{
	base_checkf(from <= to, "from %llu to %llu ps", (unsigned long long)from, (unsigned long long)to);
	if (u->end != end)
		sw_use_until(u, end);
	uint64_t counted = (to < end ? to : end) - (from < end ? from : end);
	u->sum += counted;
	u->beyond += to - from - counted;
	u->last = to > u->last ? to : u->last;
}

/* Records that bytes were held in a buffer from `from` to `to`. */
static inline void sw_use_hold(struct sw_use *u, uint64_t end, uint64_t from, uint64_t to, uint64_t bytes)
{
	base_checkf(from <= to, "from %llu to %llu ps", (unsigned long long)from, (unsigned long long)to);
	if (u->end != end)
		sw_use_until(u, end);
	from >>= 10;
	to >>= 10;
	end >>= 10;
	uint64_t counted = (to < end ? to : end) - (from < end ? from : end);
	u->sum += bytes * counted;
	u->beyond += bytes * (to - from - counted);
}

/* Returns the reading of the instrument if the run ends at `end`. */
static inline uint64_t sw_use_read(const struct sw_use *u, uint64_t end)
{
	struct sw_use v = *u;
	sw_use_until(&v, end);
	return v.sum;
}

/* Bytes held in a buffer now. since: the sum of their arrival times, weighted by bytes, in bytes x 1,024 ps. */
struct sw_holds {
	uint64_t bytes, since;
};

/* Records that bytes arrive in a buffer at `at`. */
static inline void sw_holds_come(struct sw_holds *h, uint64_t end, uint64_t at, uint64_t bytes)
{
	h->bytes += bytes;
	h->since += bytes * ((at < end ? at : end) >> 10);
}

/* Records that bytes which arrived at `at` have left the buffer. */
static inline void sw_holds_go(struct sw_holds *h, uint64_t end, uint64_t at, uint64_t bytes)
{
	base_checkf(h->bytes >= bytes, "%llu bytes of %llu leave", (unsigned long long)bytes,
	            (unsigned long long)h->bytes);
	h->bytes -= bytes;
	h->since -= bytes * ((at < end ? at : end) >> 10);
}

/* Returns the product of bytes and holding time, in bytes x 1,024 ps, of the bytes that are still held at `end`. */
static inline uint64_t sw_holds_read(const struct sw_holds *h, uint64_t end)
{
	return h->bytes * (end >> 10) - h->since;
}

/* The time that a link is in use, or the bytes in the queue before it, if departures are counted before they begin.
 * Departures that end after `end` are stored in order. If there are more than SW_LINE_AHEAD of them, the last ones are
 * merged and are assumed to follow each other without a gap. */
#define SW_LINE_AHEAD 16u
#define SW_LINE_SEVERAL UINT64_MAX /* tag of merged departures */

struct sw_line {
	uint64_t sum; /* as in sw_use */
	uint64_t end; /* ps */
	uint64_t n;
	struct sw_departure {
		uint64_t from, to; /* ps */
		uint64_t beyond;   /* the part of it after `end`, as in sw_use */
		uint64_t bytes;    /* of held bytes; 0: a time in use */
		uint64_t tag;      /* identifies the counter's owner */
	} ahead[SW_LINE_AHEAD];
};

/* Returns the length in ps of the part of the interval [from, to) after `end`; if `bytes` is not 0, times `bytes`, in
 * bytes x 1,024 ps. */
static inline uint64_t sw_beyond(uint64_t end, uint64_t from, uint64_t to, uint64_t bytes)
{
	from = from > end ? from : end;
	return to <= end ? 0 : bytes ? bytes * ((to >> 10) - (from >> 10)) : to - from;
}

static inline void sw_line_until(struct sw_line *l, uint64_t end)
{
	uint64_t kept = 0;
	for (uint64_t i = 0; i < l->n; i++) {
		struct sw_departure d = l->ahead[i];
		uint64_t beyond = sw_beyond(end, d.from, d.to, d.bytes);
		beyond = beyond < d.beyond ? beyond : d.beyond;
		l->sum += d.beyond - beyond;
		d.beyond = beyond;
		if (d.to > end)
			l->ahead[kept++] = d;
	}
	l->n = kept;
	l->end = end;
}

/* Adds the interval [from, to) to the instrument: as a time in use or, if `bytes` is not 0, multiplied by the held
 * bytes. */
static inline void sw_line_add(struct sw_line *l, uint64_t end, uint64_t from, uint64_t to, uint64_t bytes,
                               uint64_t tag)
{
	base_checkf(from <= to, "from %llu to %llu ps", (unsigned long long)from, (unsigned long long)to);
	if (l->end != end)
		sw_line_until(l, end);
	uint64_t beyond = sw_beyond(end, from, to, bytes);
	l->sum += sw_beyond(0, from, to, bytes) - beyond;
	if (to <= end)
		return;
	if (l->n == SW_LINE_AHEAD) {
		l->ahead[l->n - 1].to = to;
		l->ahead[l->n - 1].tag = SW_LINE_SEVERAL;
		l->ahead[l->n - 1].beyond += beyond;
	} else {
		l->ahead[l->n++] = (struct sw_departure){ from, to, beyond, bytes, tag };
	}
}

/* Returns the reading of the instrument if the run ends at `end`. */
static inline uint64_t sw_line_read(const struct sw_line *l, uint64_t end)
{
	struct sw_line v = *l;
	if (end > v.end)
		sw_line_until(&v, end);
	return v.sum;
}

/* Returns the reading of a time in use, limited to `end`, because the run may have been interrupted before. */
static inline uint64_t sw_line_in_use(const struct sw_line *l, uint64_t end)
{
	uint64_t used = sw_line_read(l, end);
	return used < end ? used : end;
}

/* The list of a model's instruments and the dimensions of their readings, common to all switches of a network. */
struct sw_instruments {
	const struct sw_instrument *v;
	uint32_t n;
	uint32_t ports;                   /* of the largest switch */
	uint32_t classes;                 /* of traffic */
	uint32_t rows, columns, per_tile; /* of tiles; 0: none */
	const uint16_t *place; /* [ports] position of a port, numbered along the rows, tile by tile; with tiles */
};

/* Returns the number of words in the reading of instrument k, which is an array [ports], [ports][rows] or
 * [classes][ports]. */
static inline size_t sw_instrument_words(const struct sw_instruments *s, uint32_t k)
{
	const struct sw_instrument *v = &s->v[k];
	base_checkf(k < s->n && (!v->by_row || (v->meaning < SW_PACKETS && s->rows)), "instrument %u of %u, %u rows", k,
	            s->n, s->rows);
	return (size_t)s->ports * (v->meaning >= SW_PACKETS ? s->classes : v->by_row ? s->rows : 1);
}

/* Returns the number of words in the readings of all instruments before k; k = n gives the number for all of them. */
static inline size_t sw_instrument_at(const struct sw_instruments *s, uint32_t k)
{
	size_t at = 0;
	base_checkf(k <= s->n, "instrument %u of %u", k, s->n);
	while (k)
		at += sw_instrument_words(s, --k);
	return at;
}

#endif
