/* experiments/config/schema.c - see schema.h. Every fixed key of the configuration, with its default and range. */
#include "experiments/config/schema.h"

#include "experiments/config/classes.h"
#include "experiments/config/stack.h"

#include "network/config.h"
#include "workload/workload.h"

#define AT(type, field) offsetof(struct type, field)
#define NO_LIMIT 0, 0
/* Times stay below 2^62 ps (53 days) so that sums of a few of them cannot overflow. */
#define TIME_LIMIT 0, 0x1p62

static const struct base_param top_table[] = {
	{ "seed", BASE_INT, AT(net_config, seed), "1", NULL, 0, 0x1p63, NULL,
	  "seed of all random numbers; the result for a given seed is the same on any number of ranks", NULL },
	{ "plugins", BASE_FILES, AT(net_config, plugins), "", NULL, NO_LIMIT, NULL,
	  "shared objects with plug-ins, loaded before the rest of the configuration is read; paths are relative to "
	  "the file that sets this key",
	  NULL },
	{ "classes_profile", BASE_ENUM, AT(net_config, classes_profile), "none", NULL, NO_LIMIT, XP_PROFILES,
	  "defines the traffic classes from a published profile instead of the list \"classes\"; traffic[].class "
	  "refers to their names. ll-be-bd-et: LL (low latency, limited bandwidth), BE (best effort), BD (bulk data), "
	  "ET; ll-be-bd-et1-et2: ET1 and ET2 in place of ET; hpc: LL, DA, BD, BE, ET",
	  "HPE's driver for Slingshot, cxi_qos_profiles.c" },
	{ "classes_sharing", BASE_ENUM, AT(net_config, sharing), "max-min-with-floors", NULL, NO_LIMIT,
	  "max-min-with-floors|minimum-plus-equal|proportional",
	  "how classes of the same priority share the bandwidth that the guaranteed minima of higher priorities leave. "
	  "max-min-with-floors: each class gets the larger of its min_bandwidth and a level common to all (max-min "
	  "fairness); minimum-plus-equal: its min_bandwidth and an equal part of the rest; proportional: shares in "
	  "proportion to min_bandwidth, and classes without one get what these leave unused",
	  "start-time fair queueing: Goyal, Vin and Cheng, SIGCOMM 1996" },
	{ 0 },
};

static const struct base_param time_table[] = {
	{ "warmup", BASE_AUTO_TIME, AT(net_time, warmup), "auto", NULL, TIME_LIMIT, NULL,
	  "simulated time before the measured window; auto: 20us, or with time.precision until a steady state is "
	  "detected",
	  "MSER: White, Cobb and Spratt 2000" },
	{ "measure", BASE_AUTO_TIME, AT(net_time, measure), "auto", NULL, 1, 0x1p62, NULL,
	  "length of the measured window, which follows the warm-up; latencies are those of packets created in it. "
	  "auto: 200us, or with time.precision until the estimates are precise enough",
	  NULL },
	{ "drain", BASE_ENUM, AT(net_time, drain), "auto", NULL, NO_LIMIT, "false|true|auto",
	  "what follows the measured window. false: the run ends; true: sources stop, and the run continues until "
	  "every packet has arrived; auto: sources remain active, and the run continues until all measured packets "
	  "have arrived or the network is proved saturated",
	  NULL },
	{ "precision", BASE_PERCENT, AT(net_time, precision), "", "of the estimate", 0.01, 50, NULL,
	  "target half width of the 95 % confidence intervals of mean latency, p99 latency and accepted load: the run "
	  "measures until all reach it, or until the network is found not to be stationary. Replaces time.measure",
	  "batch means: Schmeiser 1982" },
	{ "limit", BASE_AUTO_TIME, AT(net_time, limit), "auto", NULL, 1, 0x1p62, NULL,
	  "maximum simulated time of a run with time.precision, or with a process that ends the run (such as goal), "
	  "rounded up to the end of a simulation step for processes (docs/goal.md); auto: 10ms with time.precision, "
	  "otherwise no limit",
	  NULL },
	{ 0 },
};

