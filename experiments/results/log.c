/* experiments/results/log.c - see log.h. One function a kind of record, in the order of the file. */
#include "experiments/results/log.h"

#include "experiments/config/config.h"
#include "experiments/results/application.h"
#include "experiments/results/shares.h"
#include "experiments/results/slowdown.h"
#include "experiments/results/statistics.h"
#include "sim/histogram.h"
#include "tilefly_version.h"
#include "topo/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* What the visitors of network.h get as `arg`. */
struct log {
	struct base_json j;
	struct xp_shares file;
	const struct xp_run_facts *run;
	uint64_t records;        /* of this rank */
	bool shared;             /* ranks write together; else rank 0 alone */
	const struct topo *topo; /* whose names are written; NULL: it has none */
};

static void begin(struct log *log, const char *record)
{
	base_json_object(&log->j, NULL);
	base_json_string(&log->j, "record", record);
}

static void switch_member(struct log *log, const char *key, topo_switch s)
{
	if (log->topo && topo_switch_name(log->topo, s))
		base_json_string(&log->j, key, topo_switch_name(log->topo, s));
}

static void endpoint_member(struct log *log, const char *key, topo_endpoint e)
{
	if (log->topo && topo_endpoint_name(log->topo, e))
		base_json_string(&log->j, key, topo_endpoint_name(log->topo, e));
}

static void end(struct log *log)
{
	base_json_end(&log->j);
	base_json_newline(&log->j);
	log->records++;
}

/* --- manifest and summary --------------------------------------------------------------------------- */

static void write_host(struct base_json *j)
{
	struct utsname name;
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	bool known = !uname(&name);
	base_json_object(j, "host");
	base_json_string(j, "name", known ? name.nodename : NULL);
	base_json_string(j, "system", known ? name.sysname : NULL);
	base_json_string(j, "machine", known ? name.machine : NULL);
	base_json_int(j, "cpus", sysconf(_SC_NPROCESSORS_ONLN));
	base_json_int(j, "memory_bytes", pages > 0 && page > 0 ? (int64_t)pages * page : 0);
	base_json_end(j);
}

static void write_manifest(struct log *log)
{
	struct base_json *j = &log->j;
	struct base_buffer text = { 0 };
	begin(log, "manifest");
	base_json_int(j, "format", 1);
	base_json_string(j, "tool", "tilefly");
	base_json_string(j, "version", TILEFLY_VERSION);
	base_json_string(j, "commit", TILEFLY_COMMIT);
	base_json_object(j, "build");
	base_json_string(j, "type", TILEFLY_BUILD_TYPE);
	base_json_string(j, "compiler", TILEFLY_COMPILER);
	base_json_string(j, "flags", TILEFLY_FLAGS);
	base_json_string(j, "mpi", sim_mpi_name());
	base_json_end(j);
	xp_config_json(log->run->config, j, "config");
	xp_config_replay(log->run->config, &text);
	base_json_string(j, "config_text", text.data);
	free(text.data);
	xp_inputs_member(j, &log->run->inputs);
	base_json_uint(j, "seed", log->run->config->seed);
	base_json_int(j, "ranks", log->run->result->ranks);
	write_host(j);
	base_json_string(j, "started", log->run->started);
	base_json_array(j, "warnings");
	for (size_t i = 0; i < log->run->errors->n; i++)
		if (log->run->errors->v[i].warning) {
			base_json_object(j, NULL);
			base_json_string(j, "key", log->run->errors->v[i].key);
			base_json_string(j, "text", log->run->errors->v[i].text);
			base_json_end(j);
		}
	base_json_end(j);
	end(log);
}

#define NO_JOB UINT32_MAX

static void write_flow(struct log *log, const char *record, const struct net_flow *flow, uint32_t job)
{
	begin(log, record);
	base_json_string(&log->j, "name", flow->name);
	base_json_uint(&log->j, "endpoints", flow->endpoints);
	base_json_uint(&log->j, "idle_endpoints", flow->idle_endpoints);
	xp_flow_members(&log->j, flow);
	if (job != NO_JOB)
		xp_alone_members(&log->j, log->run, job);
	end(log);
}

