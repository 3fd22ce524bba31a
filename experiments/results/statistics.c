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

#define IN_LATENCY "creation to arrival of the last byte, of packets created in the measured window"
#define IN_NETWORKLATENCY "start of injection to arrival of the last byte, of the same packets"
#define IN_MESSAGELATENCY "creation to arrival of the last packet of messages of several packets"
#define IN_SLOWDOWN "how many times as long a message took as in the empty network"
#define IN_ITERATION "what an iteration took at a member, as its process says; only with traffic[].process"

const struct xp_statistic xp_statistics[] = {
	S("complete", "", "false if the run was interrupted or failed before its end", ROW(1, ALL), RUNS(1),
	  .must_equal = true),
	S("seed", "", "seed of all random numbers"),
	S("network.kind", "", "the formula in place of switches and links; only with such"),
	S("topology.kind", "", "the topology"),
	S("topology.switches", "switches", "number of switches"),
	S("topology.endpoints", "endpoints", "number of endpoints"),
	S("topology.links", "cables", "bidirectional cables between switches"),
	S("topology.diameter", "hops", "longest shortest path between switches; null where it was not computed"),
	S("simulated_ns", "ns", "simulated time that the result covers"),
	S("measured_from_ns", "ns", "start of the measured window"),
	S("measured_to_ns", "ns", "its end"),
	S("stationary", "",
	  "false: the backlog of packets grew, or mean latency did, as long as the run went on, so latency depends on "
	  "how long that was; null: not decided, as when the run was interrupted. Not with time.drain = true or false",
	  ROW(19, ALL), RUNS(2), .must_equal = true),
	S("precise", "", "with time.precision: the intervals are as narrow as was asked for", ROW(20, ALL)),
	S("warmup_found_ns", "ns", "with time.precision: the warm-up that was found, null if none was", ROW(22, MEAN)),
	S("interval.accepted_load[]", "of injection bandwidth", "with time.precision: 95 % interval, from and to"),
	S("interval.latency_ns.mean[]", "ns", "... of mean latency; only if stationary"),
	S("interval.latency_ns.p99[]", "ns", "... of the 99th percentile of latency; only if stationary"),
	S("interval.iteration_ns.mean[]", "ns",
	  "... of what an iteration takes, by batches of iterations; only with traffic[].process"),
	S("batches", "",
	  "with time.precision: batches that the interval of mean latency is made from, or of accepted load if not "
	  "stationary",
	  STEADY(COUNT32, batches)),
	S("lag1_correlation", "", "... correlation of neighbouring batches' mean latency", STEADY(REAL, lag1)),
	S("backlog_growth", "", "... created less delivered bytes over the judged window, relative to created",
	  STEADY(REAL, growth)),
	S("latency_drift", "",
	  "... change of mean latency over the measured window by linear regression, relative; of accepted load if not "
	  "stationary",
	  STEADY(REAL, drift)),
	S("still_filling", "",
	  "only if not stationary: what is inside the network still grew over the measured window, so the accepted "
	  "load is that of a network that fills; a longer time.warmup gives that of a full one",
	  ROW(21, ANY)),
	S("vcs", "", "virtual channels of every network port"),
	S("idle_switches", "switches", "switches that a traffic pattern leaves idle"),
	S("stall", "", "only when the network stalled: where packets wait for each other"),
	S("offered_load", "of injection bandwidth",
	  "bytes created in the measured window, over what the endpoints could inject", FLOW(REAL, offered_load),
	  ROW(2, MEAN), PART(1), JOBS(1), DIFF(1), SHOWN("offered", 8, "%.4f")),
	S("accepted_load", "of injection bandwidth",
	  "bytes delivered in the measured window, whenever created, over the same; both are null on a formula",
	  FLOW(REAL, accepted_load), ROW(3, MEAN), .ends = 23, RUNS(3), PART(2), JOBS(2), DIFF(2),
	  INTERVAL(accepted, "accepted"), SHOWN("accepted", 8, "%.4f")),
	S("packets.created", "packets", "made by the arrival processes over the whole run", FLOW(COUNT, created),
	  ROW(13, SUM), JOBS(3)),
	S("packets.injected", "packets", "that left their endpoint", FLOW(COUNT, injected), JOBS(4)),
	S("packets.delivered", "packets", "that arrived", FLOW(COUNT, delivered), ROW(14, SUM), JOBS(5)),
	S("packets.dropped", "packets", "lost; created = delivered + in_flight + queued + dropped holds exactly",
	  FLOW(COUNT, dropped), JOBS(6)),
	S("packets.discarded", "packets",
	  "with burst_backlog = \"drop\": discarded at their source because their burst ended; not among created",
	  FLOW(COUNT, discarded)),
	S("packets.in_flight", "packets", "in the network at the end", FLOW(COUNT, in_flight), JOBS(7)),
	S("packets.queued", "packets", "waiting at their source at the end", FLOW(COUNT, queued), JOBS(8)),
	S("latency_ns.min", "ns", IN_LATENCY ", least", LATENCY(PS, latency, min)),
	S("latency_ns.mean", "ns", IN_LATENCY ", mean", LATENCY(PS_MEAN, latency, mean), ROW(4, MEAN), .ends = 25,
	  RUNS(4), PART(3), JOBS(9), DIFF(3), INTERVAL(mean, "mean latency"), SHOWN("mean ns", 10, "%.1f")),
	S("latency_ns.p50", "ns", IN_LATENCY ", median", LATENCY(PS, latency, p50), ROW(5, MEAN), JOBS(10), DIFF(4)),
	S("latency_ns.p90", "ns", IN_LATENCY ", 90th percentile", LATENCY(PS, latency, p90), DIFF(5)),
	S("latency_ns.p99", "ns", IN_LATENCY ", 99th percentile", LATENCY(PS, latency, p99), ROW(6, MEAN), .ends = 27,
	  RUNS(5), PART(4), JOBS(11), DIFF(6), INTERVAL(p99, "p99 latency"), SHOWN("p99 ns", 10, "%.0f")),
	S("latency_ns.p999", "ns", IN_LATENCY ", 99.9th percentile", LATENCY(PS, latency, p999), DIFF(7)),
	S("latency_ns.max", "ns", IN_LATENCY ", largest", LATENCY(PS, latency, max), ROW(7, MOST), JOBS(12)),
	S("network_latency_ns.min", "ns", IN_NETWORKLATENCY ", least", LATENCY(PS, network_latency, min)),
	S("network_latency_ns.mean", "ns", IN_NETWORKLATENCY ", mean", LATENCY(PS_MEAN, network_latency, mean),
	  ROW(9, MEAN), DIFF(8)),
	S("network_latency_ns.p50", "ns", IN_NETWORKLATENCY ", median", LATENCY(PS, network_latency, p50), DIFF(9)),
	S("network_latency_ns.p90", "ns", IN_NETWORKLATENCY ", 90th percentile", LATENCY(PS, network_latency, p90),
	  DIFF(10)),
	S("network_latency_ns.p99", "ns", IN_NETWORKLATENCY ", 99th percentile", LATENCY(PS, network_latency, p99),
	  ROW(10, MEAN), DIFF(11)),
	S("network_latency_ns.p999", "ns", IN_NETWORKLATENCY ", 99.9th percentile", LATENCY(PS, network_latency, p999),
	  DIFF(12)),
	S("network_latency_ns.max", "ns", IN_NETWORKLATENCY ", largest", LATENCY(PS, network_latency, max)),
	S("message_latency_ns.min", "ns", IN_MESSAGELATENCY ", least", LATENCY(PS, message_latency, min),
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
	S("message_latency_ns.max", "ns", IN_MESSAGELATENCY ", largest", LATENCY(PS, message_latency, max),
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
	S("slowdown.max", "", IN_SLOWDOWN ", largest", LATENCY(REAL, slowdown, max), IF(has_slowdown)),
	S("iterations", "", "of processes that ended in the measured window; only with traffic[].process",
	  FLOW(COUNT, iteration.n), IF(has_iterations)),
	S("iteration_ns.min", "ns", IN_ITERATION ", least", LATENCY(PS, iteration, min), IF(has_iterations)),
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
	S("iteration_ns.max", "ns", IN_ITERATION ", largest", LATENCY(PS, iteration, max), IF(has_iterations)),
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
	  "when the last process was finished, of jobs whose processes end the run; null if not all are. Of others "
	  "that have ranks when the last one ended, if all have",
	  FLOW(PS, completion_ps), .get = completion_ns, ROW(29, MEAN), .ends = 30, RUNS(6), PART(7), DIFF(25),
	  SHOWN("completion us", 13, "%.3f"), .divisor = 1000),
	S("processes", "", "of jobs whose processes end the run; this and the following only with such",
	  FLOW(COUNT, processes), IF(is_application)),
	S("processes_finished", "", "that have done all that they will ever do", FLOW(COUNT, finished),
	  IF(is_application)),
	S("operations_unfinished", "", "of the others: what they have not done", FLOW(COUNT, unfinished),
	  IF(is_application)),
	S("messages_unreceived", "messages", "that nothing received, those under way at the end among them",
	  FLOW(COUNT, unreceived), IF(is_application)),
	S("messages_truncated", "messages", "of MPI that were longer than the receive that got them",
	  FLOW(COUNT, truncated), IF(is_application)),
	S("incomplete_collectives", "collectives", "of MPI that not all ranks of their communicator call",
	  FLOW(COUNT, incomplete), IF(is_application)),
	S("latency_censored", "", "true if more than 1 % of the measured packets were still under way at the end",
	  FIELD(XP_WAYS, TRUTH, struct net_flow, latency_censored), ROW(8, ANY), PART(5), .must_equal = true),
	S("hops.mean", "hops", "switch-to-switch links taken by measured packets, mean; null of none",
	  WAYS(REAL, hops_mean), ROW(11, KNOWN), JOBS(13), DIFF(18), SHOWN("hops", 6, "%.3f")),
	S("hops.max", "hops", "... most", WAYS(COUNT32, hops_max)),
	S("minimal_fraction", "", "share of the measured packets that took a minimal route; null of none",
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
	S("jobs[]", "", "the same quantities of each job"),
	S("jobs[].endpoints", "endpoints", "endpoints of the job that send"),
	S("jobs[].idle_endpoints", "endpoints", "endpoints of the job that its pattern leaves idle"),
	S("jobs[].application.ranks", "ranks",
	  "of the job, if its process is an application; this and the following only with such"),
	S("jobs[].application.ranks_ended", "ranks", "that have done all that they will ever do"),
	S("jobs[].application.compute_ns.total", "ns", "time that ranks were computing"),
	S("jobs[].application.compute_ns.mean", "ns", "... of a rank, mean"),
	S("jobs[].application.compute_ns.max", "ns", "... most"),
	S("jobs[].application.send_ns.total", "ns",
	  "time that ranks were busy with messages and calls, or waiting until their own messages have left"),
	S("jobs[].application.send_ns.mean", "ns", "... of a rank, mean"),
	S("jobs[].application.send_ns.max", "ns", "... most"),
	S("jobs[].application.wait_ns.total", "ns", "time that ranks were waiting for others"),
	S("jobs[].application.wait_ns.mean", "ns", "... of a rank, mean"),
	S("jobs[].application.wait_ns.max", "ns", "... most"),
	S("jobs[].application.idle_ns.total", "ns", "time of ranks from their end to the job's"),
	S("jobs[].application.idle_ns.mean", "ns", "... of a rank, mean"),
	S("jobs[].application.idle_ns.max", "ns", "... most"),
	S("jobs[].application.communication_share", "", "sending and waiting, of computing, sending and waiting"),
	S("jobs[].application.calls[]", "", "kinds of calls that were made"),
	S("jobs[].application.calls[].call", "", "name"),
	S("jobs[].application.calls[].calls", "", "how often, on all ranks"),
	S("jobs[].application.calls[].time_ns.total", "ns",
	  "time in it, from its begin to its end, summed; of GOAL, operations that go on at once add up"),
	S("jobs[].application.calls[].time_ns.mean", "ns", "... of a rank, mean"),
	S("jobs[].application.calls[].time_ns.max", "ns", "... most"),
	S("jobs[].application.path.length_ns", "ns",
	  "with record.path, and if all ranks have ended: the critical path, from the start to the last end"),
	S("jobs[].application.path.compute_ns", "ns", "... of it, computation"),
	S("jobs[].application.path.overhead_ns", "ns", "... of messages at their endpoints, of calls, and pauses"),
	S("jobs[].application.path.network_ns", "ns", "... the rest of messages"),
	S("jobs[].application.path.messages", "messages", "... by which it goes from rank to rank"),
	S("jobs[].application.path.ranks", "ranks", "... that it passes"),
	S("jobs[].isolated", "",
	  "the same quantities of the job alone, as they were in a run of their own, and its digest; this and the "
	  "following only with traffic[].isolate"),
	S("jobs[].isolated.complete", "", "false if that run was interrupted"),
	S("jobs[].impact.of", "",
	  "what is compared: iteration_ns of processes, latency_ns, or completion_ns less the job's start"),
	S("jobs[].impact.mean", "", "how many times as long it takes with the others as alone, in the mean", DIFF(26)),
	S("jobs[].impact.p99", "", "... at the 99th percentile; null of a completion", DIFF(27)),
	S("jobs[].impact.why", "", "why the mean is null; only if it is"),
	S("classes[]", "", "the same quantities of each traffic class"),
	S("congestion.kind", "", "the congestion control; this and the following only if there is one",
	  CONTROL(TEXT, kind)),
	S("congestion.throttles", "", "times that it held a pair of endpoints back", CONTROL(COUNT, throttles)),
	S("congestion.throttled_ns", "ns", "for how long, summed over pairs, as far as that has ended",
	  CONTROL(PS, throttled_ps)),
	S("congestion.control_frames", "frames", "that receivers, or their switches, sent to sources",
	  CONTROL(COUNT, frames)),
	S("congestion.requests", "frames", "that sources sent to receivers, or to their switches",
	  CONTROL(COUNT, requests)),
	S("congestion.acknowledgements", "", "of packets, that endpoints sent to sources", CONTROL(COUNT, acks)),
	S("congestion.acknowledgements_waited_ns", "ns",
	  "that these waited for each other on their way, summed; with nic.ack = \"hop\" only",
	  CONTROL(PS, acks_waited_ps)),
	S("congestion.marked", "", "acknowledgements that said that the packet had met congestion (ECN)",
	  CONTROL(COUNT, marked)),
	S("congestion.held_packets", "packets", "that waited for their destination while others passed them",
	  CONTROL(COUNT, held)),
	S("congestion.source_waits", "", "times that a source waited because nic.table packets did",
	  CONTROL(COUNT, source_waits)),
	S("congestion.pairs", "", "records of destinations that endpoints made", CONTROL(COUNT, pairs)),
	S("congestion.contributors", "", "records of sources that switches of receivers made",
	  CONTROL(COUNT, contributors)),
	S("retry.resent", "packets", "copies that endpoints sent again; this and the following only with nic.retry",
	  RETRY(COUNT, resent)),
	S("retry.timeouts", "packets", "of which nothing was known in time", RETRY(COUNT, timeouts)),
	S("retry.backoffs", "", "pauses of pairs of endpoints whose copies were lost again (nic.backoff)",
	  RETRY(COUNT, backoffs)),
	S("retry.probes", "", "frames without payload by which a congestion control asked what had come",
	  RETRY(COUNT, probes)),
	S("retry.dropped", "packets", "copies that switches dropped, and probes", RETRY(COUNT, dropped)),
	S("retry.trimmed", "packets", "copies of which only the header came", RETRY(COUNT, trimmed)),
	S("retry.damaged", "packets", "copies that were damaged on their last link (nic.loss), and probes",
	  RETRY(COUNT, damaged)),
	S("retry.damaged_acknowledgements", "", "acknowledgements that were", RETRY(COUNT, damaged_acks)),
	S("retry.duplicates", "packets", "that came, and had come before", RETRY(COUNT, duplicates)),
	S("retry.reordered", "packets", "that came before an earlier one from the same source",
	  RETRY(COUNT, reordered)),
	S("ordering.reordered", "packets",
	  "that came before an earlier one of their flow, and waited for it in the receiver's interface; this and the "
	  "following only with classes[].ordering",
	  ORDER(COUNT, reordered)),
	S("ordering.waited_ns", "ns", "for how long, summed, as far as that has ended", ORDER(PS, waited_ps)),
	S("ordering.paths", "", "ways out of a switch that were chosen for flows, with nic.ordering = \"path\"",
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
	S("switches.marked", "packets",
	  "times that a packet got a mark of congestion; this and the following only of switches of kind output-queued",
	  TALLY(COUNT, marks)),
	S("switches.trimmed", "packets", "that lost their payload for want of a place", TALLY(COUNT, trims)),
	S("switches.dropped", "packets", "that were dropped in switches", TALLY(COUNT, drops)),
	S("switches.pauses", "frames", "that asked a sender to pause", TALLY(COUNT, pauses)),
	S("switches.paused_ns", "ns", "for how long, summed over the ports that asked for it", TALLY(PS, paused_ps)),
	S("switches.pause_depth", "", "the longest chain of pauses, each sent because of the one before",
	  TALLY(COUNT, pause_depth)),
	S("switches.peak_queue_bytes", "B", "the most that the queue of an output held", TALLY(COUNT, peak_bytes)),
	S("engine.sync", "", "the scheduler", ENGINE(TEXT, sync)),
	S("engine.ranks", "ranks", "MPI ranks", ENGINE(SIGNED, ranks)),
	S("engine.threads", "threads",
	  "that shared all switches, in windows without speculation; 1: every rank ran its own",
	  ENGINE(SIGNED, threads)),
	S("engine.choice", "", "why ranks shared all switches or stayed apart, and went in step or not",
	  ENGINE(ARRAY, choice)),
	S("engine.line_ns", "ns", "a line of memory from the core of rank 0 to that of the last, measured for that",
	  .of = XP_ENGINE, .get = line_ns),
	S("engine.events_committed", "events", "events that count", ENGINE(COUNT, counters.events_committed)),
	S("engine.events_processed", "events", "executions, those that were undone included",
	  WORK(COUNT, events_processed)),
	S("engine.events_speculative", "events", "executions under the journal", WORK(COUNT, speculative)),
	S("engine.events_rolled_back", "events", "executions that were undone", WORK(COUNT, events_rolled_back)),
	S("engine.rollbacks", "", "times an LP went back", WORK(COUNT, rollbacks)),
	S("engine.anti_messages", "", "events cancelled after they were sent", WORK(COUNT, anti_messages)),
	S("engine.efficiency", "", "1 - rolled back / processed", .of = XP_WORK, .get = efficiency),
	S("engine.remote_events", "events", "sent to another rank", WORK(COUNT, remote_events)),
	S("engine.messages", "messages", "that carried them, and rounds", WORK(COUNT, messages)),
	S("engine.message_bytes", "B", "of events in messages", WORK(COUNT, message_bytes)),
	S("engine.windows", "windows", "executed by the rank that executed most", WORK(COUNT, windows)),
	S("engine.gvt_rounds", "rounds", "of GVT, or of the exchange that ends a conservative window",
	  WORK(COUNT, gvt_rounds)),
	S("engine.lps_moved", "LPs", "moves of a switch from one rank to another, see engine.balance",
	  WORK(COUNT, lps_moved)),
	S("engine.phase_s.execute", "s", "summed over ranks: handlers, and the events they send inside the rank",
	  PHASE(EXECUTE)),
	S("engine.phase_s.speculate", "s", "... the same under the journal", PHASE(SPECULATE)),
	S("engine.phase_s.queue", "s", "... gathering and sorting events", PHASE(QUEUE)),
	S("engine.phase_s.rollback", "s", "... undoing and cancelling", PHASE(ROLLBACK)),
	S("engine.phase_s.communicate", "s", "... sending and receiving messages, filing the events in them",
	  PHASE(COMMUNICATE)),
	S("engine.phase_s.wait", "s", "... nothing to do until news from other ranks", PHASE(WAIT)),
	S("engine.phase_s.gvt", "s", "... finding the least pending window, rounds of GVT", PHASE(GVT)),
	S("engine.phase_s.fossil", "s", "... commit, memory back to the pool", PHASE(FOSSIL)),
	S("engine.phase_s.other", "s", "... anything else", PHASE(OTHER)),
	S("engine.setup_s", "s", "wall time before the first event", SPEED(REAL, setup_s)),
	S("engine.wall_s", "s", "wall time of the simulation", SPEED(REAL, wall_s), ROW(16, SUM)),
	S("engine.event_rate_per_s", "events/s", "committed events over wall_s", .of = XP_SPEED, .get = event_rate),
	S("engine.packet_hops", "links", "links that packets crossed, terminal links included, over the whole run",
	  SPEED(COUNT, packet_hops)),
	S("engine.packet_hops_per_s", "links/s", "packet_hops over wall_s", .of = XP_SPEED, .get = packet_hop_rate,
	  ROW(15, MEAN)),
	S("engine.peak_rss_bytes", "B", "peak resident memory, summed over ranks", SPEED(COUNT, peak_rss_bytes),
	  ROW(17, MOST)),
	S("engine.peak_rss_rank_bytes", "B", "peak resident memory of the rank that has most",
	  SPEED(COUNT, peak_rss_rank_bytes)),
	S("digest", "", "hash of what the model computed; equal for every scheduler, number of ranks and partition",
	  ROW(18, ONE), RUNS(8)),
	{ .name = NULL },
};

const char *const xp_merge_names[XP_MERGES] = {
	[XP_MERGE_NOT] = "",
	[XP_MERGE_MEAN] = "mean",
	[XP_MERGE_KNOWN] = "mean of those that measured it",
	[XP_MERGE_SUM] = "sum",
	[XP_MERGE_MOST] = "largest",
	[XP_MERGE_ALL] = "true if all are",
	[XP_MERGE_ANY] = "true if one is",
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