const struct base_param xp_class_table[] = {
	{ "name", BASE_STRING, AT(net_class, name), "bulk", NULL, NO_LIMIT, NULL,
	  "name by which traffic[].class refers to the class", NULL },
	{ "dscp", BASE_INT, AT(net_class, dscp), "0", NULL, 0, 63, NULL,
	  "DSCP code point by which traffic[].dscp selects the class", "RFC 2474" },
	{ "priority", BASE_INT, AT(net_class, priority), "0", NULL, 0, 255, NULL,
	  "strict priority: packets of classes with a higher number are sent first", NULL },
	{ "min_bandwidth", BASE_FLOAT, AT(net_class, min_bandwidth), "0.0", "share of a link", 0, 1, NULL,
	  "guaranteed minimum of the class's share of a link's bandwidth", NULL },
	{ "max_bandwidth", BASE_FLOAT, AT(net_class, max_bandwidth), "1.0", "share of a link", 0, 1, NULL,
	  "upper limit on the class's share of a link's bandwidth", NULL },
	{ "ordering", BASE_ENUM, AT(net_class, ordering), "none", NULL, NO_LIMIT, "none|flow",
	  "flow: the packets of a flow (from one endpoint to another) are delivered in the order in which they were "
	  "sent; nic.ordering sets the method",
	  NULL },
	{ "lossless", BASE_ENUM, AT(net_class, lossless), "auto", NULL, NO_LIMIT, "auto|false|true",
	  "true: packets wait (back-pressure) instead of being dropped; false: packets are dropped instead of blocking "
	  "others, if the switch supports both (output-queued with pfc); auto: the behaviour of the switch",
	  "De Sensi et al., SC 2020, section II.E" },
	{ "framing", BASE_ENUM, AT(net_class, framing.preset), "link", NULL, NO_LIMIT, NET_CLASS_FRAMING_CHOICES,
	  "frames of this class's packets, on every link: a preset as in links.default.framing replaces header, "
	  "min_frame, granule and gap of the links, so that a port carries several kinds of frames; link: the frames "
	  "of "
	  "each link",
	  "De Sensi et al., SC 2020, section II.F" },
	{ "header", BASE_AUTO_SIZE, AT(net_class, framing.header), "auto", NULL, 0, NET_FRAMING_MOST, NULL,
	  "bytes of headers and trailers per packet of this class, on every link; auto: set by framing", NULL },
	{ "min_frame", BASE_AUTO_SIZE, AT(net_class, framing.min_frame), "auto", NULL, 0, NET_FRAMING_MOST, NULL,
	  "minimum frame size of this class, on every link; auto: set by framing", NULL },
	{ "granule", BASE_AUTO_SIZE, AT(net_class, framing.granule), "auto", NULL, 1, NET_FRAMING_MOST, NULL,
	  "frames of this class are padded to a multiple of this size, on every link; auto: set by framing", NULL },
	{ "gap", BASE_AUTO_SIZE, AT(net_class, framing.gap), "auto", NULL, 0, NET_FRAMING_MOST, NULL,
	  "bytes of link time that stay idle after each packet of this class, on every link; auto: set by framing",
	  NULL },
	{ "bias", BASE_STRING, AT(net_class, bias), "", NULL, NO_LIMIT, NULL,
	  "bias of adaptive routing towards minimal routes for packets of this class, a size as in routing.bias; "
	  "default: routing.bias",
	  "De Sensi et al., SC 2020, section II.E" },
	{ 0 },
};

