/* switch/instruments.h - what a switch model measures about its own inside, for the record "switch" of a result.
 *
 * A model names its instruments in a table; their readings are 64-bit integers, one array an instrument. What is
 * written into results, and their description in the manual, follow from the table.
 *
 * The latency breakdown is made of instruments too, by class of traffic and output: SW_LATENCY is the sum over packets
 * of the time from the header's arrival to the first bit on the next link, and it is the sum of all SW_STAGE and
 * SW_WAIT to the picosecond, for each packet. */
#ifndef SWITCH_INSTRUMENTS_H
#define SWITCH_INSTRUMENTS_H

#include "base/check.h"

#include <stddef.h>
#include <stdint.h>

enum sw_meaning {
	SW_IN_USE, /* ps in use: shown as share of the time */
	SW_HELD,   /* bytes x 1,024 ps: shown as bytes held on average */
	SW_MOST,   /* bytes, at most */
	SW_TIMES,  /* how often */
	/* from here on: by class, then by output */
	SW_PACKETS, /* that have left */
	SW_BYTES,   /* of them */
	SW_LATENCY, /* ps, sum over them */
	SW_STAGE,   /* ps: the part of it that is a pipeline's constant */
	SW_WAIT,    /* ps: ... that depends on others */
};

struct sw_instrument {
	const char *name; /* of the member in the record; of a stage */
	enum sw_meaning meaning;
	uint8_t by_row; /* one a (port, row of tiles), else one a port */
	const char *help;
};

/* What all switches of a run did, in sum, or the most of one. */
struct sw_tally {
	uint64_t marks, trims, drops; /* packets */
	uint64_t pauses, paused_ps; /* pause frames that were sent; sum over links of the time that they were paused */
	uint64_t pause_depth;       /* the longest chain of pauses, each sent because of the one before */
	uint64_t peak_bytes;        /* the most that the queue of an output has held */
};

/* A time in use, or what was held, up to the end of the run, which may be found while it runs: `sum` is up to `end`,
 * the next place where the run may end, `beyond` what has been counted of the time behind it, which ends at `last`. For
 * what begins when it is counted; what is counted ahead is a sw_line. */
struct sw_use {
	uint64_t sum, beyond; /* ps; bytes x 1,024 ps of what is held */
	uint64_t last, end;   /* ps; last: 0 for what is held */
};

/* The run ends at `end`, or goes on and may end there. */
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

/* So many bytes were held from `from` to `to`. */
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

/* What the run, which has ended at `end`, has counted. */
static inline uint64_t sw_use_read(const struct sw_use *u, uint64_t end)
{
	struct sw_use v = *u;
	sw_use_until(&v, end);
	return v.sum;
}

/* What is held now: bytes, and bytes x 1,024 ps of since when. */
struct sw_holds {
	uint64_t bytes, since;
};

/* So many bytes come in at `at`. */
static inline void sw_holds_come(struct sw_holds *h, uint64_t end, uint64_t at, uint64_t bytes)
{
	h->bytes += bytes;
	h->since += bytes * ((at < end ? at : end) >> 10);
}

/* Those that came in at `at` are gone. */
static inline void sw_holds_go(struct sw_holds *h, uint64_t end, uint64_t at, uint64_t bytes)
{
	base_checkf(h->bytes >= bytes, "%llu bytes of %llu leave", (unsigned long long)bytes,
	            (unsigned long long)h->bytes);
	h->bytes -= bytes;
	h->since -= bytes * ((at < end ? at : end) >> 10);
}

/* Bytes x 1,024 ps of what is held at the end. */
static inline uint64_t sw_holds_read(const struct sw_holds *h, uint64_t end)
{
	return h->bytes * (end >> 10) - h->since;
}

/* The time that a link is in use, or what a queue before it holds, likewise, where departures are counted before they
 * begin: those that do not end before `end`, in order. Where they are more than SW_LINE_AHEAD the last of them are one,
 * without a gap before its end. */
#define SW_LINE_AHEAD 16u
#define SW_LINE_SEVERAL UINT64_MAX /* tag of what has become one */

struct sw_line {
	uint64_t sum; /* as in sw_use */
	uint64_t end; /* ps */
	uint64_t n;
	struct sw_departure {
		uint64_t from, to; /* ps */
		uint64_t beyond;   /* of it, as in sw_use */
		uint64_t bytes;    /* of what is held; 0: a time in use */
		uint64_t tag;      /* of who counts */
	} ahead[SW_LINE_AHEAD];
};

/* Of [from, to), what is behind `end`. */
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

/* Counts [from, to); of held `bytes`, if not 0. */
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

/* What the run, which has ended at `end`, has counted. */
static inline uint64_t sw_line_read(const struct sw_line *l, uint64_t end)
{
	struct sw_line v = *l;
	if (end > v.end)
		sw_line_until(&v, end);
	return v.sum;
}

/* The same of a time in use, which is no longer than the run: that may have been interrupted before `end`. */
static inline uint64_t sw_line_in_use(const struct sw_line *l, uint64_t end)
{
	uint64_t used = sw_line_read(l, end);
	return used < end ? used : end;
}

/* The same for all switches of a network. */
struct sw_instruments {
	const struct sw_instrument *v;
	uint32_t n;
	uint32_t ports;                   /* of the largest switch */
	uint32_t classes;                 /* of traffic */
	uint32_t rows, columns, per_tile; /* of tiles; 0: there are none */
	const uint16_t *place;            /* [ports] of a port, counted along the rows, tile by tile; with tiles */
};

/* Words of instrument k: [ports], [ports][rows] or [classes][ports]. */
static inline size_t sw_instrument_words(const struct sw_instruments *s, uint32_t k)
{
	const struct sw_instrument *v = &s->v[k];
	base_checkf(k < s->n && (!v->by_row || (v->meaning < SW_PACKETS && s->rows)), "instrument %u of %u, %u rows", k,
	            s->n, s->rows);
	return (size_t)s->ports * (v->meaning >= SW_PACKETS ? s->classes : v->by_row ? s->rows : 1);
}

/* Words of the instruments before k; of all, for k = n. */
static inline size_t sw_instrument_at(const struct sw_instruments *s, uint32_t k)
{
	size_t at = 0;
	base_checkf(k <= s->n, "instrument %u of %u", k, s->n);
	while (k)
		at += sw_instrument_words(s, --k);
	return at;
}

#endif
