/* experiments/config/schema.c - see schema.h. Every fixed key of the configuration, with its default and range. */
#include "experiments/config/schema.h"

#include "experiments/config/classes.h"

#include "network/config.h"
#include "workload/workload.h"

#define AT(type, field) offsetof(struct type, field)
#define NO_LIMIT 0, 0
/* Times stay below 2^62 ps (53 days) so that sums of a few of them cannot overflow. */
#define TIME_LIMIT 0, 0x1p62

static const struct base_param top_table[] = {
	{ "seed", BASE_INT, AT(net_config, seed), "1", NULL, 0, 0x1p63, NULL,
	  "seed of all random numbers; the same seed gives the same result on any number of ranks", NULL },
	{ "plugins", BASE_FILES, AT(net_config, plugins), "", NULL, NO_LIMIT, NULL,
	  "shared objects with plug-ins, loaded before the rest is read; relative to the file they are written in",
	  NULL },
	{ "classes_profile", BASE_ENUM, AT(net_config, classes_profile), "none", NULL, NO_LIMIT, XP_PROFILES,
	  "instead of classes: those of a published profile, as traffic[].class names them: LL (low latency, capped), "
	  "BE, "
	  "BD, ET; or ET1 and ET2 for ET; hpc: LL, DA, BD, BE, ET",
	  "HPE's driver for Slingshot, cxi_qos_profiles.c" },
	{ "classes_sharing", BASE_ENUM, AT(net_config, sharing), "max-min-with-floors", NULL, NO_LIMIT,
	  "max-min-with-floors|minimum-plus-equal|proportional",
	  "how classes of one priority share what their minima leave of a link: max-min-with-floors: each has the "
	  "larger of its minimum and a level that is the same for all; minimum-plus-equal: its minimum and an equal "
	  "part of the rest; proportional: by their minima, one without has what the others leave",
	  "start-time fair queueing: Goyal, Vin and Cheng, SIGCOMM 1996" },
	{ 0 },
};

static const struct base_param time_table[] = {
	{ "warmup", BASE_AUTO_TIME, AT(net_time, warmup), "auto", NULL, TIME_LIMIT, NULL,
	  "simulated first, not measured; auto: 20us, or as long as it is found to take if precision is given",
	  "MSER: White, Cobb and Spratt 2000" },
	{ "measure", BASE_AUTO_TIME, AT(net_time, measure), "auto", NULL, 1, 0x1p62, NULL,
	  "length of the measured window after the warm-up; latency is that of packets created in it; auto: 200us, or "
	  "as long as precision wants",
	  NULL },
	{ "drain", BASE_ENUM, AT(net_time, drain), "auto", NULL, NO_LIMIT, "false|true|auto",
	  "after the window: false stops; true goes on, sources silent, until every packet has arrived; auto goes on, "
	  "sources included, until all measured packets have arrived or the network is proved saturated",
	  NULL },
	{ "precision", BASE_PERCENT, AT(net_time, precision), "", "of the value", 0.01, 50, NULL,
	  "measure until the 95 % intervals of mean latency, p99 latency and accepted load reach no further than this "
	  "to each side, or the network proves not to be stationary; instead of measure",
	  "batch means: Schmeiser 1982" },
	{ "limit", BASE_AUTO_TIME, AT(net_time, limit), "auto", NULL, 1, 0x1p62, NULL,
	  "a run with precision, or with a process that ends the run (goal), goes on no longer than this, to the end "
	  "of a "
	  "step with processes (docs/goal.md); auto: 10ms "
	  "with precision, else as long as is possible",
	  NULL },
	{ 0 },
};