const struct base_param xp_job_table[] = {
	{ "name", BASE_STRING, AT(net_job, name), "", NULL, NO_LIMIT, NULL,
	  "name of the job in results; default: job0, job1, ...", NULL },
	{ "load", BASE_FLOAT, AT(net_job, load), NULL, "share of an endpoint's injection bandwidth", 0, 1, NULL,
	  "offered load; must be omitted with a process", NULL },
	{ "packet", BASE_SIZES, AT(net_job, packet), "256B", NULL, 1, 1048576, NULL,
	  "packet size, or a list of sizes that are mixed at random", NULL },
	{ "weight", BASE_INTS, AT(net_job, weight), "", NULL, 0, 1e6, NULL,
	  "relative frequencies of the packet sizes; default: all sizes are equally frequent", NULL },
	{ "message", BASE_SIZE, AT(net_job, message), "0B", NULL, 0, 1e9, NULL,
	  "message size; a message larger than a packet is split into packets. 0B: every message is one packet", NULL },
	{ "sizes", BASE_ENUM, AT(net_job, sizes), "none", NULL, NO_LIMIT, WL_SIZES,
	  "message sizes drawn from a published distribution, in place of message: DCTCP's web search, Facebook's "
	  "hadoop, cache-follower and web-server, VL2's data-mining, Alibaba's storage; the rate of messages follows "
	  "from load and the mean size",
	  "Alizadeh et al., SIGCOMM 2010; Roy et al., SIGCOMM 2015; Greenberg et al., SIGCOMM 2009; Li et al., SIGCOMM "
	  "2019; points as in docs/traffic.md" },
	{ "sizes_file", BASE_FILE, AT(net_job, sizes_file), "", NULL, NO_LIMIT, NULL,
	  "file with a distribution of message sizes, in place of message. Each line has a size in bytes and the share "
	  "of messages that are not larger, up to 1 or 100 per cent; between two lines sizes are distributed evenly",
	  NULL },
	{ "class", BASE_STRING, AT(net_job, class_name), "", NULL, NO_LIMIT, NULL,
	  "name of the traffic class; default: the first entry of classes", NULL },
	{ "dscp", BASE_AUTO_INT, AT(net_job, dscp), "auto", NULL, 0, 63, NULL,
	  "DSCP code point of the job's packets, an alternative to class: selects the class with the same "
	  "classes[].dscp",
	  "RFC 2474" },
	{ "nodes", BASE_STRING, AT(net_job, nodes), "all", "endpoints", NO_LIMIT, NULL,
	  "endpoints of the job: \"all\", ranges such as \"0-99,200\", or a number such as 512, placed by allocation",
	  NULL },
	{ "allocation", BASE_ENUM, AT(net_job, allocation), "linear", NULL, NO_LIMIT, "linear|interleaved|random",
	  "placement of the job's endpoints if nodes is a number. linear: consecutive; interleaved: evenly spaced; "
	  "random: drawn at random",
	  NULL },
	{ "processes_per_node", BASE_AUTO_INT, AT(net_job, processes_per_node), "auto", NULL, 1, 4096, NULL,
	  "processes of the job at each of its nodes, with consecutive ranks unless mapping says otherwise; they share "
	  "the interface (nic.sharing), and messages between them stay inside the node (section node). auto: with a "
	  "mapping_file the largest number of ranks that it places on one node, otherwise 1",
	  "ntasks-per-node of Slurm, ppn of MPI launchers" },
	{ "start", BASE_TIME, AT(net_job, start), "0ps", NULL, TIME_LIMIT, NULL,
	  "simulated time at which the job begins to send", NULL },
	{ "stop", BASE_TIME, AT(net_job, stop), "0ps", NULL, TIME_LIMIT, NULL,
	  "simulated time at which the job stops sending; 0ps: never", NULL },
	{ "burst_length", BASE_TIME, AT(net_job, burst_length), "0ps", NULL, TIME_LIMIT, NULL,
	  "the job sends in bursts: for burst_length, then pauses for burst_pause, and so on from its start, all its "
	  "endpoints at the same times. Messages (at the given load) are created, and iterations of a process begin, "
	  "only during bursts. 0ps: the job sends all the time",
	  "Blink: De Sensi et al., SC20" },
	{ "burst_pause", BASE_TIME, AT(net_job, burst_pause), "0ps", NULL, TIME_LIMIT, NULL,
	  "pause between two bursts of burst_length, in which no packet of a pattern leaves its endpoint", NULL },
	{ "burst_backlog", BASE_ENUM, AT(net_job, burst_backlog), "carry", NULL, NO_LIMIT, "carry|drop|closed",
	  "treatment of messages of a pattern that could not leave in the burst in which they were created. carry: "
	  "they leave in the next bursts, in order; drop: they are discarded and counted when the burst ends, except a "
	  "message of which a packet has left; closed: there are no such messages, because a message is created only "
	  "after the network interface has accepted the previous one",
	  NULL },
	{ "isolate", BASE_BOOL, AT(net_job, isolate), "false", NULL, NO_LIMIT, NULL,
	  "the run first simulates this job alone, then all jobs together, and reports the impact of the others: the "
	  "ratio of its iteration times (without a process, of its packet latencies) with and without them",
	  "congestion impact: De Sensi et al., SC20; Chunduri et al., SC19" },
	{ 0 },
};

/* Offsets are from the section's struct net_choice. */
static const struct base_param routing_table[] = {
	{ "unsafe", BASE_BOOL, AT(net_config, routing_unsafe) - AT(net_config, routing), "false", NULL, NO_LIMIT, NULL,
	  "run even with fewer virtual channels than the routing needs; the network may then deadlock", NULL },
	{ "reaction", BASE_TIME, AT(net_config, routing_reaction) - AT(net_config, routing), "10us", NULL, TIME_LIMIT,
	  NULL,
	  "delay from an outage of a cable, or from its end, until routes change at all switches; an outage, or an "
	  "interval between two outages, changes no routes if it is not longer than this",
	  NULL },
	{ 0 },
};