static void write_head(struct log *log)
{
	const struct net_result *r = log->run->result;
	write_manifest(log);
	base_json_object(&log->j, NULL);
	xp_summary_members(&log->j, log->run);
	end(log);
	for (uint32_t i = 0; i < r->njobs; i++)
		write_flow(log, "job", &r->jobs[i], i);
	for (uint32_t i = 0; i < r->nclasses; i++)
		write_flow(log, "class", &r->classes[i], NO_JOB);
}

/* --- what was recorded ------------------------------------------------------------------------------ */

static void on_histogram(void *arg, const char *job, const char *quantity, const uint64_t *bins)
{
	struct log *log = arg;
	struct base_json *j = &log->j;
	begin(log, "histogram");
	base_json_string(j, "job", job);
	base_json_string(j, "quantity", quantity);
	base_json_string(j, "unit", "ps");
	base_json_array(j, "bins");
	for (uint32_t b = 0; b < SIM_HISTOGRAM_BINS; b++) {
		if (!bins[b])
			continue;
		base_json_array(j, NULL);
		base_json_uint(j, NULL, sim_histogram_low(b));
		base_json_uint(j, NULL, sim_histogram_high(b));
		base_json_uint(j, NULL, bins[b]);
		base_json_end(j);
	}
	base_json_end(j);
	end(log);
}

/* Of a bin, its jobs or its classes; nothing where there is one. */
static void timeline_parts(struct base_json *j, const char *key, const struct net_timeline_bin *bin, bool classes)
{
	bool any = false;
	for (uint32_t i = 0; i < bin->parts; i++) {
		const struct net_timeline_part *p = &bin->part[i];
		if (p->is_class != classes)
			continue;
		if (!any)
			base_json_array(j, key);
		any = true;
		base_json_object(j, NULL);
		base_json_string(j, "name", p->name);
		base_json_uint(j, "created", p->created);
		base_json_uint(j, "injected", p->injected);
		base_json_uint(j, "delivered", p->delivered);
		base_json_uint(j, "created_bytes", p->created_bytes);
		base_json_uint(j, "delivered_bytes", p->delivered_bytes);
		base_json_uint(j, "hops", p->hops);
		base_json_end(j);
	}
	if (any)
		base_json_end(j);
}

static void on_timeline(void *arg, const struct net_timeline_bin *bin)
{
	struct log *log = arg;
	struct base_json *j = &log->j;
	begin(log, "timeline");
	base_json_double(j, "t_ns", (double)bin->t_ps / 1000);
	base_json_double(j, "bin_ns", (double)bin->width_ps / 1000);
	base_json_uint(j, "created", bin->created);
	base_json_uint(j, "injected", bin->injected);
	base_json_uint(j, "delivered", bin->delivered);
	base_json_uint(j, "created_bytes", bin->created_bytes);
	base_json_uint(j, "delivered_bytes", bin->delivered_bytes);
	base_json_uint(j, "hops", bin->hops);
	timeline_parts(j, "jobs", bin, false);
	timeline_parts(j, "classes", bin, true);
	end(log);
}

static void counts(struct base_json *j, const char *key, const uint32_t *v, uint32_t n)
{
	base_json_array(j, key);
	for (uint32_t i = 0; i < n; i++)
		base_json_uint(j, NULL, v[i]);
	base_json_end(j);
}

static void on_activity(void *arg, const struct net_activity *a)
{
	struct log *log = arg;
	struct base_json *j = &log->j;
	begin(log, "activity");
	base_json_uint(j, "switch", a->sw);
	switch_member(log, "switch_name", a->sw);
	base_json_double(j, "bin_ns", (double)a->width_ps / 1000);
	counts(j, "endpoint_sends", a->endpoint_sends, a->bins);
	counts(j, "endpoint_receives", a->endpoint_receives, a->bins);
	counts(j, "switch_sends", a->switch_sends, a->bins);
	counts(j, "switch_receives", a->switch_receives, a->bins);
	end(log);
}