const struct base_param xp_class_table[] = {
	{ "name", BASE_STRING, AT(net_class, name), "bulk", NULL, NO_LIMIT, NULL, "what traffic[].class refers to",
	  NULL },
	{ "dscp", BASE_INT, AT(net_class, dscp), "0", NULL, 0, 63, NULL,
	  "code point by which traffic[].dscp names the class", "RFC 2474" },
	{ "priority", BASE_INT, AT(net_class, priority), "0", NULL, 0, 255, NULL, "higher goes first", NULL },
	{ "min_bandwidth", BASE_FLOAT, AT(net_class, min_bandwidth), "0.0", "share of a link", 0, 1, NULL,
	  "guaranteed share", NULL },
	{ "max_bandwidth", BASE_FLOAT, AT(net_class, max_bandwidth), "1.0", "share of a link", 0, 1, NULL,
	  "largest share", NULL },
	{ "ordering", BASE_ENUM, AT(net_class, ordering), "none", NULL, NO_LIMIT, "none|flow",
	  "flow: packets of a flow, from one endpoint to another, are delivered in the order in which they were sent; "
	  "nic.ordering says how",
	  NULL },
	{ "lossless", BASE_ENUM, AT(net_class, lossless), "auto", NULL, NO_LIMIT, "auto|false|true",
	  "true: packets wait rather than be lost; false: they are lost rather than hold others back, where the switch "
	  "can do both (output-queued, with pfc); auto: as the switch is",
	  "De Sensi et al., SC 2020, section II.E" },
	{ "bias", BASE_STRING, AT(net_class, bias), "", NULL, NO_LIMIT, NULL,
	  "of adaptive routing, for packets of this class: a size, as routing.bias; default: routing.bias",
	  "De Sensi et al., SC 2020, section II.E" },
	{ 0 },
};

const struct base_param xp_job_table[] = {
	{ "name", BASE_STRING, AT(net_job, name), "", NULL, NO_LIMIT, NULL,
	  "name of the job in results; default: job0, job1, ...", NULL },
	{ "load", BASE_FLOAT, AT(net_job, load), NULL, "share of an endpoint's injection bandwidth", 0, 1, NULL,
	  "offered load; left out with a process", NULL },
	{ "packet", BASE_SIZES, AT(net_job, packet), "256B", NULL, 1, 1048576, NULL,
	  "packet size, or a list of sizes of a mix", NULL },
	{ "weight", BASE_INTS, AT(net_job, weight), "", NULL, 0, 1e6, NULL,
	  "how often each size of the mix comes, relative to the others; default: equally often", NULL },
	{ "message", BASE_SIZE, AT(net_job, message), "0B", NULL, 0, 1e9, NULL,
	  "message size; longer than a packet: it is split; 0B: every message is one packet", NULL },
	{ "sizes", BASE_ENUM, AT(net_job, sizes), "none", NULL, NO_LIMIT, WL_SIZES,
	  "message sizes drawn from a published distribution, in place of message: DCTCP's web search, Facebook's "
	  "hadoop, cache-follower and web-server, VL2's data-mining, Alibaba's storage; load is kept by their mean",
	  "Alizadeh et al., SIGCOMM 2010; Roy et al., SIGCOMM 2015; Greenberg et al., SIGCOMM 2009; Li et al., SIGCOMM "
	  "2019; points as in docs/traffic.md" },
	{ "sizes_file", BASE_FILE, AT(net_job, sizes_file), "", NULL, NO_LIMIT, NULL,
	  "the same from a file: lines of bytes and the share of messages of at most so many, up to 1 or 100 per cent; "
	  "between two lines sizes are spread evenly",
	  NULL },
	{ "class", BASE_STRING, AT(net_job, class_name), "", NULL, NO_LIMIT, NULL,
	  "traffic class; default: the first of classes", NULL },
	{ "dscp", BASE_AUTO_INT, AT(net_job, dscp), "auto", NULL, 0, 63, NULL,
	  "instead of class: the DSCP code point of its packets, which says the class by classes[].dscp", "RFC 2474" },
	{ "nodes", BASE_STRING, AT(net_job, nodes), "all", "endpoints", NO_LIMIT, NULL,
	  "those of the job: \"all\", ranges \"0-99,200\", or a count 512 placed by allocation", NULL },
	{ "allocation", BASE_ENUM, AT(net_job, allocation), "linear", NULL, NO_LIMIT, "linear|interleaved|random",
	  "how a count of nodes is placed", NULL },
	{ "processes_per_node", BASE_AUTO_INT, AT(net_job, processes_per_node), "auto", NULL, 1, 4096, NULL,
	  "processes of the job at each of its nodes, with consecutive ranks unless mapping says otherwise; they share "
	  "the interface (nic.sharing), and messages between them stay inside the node (section node). auto: as many "
	  "as the mapping file names a node at most, else 1",
	  "ntasks-per-node of Slurm, ppn of MPI launchers" },
	{ "start", BASE_TIME, AT(net_job, start), "0ps", NULL, TIME_LIMIT, NULL, "when it begins to send", NULL },
	{ "stop", BASE_TIME, AT(net_job, stop), "0ps", NULL, TIME_LIMIT, NULL, "when it stops to send; 0ps: never",
	  NULL },
	{ "burst_length", BASE_TIME, AT(net_job, burst_length), "0ps", NULL, TIME_LIMIT, NULL,
	  "from its start on the job sends for so long, pauses for burst_pause, and so on, all its endpoints at "
	  "the same times: messages are created, at the load that is given, and iterations of a process begin, in "
	  "bursts only; "
	  "0ps: it sends all the time",
	  "Blink: De Sensi et al., SC20" },
	{ "burst_pause", BASE_TIME, AT(net_job, burst_pause), "0ps", NULL, TIME_LIMIT, NULL,
	  "between two bursts of burst_length, in which no packet of a pattern leaves its endpoint", NULL },
	{ "burst_backlog", BASE_ENUM, AT(net_job, burst_backlog), "carry", NULL, NO_LIMIT, "carry|drop|closed",
	  "messages of a pattern that had no time to leave in the burst in which they were created: carry: they leave "
	  "in "
	  "the next bursts, in order; drop: they are discarded when the burst ends, and counted, except one of which a "
	  "packet has left; closed: there are none, because a message is created when the network interface has taken "
	  "the one before it, at the earliest",
	  NULL },
	{ "isolate", BASE_BOOL, AT(net_job, isolate), "false", NULL, NO_LIMIT, NULL,
	  "the run simulates the job alone as well, before all together, and tells its impact: how many times as long "
	  "its iterations, or its packets, take with the others as without them",
	  "congestion impact: De Sensi et al., SC20; Chunduri et al., SC19" },
	{ 0 },
};