/* Offsets are from the section's struct net_choice, with which struct net_cost begins. */
static const struct base_param cost_table[] = {
	{ "radix", BASE_ENUM, AT(net_cost, choice.radix), "largest", NULL, NO_LIMIT, "largest|used",
	  "ports of the switches that are bought. largest: all switches have as many ports as the one that uses most; "
	  "used: each has as many ports as it uses",
	  NULL },
	{ "media", BASE_ENUM, AT(net_cost, choice.media), "reach", NULL, NO_LIMIT, "reach|cheaper",
	  "reach: copper cables up to the length layout.copper, optical ones above; cheaper: the cheaper of the two "
	  "for each cable",
	  NULL },
	{ 0 },
};

const struct base_param xp_nic_table[] = {
	{ "table", BASE_INT, AT(net_nic_config, table), "64", "packets", 1, 1e6, NULL,
	  "packets of an endpoint (of each traffic class, if classes have lanes) that may wait because congestion "
	  "control, or the sequence window of nic.retry, does not permit them yet, while packets to other destinations "
	  "overtake them. If so many wait, the next packet that is not permitted blocks its source",
	  NULL },
	{ "stack", BASE_ENUM, AT(net_nic_config, stack), "none", NULL, NO_LIMIT, XP_STACKS, XP_STACK_HELP,
	  "the stacks: De Sensi et al., SC20, Fig. 5; mpi: cloud_noise_data, alps 2022-07" },
	{ "overhead_send", BASE_TIME, AT(net_nic_config, overhead_send), "0ps", NULL, 0, 1e12, NULL,
	  "time that an endpoint is busy with each message that one of its processes sends, before the interface gets "
	  "the message; the overheads of an endpoint are serialized",
	  "o of LogP: Culler et al., PPoPP 1993" },
	{ "overhead_receive", BASE_TIME, AT(net_nic_config, overhead_receive), "0ps", NULL, 0, 1e12, NULL,
	  "time that an endpoint is busy with each received message before its process gets it", "as overhead_send" },
	{ "latency", BASE_TIME, AT(net_nic_config, latency), "0ps", NULL, 0, 1e12, NULL,
	  "latency of the interface in each direction for a message of a process; messages are pipelined", NULL },
	{ "ack_stage", BASE_AUTO_TIME, AT(net_nic_config, ack_stage), "auto", NULL, TIME_LIMIT, NULL,
	  "delay of an acknowledgement or control frame at each switch on its way back to the source; auto: that of a "
	  "packet's head in an idle switch. It must not be shorter than the delay of the control information that "
	  "switches send",
	  NULL },
	{ "ack", BASE_ENUM, AT(net_nic_config, ack), "event", NULL, NO_LIMIT, "event|hop",
	  "model of the acknowledgements' way back. event: each arrives after a fixed delay, without contention; hop: "
	  "each travels from switch to switch and waits for others on each link. hop is for small networks, to measure "
	  "the error of event",
	  NULL },
	{ "ack_width", BASE_FLOAT, AT(net_nic_config, ack_width), "0", "share of a link", 0, 1, NULL,
	  "share of a link's rate that is reserved for acknowledgements, in addition to the rate for data. They are "
	  "sent "
	  "at this rate, and the run is rejected if they may need more. 0: acknowledgements take no time, and are "
	  "sent only if a model uses them",
	  NULL },
	{ "ack_bytes", BASE_SIZE, AT(net_nic_config, ack_bytes), "4B", NULL, 1, 4096, NULL,
	  "size of an acknowledgement, with nic.ack_width",
	  "four bytes in the reverse direction for every packet: De Sensi et al., SC20, II.C" },
	{ "ack_every", BASE_SIZE, AT(net_nic_config, ack_every), "0B", NULL, 0, 0x1p31, NULL,
	  "with nic.retry: bytes received per acknowledgement, which is cumulative. Marked packets, the first packet, "
	  "the last one that the source may send at present, and the last missing one are acknowledged at once. 0B: "
	  "every packet is acknowledged",
	  NULL },
	{ "retry", BASE_ENUM, AT(net_nic_config, retry), "auto", NULL, NO_LIMIT, "auto|on|off",
	  "retransmit lost packets and deliver each packet exactly once; auto: on if switches may drop or trim "
	  "packets, "
	  "with nic.loss, and with failures that lose packets",
	  NULL },
	{ "timeout", BASE_AUTO_TIME, AT(net_nic_config, timeout), "auto", NULL, TIME_LIMIT, NULL,
	  "retransmission timeout, in addition to the round-trip time without load; auto: 15 us plus six times the "
	  "time in which a terminal link transmits the content of a switch's buffer, at most 1 ms. It does not grow "
	  "with repeated losses; see nic.backoff",
	  NULL },
	{ "backoff", BASE_TIME, AT(net_nic_config, backoff), "1ms", NULL, TIME_LIMIT, NULL,
	  "maximum pause of a pair of endpoints whose retransmitted packets are lost again: the pair pauses for one "
	  "round-trip time without load, then two, four and so on; each acknowledgement halves the next pause. If the "
	  "congestion control reacts to losses, pauses begin with the 32nd loss of one packet, and 64 round trips are "
	  "the limit. Without pauses the headers of trimmed packets can saturate a link permanently. 0ps: no pauses",
	  NULL },
	{ "per_node", BASE_INT, AT(net_nic_config, per_node), "1", NULL, 1, 64, NULL,
	  "network interfaces per node. Switches are grouped into blocks of this number; the endpoints at the same "
	  "position of all switches in a block are the interfaces of one node. traffic[].nodes then counts nodes: a "
	  "process uses all interfaces of its node, and a pattern's endpoints are the interfaces",
	  NULL },
	{ "choose", BASE_ENUM, AT(net_nic_config, choose), "pair", NULL, NO_LIMIT, "pair|message",
	  "with nic.per_node: the interface that a message uses, the same at both nodes. pair: the sum of the two node "
	  "numbers modulo nic.per_node, so one for all messages between two nodes; message: the next one for each "
	  "message of a node",
	  NULL },
	{ "order", BASE_ENUM, AT(net_nic_config, order), "blocking", NULL, NO_LIMIT, "blocking|fifo|round-robin",
	  "order in which the messages of a process leave its interface. blocking: messages posted after a blocking "
	  "MPI send wait until that send has left, others are interleaved by destination, packet by packet; fifo: in "
	  "the order of posting (one send queue); round-robin: all are interleaved by destination, packet by packet "
	  "(one queue pair per destination)",
	  NULL },
	{ "sharing", BASE_ENUM, AT(net_nic_config, sharing), "fair", NULL, NO_LIMIT, "fair|in-order",
	  "how processes of a node share an interface. fair: each has a queue for each destination, as queue pairs "
	  "are, and these take turns, packet by packet; in-order: one queue for all, message after message, as the "
	  "processes hand them over",
	  NULL },
	{ "ordering", BASE_ENUM, AT(net_nic_config, ordering), "path", NULL, NO_LIMIT, "path|receiver",
	  "how order is kept in classes with ordering = \"flow\". path: packets of a flow that has packets in flight "
	  "follow the first of these through the same queues, so adaptive routing chooses a path per flow; receiver: "
	  "packets are routed independently. With both, packets that overtake others wait in the receiver's interface",
	  "shs-docs, RDMA protocol and traffic classes: HPE" },
	{ "loss", BASE_FLOAT, AT(net_nic_config, loss), "0", NULL, 0, 0.5, NULL,
	  "probability that a packet is damaged on its last link and discarded; the same for its acknowledgement",
	  NULL },
	{ 0 },
};

