/* experiments/config/link_keys.c - the keys of links, and of an entry of `failures`. */
#include "experiments/config/schema.h"

#include "network/config.h"
#include "switch/links/wire.h"

#define AT(type, field) offsetof(struct type, field)
#define NO_LIMIT 0, 0

const struct base_param xp_default_link_table[] = {
	{ "bandwidth", BASE_RATE, AT(net_link, bandwidth), "100Gbps", NULL, 1e6, 1e15, NULL,
	  "bandwidth of each direction of a link", NULL },
	{ "latency", BASE_AUTO_TIME, AT(net_link, latency), "50ns", NULL, 1, 1e12, NET_LATENCY_WORD,
	  "propagation delay; the smallest one is the lookahead of a parallel run. layout: the delay of each cable "
	  "follows from its length (section layout)",
	  NULL },
	{ "framing", BASE_ENUM, AT(net_link, framing.preset), "none", NULL, NO_LIMIT, NET_FRAMING_CHOICES,
	  "preset of the next four keys (header, min_frame, granule, gap) where they are \"auto\"; with it "
	  "traffic[].packet and traffic[].message are payload. ethernet: 18B, 64B, 1B, 20B (from memory); roce: 62B, "
	  "64B, 1B, 20B; slingshot-fabric, between switches: 62B, 32B, 1B, 0B",
	  "RoCE's header, minimum frames, no gap: De Sensi et al., SC20, II.F and G; gap and header of 802.3: from "
	  "memory" },
	{ "header", BASE_AUTO_SIZE, AT(net_link, framing.header), "auto", NULL, 0, NET_FRAMING_MOST, NULL,
	  "bytes of headers and trailers per packet; auto: set by framing", NULL },
	{ "min_frame", BASE_AUTO_SIZE, AT(net_link, framing.min_frame), "auto", NULL, 0, NET_FRAMING_MOST, NULL,
	  "minimum frame size: shorter frames are padded to it; auto: set by framing", NULL },
	{ "granule", BASE_AUTO_SIZE, AT(net_link, framing.granule), "auto", NULL, 1, NET_FRAMING_MOST, NULL,
	  "frames are padded to a multiple of this size, on the link and in buffers; auto: set by framing", NULL },
	{ "gap", BASE_AUTO_SIZE, AT(net_link, framing.gap), "auto", NULL, 0, NET_FRAMING_MOST, NULL,
	  "bytes of link time that stay idle after each packet (inter-packet gap and preamble); auto: set by framing",
	  NULL },
	{ "lanes", BASE_INT, AT(net_link, lanes), "1", NULL, 1, SW_MOST_LANES, NULL,
	  "number of lanes of a link between switches, each with an equal part of its bandwidth; a failure with mode = "
	  "\"lanes\" disables some of them",
	  "Slingshot: 4 lanes, lane degrade (Scott, Hot Interconnects 2019)" },
	{ "bit_error_rate", BASE_FLOAT, AT(net_link, bit_error_rate), "0", NULL, 0, 1, NULL,
	  "bit error rate of a link between switches, after forward error correction; a frame with an error and all "
	  "frames sent after it are sent again (link-level retry, go-back-N)",
	  NULL },
	{ "retry_buffer", BASE_AUTO_SIZE, AT(net_link, retry_buffer), "auto", NULL, 1, 1e12, NULL,
	  "maximum bytes that a link between switches has sent and that are not acknowledged yet; auto: as many as it "
	  "needs to send without pause during a round trip",
	  NULL },
	{ "retry_answer", BASE_TIME, AT(net_link, retry_answer), "0ps", NULL, 0, 1e12, NULL,
	  "time that the receiver of a link between switches takes, after the last bit of a frame has arrived, until "
	  "it acknowledges the frame or requests it again",
	  NULL },
	{ 0 },
};

