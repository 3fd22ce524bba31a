/* experiments/results/statistics.c - see statistics.h. A test compares the names with what `run --json` prints. */
#include "experiments/results/statistics.h"

#include "network/network.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof((struct net_result *)NULL)->choice == XP_ARRAY_BYTES, "XP_ARRAY is a text of this size");

/* --- statistics that are computed from others ------------------------------------------------------------- */

/* Of a job that does not end the run nothing is known until its ranks have all ended. */
static double completion_ns(const void *of)
{
	const struct net_flow *f = of;
	const struct net_application *a = f->application;
	if (f->is_application)
		return f->finished == f->processes ? (double)f->completion_ps / 1000 : (double)NAN;
	return a && a->ranks && a->ended == a->ranks ? (double)a->end / 1000 : XP_ABSENT;
}

static double line_ns(const void *of)
{
	const struct net_result *r = of;
	return r->line_ns > 0 ? r->line_ns : (double)NAN;
}

static double efficiency(const void *of)
{
	const struct sim_counters *c = of;
	return c->events_processed ? 1.0 - (double)c->events_rolled_back / (double)c->events_processed : 1.0;
}

static double event_rate(const void *of)
{
	const struct net_result *r = of;
	return r->wall_s > 0 ? (double)r->counters.events_committed / r->wall_s : 0;
}

static double packet_hop_rate(const void *of)
{
	const struct net_result *r = of;
	return r->wall_s > 0 ? (double)r->packet_hops / r->wall_s : 0;
}

/* --- the table -------------------------------------------------------------------------------------------- */

#define S(n, u, m, ...)                                               \
	{                                                             \
		.name = (n), .unit = (u), .meaning = (m), __VA_ARGS__ \
	}
#define FIELD(whose, kind, type_, field) .of = (whose), .type = XP_##kind, .at = offsetof(type_, field)
#define FLOW(kind, field) FIELD(XP_FLOW, kind, struct net_flow, field)
#define WAYS(kind, field) FIELD(XP_WAYS, kind, struct net_flow, field), KNOWN(measured_delivered)
#define LATENCY(kind, which, field) FLOW(kind, which.field), KNOWN(which.n)
#define STEADY(kind, field) FIELD(XP_STEADY, kind, struct sim_steady, field)
#define CONTROL(kind, field) FIELD(XP_CONTROL, kind, struct net_control, field)
#define RETRY(kind, field) FIELD(XP_RETRY, kind, struct net_retry_result, field)
#define ORDER(kind, field) FIELD(XP_ORDER, kind, struct net_order_result, field)
#define LINK(kind, field) FIELD(XP_LINKS, kind, struct net_link_result, field)
#define FAILED(kind, field) FIELD(XP_LOSSES, kind, struct net_failure_result, field)
#define TALLY(kind, field) FIELD(XP_TALLY, kind, struct sw_tally, field)
#define ENGINE(kind, field) FIELD(XP_ENGINE, kind, struct net_result, field)
#define WORK(kind, field) FIELD(XP_WORK, kind, struct sim_counters, field)
#define PHASE(phase) FIELD(XP_PHASES, REAL, struct sim_counters, seconds[SIM_PHASE_##phase])
#define SPEED(kind, field) FIELD(XP_SPEED, kind, struct net_result, field)
#define IF(field) .given = 1 + offsetof(struct net_flow, field)
#define KNOWN(field) .known = 1 + offsetof(struct net_flow, field)
#define INTERVAL(field, line) .interval = 1 + offsetof(struct sim_steady, field), .label = (line)
#define ROW(n, how) .place[XP_IN_ROW] = (n), .merge = XP_MERGE_##how
#define RUNS(n) .place[XP_IN_RUNS] = (n)
#define PART(n) .place[XP_IN_PART] = (n)
#define JOBS(n) .place[XP_IN_JOBS] = (n)
#define DIFF(n) .place[XP_IN_DIFF] = (n)
#define SHOWN(head, columns, how) .heading = (head), .width = (columns), .format = (how)

#define IN_LATENCY "time from creation to arrival of the last byte, for packets created in the measured window"
#define IN_NETWORKLATENCY \
	"time from the start of injection to arrival of the last byte, for packets created in the measured window"
#define IN_MESSAGELATENCY "time from creation to arrival of the last packet, for messages of several packets"
#define IN_SLOWDOWN "how many times as long a message took as in the empty network"
#define IN_ITERATION "duration of an iteration at an endpoint, as defined by its process; only with traffic[].process"