const struct base_param xp_node_table[] = {
	{ "bandwidth", BASE_RATE, AT(net_node_config, bandwidth), "1Tbps", NULL, 1e3, 1e18, NULL,
	  "total rate at which a node's memory carries messages between its processes; processes that copy at the same "
	  "time share it equally. The default, 125 GB/s, is an assumption: two sockets with eight DDR4-3200 channels "
	  "each move 410 GB/s, and each copied byte is read once, and written once after its cache line was read",
	  NULL },
	{ "copy", BASE_RATE, AT(net_node_config, copy), "80Gbps", NULL, 1e3, 1e18, NULL,
	  "rate at which one process copies its messages, one after the other, to other processes of its node. The "
	  "default, 10 GB/s, is the rate that SimGrid assumes for its loopback",
	  "network/loopback-bw of SimGrid" },
	{ "latency", BASE_TIME, AT(net_node_config, latency), "300ns", NULL, 0, 1e12, NULL,
	  "time from the end of the copy of a message between processes of a node until its receiver has it. The "
	  "default is an assumption: half a round trip of a short message through shared memory takes 0.2 to 0.5 us in "
	  "MPI libraries",
	  NULL },
	{ 0 },
};

const struct base_param xp_mpi_table[] = {
	{ "collectives", BASE_STRING, AT(net_mpi_config, collectives), "basic", NULL, NO_LIMIT, "preset",
	  "algorithms of collective operations: \"openmpi-4.1\" or \"mpich-4.0\", which select them by size and number "
	  "of ranks, or \"basic\", one for each collective. Single collectives can be set by name, as in \"mpich-4.0, "
	  "allreduce = ring\", or as a group { preset = \"mpich-4.0\"; allreduce = \"ring\"; }",
	  NULL },
	{ "eager", BASE_SIZE, AT(net_mpi_config, eager), "8KiB", NULL, 0, 1e12, NULL,
	  "maximum size of messages sent eagerly; larger ones use a rendezvous: a request, its answer when the receive "
	  "is posted, then the data",
	  NULL },
	{ "control", BASE_SIZE, AT(net_mpi_config, control), "64B", NULL, 1, 1e6, NULL,
	  "size of the request and of the answer of a rendezvous", NULL },
	{ "overhead", BASE_TIME, AT(net_mpi_config, overhead), "0ps", NULL, 0, 1e12, NULL,
	  "time that each MPI call takes its rank, in addition to nic.overhead_send and nic.overhead_receive of its "
	  "messages",
	  NULL },
	{ "classes", BASE_STRING, AT(net_mpi_config, classes), "", NULL, NO_LIMIT, "",
	  "traffic classes of messages by their kind, instead of their job's class: \"allreduce = urgent, "
	  "point-to-point = bulk\", or as a group { allreduce = \"urgent\"; point-to-point = \"bulk\"; }. Kinds are "
	  "the collectives by their names in MPI, \"collectives\" for all that are not named, and \"point-to-point\"",
	  "communication libraries assign collectives to classes: De Sensi et al., SC20, II.E" },
	{ 0 },
};