/* Offsets are from the section's struct net_choice. */
static const struct base_param routing_table[] = {
	{ "unsafe", BASE_BOOL, AT(net_config, routing_unsafe) - AT(net_config, routing), "false", NULL, NO_LIMIT, NULL,
	  "run even with fewer virtual channels than the routing needs: the network may deadlock", NULL },
	{ 0 },
};

/* Offsets are from the section's struct net_choice, with which struct net_cost begins. */
static const struct base_param cost_table[] = {
	{ "radix", BASE_ENUM, AT(net_cost, choice.radix), "largest", NULL, NO_LIMIT, "largest|used",
	  "every switch is bought with as many ports as the largest uses, or with those that it uses", NULL },
	{ "media", BASE_ENUM, AT(net_cost, choice.media), "reach", NULL, NO_LIMIT, "reach|cheaper",
	  "copper within layout.copper, else optical; or whichever of the two is cheaper", NULL },
	{ 0 },
};

const struct base_param xp_nic_table[] = {
	{ "table", BASE_INT, AT(net_nic_config, table), "64", "packets", 1, 1e6, NULL,
	  "packets at an endpoint that congestion control, or the limit of numbers of nic.retry, holds back while "
	  "those for other destinations pass them; of each traffic class where classes have lanes. With so many a "
	  "source whose next packet would be held back waits, and what it sends behind that",
	  NULL },
	{ "overhead_send", BASE_TIME, AT(net_nic_config, overhead_send), "0ps", NULL, 0, 1e12, NULL,
	  "what an endpoint is busy with each message that one of its processes sends, before the interface has it; it "
	  "does one thing at a time",
	  "o of LogP: Culler et al., PPoPP 1993" },
	{ "overhead_receive", BASE_TIME, AT(net_nic_config, overhead_receive), "0ps", NULL, 0, 1e12, NULL,
	  "the same for each message that has come, before its process gets it", "as overhead_send" },
	{ "latency", BASE_TIME, AT(net_nic_config, latency), "0ps", NULL, 0, 1e12, NULL,
	  "what the interface takes, each way, for a message of a process; it works on many at a time", NULL },
	{ "ack_stage", BASE_AUTO_TIME, AT(net_nic_config, ack_stage), "auto", NULL, TIME_LIMIT, NULL,
	  "what an acknowledgement or a control frame takes in each switch that it passes on its way back; auto: as "
	  "long "
	  "as the head of a packet takes through an idle switch. No acknowledgement may be faster than what switches "
	  "send "
	  "ahead of themselves",
	  NULL },
	{ "ack", BASE_ENUM, AT(net_nic_config, ack), "event", NULL, NO_LIMIT, "event|hop",
	  "how acknowledgements of packets travel. event: at once, for as long as the way back takes, and they meet no "
	  "others; hop: from switch to switch, one after the other on each link, for small networks: it shows what "
	  "event leaves out",
	  NULL },
	{ "ack_width", BASE_FLOAT, AT(net_nic_config, ack_width), "0", "share of a link", 0, 1, NULL,
	  "what carries acknowledgements beside the data: each takes its bytes' time at so much of the link's rate, "
	  "and traffic that may want more of it is refused; 0: they take no time, and are sent only where somebody "
	  "reads them",
	  NULL },
	{ "ack_bytes", BASE_SIZE, AT(net_nic_config, ack_bytes), "4B", NULL, 1, 4096, NULL,
	  "of an acknowledgement, with nic.ack_width",
	  "four bytes in the reverse direction for every packet: De Sensi et al., SC20, II.C" },
	{ "ack_every", BASE_SIZE, AT(net_nic_config, ack_every), "0B", NULL, 0, 0x1p31, NULL,
	  "with nic.retry: an acknowledgement only when so many bytes have come, or a packet that is marked, the "
	  "first, "
	  "the "
	  "last that its source may send now, or the last that was missing; it says all that has come. 0B: of each "
	  "packet",
	  NULL },
	{ "retry", BASE_ENUM, AT(net_nic_config, retry), "auto", NULL, NO_LIMIT, "auto|on|off",
	  "send packets again that are lost, and deliver each once; auto: where switches may drop or trim packets, or "
	  "with nic.loss",
	  NULL },
	{ "timeout", BASE_AUTO_TIME, AT(net_nic_config, timeout), "auto", NULL, TIME_LIMIT, NULL,
	  "a packet is sent again when so long after an unloaded round trip nothing is known of it; auto: 15 us, and "
	  "six "
	  "times what a terminal link takes for a switch's buffer, up to 1 ms. It does not grow when packets are "
	  "lost "
	  "again: nic.backoff",
	  NULL },
	{ "backoff", BASE_TIME, AT(net_nic_config, backoff), "1ms", NULL, TIME_LIMIT, NULL,
	  "when what was sent again is lost again, its pair of endpoints sends nothing for an unloaded round trip, the "
	  "next time for two, four, and so on up to this; an acknowledgement takes one step back. Where the congestion "
	  "control follows losses: from the 32nd loss of a packet on, up to 64 round trips. Without it headers of "
	  "trimmed packets can fill a link for ever. 0ps: "
	  "no pauses",
	  NULL },
	{ "per_node", BASE_INT, AT(net_nic_config, per_node), "1", NULL, 1, 64, NULL,
	  "interfaces of a node. Switches are taken in blocks of so many; the endpoints at one place of all switches "
	  "of "
	  "a block are the interfaces of one node. Jobs' nodes are then nodes: a process has all interfaces of its "
	  "node and is at the first, a pattern's endpoints are the interfaces",
	  NULL },
	{ "choose", BASE_ENUM, AT(net_nic_config, choose), "pair", NULL, NO_LIMIT, "pair|message",
	  "with nic.per_node: the interface of a message, the same of both nodes. pair: one for all messages between "
	  "two nodes, the sum of their numbers modulo nic.per_node; message: the node's next one with each message",
	  NULL },
	{ "order", BASE_ENUM, AT(net_nic_config, order), "blocking", NULL, NO_LIMIT, "blocking|fifo|round-robin",
	  "in which order messages of a process leave its interface. blocking: what a process posts behind a blocking "
	  "send of MPI leaves when that has left, and other messages take turns by destination, packet by packet; "
	  "fifo: "
	  "one after the other, as they were posted (one send queue); round-robin: all take turns by destination, "
	  "packet "
	  "by packet (a queue pair for each)",
	  NULL },
	{ "sharing", BASE_ENUM, AT(net_nic_config, sharing), "fair", NULL, NO_LIMIT, "fair|in-order",
	  "how processes of a node share an interface. fair: each has a queue for each destination, as queue pairs "
	  "are, and these take turns, packet by packet; in-order: one queue for all, message after message, as the "
	  "processes hand them over",
	  NULL },
	{ "ordering", BASE_ENUM, AT(net_nic_config, ordering), "path", NULL, NO_LIMIT, "path|receiver",
	  "how order is kept in classes with ordering = \"flow\". path: packets of a flow that has some in flight "
	  "follow "
	  "the first of these through the same queues, and adaptive routing chooses a path for a flow; receiver: "
	  "packets take any way. In both, those that come before an earlier one wait for it in the receiver's "
	  "interface",
	  "shs-docs, RDMA protocol and traffic classes: HPE" },
	{ "loss", BASE_FLOAT, AT(net_nic_config, loss), "0", NULL, 0, 0.5, NULL,
	  "chance that a packet is damaged on its last link, and discarded; the same for its acknowledgement", NULL },
	{ 0 },
};

