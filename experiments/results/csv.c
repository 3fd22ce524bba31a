/* experiments/results/csv.c - the tables of the result log as FILE.*.csv.gz, one file a table, for spreadsheets. */
#include "experiments/results/log.h"

#include "base/memory.h"
#include "base/units.h"
#include "experiments/results/application.h"
#include "experiments/results/shares.h"
#include "experiments/results/slowdown.h"
#include "experiments/results/statistics.h"
#include "sim/histogram.h"
#include "switch/instruments.h"
#include "topo/names.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct table {
	struct xp_shares file;
	const struct xp_run_facts *run;
	struct net *net; /* of which ranks write together; NULL, of a formula: rank 0 writes alone */
};

__attribute__((format(printf, 2, 3))) static void row(struct table *t, const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (n > 0)
		xp_shares_write(&t->file, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

/* A text in quotes, quotes doubled (RFC 4180). */
static const char *quoted(const char *text, char *out, size_t room)
{
	size_t n = 0;
	out[n++] = '"';
	for (const char *p = text; *p && n + 3 < room; p++) {
		if (*p == '"')
			out[n++] = '"';
		out[n++] = *p;
	}
	out[n++] = '"';
	out[n] = 0;
	return out;
}

/* Columns of names, of topologies that have them. */
static bool has_names(const struct table *t)
{
	return t->net && topo_names_of(net_topo(t->net));
}

static void name_column(struct table *t, const char *name)
{
	char text[600];
	row(t, ",%s", name ? quoted(name, text, sizeof text) : "");
}

static void switch_column(struct table *t, topo_switch s)
{
	if (has_names(t))
		name_column(t, topo_switch_name(net_topo(t->net), s));
}

static void endpoint_column(struct table *t, topo_endpoint e)
{
	if (has_names(t))
		name_column(t, topo_endpoint_name(net_topo(t->net), e));
}

static const char *number(double value, char *out, size_t room)
{
	if (isfinite(value))
		base_print_double(value, out, room);
	else
		out[0] = 0;
	return out;
}

static char *table_path(const char *path, const char *name)
{
	size_t length = strlen(path), room = length + strlen(name) + 16;
	static const char *const suffixes[] = { ".jsonl.gz", ".jsonl" };
	for (size_t i = 0; i < 2; i++) {
		size_t suffix = strlen(suffixes[i]);
		if (length > suffix && !strcmp(path + length - suffix, suffixes[i])) {
			length -= suffix;
			break;
		}
	}
	char *out = base_alloc(room);
	snprintf(out, room, "%.*s.%s.csv.gz", (int)length, path, name);
	return out;
}

static void write_jobs(struct table *t)
{
	const struct net_result *r = t->run->result;
	const struct xp_statistic *s;
	char name[256];
	for (uint32_t i = 0; sim_rank() == 0 && i < r->njobs; i++) {
		const struct net_flow *f = &r->jobs[i];
		row(t, "%s,%" PRIu64 ",%" PRIu64, quoted(f->name, name, sizeof name), f->endpoints, f->idle_endpoints);
		for (size_t n = 1; (s = xp_statistic_at(XP_IN_JOBS, n)); n++) {
			char *text = xp_statistic_text(s, f);
			row(t, ",%s", text);
			free(text);
		}
		row(t, "\n");
	}
}

/* The head of that table: packets are counted under the names that they have in the record. */
static void head_jobs(struct table *t)
{
	const struct xp_statistic *s;
	char column[64];
	row(t, "name,endpoints,idle_endpoints");
	for (size_t n = 1; (s = xp_statistic_at(XP_IN_JOBS, n)); n++) {
		xp_statistic_column(s, 0, column);
		row(t, ",%s", strncmp(s->name, "packets.", 8) ? column : s->name + 8);
	}
	row(t, "\n");
}

static void on_histogram(void *arg, const char *job, const char *quantity, const uint64_t *bins)
{
	struct table *t = arg;
	char name[256];
	quoted(job, name, sizeof name);
	for (uint32_t b = 0; b < SIM_HISTOGRAM_BINS; b++)
		if (bins[b])
			row(t, "%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", name, quantity, sim_histogram_low(b),
			    sim_histogram_high(b), bins[b]);
}

static void on_timeline(void *arg, const struct net_timeline_bin *b)
{
	char t[64], width[64];
	row(arg, "%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
	    number((double)b->t_ps / 1000, t, sizeof t), number((double)b->width_ps / 1000, width, sizeof width),
	    b->created, b->injected, b->delivered, b->created_bytes, b->delivered_bytes, b->hops);
}

static void on_timeline_parts(void *arg, const struct net_timeline_bin *b)
{
	char t[64];
	for (uint32_t i = 0; i < b->parts; i++) {
		const struct net_timeline_part *p = &b->part[i];
		row(arg, "%s,%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
		    number((double)b->t_ps / 1000, t, sizeof t), p->is_class ? "class" : "job", p->name, p->created,
		    p->injected, p->delivered, p->created_bytes, p->delivered_bytes, p->hops);
	}
}

static void on_port(void *arg, const struct net_port_record *p)
{
	char utilization[64], mean[64];
	for (uint32_t v = 0; v < p->vcs; v++) {
		row(arg,
		    "%" PRIu32 ",%" PRIu32 ",%s,%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%s,%" PRIu32
		    ",%s,%" PRIu64,
		    p->sw, p->port, p->link_class, p->to_switch, p->to_port, p->packets, p->bytes,
		    number(p->utilization, utilization, sizeof utilization), v,
		    number(p->vc_mean_bytes[v], mean, sizeof mean), p->vc_waits[v]);
		switch_column(arg, p->sw);
		if (strcmp(p->link_class, "terminal") != 0)
			switch_column(arg, p->to_switch);
		else
			endpoint_column(arg, p->to_switch);
		row(arg, "\n");
	}
}

/* Integers as measured; a class column of its own, 0 for what has none. */
static void on_switch(void *arg, const struct net_switch_record *r)
{
	const struct sw_instruments *s = r->instruments;
	for (uint32_t k = 0; k < s->n; k++) {
		const struct sw_instrument *v = &s->v[k];
		const uint64_t *words = r->words + sw_instrument_at(s, k);
		uint32_t classes = v->meaning >= SW_PACKETS ? s->classes : 1, rows = v->by_row ? s->rows : 1;
		static const char *const units[] = { "ps", "1024 B ps", "B", "", "", "B", "ps", "ps", "ps" };
		for (uint32_t c = 0; c < classes; c++)
			for (uint32_t i = 0; i < r->ports * rows; i++) {
				row(arg, "%" PRIu32 ",%s,%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64, r->sw,
				    v->name, units[v->meaning], c, i / rows, i % rows, words[(size_t)c * s->ports + i]);
				switch_column(arg, r->sw);
				row(arg, "\n");
			}
	}
}

static void on_packet(void *arg, const struct net_packet_record *p)
{
	struct table *t = arg;
	const struct net_result *r = t->run->result;
	char name[256];
	row(t, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%s,%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%u,%s", p->src,
	    p->dst, p->seq, quoted(p->job < r->njobs ? r->jobs[p->job].name : "", name, sizeof name), p->bytes,
	    p->created, p->injected, p->delivered, p->hops, p->minimal ? "true" : "false");
	endpoint_column(t, p->src);
	endpoint_column(t, p->dst);
	row(t, "\n");
}

static void on_message(void *arg, const struct net_message_record *m)
{
	struct table *t = arg;
	const struct net_result *r = t->run->result;
	char job[256], class[256], slowdown[64];
	row(t, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s", m->src,
	    m->dst, m->seq, quoted(m->job < r->njobs ? r->jobs[m->job].name : "", job, sizeof job),
	    quoted(m->class_index < r->nclasses ? r->classes[m->class_index].name : "", class, sizeof class), m->bytes,
	    m->start, m->end, m->ideal,
	    number(m->ideal ? xp_message_slowdown(m) : (double)NAN, slowdown, sizeof slowdown));
	endpoint_column(t, m->src);
	endpoint_column(t, m->dst);
	row(t, "\n");
}

static void write_slowdowns(struct table *t)
{
	const struct net_result *r = t->run->result;
	char name[256], text[4][64];
	for (uint32_t i = 0; sim_rank() == 0 && i < r->njobs; i++)
		for (uint32_t k = 0; k < r->jobs[i].sizes; k++) {
			const struct net_slowdown_of_size *b = &r->jobs[i].by_size[k];
			const struct net_slowdown *s = &b->slowdown;
			row(t, "%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s,%s,%s,%s\n",
			    quoted(r->jobs[i].name, name, sizeof name), b->from, 2 * b->from, s->n, s->bytes,
			    number(s->mean, text[0], sizeof text[0]), number(s->p50, text[1], sizeof text[1]),
			    number(s->p99, text[2], sizeof text[2]), number(s->max, text[3], sizeof text[3]));
		}
}

/* --- of applications -------------------------------------------------------------------------------- */

static void each_application(struct table *t,
                             void (*write)(struct table *t, const char *job, const struct net_application *a))
{
	const struct net_result *r = t->run->result;
	char name[256];
	for (uint32_t i = 0; (t->net || sim_rank() == 0) && i < r->njobs; i++) {
		if (!r->jobs[i].application)
			continue;
		write(t, quoted(r->jobs[i].name, name, sizeof name), r->jobs[i].application);
		if (t->net) /* lines of ranks are spread */
			xp_shares_end_section(&t->file);
	}
}

/* ps as ns. */
static const char *time_of(uint64_t ps, char out[32])
{
	snprintf(out, 32, "%" PRIu64 ".%03u", ps / 1000, (unsigned)(ps % 1000));
	return out;
}

static void write_ranks(struct table *t, const char *job, const struct net_application *a)
{
	char text[NET_TIMES + 1][32];
	for (size_t i = 0; i < a->lines; i++) {
		const struct net_rank_line *l = &a->line[i];
		row(t, "%s,%" PRIu32 ",%" PRIu32 ",%s,%s", job, l->rank, l->endpoint, l->ended ? "true" : "false",
		    time_of(l->end, text[NET_TIMES]));
		for (unsigned k = 0; k < NET_TIMES; k++)
			row(t, ",%s", time_of(l->ps[k], text[k]));
		endpoint_column(t, l->endpoint);
		row(t, "\n");
	}
}

static void write_calls(struct table *t, const char *job, const struct net_application *a)
{
	char text[32];
	for (size_t i = 0; i < a->lines; i++)
		for (uint32_t k = 0; k < a->kinds; k++) {
			const struct net_rank_call *c = &a->line_call[i * a->kinds + k];
			if (c->calls)
				row(t, "%s,%" PRIu32 ",%s,%" PRIu32 ",%s\n", job, a->line[i].rank, a->calls[k],
				    c->calls, time_of(c->ps, text));
		}
}

static void write_rank_timeline(struct table *t, const char *job, const struct net_application *a)
{
	const struct net_spans *s = &a->spans;
	char text[NET_DOINGS + 2][32];
	for (uint32_t r = 0; s->ps && sim_rank() == 0 && r < s->rows; r++)
		for (uint32_t bin = 0; bin < xp_rank_bins(a); bin++) {
			const uint64_t *ps = s->ps + ((size_t)r * NET_SPAN_BINS + bin) * NET_DOINGS;
			row(t, "%s,%" PRIu32 ",%" PRIu32 ",%s,%s,%s,%s,%s\n", job, net_spans_first(s, r),
			    net_spans_first(s, r + 1) - 1, time_of((uint64_t)bin << s->shift, text[0]),
			    time_of((uint64_t)1 << s->shift, text[1]), time_of(ps[NET_COMPUTES], text[2]),
			    time_of(ps[NET_SENDS], text[3]), time_of(ps[NET_WAITS], text[4]));
		}
}

static void write_path(struct table *t, const char *job, const struct net_application *a)
{
	char text[5][32];
	for (size_t i = 0; i < a->path.stays; i++) {
		const struct net_path_stay *s = &a->path.stay[i];
		row(t, "%s,%" PRIu32 ",%s,%s,%s,%s,%s\n", job, s->rank, time_of(s->from, text[0]),
		    time_of(s->to, text[1]), time_of(s->compute, text[2]), time_of(s->overhead, text[3]),
		    time_of(s->network, text[4]));
	}
}

/* --- the tables --------------------------------------------------------------------------------------- */

static void end_section(void *arg)
{
	struct table *t = arg;
	xp_shares_end_section(&t->file);
}

static void each_histogram(struct table *t)
{
	net_each_histogram(t->net, on_histogram, t);
}

static void each_timeline(struct table *t)
{
	net_each_timeline(t->net, on_timeline, t);
}

static void each_timeline_part(struct table *t)
{
	net_each_timeline(t->net, on_timeline_parts, t);
}

static void each_port(struct table *t)
{
	net_each_port(t->net, on_port, t);
}

static void each_switch(struct table *t)
{
	net_each_switch(t->net, on_switch, t);
}

static void each_packet(struct table *t)
{
	net_each_packet_by_turns(t->net, on_packet, end_section, t);
}

static void each_message(struct table *t)
{
	net_each_message_by_turns(t->net, on_message, end_section, t);
}

static void each_rank(struct table *t)
{
	each_application(t, write_ranks);
}

static void each_call(struct table *t)
{
	each_application(t, write_calls);
}

static void each_rank_timeline(struct table *t)
{
	each_application(t, write_rank_timeline);
}

static void each_path(struct table *t)
{
	each_application(t, write_path);
}

static const struct {
	const char *name, *header; /* header NULL: that of jobs */
	void (*write)(struct table *t);
	bool recorded;     /* by the network: a formula records nothing */
	const char *names; /* columns of names, where the topology has names; NULL: none */
} tables[] = {
	{ "jobs", NULL, write_jobs, false, NULL },
	{ "histograms", "job,quantity,low_ps,high_ps,count\n", each_histogram, true, NULL },
	{ "timeline", "t_ns,bin_ns,created,injected,delivered,created_bytes,delivered_bytes,hops\n", each_timeline,
	  true, NULL },
	{ "timeline_parts", "t_ns,part,name,created,injected,delivered,created_bytes,delivered_bytes,hops\n",
	  each_timeline_part, true, NULL },
	{ "ports", "switch,port,class,to_switch,to_port,packets,bytes,utilization,vc,vc_mean_bytes,vc_waits\n",
	  each_port, true, "switch_name,to_name" },
	{ "switches", "switch,instrument,unit,class,port,row,value\n", each_switch, true, "switch_name" },
	{ "packets", "src,dst,seq,job,bytes,created_ps,injected_ps,delivered_ps,hops,minimal\n", each_packet, true,
	  "src_name,dst_name" },
	{ "messages", "src,dst,seq,job,class,bytes,start_ps,end_ps,ideal_ps,slowdown\n", each_message, true,
	  "src_name,dst_name" },
	{ "slowdowns", "job,from_bytes,below_bytes,messages,bytes,mean,p50,p99,max\n", write_slowdowns, true, NULL },
	{ "ranks", "job,rank,endpoint,ended,end_ns,compute_ns,send_ns,wait_ns,idle_ns\n", each_rank, false,
	  "endpoint_name" },
	{ "calls", "job,rank,call,calls,time_ns\n", each_call, false, NULL },
	{ "rank_timeline", "job,first_rank,last_rank,t_ns,bin_ns,compute_ns,send_ns,wait_ns\n", each_rank_timeline,
	  false, NULL },
	{ "path", "job,rank,from_ns,to_ns,compute_ns,overhead_ns,network_ns\n", each_path, false, NULL },
};
#define TABLES (sizeof tables / sizeof *tables)

/* Is the k-th table asked for? */
static bool asked(const struct net_config *config, size_t k)
{
	const struct net_record *record = &config->record;
	bool several = config->njobs > 1 || config->nclasses > 1;
	const bool is[TABLES] = { true,
		                  record->histograms,
		                  record->timeline,
		                  record->timeline && several,
		                  record->ports,
		                  record->instruments,
		                  record->packets,
		                  record->messages,
		                  record->messages,
		                  record->ranks,
		                  record->ranks,
		                  record->ranks,
		                  record->path };
	return is[k];
}

char *xp_csv_path(const char *path, const struct net_config *config, size_t i)
{
	for (size_t k = 0; k < TABLES; k++)
		if (asked(config, k) && i-- == 0)
			return table_path(path, tables[k].name);
	return NULL;
}

static int write_table(struct table *t, const char *path, size_t k)
{
	char *file = table_path(path, tables[k].name);
	int status = xp_shares_open(&t->file, file);
	free(file);
	if (status)
		return -1;
	if (sim_rank() == 0 && tables[k].header && tables[k].names && has_names(t))
		row(t, "%.*s,%s\n", (int)strlen(tables[k].header) - 1, tables[k].header, tables[k].names);
	else if (sim_rank() == 0 && tables[k].header)
		row(t, "%s", tables[k].header);
	else if (sim_rank() == 0)
		head_jobs(t);
	tables[k].write(t);
	return xp_shares_close(&t->file);
}

int xp_csv_write(const char *path, struct net *net, const struct xp_run_facts *run, const struct net_config *config)
{
	struct table t = { .net = net, .run = run };
	int status = 0;
	for (size_t k = 0; k < TABLES; k++)
		if (asked(config, k) && (net || !tables[k].recorded) && write_table(&t, path, k))
			status = -1;
	return status;
}