static const struct base_param record_table[] = {
	{ "timeline", BASE_TIME, AT(net_record, timeline), "0ps", NULL, TIME_LIMIT, NULL,
	  "bin width of the recorded time series of packets and bytes; 0ps: no time series", NULL },
	{ "histograms", BASE_BOOL, AT(net_record, histograms), "true", NULL, NO_LIMIT, NULL,
	  "record the latency distribution of each job", NULL },
	{ "ports", BASE_BOOL, AT(net_record, ports), "false", NULL, NO_LIMIT, NULL,
	  "record traffic, utilisation and queue lengths of every output port and virtual channel", NULL },
	{ "activity", BASE_BOOL, AT(net_record, activity), "false", NULL, NO_LIMIT, NULL,
	  "record the packets sent and received by every switch over time, in the bins of timeline", NULL },
	{ "switch", BASE_BOOL, AT(net_record, instruments), "false", NULL, NO_LIMIT, NULL,
	  "record the switches' instruments: utilisation, occupancy and the latency of each stage", NULL },
	{ "switches", BASE_STRING, AT(net_record, switches), "", NULL, NO_LIMIT, NULL,
	  "switches whose instruments are recorded: \"all\" or ranges such as \"0-3,17\"; default: the first 64",
	  NULL },
	{ "ranks", BASE_BOOL, AT(net_record, ranks), "false", NULL, NO_LIMIT, NULL,
	  "record for applications how each rank spent its time: by call, and over time in up to 512 bins; beyond 128 "
	  "ranks several ranks share a row of the time series",
	  NULL },
	{ "path", BASE_BOOL, AT(net_record, path), "false", NULL, NO_LIMIT, NULL,
	  "record the critical path of applications, that is, the chain of computations and messages that determines "
	  "when they end; takes 40 bytes of memory per message and computation",
	  "critical path: Yang and Miller, ICDCS 1988" },
	{ "packets", BASE_BOOL, AT(net_record, packets), "false", NULL, NO_LIMIT, NULL, "record every delivered packet",
	  NULL },
	{ "messages", BASE_BOOL, AT(net_record, messages), "false", NULL, NO_LIMIT, NULL,
	  "record every message or flow that has arrived: its start, end, bytes and slowdown relative to the empty "
	  "network; the summary contains the slowdowns by size. Takes 48 bytes of memory per message or flow",
	  NULL },
	{ 0 },
};