const struct xp_statistic xp_statistics[] = {
	S("complete", "", "false if the run was interrupted or failed before its end", ROW(1, ALL), RUNS(1),
	  .must_equal = true),
	S("seed", "", "seed of all random numbers"),
	S("network.kind", "", "analytical network model in place of switches and links; only with such a model"),
	S("topology.kind", "", "topology plug-in"),
	S("topology.switches", "switches", "number of switches"),
	S("topology.endpoints", "endpoints", "number of endpoints"),
	S("topology.links", "cables", "bidirectional cables between switches"),
	S("topology.diameter", "hops", "longest shortest path between switches; null where it was not computed"),
	S("simulated_ns", "ns", "simulated time covered by the result"),
	S("measured_from_ns", "ns", "start of the measured window"),
	S("measured_to_ns", "ns", "end of the measured window"),
	S("stationary", "",
	  "false: the backlog of packets or the mean latency kept growing until the end, so latency depends on the "
	  "length of the run; null: undecided, for example because the run was interrupted. Absent with time.drain = "
	  "true or false",
	  ROW(19, ALL), RUNS(2), .must_equal = true),
	S("precise", "", "with time.precision: true if the confidence intervals are as narrow as requested",
	  ROW(20, ALL)),
	S("warmup_found_ns", "ns", "with time.precision: length of the warm-up that was detected; null if none was",
	  ROW(22, MEAN)),
	S("interval.accepted_load[]", "of injection bandwidth",
	  "with time.precision: 95 % confidence interval of the accepted load, lower and upper end"),
	S("interval.latency_ns.mean[]", "ns",
	  "with time.precision: 95 % confidence interval of the mean latency; only if stationary"),
	S("interval.latency_ns.p99[]", "ns",
	  "with time.precision: 95 % confidence interval of the 99th percentile of latency; only if stationary"),
	S("interval.iteration_ns.mean[]", "ns",
	  "with time.precision: 95 % confidence interval of the mean iteration time, by batches of iterations; only "
	  "with traffic[].process"),
	S("batches", "",
	  "with time.precision: number of batches used for the interval of mean latency (of accepted load if not "
	  "stationary)",
	  STEADY(COUNT32, batches)),
	S("lag1_correlation", "", "with time.precision: correlation of the mean latencies of successive batches",
	  STEADY(REAL, lag1)),
	S("backlog_growth", "",
	  "with time.precision: bytes created minus bytes delivered over the window used for the decision, relative to "
	  "the bytes created",
	  STEADY(REAL, growth)),
	S("latency_drift", "",
	  "with time.precision: relative change of mean latency (of accepted load if not stationary) over the measured "
	  "window, by linear regression",
	  STEADY(REAL, drift)),
	S("still_filling", "",
	  "only if not stationary: true if the number of packets in the network was still growing during the measured "
	  "window, so that the accepted load is that of a network that is filling up; a longer time.warmup gives that "
	  "of a full network",
	  ROW(21, ANY)),
	S("vcs", "", "virtual channels of every network port"),
	S("idle_switches", "switches", "switches that the traffic pattern leaves idle"),
	S("stall", "", "packets that wait for each other, if the network deadlocked; only then"),
	S("offered_load", "of injection bandwidth",
	  "bytes created in the measured window, relative to what the endpoints can inject", FLOW(REAL, offered_load),
	  ROW(2, MEAN), PART(1), JOBS(1), DIFF(1), SHOWN("offered", 8, "%.4f")),
	S("accepted_load", "of injection bandwidth",
	  "bytes delivered in the measured window, whenever created, relative to what the endpoints can inject; "
	  "offered and accepted load are null with an analytical network model",
	  FLOW(REAL, accepted_load), ROW(3, MEAN), .ends = 23, RUNS(3), PART(2), JOBS(2), DIFF(2),
	  INTERVAL(accepted, "accepted"), SHOWN("accepted", 8, "%.4f")),
	S("packets.created", "packets", "packets created over the whole run", FLOW(COUNT, created), ROW(13, SUM),
	  JOBS(3)),
	S("packets.injected", "packets", "packets that left their source", FLOW(COUNT, injected), JOBS(4)),
	S("packets.delivered", "packets", "packets that arrived at their destination", FLOW(COUNT, delivered),
	  ROW(14, SUM), JOBS(5)),
	S("packets.dropped", "packets",
	  "packets that were lost; created = delivered + in_flight + queued + dropped holds exactly",
	  FLOW(COUNT, dropped), JOBS(6)),
	S("packets.discarded", "packets",
	  "with burst_backlog = \"drop\": discarded at their source because their burst ended; not among created",
	  FLOW(COUNT, discarded)),
	S("packets.in_flight", "packets", "packets inside the network at the end of the run", FLOW(COUNT, in_flight),
	  JOBS(7)),
	S("packets.queued", "packets", "packets waiting at their source at the end of the run", FLOW(COUNT, queued),
	  JOBS(8)),
	S("latency_ns.min", "ns", IN_LATENCY ", minimum", LATENCY(PS, latency, min)),
	S("latency_ns.mean", "ns", IN_LATENCY ", mean", LATENCY(PS_MEAN, latency, mean), ROW(4, MEAN), .ends = 25,
	  RUNS(4), PART(3), JOBS(9), DIFF(3), INTERVAL(mean, "mean latency"), SHOWN("mean ns", 10, "%.1f")),
	S("latency_ns.p50", "ns", IN_LATENCY ", median", LATENCY(PS, latency, p50), ROW(5, MEAN), JOBS(10), DIFF(4)),
	S("latency_ns.p90", "ns", IN_LATENCY ", 90th percentile", LATENCY(PS, latency, p90), DIFF(5)),
	S("latency_ns.p99", "ns", IN_LATENCY ", 99th percentile", LATENCY(PS, latency, p99), ROW(6, MEAN), .ends = 27,
	  RUNS(5), PART(4), JOBS(11), DIFF(6), INTERVAL(p99, "p99 latency"), SHOWN("p99 ns", 10, "%.0f")),
	S("latency_ns.p999", "ns", IN_LATENCY ", 99.9th percentile", LATENCY(PS, latency, p999), DIFF(7)),
	S("latency_ns.max", "ns", IN_LATENCY ", maximum", LATENCY(PS, latency, max), ROW(7, MOST), JOBS(12)),
	S("network_latency_ns.min", "ns", IN_NETWORKLATENCY ", minimum", LATENCY(PS, network_latency, min)),
	S("network_latency_ns.mean", "ns", IN_NETWORKLATENCY ", mean", LATENCY(PS_MEAN, network_latency, mean),
	  ROW(9, MEAN), DIFF(8)),
	S("network_latency_ns.p50", "ns", IN_NETWORKLATENCY ", median", LATENCY(PS, network_latency, p50), DIFF(9)),
	S("network_latency_ns.p90", "ns", IN_NETWORKLATENCY ", 90th percentile", LATENCY(PS, network_latency, p90),
	  DIFF(10)),
	S("network_latency_ns.p99", "ns", IN_NETWORKLATENCY ", 99th percentile", LATENCY(PS, network_latency, p99),
	  ROW(10, MEAN), DIFF(11)),
	S("network_latency_ns.p999", "ns", IN_NETWORKLATENCY ", 99.9th percentile", LATENCY(PS, network_latency, p999),
	  DIFF(12)),
	S("network_latency_ns.max", "ns", IN_NETWORKLATENCY ", maximum", LATENCY(PS, network_latency, max)),
	S("message_latency_ns.min", "ns", IN_MESSAGELATENCY ", minimum", LATENCY(PS, message_latency, min),
	  IF(has_message_latency)),
	S("message_latency_ns.mean", "ns", IN_MESSAGELATENCY ", mean", LATENCY(PS_MEAN, message_latency, mean),
	  IF(has_message_latency), DIFF(13)),
	S("message_latency_ns.p50", "ns", IN_MESSAGELATENCY ", median", LATENCY(PS, message_latency, p50),
	  IF(has_message_latency), DIFF(14)),
	S("message_latency_ns.p90", "ns", IN_MESSAGELATENCY ", 90th percentile", LATENCY(PS, message_latency, p90),
	  IF(has_message_latency), DIFF(15)),
	S("message_latency_ns.p99", "ns", IN_MESSAGELATENCY ", 99th percentile", LATENCY(PS, message_latency, p99),
	  IF(has_message_latency), DIFF(16)),
	S("message_latency_ns.p999", "ns", IN_MESSAGELATENCY ", 99.9th percentile", LATENCY(PS, message_latency, p999),
	  IF(has_message_latency), DIFF(17)),
	S("message_latency_ns.max", "ns", IN_MESSAGELATENCY ", maximum", LATENCY(PS, message_latency, max),
	  IF(has_message_latency)),
	S("slowdown.messages", "messages",
	  "with record.messages: messages that began in the measured window and have come; this and the following are "
	  "of these",
	  FLOW(COUNT, slowdown.n), IF(has_slowdown)),
	S("slowdown.mean", "", IN_SLOWDOWN ", mean", LATENCY(REAL, slowdown, mean), IF(has_slowdown), ROW(35, MEAN),
	  JOBS(15), DIFF(28)),
	S("slowdown.p50", "", IN_SLOWDOWN ", median", LATENCY(REAL, slowdown, p50), IF(has_slowdown), ROW(36, MEAN),
	  JOBS(16), DIFF(29)),
	S("slowdown.p99", "", IN_SLOWDOWN ", 99th percentile", LATENCY(REAL, slowdown, p99), IF(has_slowdown),
	  ROW(37, MEAN), JOBS(17), DIFF(30)),
	S("slowdown.max", "", IN_SLOWDOWN ", maximum", LATENCY(REAL, slowdown, max), IF(has_slowdown)),
	S("iterations", "", "iterations of processes that ended in the measured window; only with traffic[].process",
	  FLOW(COUNT, iteration.n), IF(has_iterations)),
	S("iteration_ns.min", "ns", IN_ITERATION ", minimum", LATENCY(PS, iteration, min), IF(has_iterations)),
	S("iteration_ns.mean", "ns", IN_ITERATION ", mean", LATENCY(PS_MEAN, iteration, mean), IF(has_iterations),
	  ROW(32, MEAN), .ends = 33, RUNS(7), PART(6), DIFF(20), INTERVAL(iteration, "mean iteration"),
	  SHOWN("iteration us", 13, "%.3f"), .divisor = 1000),
	S("iteration_ns.p50", "ns", IN_ITERATION ", median", LATENCY(PS, iteration, p50), IF(has_iterations), DIFF(21)),
	S("iteration_ns.p90", "ns", IN_ITERATION ", 90th percentile", LATENCY(PS, iteration, p90), IF(has_iterations),
	  DIFF(22)),
	S("iteration_ns.p99", "ns", IN_ITERATION ", 99th percentile", LATENCY(PS, iteration, p99), IF(has_iterations),
	  DIFF(23)),
	S("iteration_ns.p999", "ns", IN_ITERATION ", 99.9th percentile", LATENCY(PS, iteration, p999),
	  IF(has_iterations), DIFF(24)),
	S("iteration_ns.max", "ns", IN_ITERATION ", maximum", LATENCY(PS, iteration, max), IF(has_iterations)),
	S("node.messages", "messages",
	  "between processes of one node, that have come, over the whole run; this and the following only of jobs with "
	  "several processes at a node, and no other statistic counts these messages",
	  FLOW(COUNT, inside_messages), IF(has_inside)),
	S("node.bytes", "B", "... their bytes", FLOW(COUNT, inside_bytes), IF(has_inside)),
	S("node.latency_ns", "ns", "... from when they were posted until their receivers had them, mean",
	  FLOW(PS_MEAN, inside_latency_ps), IF(has_inside), KNOWN(inside_messages)),
	S("node.under_way", "messages", "... that were posted and have not come", FLOW(COUNT, inside_under_way),
	  IF(has_inside)),
	S("node.network_bytes", "B", "bytes of the other messages, delivered in the measured window",
	  FLOW(COUNT, delivered_bytes), IF(has_inside)),
	S("completion_ns", "ns",
	  "time at which the last process of jobs whose processes end the run finished; null if not all have. For "
	  "other jobs with ranks: when the last rank ended, if all have",
	  FLOW(PS, completion_ps), .get = completion_ns, ROW(29, MEAN), .ends = 30, RUNS(6), PART(7), DIFF(25),
	  SHOWN("completion us", 13, "%.3f"), .divisor = 1000),
	S("processes", "",
	  "processes of jobs whose processes end the run; this and the following fields only with such jobs",
	  FLOW(COUNT, processes), IF(is_application)),
	S("processes_finished", "", "processes that have completed all their operations", FLOW(COUNT, finished),
	  IF(is_application)),
	S("operations_unfinished", "",
	  "operations that the other processes have not completed; of flows: those that were not delivered",
	  FLOW(COUNT, unfinished), IF(is_application)),
	S("messages_unreceived", "messages",
	  "messages that no process received, including those in flight at the end of the run", FLOW(COUNT, unreceived),
	  IF(is_application)),
	S("messages_truncated", "messages", "MPI messages that are longer than their receive", FLOW(COUNT, truncated),
	  IF(is_application)),
	S("incomplete_collectives", "collectives",
	  "MPI collectives that were not called by all ranks of their communicator", FLOW(COUNT, incomplete),
	  IF(is_application)),
	S("latency_censored", "",
	  "true if more than 1 % of the measured packets were still in flight at the end of the run, so that their "
	  "latencies are missing",
	  FIELD(XP_WAYS, TRUTH, struct net_flow, latency_censored), ROW(8, ANY), PART(5), .must_equal = true),
	S("hops.mean", "hops",
	  "mean number of switch-to-switch links crossed by measured packets; null without such packets",
	  WAYS(REAL, hops_mean), ROW(11, KNOWN), JOBS(13), DIFF(18), SHOWN("hops", 6, "%.3f")),
	S("hops.max", "hops", "largest number of switch-to-switch links crossed by a measured packet",
	  WAYS(COUNT32, hops_max)),
	S("minimal_fraction", "",
	  "fraction of the measured packets that took a minimal route; null without such packets",
	  WAYS(REAL, minimal_fraction), ROW(12, KNOWN), JOBS(14), DIFF(19), SHOWN("minimal", 7, "%.3f")),
	S("slowdown_by_size[]", "", "the same of messages of a size, for each that comes"),
	S("slowdown_by_size[].from_bytes", "B", "the least bytes of these messages, a power of two"),
	S("slowdown_by_size[].below_bytes", "B", "twice as many: theirs are fewer"),
	S("slowdown_by_size[].messages", "messages", "how many there are"),
	S("slowdown_by_size[].bytes", "B", "of all of them"),
	S("slowdown_by_size[].mean", "", IN_SLOWDOWN ", mean"),
	S("slowdown_by_size[].p50", "", "... median"),
	S("slowdown_by_size[].p99", "", "... 99th percentile"),
	S("slowdown_by_size[].max", "", "... largest"),
	S("jobs[]", "", "the same quantities for each job"),
	S("jobs[].endpoints", "endpoints", "endpoints of the job that send"),
	S("jobs[].idle_endpoints", "endpoints",
	  "endpoints of the job that its traffic pattern leaves idle, or that begin no flow"),
	S("jobs[].application.ranks", "ranks",
	  "ranks of the job if its process is an application; this and the following fields only for applications"),
	S("jobs[].application.ranks_ended", "ranks", "ranks that have completed all their operations"),
	S("jobs[].application.compute_ns.total", "ns", "time that ranks spent computing, summed over ranks"),
	S("jobs[].application.compute_ns.mean", "ns", "time that a rank spent computing, mean over ranks"),
	S("jobs[].application.compute_ns.max", "ns", "time that a rank spent computing, maximum over ranks"),
	S("jobs[].application.send_ns.total", "ns",
	  "time that ranks spent on overheads of messages and calls, or waiting for their own messages to leave, "
	  "summed over ranks"),
	S("jobs[].application.send_ns.mean", "ns", "the same time of a rank, mean over ranks"),
	S("jobs[].application.send_ns.max", "ns", "the same time of a rank, maximum over ranks"),
	S("jobs[].application.wait_ns.total", "ns", "time that ranks waited for others, summed over ranks"),
	S("jobs[].application.wait_ns.mean", "ns", "time that a rank waited for others, mean over ranks"),
	S("jobs[].application.wait_ns.max", "ns", "time that a rank waited for others, maximum over ranks"),
	S("jobs[].application.idle_ns.total", "ns",
	  "time between the end of a rank and the end of the job, summed over ranks"),
	S("jobs[].application.idle_ns.mean", "ns",
	  "time between the end of a rank and the end of the job, mean over ranks"),
	S("jobs[].application.idle_ns.max", "ns",
	  "time between the end of a rank and the end of the job, maximum over ranks"),
	S("jobs[].application.communication_share", "",
	  "time sending and waiting, relative to the time computing, sending and waiting"),
	S("jobs[].application.calls[]", "", "list of the kinds of calls that ranks made"),
	S("jobs[].application.calls[].call", "", "name of the call"),
	S("jobs[].application.calls[].calls", "", "number of such calls of all ranks"),
	S("jobs[].application.calls[].time_ns.total", "ns",
	  "time from the begin to the end of the call, summed over calls and ranks; concurrent operations of a GOAL "
	  "schedule are all counted"),
	S("jobs[].application.calls[].time_ns.mean", "ns", "time of a rank in such calls, mean over ranks"),
	S("jobs[].application.calls[].time_ns.max", "ns", "time of a rank in such calls, maximum over ranks"),
	S("jobs[].application.path.length_ns", "ns",
	  "length of the critical path, from the start of the job to the end of its last rank; only with record.path, "
	  "if all ranks have ended"),
	S("jobs[].application.path.compute_ns", "ns", "computation on the critical path"),
	S("jobs[].application.path.overhead_ns", "ns",
	  "overheads on the critical path: of messages at their endpoints and of calls, and pauses"),
	S("jobs[].application.path.network_ns", "ns", "time of messages in the network on the critical path"),
	S("jobs[].application.path.messages", "messages",
	  "messages on the critical path, by which it passes from rank to rank"),
	S("jobs[].application.path.ranks", "ranks", "ranks on the critical path"),
	S("jobs[].isolated", "",
	  "the same quantities and the digest of a run of this job alone; this and the following fields only with "
	  "traffic[].isolate"),
	S("jobs[].isolated.complete", "", "false if the run of this job alone was interrupted"),
	S("jobs[].impact.of", "",
	  "statistic that is compared: iteration_ns of processes, latency_ns, or completion_ns minus the job's start"),
	S("jobs[].impact.mean", "", "mean with the other jobs, divided by the mean alone", DIFF(26)),
	S("jobs[].impact.p99", "", "99th percentile with the other jobs, divided by that alone; null for completion_ns",
	  DIFF(27)),
	S("jobs[].impact.why", "", "reason why the mean is null; only then"),
	S("classes[]", "", "the same quantities for each traffic class"),
	S("congestion.kind", "", "congestion control; this and the following fields only with congestion control",
	  CONTROL(TEXT, kind)),
	S("congestion.throttles", "", "number of times that a pair of endpoints was throttled",
	  CONTROL(COUNT, throttles)),
	S("congestion.throttled_ns", "ns",
	  "duration of these throttles, summed over pairs; only throttles that have ended", CONTROL(PS, throttled_ps)),
	S("congestion.control_frames", "frames", "control frames from receivers, or their switches, to sources",
	  CONTROL(COUNT, frames)),
	S("congestion.requests", "frames", "control frames from sources to receivers, or to their switches",
	  CONTROL(COUNT, requests)),
	S("congestion.acknowledgements", "", "acknowledgements of packets sent to sources", CONTROL(COUNT, acks)),
	S("congestion.acknowledgements_waited_ns", "ns",
	  "time that acknowledgements waited for each other on their way, summed; only with nic.ack = \"hop\"",
	  CONTROL(PS, acks_waited_ps)),
	S("congestion.marked", "", "acknowledgements that reported congestion of the packet's path (ECN)",
	  CONTROL(COUNT, marked)),
	S("congestion.held_packets", "packets",
	  "packets that waited for permission to be sent to their destination while packets to other destinations "
	  "overtook them",
	  CONTROL(COUNT, held)),
	S("congestion.source_waits", "",
	  "number of times that a source was blocked because nic.table packets waited for permission",
	  CONTROL(COUNT, source_waits)),
	S("congestion.pairs", "", "records of destinations created at endpoints", CONTROL(COUNT, pairs)),
	S("congestion.contributors", "", "records of sources created at the receivers' switches",
	  CONTROL(COUNT, contributors)),
	S("retry.resent", "packets", "retransmissions by endpoints; this and the following fields only with nic.retry",
	  RETRY(COUNT, resent)),
	S("retry.timeouts", "packets",
	  "packets whose acknowledgement did not arrive in time, each time; those of the end of a run are not sent "
	  "again in it",
	  RETRY(COUNT, timeouts)),
	S("retry.backoffs", "", "pauses of pairs of endpoints whose retransmissions were lost again (nic.backoff)",
	  RETRY(COUNT, backoffs)),
	S("retry.probes", "", "frames without payload by which a congestion control queried which packets had arrived",
	  RETRY(COUNT, probes)),
	S("retry.dropped", "packets", "packets and probes dropped by switches", RETRY(COUNT, dropped)),
	S("retry.trimmed", "packets", "packets that switches trimmed to their header", RETRY(COUNT, trimmed)),
	S("retry.damaged", "packets", "packets and probes damaged on their last link (nic.loss)",
	  RETRY(COUNT, damaged)),
	S("retry.damaged_acknowledgements", "", "acknowledgements damaged on their last link (nic.loss)",
	  RETRY(COUNT, damaged_acks)),
	S("retry.duplicates", "packets", "packets received more than once", RETRY(COUNT, duplicates)),
	S("retry.reordered", "packets", "packets received before an earlier one from the same source",
	  RETRY(COUNT, reordered)),
	S("ordering.reordered", "packets",
	  "packets that arrived before an earlier one of their flow and waited for it in the receiver's interface; "
	  "this and the following fields only with classes[].ordering",
	  ORDER(COUNT, reordered)),
	S("ordering.waited_ns", "ns", "duration of these waits, summed; only waits that have ended",
	  ORDER(PS, waited_ps)),
	S("ordering.paths", "",
	  "number of times that an output of a switch was chosen for a flow, with nic.ordering = \"path\"",
	  ORDER(COUNT, paths)),
	S("links.frames", "frames",
	  "that links between switches have passed on, of classes with bit errors, a retry buffer or failures; this "
	  "and the following only where there are such, and for each class in link_classes",
	  LINK(COUNT, frames)),
	S("links.damaged", "frames",
	  "that arrived damaged, by bit errors or on a lane that failed: each begins a replay", LINK(COUNT, damaged)),
	S("links.replayed", "frames",
	  "that were sent again, the damaged ones and those behind them; of frames behind more than four damaged ones "
	  "in a round trip some are not counted",
	  LINK(COUNT, replayed)),
	S("links.replayed_bytes", "B", "of these", LINK(COUNT, replayed_bytes)),
	S("links.lost_ns", "ns",
	  "time of links from the start of a damaged frame until it was asked for again, summed over their directions",
	  LINK(PS, lost_ps)),
	S("links.degraded_ns", "ns", "time of links without all of their lanes, summed over their directions",
	  LINK(PS, degraded_ps)),
	S("failures.outages", "",
	  "outages of cables and endpoints' links that had begun by the end of the run (in a drained run: of the "
	  "measured "
	  "time); this and the following only with failures of mode down, flap or random",
	  FAILED(COUNT, outages)),
	S("failures.reroutings", "", "times that routes changed (routing.reaction)", FAILED(COUNT, reroutings)),
	S("failures.lost_on_cables", "packets",
	  "copies of packets that were under way on a cable between switches when it was down", FAILED(COUNT, lost[0])),
	S("failures.lost_on_cables_bytes", "B", "their payload", FAILED(COUNT, lost_bytes[0])),
	S("failures.lost_at_interfaces", "packets", "likewise, on the link of an endpoint", FAILED(COUNT, lost[1])),
	S("failures.lost_at_interfaces_bytes", "B", "their payload", FAILED(COUNT, lost_bytes[1])),
	S("failures.lost_without_way", "packets",
	  "copies that their first switch dropped because no way led to their destination", FAILED(COUNT, lost[2])),
	S("failures.lost_without_way_bytes", "B", "their payload", FAILED(COUNT, lost_bytes[2])),
	S("failures.partitioned_ns", "ns",
	  "time in which routing saw endpoints cut off from most others; the list partitions says which, and when",
	  FAILED(PS, partitioned_ps)),
	S("failures.most_cut_off", "endpoints", "that were cut off at a time, at most", FAILED(COUNT, most_cut_off)),
	S("partitions[]", "",
	  "endpoints that routing saw cut off: from_ns, until_ns, their number (endpoints), and which"),
	S("switches.marked", "packets",
	  "number of congestion marks set on packets; this and the following fields only with switches of kind "
	  "output-queued",
	  TALLY(COUNT, marks)),
	S("switches.trimmed", "packets", "packets trimmed to their header because a queue was full",
	  TALLY(COUNT, trims)),
	S("switches.dropped", "packets", "packets dropped by switches", TALLY(COUNT, drops)),
	S("switches.pauses", "frames", "pause frames sent", TALLY(COUNT, pauses)),
	S("switches.paused_ns", "ns", "duration of these pauses, summed over the ports that sent the pause frames",
	  TALLY(PS, paused_ps)),
	S("switches.pause_depth", "", "longest chain of pauses in which each was caused by the previous one",
	  TALLY(COUNT, pause_depth)),
	S("switches.peak_queue_bytes", "B", "maximum length of any output queue", TALLY(COUNT, peak_bytes)),
	S("engine.sync", "", "synchronization protocol used", ENGINE(TEXT, sync)),
	S("engine.ranks", "ranks", "MPI ranks", ENGINE(SIGNED, ranks)),
	S("engine.threads", "threads",
	  "threads that shared all switches, without speculation; 1: each rank executed its own switches",
	  ENGINE(SIGNED, threads)),
	S("engine.choice", "",
	  "reasons for the choice between shared and separate switches, and of the synchronization protocol",
	  ENGINE(ARRAY, choice)),
	S("engine.line_ns", "ns",
	  "measured time in which a cache line moves from the core of rank 0 to that of the last rank, used for this "
	  "choice",
	  .of = XP_ENGINE, .get = line_ns),
	S("engine.events_committed", "events", "events committed", ENGINE(COUNT, counters.events_committed)),
	S("engine.events_processed", "events", "events executed, including those that were undone",
	  WORK(COUNT, events_processed)),
	S("engine.events_speculative", "events", "events executed speculatively, with state saving",
	  WORK(COUNT, speculative)),
	S("engine.events_rolled_back", "events", "events undone by rollbacks", WORK(COUNT, events_rolled_back)),
	S("engine.rollbacks", "", "rollbacks of logical processes", WORK(COUNT, rollbacks)),
	S("engine.anti_messages", "", "events cancelled after they were sent (anti-messages)",
	  WORK(COUNT, anti_messages)),
	S("engine.efficiency", "", "1 - events rolled back / events processed", .of = XP_WORK, .get = efficiency),
	S("engine.remote_events", "events", "events sent to another rank", WORK(COUNT, remote_events)),
	S("engine.messages", "messages", "MPI messages for events and for rounds of GVT", WORK(COUNT, messages)),
	S("engine.message_bytes", "B", "bytes of events in MPI messages", WORK(COUNT, message_bytes)),
	S("engine.windows", "windows", "windows executed, of the rank with most", WORK(COUNT, windows)),
	S("engine.gvt_rounds", "rounds", "computations of GVT, or of the exchanges that end a conservative window",
	  WORK(COUNT, gvt_rounds)),
	S("engine.lps_moved", "LPs", "migrations of switches between ranks (engine.balance)", WORK(COUNT, lps_moved)),
	S("engine.phase_s.execute", "s",
	  "wall time of event handlers and of sending events within the rank, summed over ranks", PHASE(EXECUTE)),
	S("engine.phase_s.speculate", "s", "wall time of the same with state saving, summed over ranks",
	  PHASE(SPECULATE)),
	S("engine.phase_s.queue", "s", "wall time of gathering and sorting events, summed over ranks", PHASE(QUEUE)),
	S("engine.phase_s.rollback", "s", "wall time of rollbacks and cancellations, summed over ranks",
	  PHASE(ROLLBACK)),
	S("engine.phase_s.communicate", "s",
	  "wall time of sending and receiving MPI messages and of inserting their events, summed over ranks",
	  PHASE(COMMUNICATE)),
	S("engine.phase_s.wait", "s", "wall time of waiting for other ranks, summed over ranks", PHASE(WAIT)),
	S("engine.phase_s.gvt", "s", "wall time of computing GVT, summed over ranks", PHASE(GVT)),
	S("engine.phase_s.fossil", "s", "wall time of fossil collection, summed over ranks", PHASE(FOSSIL)),
	S("engine.phase_s.other", "s", "remaining wall time, summed over ranks", PHASE(OTHER)),
	S("engine.setup_s", "s", "wall time before the first event", SPEED(REAL, setup_s)),
	S("engine.wall_s", "s", "wall time of the simulation", SPEED(REAL, wall_s), ROW(16, SUM)),
	S("engine.event_rate_per_s", "events/s", "events_committed divided by wall_s", .of = XP_SPEED,
	  .get = event_rate),
	S("engine.packet_hops", "links", "links crossed by packets over the whole run, including terminal links",
	  SPEED(COUNT, packet_hops)),
	S("engine.packet_hops_per_s", "links/s", "packet_hops divided by wall_s", .of = XP_SPEED,
	  .get = packet_hop_rate, ROW(15, MEAN)),
	S("engine.peak_rss_bytes", "B", "peak resident memory, summed over ranks", SPEED(COUNT, peak_rss_bytes),
	  ROW(17, MOST)),
	S("engine.peak_rss_rank_bytes", "B", "peak resident memory of the rank with most",
	  SPEED(COUNT, peak_rss_rank_bytes)),
	S("digest", "",
	  "hash of the simulated model's results; equal for every scheduler, number of ranks and partition",
	  ROW(18, ONE), RUNS(8)),
	{ .name = NULL },
};