static void on_port(void *arg, const struct net_port_record *p)
{
	struct log *log = arg;
	struct base_json *j = &log->j;
	begin(log, "port");
	base_json_uint(j, "switch", p->sw);
	switch_member(log, "switch_name", p->sw);
	base_json_uint(j, "port", p->port);
	base_json_string(j, "class", p->link_class);
	if (!strcmp(p->link_class, "terminal")) {
		base_json_uint(j, "to_endpoint", p->to_switch);
		endpoint_member(log, "to_name", p->to_switch);
	} else {
		base_json_uint(j, "to_switch", p->to_switch);
		switch_member(log, "to_name", p->to_switch);
		base_json_uint(j, "to_port", p->to_port);
	}
	base_json_uint(j, "packets", p->packets);
	base_json_uint(j, "bytes", p->bytes);
	base_json_double(j, "utilization", p->utilization);
	base_json_array(j, "vc_mean_bytes");
	for (uint32_t v = 0; v < p->vcs; v++)
		base_json_double(j, NULL, p->vc_mean_bytes[v]);
	base_json_end(j);
	base_json_array(j, "vc_waits");
	for (uint32_t v = 0; v < p->vcs; v++)
		base_json_uint(j, NULL, p->vc_waits[v]);
	base_json_end(j);
	if (p->link)
		xp_statistics_write(j, XP_LINKS, p->link);
	end(log);
}

static void on_switch(void *arg, const struct net_switch_record *r)
{
	struct log *log = arg;
	begin(log, "switch");
	switch_member(log, "switch_name", r->sw);
	xp_switch_members(&log->j, r, log->run->config);
	end(log);
}

static void on_packet(void *arg, const struct net_packet_record *p)
{
	struct log *log = arg;
	struct base_json *j = &log->j;
	const struct net_result *r = log->run->result;
	begin(log, "packet");
	base_json_uint(j, "src", p->src);
	base_json_uint(j, "dst", p->dst);
	endpoint_member(log, "src_name", p->src);
	endpoint_member(log, "dst_name", p->dst);
	base_json_uint(j, "seq", p->seq);
	base_json_string(j, "job", p->job < r->njobs ? r->jobs[p->job].name : NULL);
	base_json_uint(j, "bytes", p->bytes);
	base_json_uint(j, "created_ps", p->created);
	base_json_uint(j, "injected_ps", p->injected);
	base_json_uint(j, "delivered_ps", p->delivered);
	base_json_uint(j, "hops", p->hops);
	base_json_bool(j, "minimal", p->minimal);
	end(log);
}

static void on_message(void *arg, const struct net_message_record *m)
{
	struct log *log = arg;
	struct base_json *j = &log->j;
	const struct net_result *r = log->run->result;
	begin(log, "message");
	base_json_uint(j, "src", m->src);
	base_json_uint(j, "dst", m->dst);
	endpoint_member(log, "src_name", m->src);
	endpoint_member(log, "dst_name", m->dst);
	base_json_uint(j, "seq", m->seq);
	base_json_string(j, "job", m->job < r->njobs ? r->jobs[m->job].name : NULL);
	base_json_string(j, "class", m->class_index < r->nclasses ? r->classes[m->class_index].name : NULL);
	base_json_uint(j, "bytes", m->bytes);
	base_json_uint(j, "start_ps", m->start);
	base_json_uint(j, "end_ps", m->end);
	base_json_uint(j, "ideal_ps", m->ideal);
	if (m->ideal)
		base_json_double(j, "slowdown", xp_message_slowdown(m));
	else
		base_json_null(j, "slowdown");
	end(log);
}

/* Collective. */
static void end_section(void *arg)
{
	struct log *log = arg;
	xp_shares_end_section(&log->file);
}