const struct base_param xp_node_table[] = {
	{ "bandwidth", BASE_RATE, AT(net_node_config, bandwidth), "1Tbps", NULL, 1e3, 1e18, NULL,
	  "rate at which a node's memory carries messages between its processes, all together: those that copy share "
	  "it equally. The default, 125 GB/s, is assumed: two sockets of eight DDR4-3200 channels move 410 GB/s, and a "
	  "copied byte is read once and written once, after its line was read",
	  NULL },
	{ "copy", BASE_RATE, AT(net_node_config, copy), "80Gbps", NULL, 1e3, 1e18, NULL,
	  "rate at which one process copies its messages, one after the other, to others of its node. The default, "
	  "10 GB/s, is what SimGrid assumes of its loopback",
	  "network/loopback-bw of SimGrid" },
	{ "latency", BASE_TIME, AT(net_node_config, latency), "300ns", NULL, 0, 1e12, NULL,
	  "from when such a message has been copied until its receiver has it. The default is assumed: half a round "
	  "trip of a short message through shared memory takes 0.2 to 0.5 us in MPI libraries",
	  NULL },
	{ 0 },
};

const struct base_param xp_mpi_table[] = {
	{ "collectives", BASE_STRING, AT(net_mpi_config, collectives), "basic", NULL, NO_LIMIT, "preset",
	  "which algorithms collectives are carried out by: \"openmpi-4.1\" or \"mpich-4.0\", which choose by size and "
	  "ranks, or \"basic\", one for each; and by name, as in \"mpich-4.0, allreduce = ring\", which may be written "
	  "as a group, { preset = \"mpich-4.0\"; allreduce = \"ring\"; }",
	  NULL },
	{ "eager", BASE_SIZE, AT(net_mpi_config, eager), "8KiB", NULL, 0, 1e12, NULL,
	  "longer messages wait for their receive: a message asks for it, another one answers, and the data follow",
	  NULL },
	{ "control", BASE_SIZE, AT(net_mpi_config, control), "64B", NULL, 1, 1e6, NULL, "of these two messages", NULL },
	{ "overhead", BASE_TIME, AT(net_mpi_config, overhead), "0ps", NULL, 0, 1e12, NULL,
	  "what each call of MPI takes its rank, besides nic.overhead_send and nic.overhead_receive of its messages",
	  NULL },
	{ 0 },
};

