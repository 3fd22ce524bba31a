/* experiments/results/statistics.c - see statistics.h. A test compares the names with what `run --json` prints. */
#include "experiments/results/statistics.h"

#include <stddef.h>

#define LATENCY(name, what)                                                                                      \
	{ name ".min", "ns", what ", least" }, { name ".mean", "ns", what ", mean" },                            \
	    { name ".p50", "ns", what ", median" }, { name ".p90", "ns", what ", 90th percentile" },             \
	    { name ".p99", "ns", what ", 99th percentile" }, { name ".p999", "ns", what ", 99.9th percentile" }, \
	{                                                                                                        \
		name ".max", "ns", what ", largest"                                                              \
	}

const struct xp_statistic xp_statistics[] = {
	{ "complete", "", "false if the run was interrupted or failed before its end" },
	{ "seed", "", "seed of all random numbers" },
	{ "topology.kind", "", "the topology" },
	{ "topology.switches", "switches", "number of switches" },
	{ "topology.endpoints", "endpoints", "number of endpoints" },
	{ "topology.links", "cables", "bidirectional cables between switches" },
	{ "topology.diameter", "hops", "longest shortest path between switches; null where it was not computed" },
	{ "simulated_ns", "ns", "simulated time that the result covers" },
	{ "measured_from_ns", "ns", "start of the measured window" },
	{ "measured_to_ns", "ns", "its end" },
	{ "stationary", "",
	  "false: the backlog of packets grew, or mean latency did, as long as the run went on, so latency depends on "
	  "how "
	  "long that was; null: not decided. Not with time.drain = true or false" },
	{ "precise", "", "with time.precision: the intervals are as narrow as was asked for" },
	{ "warmup_found_ns", "ns", "with time.precision: the warm-up that was found, null if none was" },
	{ "interval.accepted_load[]", "of injection bandwidth", "with time.precision: 95 % interval, from and to" },
	{ "interval.latency_ns.mean[]", "ns", "... of mean latency; only if stationary" },
	{ "interval.latency_ns.p99[]", "ns", "... of the 99th percentile of latency; only if stationary" },
	{ "batches", "",
	  "with time.precision: batches that the interval of mean latency is made from, or of accepted load if not "
	  "stationary" },
	{ "lag1_correlation", "", "... correlation of neighbouring batches' mean latency" },
	{ "backlog_growth", "", "... created less delivered bytes over the judged window, relative to created" },
	{ "latency_drift", "",
	  "... change of mean latency over the measured window by linear regression, relative; of accepted load if not "
	  "stationary" },
	{ "still_filling", "",
	  "only if not stationary: what is inside the network still grew over the measured window, so the accepted "
	  "load "
	  "is that of a network that fills; a longer time.warmup gives that of a full one" },
	{ "vcs", "", "virtual channels of every network port" },
	{ "idle_switches", "switches", "switches that a traffic pattern leaves idle" },
	{ "stall", "", "only when the network stalled: where packets wait for each other" },
	{ "offered_load", "of injection bandwidth",
	  "bytes created in the measured window, over what the endpoints could inject" },
	{ "accepted_load", "of injection bandwidth",
	  "bytes delivered in the measured window, whenever created, over the same" },
	{ "packets.created", "packets", "made by the arrival processes over the whole run" },
	{ "packets.injected", "packets", "that left their endpoint" },
	{ "packets.delivered", "packets", "that arrived" },
	{ "packets.dropped", "packets", "lost; created = delivered + in_flight + queued + dropped holds exactly" },
	{ "packets.in_flight", "packets", "in the network at the end" },
	{ "packets.queued", "packets", "waiting at their source at the end" },
	LATENCY("latency_ns", "creation to arrival of the last byte, of packets created in the measured window"),
	LATENCY("network_latency_ns", "start of injection to arrival of the last byte, of the same packets"),
	LATENCY("message_latency_ns", "creation to arrival of the last packet of messages of several packets"),
	{ "latency_censored", "", "true if more than 1 % of the measured packets were still under way at the end" },
	{ "hops.mean", "hops", "switch-to-switch links taken, mean" },
	{ "hops.max", "hops", "switch-to-switch links taken, most" },
	{ "minimal_fraction", "", "measured packets that took a minimal route" },
	{ "jobs[]", "", "the same quantities of each job" },
	{ "jobs[].endpoints", "endpoints", "endpoints of the job that send" },
	{ "jobs[].idle_endpoints", "endpoints", "endpoints of the job that its pattern leaves idle" },
	{ "classes[]", "", "the same quantities of each traffic class" },
	{ "engine.sync", "", "the scheduler" },
	{ "engine.ranks", "ranks", "MPI ranks" },
	{ "engine.threads", "threads",
	  "that shared all switches, in windows without speculation; 1: every rank ran its own" },
	{ "engine.choice", "", "why ranks shared all switches or stayed apart, and went in step or not" },
	{ "engine.line_ns", "ns", "a line of memory from the core of rank 0 to that of the last, measured for that" },
	{ "engine.events_committed", "events", "events that count" },
	{ "engine.events_processed", "events", "executions, those that were undone included" },
	{ "engine.events_speculative", "events", "executions under the journal" },
	{ "engine.events_rolled_back", "events", "executions that were undone" },
	{ "engine.rollbacks", "", "times an LP went back" },
	{ "engine.anti_messages", "", "events cancelled after they were sent" },
	{ "engine.efficiency", "", "1 - rolled back / processed" },
	{ "engine.remote_events", "events", "sent to another rank" },
	{ "engine.messages", "messages", "that carried them, and rounds" },
	{ "engine.message_bytes", "B", "of events in messages" },
	{ "engine.windows", "windows", "executed by the rank that executed most" },
	{ "engine.gvt_rounds", "rounds", "of GVT, or of the exchange that ends a conservative window" },
	{ "engine.lps_moved", "LPs", "moves of a switch from one rank to another, see engine.balance" },
	{ "engine.phase_s.execute", "s", "summed over ranks: handlers, and the events they send inside the rank" },
	{ "engine.phase_s.speculate", "s", "... the same under the journal" },
	{ "engine.phase_s.queue", "s", "... gathering and sorting events" },
	{ "engine.phase_s.rollback", "s", "... undoing and cancelling" },
	{ "engine.phase_s.communicate", "s", "... sending and receiving messages, filing the events in them" },
	{ "engine.phase_s.wait", "s", "... nothing to do until news from other ranks" },
	{ "engine.phase_s.gvt", "s", "... finding the least pending window, rounds of GVT" },
	{ "engine.phase_s.fossil", "s", "... commit, memory back to the pool" },
	{ "engine.phase_s.other", "s", "... anything else" },
	{ "engine.setup_s", "s", "wall time before the first event" },
	{ "engine.wall_s", "s", "wall time of the simulation" },
	{ "engine.event_rate_per_s", "events/s", "committed events over wall_s" },
	{ "engine.packet_hops", "links", "links that packets crossed, terminal links included, over the whole run" },
	{ "engine.packet_hops_per_s", "links/s", "packet_hops over wall_s" },
	{ "engine.peak_rss_bytes", "B", "peak resident memory, summed over ranks" },
	{ "engine.peak_rss_rank_bytes", "B", "peak resident memory of the rank that has most" },
	{ "digest", "", "hash of what the model computed; equal for every scheduler, number of ranks and partition" },
	{ NULL, NULL, NULL },
};