/* Offsets in struct net_link, which struct net_link_class begins with. */
const struct base_param xp_link_table[] = {
	{ "bandwidth", BASE_RATE, AT(net_link, bandwidth), "", NULL, 1e6, 1e15, NULL,
	  "overrides links.default for these links; default: the value set there", NULL },
	{ "latency", BASE_AUTO_TIME, AT(net_link, latency), "", NULL, 1, 1e12, NET_LATENCY_WORD,
	  "overrides links.default for these links; layout: the delay of each cable follows from its length", NULL },
	{ "framing", BASE_ENUM, AT(net_link, framing.preset), "", NULL, NO_LIMIT, NET_FRAMING_CHOICES,
	  "overrides links.default for these links; default: the value set there", NULL },
	{ "header", BASE_AUTO_SIZE, AT(net_link, framing.header), "", NULL, 0, NET_FRAMING_MOST, NULL,
	  "overrides links.default for these links; auto: set by framing", NULL },
	{ "min_frame", BASE_AUTO_SIZE, AT(net_link, framing.min_frame), "", NULL, 0, NET_FRAMING_MOST, NULL,
	  "overrides links.default for these links; auto: set by framing", NULL },
	{ "granule", BASE_AUTO_SIZE, AT(net_link, framing.granule), "", NULL, 1, NET_FRAMING_MOST, NULL,
	  "overrides links.default for these links; auto: set by framing", NULL },
	{ "gap", BASE_AUTO_SIZE, AT(net_link, framing.gap), "", NULL, 0, NET_FRAMING_MOST, NULL,
	  "overrides links.default for these links; auto: set by framing", NULL },
	{ "lanes", BASE_INT, AT(net_link, lanes), "", NULL, 1, SW_MOST_LANES, NULL,
	  "overrides links.default for these links; default: the value set there", NULL },
	{ "bit_error_rate", BASE_FLOAT, AT(net_link, bit_error_rate), "", NULL, 0, 1, NULL,
	  "overrides links.default for these links; default: the value set there", NULL },
	{ "retry_buffer", BASE_AUTO_SIZE, AT(net_link, retry_buffer), "", NULL, 1, 1e12, NULL,
	  "overrides links.default for these links; default: the value set there", NULL },
	{ "retry_answer", BASE_TIME, AT(net_link, retry_answer), "", NULL, 0, 1e12, NULL,
	  "overrides links.default for these links; default: the value set there", NULL },
	{ 0 },
};