static const struct base_param record_table[] = {
	{ "timeline", BASE_TIME, AT(net_record, timeline), "0ps", NULL, TIME_LIMIT, NULL,
	  "bin width of the packets and bytes over time; 0ps: not recorded", NULL },
	{ "histograms", BASE_BOOL, AT(net_record, histograms), "true", NULL, NO_LIMIT, NULL,
	  "latency distribution of each job", NULL },
	{ "ports", BASE_BOOL, AT(net_record, ports), "false", NULL, NO_LIMIT, NULL,
	  "traffic, utilisation and queue of every output port and virtual channel", NULL },
	{ "activity", BASE_BOOL, AT(net_record, activity), "false", NULL, NO_LIMIT, NULL,
	  "sends and receives of every switch over time, in the bins of timeline", NULL },
	{ "switch", BASE_BOOL, AT(net_record, instruments), "false", NULL, NO_LIMIT, NULL,
	  "the switch's instruments: utilisation, occupancy and latency by stage inside it", NULL },
	{ "switches", BASE_STRING, AT(net_record, switches), "", NULL, NO_LIMIT, NULL,
	  "whose instruments: \"all\" or ranges \"0-3,17\"; default: the first 64", NULL },
	{ "ranks", BASE_BOOL, AT(net_record, ranks), "false", NULL, NO_LIMIT, NULL,
	  "of applications: where each rank's time went, by call, and over time, in up to 512 bins; ranks beyond 128 "
	  "share rows there",
	  NULL },
	{ "path", BASE_BOOL, AT(net_record, path), "false", NULL, NO_LIMIT, NULL,
	  "of applications: the chain of computations and messages that their end depends on; 40 bytes for each "
	  "message "
	  "and computation of the run",
	  "critical path: Yang and Miller, ICDCS 1988" },
	{ "packets", BASE_BOOL, AT(net_record, packets), "false", NULL, NO_LIMIT, NULL, "every delivered packet",
	  NULL },
	{ "messages", BASE_BOOL, AT(net_record, messages), "false", NULL, NO_LIMIT, NULL,
	  "every message or flow that has come: start, end, bytes, slowdown against the empty network, and slowdowns "
	  "by size in the summary; 48 bytes for each",
	  NULL },
	{ 0 },
};