static const struct base_param engine_table[] = {
	{ "sync", BASE_ENUM, AT(net_engine, sync), "auto", NULL, NO_LIMIT, "sequential|conservative|optimistic|auto",
	  "synchronization protocol between ranks; auto: sequential on one rank; on several ranks conservative if each "
	  "has at least about 500 events per minimum link latency, otherwise optimistic",
	  NULL },
	{ "partition", BASE_ENUM, AT(net_engine, partition), "block", NULL, NO_LIMIT, "block|random|metis",
	  "initial assignment of switches to ranks", NULL },
	{ "balance", BASE_ENUM, AT(net_engine, balance), "on", NULL, NO_LIMIT, "off|on|shake",
	  "dynamic load balancing. on: switches migrate from a rank that others wait for to a neighbouring rank during "
	  "the run; shake: switches migrate at random (a test of the engine)",
	  NULL },
	{ "threads", BASE_AUTO_INT, AT(net_engine, threads), "auto", NULL, 1, 1024, NULL,
	  "threads per rank, which share the rank's switches; auto: one. However, several ranks of a host that are not "
	  "optimistic and whose cores exchange memory fast enough become one rank with as many threads",
	  NULL },
	{ "window", BASE_TIME, AT(net_engine, window), "0ps", NULL, TIME_LIMIT, NULL,
	  "simulated time per window of the scheduler, at most 1.07 ms; 0ps: the lookahead, or for a single switch the "
	  "transmission time of the largest packet",
	  NULL },
	{ "optimism", BASE_INT, AT(net_engine, optimism), "4", "windows", 1, 1e6, NULL,
	  "maximum number of windows by which an optimistic rank may be ahead of GVT, which bounds its memory", NULL },
	{ "gvt_interval", BASE_INT, AT(net_engine, gvt_interval), "1", "windows", 1, 1e6, NULL,
	  "windows between two computations of GVT", NULL },
	{ "stress", BASE_INT, AT(net_engine, stress), "0", "per cent", 0, 100, NULL,
	  "percentage of pairs of switches whose events are delayed artificially to force rollbacks (a test of the "
	  "engine); 0: none; otherwise sync must be optimistic, and auto becomes optimistic",
	  NULL },
	{ "path", BASE_ENUM, AT(net_engine, path), "auto", NULL, NO_LIMIT, "auto|exact",
	  "auto: packets of endpoints are decided before they are sent if nothing depends on what the endpoints "
	  "receive, which needs fewer events; exact: always decided at the instant of sending (a test of the network "
	  "model). Both give the same digest if the run lasts until all packets have arrived (time.drain = true), see "
	  "docs/congestion.md",
	  NULL },
	{ "audit", BASE_BOOL, AT(net_engine, audit), "false", NULL, NO_LIMIT, NULL,
	  "execute every event, undo it, execute it again, and compare the states (a test of the models); states of "
	  "switches above 32 KiB are compared for a sample of events of each kind",
	  NULL },
	{ 0 },
};

static const struct base_param output_table[] = {
	{ "file", BASE_STRING, AT(net_output, file), "", NULL, NO_LIMIT, NULL,
	  "result log: FILE.jsonl.gz, FILE.jsonl (uncompressed) or - (uncompressed, on standard output), relative to "
	  "the working directory; if omitted, no log is written",
	  NULL },
	{ "csv", BASE_BOOL, AT(net_output, csv), "false", NULL, NO_LIMIT, NULL,
	  "also write the tables as .csv.gz files", NULL },
	{ 0 },
};

static const struct base_param formula_table[] = {
	{ "kind", BASE_ENUM, AT(net_formula, kind), "switched", NULL, NO_LIMIT, "switched|" NET_FORMULAS,
	  "switched: simulate switches and links as configured in the other sections; any other kind: an analytical "
	  "model of message times without contention inside the network, on which schedules, models and traces are "
	  "replayed (processes goal, aspen, chakra, recorded, dumpi, otf2)",
	  "LogGOPS: Hoefler, Schneider and Lumsdaine, HPDC 2010; LogGP: Alexandrov et al., SPAA 1995; SimpleNet: "
	  "CODES; loggops-atlahs: spcl/atlahs" },
	{ "L", BASE_TIME, AT(net_formula, L), "2500ns", NULL, 0, 1e15, NULL, "latency of a message", NULL },
	{ "o", BASE_TIME, AT(net_formula, o), "1500ns", NULL, 0, 1e15, NULL,
	  "processor overhead of a message at the sender and at the receiver", NULL },
	{ "g", BASE_TIME, AT(net_formula, g), "1000ns", NULL, 0, 1e15, NULL,
	  "minimum gap between two messages of an interface", NULL },
	{ "G", BASE_FLOAT, AT(net_formula, G), "6000", "ps a byte", 0, 1e9, NULL,
	  "interface time per byte of a message", NULL },
	{ "O", BASE_FLOAT, AT(net_formula, O), "0", "ps a byte", 0, 1e9, NULL, "processor time per byte of a message",
	  NULL },
	{ "S", BASE_AUTO_SIZE, AT(net_formula, S), "auto", NULL, 0, 1e15, NULL,
	  "maximum size of messages sent eagerly; larger ones wait for their receive (rendezvous). auto: 65535B; "
	  "mpi.eager for recorded MPI calls; no rendezvous for Chakra traces",
	  NULL },
	{ "compat", BASE_BOOL, AT(net_formula, compat), "false", NULL, NO_LIMIT, NULL,
	  "reproduce the results of the original program. LogGOPSim: its order of simultaneous events (all ranks are "
	  "simulated together), its treatment of messages of 0 bytes, and of receives whose size differs from the "
	  "message; CODES: LogGP without o",
	  NULL },
	{ 0 },
};