const struct base_param xp_failure_table[] = {
	{ "at", BASE_TIME, AT(net_failure, at), NULL, NULL, 0, 0x1p62, NULL, "time at which the failure begins", NULL },
	{ "until", BASE_TIME, AT(net_failure, until), "", NULL, 1, 0x1p62, NULL,
	  "time at which it ends; default: never", NULL },
	{ "what", BASE_ENUM, AT(net_failure, what), "cable", NULL, 0, 0, NET_FAILURE_WHAT,
	  "cable: cables between two switches; switch: all cables of a switch, and with mode down, flap or random the "
	  "links of its endpoints, too; share: a random share of all cables, switches or interfaces; interface: the "
	  "link of an endpoint. Both directions of a cable fail",
	  NULL },
	{ "cable", BASE_INTS, AT(net_failure, cable), "", NULL, 0, 0x1p32, NULL,
	  "numbers of the two switches; a third number picks one of several cables between them, from 0 on; default: "
	  "all of "
	  "them",
	  NULL },
	{ "switch", BASE_INT, AT(net_failure, failing_switch), "0", NULL, 0, 0x1p32, NULL, "number of the switch",
	  NULL },
	{ "endpoint", BASE_INT, AT(net_failure, endpoint), "0", NULL, 0, 0x1p32, NULL,
	  "number of the endpoint whose interface fails", NULL },
	{ "share", BASE_FLOAT, AT(net_failure, share), "0", NULL, 0, 1, NULL,
	  "fraction of the cables, switches or interfaces that fails, drawn by seed: exactly this part of them, "
	  "rounded, "
	  "and at least one",
	  NULL },
	{ "of", BASE_ENUM, AT(net_failure, of), "cables", NULL, 0, 0, NET_FAILURE_SHARES,
	  "the set from which the share is drawn; switches and interfaces only with mode down, flap or random", NULL },
	{ "seed", BASE_AUTO_INT, AT(net_failure, seed), "auto", NULL, 0, 0x1p62, NULL,
	  "seed of the random numbers of this entry; auto: the seed of the run; only with what = \"share\" or mode = "
	  "\"random\"",
	  NULL },
	{ "links", BASE_STRING, AT(net_failure, link_class), "", NULL, 0, 0, NULL,
	  "name of a link class: only cables of this class fail; default: cables of any class", NULL },
	{ "mode", BASE_ENUM, AT(net_failure, mode), "lanes", NULL, 0, 0, NET_FAILURE_MODES,
	  "lanes: some lanes of each cable fail, and the others remain in use with their part of the bandwidth; "
	  "errors: a cable has another bit error rate. With these two no frame is lost, because link-level retry sends "
	  "damaged frames again. down: nothing passes, and packets under way are lost; flap: down for down_time, up "
	  "for up_time, and so on; random: each cable, switch or interface goes down and comes back at random times, "
	  "set by mtbf and mttr",
	  NULL },
	{ "lanes", BASE_INT, AT(net_failure, lanes), "0", NULL, 0, SW_MOST_LANES, NULL,
	  "number of lanes that fail; if several failures of a cable overlap in time, their lanes add up", NULL },
	{ "bit_error_rate", BASE_FLOAT, AT(net_failure, bit_error_rate), "0", NULL, 0, 1, NULL,
	  "bit error rate after forward error correction; if several failures of a cable overlap in time, the highest "
	  "rate applies",
	  NULL },
	{ "down_time", BASE_TIME, AT(net_failure, down_time), "", NULL, 1, 0x1p56, NULL,
	  "duration of each outage of a flapping cable", NULL },
	{ "up_time", BASE_TIME, AT(net_failure, up_time), "", NULL, 1, 0x1p56, NULL, "time between two outages", NULL },
	{ "mtbf", BASE_TIME, AT(net_failure, mtbf), "", NULL, 1, 0x1p56, NULL,
	  "mean time from a repair, or from `at`, to the next failure of a cable, switch or interface; the times are "
	  "exponentially distributed",
	  NULL },
	{ "mttr", BASE_TIME, AT(net_failure, mttr), "", NULL, 1, 0x1p56, NULL,
	  "mean time from a failure to its repair; the times are exponentially distributed", NULL },
	{ 0 },
};

static bool is_of_cable(const void *values)
{
	return ((const struct net_failure *)values)->what == NET_FAILS_CABLE;
}

static bool is_of_switch(const void *values)
{
	return ((const struct net_failure *)values)->what == NET_FAILS_SWITCH;
}

static bool is_of_share(const void *values)
{
	return ((const struct net_failure *)values)->what == NET_FAILS_SHARE;
}

static bool is_of_lanes(const void *values)
{
	return ((const struct net_failure *)values)->mode == NET_FAILS_LANES;
}

static bool is_of_errors(const void *values)
{
	return ((const struct net_failure *)values)->mode == NET_FAILS_ERRORS;
}

static bool is_of_interface(const void *values)
{
	return ((const struct net_failure *)values)->what == NET_FAILS_INTERFACE;
}

static bool flaps(const void *values)
{
	return ((const struct net_failure *)values)->mode == NET_FAILS_FLAP;
}

static bool is_random(const void *values)
{
	return ((const struct net_failure *)values)->mode == NET_FAILS_RANDOM;
}

static bool draws(const void *values)
{
	return is_random(values) || is_of_share(values);
}

const struct base_condition xp_failure_conditions[] = {
	{ "endpoint", "with what = \"interface\"", is_of_interface, NULL },
	{ "of", "with what = \"share\"", is_of_share, NULL },
	{ "seed", "with what = \"share\" or mode = \"random\"", draws, NULL },
	{ "down_time up_time", "with mode = \"flap\"", flaps, NULL },
	{ "mtbf mttr", "with mode = \"random\"", is_random, NULL },
	{ "cable", "with what = \"cable\"", is_of_cable, NULL },
	{ "switch", "with what = \"switch\"", is_of_switch, NULL },
	{ "share", "with what = \"share\"", is_of_share, NULL },
	{ "lanes", "with mode = \"lanes\"", is_of_lanes, NULL },
	{ "bit_error_rate", "with mode = \"errors\"", is_of_errors, NULL },
	{ 0 },
};