static const struct base_param engine_table[] = {
	{ "sync", BASE_ENUM, AT(net_engine, sync), "auto", NULL, NO_LIMIT, "sequential|conservative|optimistic|auto",
	  "how ranks are kept in step; auto: sequential on one rank; on several conservative if each has "
	  "some 500 events in the least link latency, else optimistic",
	  NULL },
	{ "partition", BASE_ENUM, AT(net_engine, partition), "block", NULL, NO_LIMIT, "block|random|metis",
	  "which switches go to which rank, at first", NULL },
	{ "balance", BASE_ENUM, AT(net_engine, balance), "on", NULL, NO_LIMIT, "off|on|shake",
	  "on: switches go from a rank that others wait for to its neighbour while the run goes on; shake: at random "
	  "(a test of the engine)",
	  NULL },
	{ "threads", BASE_AUTO_INT, AT(net_engine, threads), "auto", NULL, 1, 1024, NULL,
	  "threads of each rank, which share its switches; auto: one; but several ranks on one host whose cores pass "
	  "memory on fast, and that are not optimistic, become one rank with as many threads",
	  NULL },
	{ "window", BASE_TIME, AT(net_engine, window), "0ps", NULL, TIME_LIMIT, NULL,
	  "simulated time that is executed at once, 1.07 ms at most even if more is asked for; 0ps: the lookahead, of "
	  "a lone switch the time of the largest "
	  "packet",
	  NULL },
	{ "optimism", BASE_INT, AT(net_engine, optimism), "4", "windows", 1, 1e6, NULL,
	  "how far an optimistic rank may be ahead of GVT: bounds its memory", NULL },
	{ "gvt_interval", BASE_INT, AT(net_engine, gvt_interval), "1", "windows", 1, 1e6, NULL,
	  "windows between two rounds of GVT", NULL },
	{ "stress", BASE_INT, AT(net_engine, stress), "0", "per cent", 0, 100, NULL,
	  "pairs of switches whose events are made artificially late to force rollbacks (a test of the engine); 0: "
	  "off; else sync is to be optimistic, and auto is",
	  NULL },
	{ "path", BASE_ENUM, AT(net_engine, path), "auto", NULL, NO_LIMIT, "auto|exact",
	  "auto: endpoints are decided on ahead of time where nothing reacts to what they get; exact: always at the "
	  "instant of sending, in some events more (a test of the network). The digest is the same where the run "
	  "goes on until all has arrived (time.drain = true), see docs/congestion.md",
	  NULL },
	{ "audit", BASE_BOOL, AT(net_engine, audit), "false", NULL, NO_LIMIT, NULL,
	  "run every event forward, back and forward, and compare the state, that of switches beyond 32 KiB at some "
	  "events of each kind (a test of the models)",
	  NULL },
	{ 0 },
};

static const struct base_param output_table[] = {
	{ "file", BASE_STRING, AT(net_output, file), "", NULL, NO_LIMIT, NULL,
	  "result log: FILE.jsonl.gz, FILE.jsonl (plain) or - (plain, on standard output), relative to the working "
	  "folder; left out: none is written",
	  NULL },
	{ "csv", BASE_BOOL, AT(net_output, csv), "false", NULL, NO_LIMIT, NULL, "write the tables as .csv.gz too",
	  NULL },
	{ 0 },
};