#define PICK(key, kind, default_value, offset)           \
	{                                                \
		{                                        \
			key, kind, default_value, offset \
		}                                        \
	}

const struct xp_section xp_sections[] = {
	{ .path = "", .help = "keys outside all groups", .table = top_table, .inherit = -1 },
	{ .path = "time",
	  .help = "length of warm-up and measurement",
	  .table = time_table,
	  .conditions = xp_time_conditions,
	  .offset = AT(net_config, time),
	  .inherit = -1 },
	{ .path = "network",
	  .help = "switched network, or an analytical model such as LogGOPS in its place (docs/goal.md)",
	  .table = formula_table,
	  .conditions = xp_formula_conditions,
	  .offset = AT(net_config, formula),
	  .inherit = -1 },
	{ .path = "topology",
	  .help = "graph of switches, and the endpoints attached to them",
	  .pick = PICK("kind", "topology", NULL, 0),
	  .offset = AT(net_config, topology),
	  .inherit = -1 },
	{ .path = "links.default",
	  .help = "all links",
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
	  .help = "links of one class of the topology, such as local (within a group) and global (between groups); the "
	          "topology plug-in, or the file of an edges topology, names the classes",
	  .table = xp_link_table,
	  .offset = AT(net_config, links),
	  .entry_bytes = sizeof(struct net_link_class),
	  .count_offset = AT(net_config, nlinks),
	  .inherit = AT(net_config, link_default),
	  .may_miss = true,
	  .named = true },
	{ .path = "switch",
	  .help = "switch model",
	  .pick = PICK("kind", "switch", "ideal", 0),
	  .offset = AT(net_config, sw),
	  .inherit = -1 },
	{ .path = "layout",
	  .help = "floor plan of racks, from which cable lengths follow: for tilefly cost, and for delays with latency "
	          "= \"layout\". Each topology has a rule which switches share a rack, see docs/cost.md",
	  .table = topo_layout_table,
	  .conditions = topo_layout_conditions,
	  .offset = AT(net_config, layout),
	  .inherit = -1 },
	{ .path = "cost",
	  .help = "prices, for tilefly cost; no effect on a run",
	  .table = cost_table,
	  .conditions = xp_cost_conditions,
	  .pick = PICK("kind", "cost", "none", 0),
	  .offset = AT(net_config, cost),
	  .inherit = -1 },
	{ .path = "routing",
	  .help = "routing algorithm",
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
	  .help = "communication of processes that model MPI programs",
	  .table = xp_mpi_table,
	  .offset = AT(net_config, mpi),
	  .inherit = -1 },
	{ .path = "failures",
	  .help = "list of failures, each of cables between switches, of switches or of interfaces of endpoints; "
	          "default: none",
	  .table = xp_failure_table,
	  .conditions = xp_failure_conditions,
	  .offset = AT(net_config, failures),
	  .entry_bytes = sizeof(struct net_failure),
	  .count_offset = AT(net_config, nfailures),
	  .inherit = -1,
	  .may_miss = true },
	{ .path = "classes",
	  .help = "list of traffic classes; default: one class with all defaults",
	  .table = xp_class_table,
	  .offset = AT(net_config, classes),
	  .entry_bytes = sizeof(struct net_class),
	  .count_offset = AT(net_config, nclasses),
	  .inherit = -1,
	  .may_miss = true },
	{ .path = "traffic",
	  .help = "list of jobs, at least one. Each entry also has the keys of its process, or of its pattern and "
	          "injection; with a process neither pattern nor injection can be set",
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
	  .help = "contents of the result log",
	  .table = record_table,
	  .conditions = xp_record_conditions,
	  .offset = AT(net_config, record),
	  .inherit = -1 },
	{ .path = "engine",
	  .help = "simulation engine; no key here changes a result",
	  .table = engine_table,
	  .conditions = xp_engine_conditions,
	  .offset = AT(net_config, engine),
	  .inherit = -1 },
	{ .path = "output",
	  .help = "result files",
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