/* Of applications: ranks, each MPI rank its share; on rank 0 their time in bins, critical paths. */
static void write_applications(struct log *log)
{
	const struct net_result *r = log->run->result;
	for (uint32_t i = 0; i < r->njobs; i++) {
		const struct net_application *a = r->jobs[i].application;
		for (size_t k = 0; a && k < a->lines; k++) {
			begin(log, "rank");
			base_json_string(&log->j, "job", r->jobs[i].name);
			xp_rank_members(&log->j, a, k);
			endpoint_member(log, "endpoint_name", a->line[k].endpoint);
			end(log);
		}
		if (a && log->shared && log->run->config->record.ranks)
			end_section(log);
		for (uint32_t row = 0; a && a->spans.ps && sim_rank() == 0 && row < a->spans.rows; row++) {
			begin(log, "rank_timeline");
			base_json_string(&log->j, "job", r->jobs[i].name);
			xp_rank_timeline_members(&log->j, a, row);
			end(log);
		}
		for (size_t k = 0; a && k < a->path.stays; k++) {
			begin(log, "path");
			base_json_string(&log->j, "job", r->jobs[i].name);
			xp_path_members(&log->j, &a->path.stay[k]);
			end(log);
		}
	}
}

static void on_rank(void *arg, int rank, const struct sim_counters *c, double wall_s, uint64_t peak_rss)
{
	struct log *log = arg;
	struct base_json *j = &log->j;
	begin(log, "engine");
	base_json_int(j, "rank", rank);
	xp_statistics_write(j, XP_PHASES, c);
	base_json_double(j, "wall_s", wall_s);
	base_json_uint(j, "peak_rss_bytes", peak_rss);
	base_json_uint(j, "peak_event_bytes", c->peak_chunk_bytes);
	base_json_uint(j, "events_processed", c->events_processed);
	base_json_uint(j, "events_committed", c->events_committed);
	base_json_uint(j, "events_rolled_back", c->events_rolled_back);
	base_json_uint(j, "events_speculative", c->speculative);
	base_json_uint(j, "rollbacks", c->rollbacks);
	base_json_uint(j, "stragglers", c->stragglers);
	base_json_uint(j, "anti_messages", c->anti_messages);
	base_json_uint(j, "remote_events", c->remote_events);
	base_json_uint(j, "messages", c->messages);
	base_json_uint(j, "message_bytes", c->message_bytes);
	base_json_uint(j, "windows", c->windows);
	base_json_uint(j, "gvt_rounds", c->gvt_rounds);
	base_json_uint(j, "lps_moved", c->lps_moved);
	end(log);
}

static void write_end(struct log *log, uint64_t records)
{
	char digest[24];
	snprintf(digest, sizeof digest, "%016" PRIx64, log->run->result->digest);
	begin(log, "end");
	base_json_bool(&log->j, "complete", log->run->result->complete);
	base_json_uint(&log->j, "records", records + 1);
	base_json_string(&log->j, "digest", digest);
	end(log);
}

/* What ranks write together. */
static void write_shares(struct log *log, struct net *net, const struct net_config *config)
{
	if (config->record.activity) {
		net_each_activity(net, on_activity, log);
		end_section(log);
	}
	if (config->record.ports) {
		net_each_port(net, on_port, log);
		end_section(log);
	}
	if (config->record.instruments) {
		net_each_switch(net, on_switch, log);
		end_section(log);
	}
	write_applications(log);
	if (config->record.packets)
		net_each_packet_by_turns(net, on_packet, end_section, log);
	if (config->record.messages)
		net_each_message_by_turns(net, on_message, end_section, log);
	net_each_rank(net, on_rank, log);
	end_section(log);
}

int xp_log_write(const char *path, struct net *net, const struct xp_run_facts *run, const struct net_config *config)
{
	struct log log = { .run = run, .shared = net != NULL };
	bool writer = sim_rank() == 0;
	if (net && topo_names_of(net_topo(net)))
		log.topo = net_topo(net);
	if (xp_shares_open(&log.file, path))
		return -1;
	log.j = xp_shares_json(&log.file);
	if (writer)
		write_head(&log);
	if (net && config->record.histograms)
		net_each_histogram(net, on_histogram, &log);
	if (net && config->record.timeline)
		net_each_timeline(net, on_timeline, &log);
	if (net)
		write_shares(&log, net, config);
	else if (writer)
		write_applications(&log);
	uint64_t records = log.records;
	sim_sum_u64(&records, 1);
	if (writer)
		write_end(&log, records);
	return xp_shares_close(&log.file);
}