static const struct base_param formula_table[] = {
	{ "kind", BASE_ENUM, AT(net_formula, kind), "switched", NULL, NO_LIMIT, "switched|" NET_FORMULAS,
	  "switched: switches and links, as the other sections say; else a formula, on which schedules and models are "
	  "played (processes goal, aspen and chakra): nothing contends inside the network",
	  "LogGOPS: Hoefler, Schneider and Lumsdaine, HPDC 2010; LogGP: Alexandrov et al., SPAA 1995; SimpleNet: "
	  "CODES; loggops-atlahs: spcl/atlahs" },
	{ "L", BASE_TIME, AT(net_formula, L), "2500ns", NULL, 0, 1e15, NULL, "latency of a message", NULL },
	{ "o", BASE_TIME, AT(net_formula, o), "1500ns", NULL, 0, 1e15, NULL,
	  "processor's time for a message, at both ends", NULL },
	{ "g", BASE_TIME, AT(net_formula, g), "1000ns", NULL, 0, 1e15, NULL, "between messages of an interface", NULL },
	{ "G", BASE_FLOAT, AT(net_formula, G), "6000", "ps a byte", 0, 1e9, NULL, "interface's time for a byte", NULL },
	{ "O", BASE_FLOAT, AT(net_formula, O), "0", "ps a byte", 0, 1e9, NULL, "processor's time for a byte", NULL },
	{ "S", BASE_AUTO_SIZE, AT(net_formula, S), "auto", NULL, 0, 1e15, NULL,
	  "longer messages wait for their receive; auto: 65535B, but mpi.eager of recorded MPI calls, and no message "
	  "of "
	  "Chakra waits",
	  NULL },
	{ "compat", BASE_BOOL, AT(net_formula, compat), "false", NULL, NO_LIMIT, NULL,
	  "what the original program answers: LogGOPSim's order of what happens at one time, on all ranks together, "
	  "messages of 0 bytes, and receives of another size than the message; CODES' LogGP without o",
	  NULL },
	{ 0 },
};

#define PICK(key, kind, standard, offset)           \
	{                                           \
		{                                   \
			key, kind, standard, offset \
		}                                   \
	}