const char *const xp_merge_names[XP_MERGES] = {
	[XP_MERGE_NOT] = "",
	[XP_MERGE_MEAN] = "mean",
	[XP_MERGE_KNOWN] = "mean of the runs that measured it",
	[XP_MERGE_SUM] = "sum",
	[XP_MERGE_MOST] = "largest",
	[XP_MERGE_ALL] = "true if true in all",
	[XP_MERGE_ANY] = "true if true in one",
	[XP_MERGE_ONE] = "none",
};

const struct xp_statistic *xp_statistic_named(const char *name)
{
	for (const struct xp_statistic *s = xp_statistics; s->name; s++)
		if (!strcmp(s->name, name))
			return s;
	return NULL;
}

const struct xp_statistic *xp_statistic_at(enum xp_list list, size_t n)
{
	for (const struct xp_statistic *s = xp_statistics; s->name; s++)
		if (s->place[list] == n)
			return s;
	return NULL;
}

void xp_statistic_column(const struct xp_statistic *s, int end, char out[64])
{
	const char *name = strncmp(s->name, "engine.", 7) ? s->name : s->name + 7, *unit = strstr(name, "_ns");
	snprintf(out, 64, "%.*s%s%s%s", (int)(unit ? unit - name : 50), name, unit ? unit + 3 : "",
	         end < 0 ? "_low"
	         : end   ? "_high"
	                 : "",
	         unit ? "_ns" : "");
	for (char *dot = out; (dot = strchr(dot, '.'));)
		*dot = '_';
}

double xp_statistic_in_row(const struct xp_statistic *s, int end, const json_t *row)
{
	char column[64];
	xp_statistic_column(s, end, column);
	const json_t *value = json_object_get(row, column);
	return json_is_number(value) ? json_number_value(value) : NAN;
}