const struct xp_section xp_sections[] = {
	{ .path = "", .help = "keys outside all groups", .table = top_table, .inherit = -1 },
	{ .path = "time",
	  .help = "how long to simulate",
	  .table = time_table,
	  .conditions = xp_time_conditions,
	  .offset = AT(net_config, time),
	  .inherit = -1 },
	{ .path = "network",
	  .help = "switches and links, or a formula in their place (docs/goal.md)",
	  .table = formula_table,
	  .conditions = xp_formula_conditions,
	  .offset = AT(net_config, formula),
	  .inherit = -1 },
	{ .path = "topology",
	  .help = "the graph of switches and where endpoints sit",
	  .pick = PICK("kind", "topology", NULL, 0),
	  .offset = AT(net_config, topology),
	  .inherit = -1 },
	{ .path = "links.default",
	  .help = "every link",
	  .table = xp_default_link_table,
	  .offset = AT(net_config, link_default),
	  .inherit = -1 },
	{ .path = "links.terminal",
	  .help = "links between endpoints and switches",
	  .table = xp_link_table,
	  .offset = AT(net_config, link_terminal),
	  .inherit = AT(net_config, link_default) },
	{ .path = "links.override",
	  .help = "a list: cables that differ from the links of their class, or are absent",
	  .table = topo_override_table,
	  .offset = AT(net_config, overrides),
	  .entry_bytes = sizeof(struct topo_override),
	  .count_offset = AT(net_config, noverrides),
	  .inherit = -1,
	  .may_miss = true },
	{ .path = "links.*",
	  .help = "links of one class of the topology, named like the class: local within a group and global between "
	          "groups, or what the plug-in or the file of an edges topology says",
	  .table = xp_link_table,
	  .offset = AT(net_config, links),
	  .entry_bytes = sizeof(struct net_link_class),
	  .count_offset = AT(net_config, nlinks),
	  .inherit = AT(net_config, link_default),
	  .may_miss = true,
	  .named = true },
	{ .path = "switch",
	  .help = "what is inside a switch",
	  .pick = PICK("kind", "switch", "ideal", 0),
	  .offset = AT(net_config, sw),
	  .inherit = -1 },
	{ .path = "layout",
	  .help =
	      "where racks stand, for lengths of cables: what tilefly cost counts, and what latency = \"layout\" says. "
	      "What stands in one rack is the family's rule, see docs/cost.md",
	  .table = topo_layout_table,
	  .conditions = topo_layout_conditions,
	  .offset = AT(net_config, layout),
	  .inherit = -1 },
	{ .path = "cost",
	  .help = "prices, for tilefly cost; a run does not ask for them",
	  .table = cost_table,
	  .conditions = xp_cost_conditions,
	  .pick = PICK("kind", "cost", "none", 0),
	  .offset = AT(net_config, cost),
	  .inherit = -1 },
	{ .path = "routing",
	  .help = "which way packets go",
	  .table = routing_table,
	  .pick = PICK("kind", "routing", "minimal", 0),
	  .offset = AT(net_config, routing),
	  .inherit = -1 },
	{ .path = "congestion",
	  .help = "congestion control at the endpoints",
	  .pick = PICK("kind", "congestion", "none", 0),
	  .offset = AT(net_config, congestion),
	  .inherit = -1 },
	{ .path = "nic",
	  .help = "network interfaces of the endpoints",
	  .table = xp_nic_table,
	  .offset = AT(net_config, nic),
	  .inherit = -1 },
	{ .path = "node",
	  .help =
	      "messages between processes of one node, which do not cross the network: "
	      "traffic[].processes_per_node. Such a message takes bytes / min(copy, bandwidth / processes that copy) "
	      "and latency",
	  .table = xp_node_table,
	  .offset = AT(net_config, node),
	  .inherit = -1 },
	{ .path = "mpi",
	  .help = "how processes that stand for MPI programs communicate",
	  .table = xp_mpi_table,
	  .offset = AT(net_config, mpi),
	  .inherit = -1 },
	{ .path = "failures",
	  .help = "what fails on cables between switches, and when, a list; default: nothing",
	  .table = xp_failure_table,
	  .conditions = xp_failure_conditions,
	  .offset = AT(net_config, failures),
	  .entry_bytes = sizeof(struct net_failure),
	  .count_offset = AT(net_config, nfailures),
	  .inherit = -1,
	  .may_miss = true },
	{ .path = "classes",
	  .help = "traffic classes, a list; default: one class with every default",
	  .table = xp_class_table,
	  .offset = AT(net_config, classes),
	  .entry_bytes = sizeof(struct net_class),
	  .count_offset = AT(net_config, nclasses),
	  .inherit = -1,
	  .may_miss = true },
	{ .path = "traffic",
	  .help = "jobs, a list of at least one; the keys of the chosen process, pattern and injection stand beside "
	          "these; with a process neither pattern nor injection is chosen",
	  .unless = "process",
	  .table = xp_job_table,
	  .conditions = xp_job_conditions,
	  .pick = { { "process", "process", "none", AT(net_job, process) },
	            { "pattern", "pattern", "uniform", AT(net_job, pattern) },
	            { "injection", "injection", "poisson", AT(net_job, injection) } },
	  .offset = AT(net_config, jobs),
	  .entry_bytes = sizeof(struct net_job),
	  .count_offset = AT(net_config, njobs),
	  .inherit = -1 },
	{ .path = "record",
	  .help = "what goes into the result log",
	  .table = record_table,
	  .conditions = xp_record_conditions,
	  .offset = AT(net_config, record),
	  .inherit = -1 },
	{ .path = "engine",
	  .help = "how to simulate; nothing here changes a result",
	  .table = engine_table,
	  .conditions = xp_engine_conditions,
	  .offset = AT(net_config, engine),
	  .inherit = -1 },
	{ .path = "output",
	  .help = "where results go",
	  .table = output_table,
	  .conditions = xp_output_conditions,
	  .offset = AT(net_config, output),
	  .inherit = -1 },
	{ .path = NULL },
};

const char *xp_param_type_text(const struct base_param *p)
{
	static const char *const text[] = {
		[BASE_BOOL] = "bool",
		[BASE_INT] = "whole number",
		[BASE_FLOAT] = "number",
		[BASE_STRING] = "text",
		[BASE_ENUM] = "choice",
		[BASE_TIME] = "time",
		[BASE_RATE] = "rate",
		[BASE_SIZE] = "size",
		[BASE_AUTO_TIME] = "time or \"auto\"",
		[BASE_AUTO_SIZE] = "size or \"auto\"",
		[BASE_PERCENT] = "percentage",
		[BASE_MEASURE] = "quantity",
		[BASE_LENGTH] = "length",
		[BASE_INTS] = "list of whole numbers",
		[BASE_BOOLS] = "bool or list of bools",
		[BASE_SIZES] = "size or list of sizes",
		[BASE_AUTO_INT] = "whole number or \"auto\"",
		[BASE_FILE] = "file name",
		[BASE_FILES] = "list of file names",
		[BASE_PLUGIN] = "choice",
	};
	if (p->type == BASE_STRING && p->unit)
		return "text or whole number";
	if (p->type == BASE_AUTO_TIME && p->choices)
		return "time or \"" NET_LATENCY_WORD "\"";
	return text[p->type];
}
