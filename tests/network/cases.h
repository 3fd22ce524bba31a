/* tests/network/cases.h - networks of every topology and routing, below and beyond saturation, with buffers of a few
 * packets so that credits run out: for tests that run them in several ways and compare. */
#ifndef TESTS_NETWORK_CASES_H
#define TESTS_NETWORK_CASES_H

#include "tests/tier.h"

#define SLIMFLY "topology = { kind = \"slimfly\"; q = 5; endpoints = 4; };"
#define DRAGONFLY "topology = { kind = \"dragonfly\"; p = 2; a = 4; h = 2; };"
#define TREE "topology = { kind = \"fattree\"; k = 4; levels = 3; };"
#define TORUS "topology = { kind = \"torus\"; dims = [4, 4]; endpoints = 2; };"
#define LINKS \
	"links = { default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; }; terminal = { latency = \"30ns\"; };"
#define EQUAL LINKS " };"
#define MIXED                                                                                                         \
	LINKS " local = { latency = \"20ns\"; bandwidth = \"150Gbps\"; }; global = { latency = \"300ns\"; bandwidth " \
	      "= \"80Gbps\"; }; };"
#define MIXED_RINGS LINKS " local = { latency = \"20ns\"; bandwidth = \"150Gbps\"; }; };"
/* frames that differ from class to class, and one framing everywhere */
#define FRAMED                                                                                                        \
	"links = { default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; framing = \"ethernet\"; }; terminal = { " \
	"framing = \"roce\"; latency = \"30ns\"; }; local = { latency = \"20ns\"; granule = \"48B\"; gap = \"3B\"; "  \
	"}; "                                                                                                         \
	"global = { framing = \"slingshot-fabric\"; latency = \"300ns\"; }; };"
#define FRAMED_ALIKE                                                                                                 \
	"links = { default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; header = \"20B\"; min_frame = \"96B\"; " \
	"gap = \"9B\"; }; };"
/* frames that are damaged on every link, and retry buffers that bound global ones */
#define NOISY                                                                                                   \
	"links = { default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; lanes = 4; bit_error_rate = 1e-5; " \
	"retry_answer = \"7ns\"; }; terminal = { latency = \"30ns\"; }; global = { latency = \"300ns\"; "       \
	"retry_buffer = \"3KB\"; }; };"
#define NOISY_RING LINKS " local = { bit_error_rate = 2e-5; lanes = 2; }; };"
#define FAILING_RING                                                                                                   \
	"failures = ( { at = \"1us\"; cable = [2, 3]; lanes = 1; }, { at = \"2us\"; cable = [3, 4]; lanes = 1; until " \
	"= \"3us\"; } );"
#define FAILING                                                                                                   \
	"failures = ( { at = \"500ns\"; until = \"2us\"; what = \"share\"; share = 0.4; lanes = 2; }, { at = "    \
	"\"1us\"; what = \"switch\"; switch = 5; mode = \"errors\"; bit_error_rate = 1e-4; }, { at = \"900ns\"; " \
	"what = \"share\"; share = 1.0; links = \"global\"; lanes = 1; until = \"400us\"; } );"
/* cables, a switch and an interface that go down, and routes that follow */
#define DOWN                                                                                                           \
	"failures = ( { at = \"500ns\"; until = \"2us\"; what = \"share\"; share = 0.2; mode = \"down\"; }, { at = "   \
	"\"1us\"; "                                                                                                    \
	"until = \"3us\"; what = \"switch\"; switch = 5; mode = \"down\"; }, { at = \"900ns\"; until = \"4us\"; what " \
	"= "                                                                                                           \
	"\"interface\"; endpoint = 7; mode = \"flap\"; down_time = \"300ns\"; up_time = \"200ns\"; }, { at = "         \
	"\"2us\"; "                                                                                                    \
	"until = \"4us\"; what = \"share\"; share = 0.5; mode = \"random\"; mtbf = \"2us\"; mttr = \"500ns\"; } );"
#define AROUND(kind) "routing = { kind = \"" kind "\"; reaction = \"400ns\"; }; " DOWN
#define SWITCH(buffer, more) "switch = { kind = \"ideal\"; traversal = \"100ns\"; buffer = \"" buffer "\"; " more " };"
#define LOSING "nic = { retry = \"off\"; };"
#define OUTPUTS(more) "switch = { kind = \"output-queued\"; " more " };"
#define UNIFORM(load) "traffic = ( { pattern = \"uniform\"; load = " load "; packet = \"256B\"; } );"
#define WORST(load) "traffic = ( { pattern = \"worst-case\"; load = " load "; packet = \"256B\"; } );"
/* messages of several packets, a mix of sizes, two jobs that share switches, one that starts late and stops early */
#define JOBS                                                                                                         \
	"traffic = ( { name = \"bulk\"; pattern = \"uniform\"; load = 0.7; packet = [\"64B\", \"500B\", \"256B\"]; " \
	"message = \"1777B\"; nodes = \"0-19\"; },"                                                                  \
	" { name = \"fine\"; pattern = \"permutation\"; load = 0.4; packet = [\"40B\", \"300B\"]; weight = [3, 1]; " \
	"nodes = \"10-31\"; start = \"1us\"; stop = \"6us\"; } );"
/* the same, but none stops */
#define LASTING                                                                                                      \
	"traffic = ( { name = \"bulk\"; pattern = \"uniform\"; load = 0.4; packet = [\"64B\", \"500B\", \"256B\"]; " \
	"message = \"1777B\"; nodes = \"0-19\"; },"                                                                  \
	" { name = \"fine\"; pattern = \"permutation\"; load = 0.2; packet = [\"40B\", \"300B\"]; weight = [3, 1]; " \
	"nodes = \"10-31\"; start = \"1us\"; } );"
/* two classes: one goes first, up to its largest share, the other has its least share even so */
#define CLASSES \
	"classes = ( { name = \"a\"; priority = 2; max_bandwidth = 0.5; }, { name = \"b\"; min_bandwidth = 0.3; } );"
/* the same with frames of their own, and without priorities and shares */
#define KIND_CLASSES                                                                                                 \
	"classes = ( { name = \"a\"; priority = 2; max_bandwidth = 0.5; framing = \"ethernet\"; }, { name = \"b\"; " \
	"min_bandwidth = 0.3; header = \"48B\"; granule = \"32B\"; } );"
#define EQUAL_KIND_CLASSES \
	"classes = ( { name = \"a\"; framing = \"slingshot-fabric\"; }, { name = \"b\"; framing = \"ethernet\"; } );"
#define CLASS_JOBS                                                                                             \
	"traffic = ( { name = \"bulk\"; class = \"b\"; pattern = \"uniform\"; load = 0.7; packet = [\"64B\", " \
	"\"500B\"]; "                                                                                          \
	"}, { name = \"fine\"; class = \"a\"; pattern = \"permutation\"; load = 0.4; packet = \"300B\"; } );"
#define BURSTS                                                                                                \
	"traffic = ( { pattern = \"hotspot\"; load = 0.6; packet = \"512B\"; message = \"4KB\"; injection = " \
	"\"on-off\"; } );"
/* all at once: of a source, and of processes */
#define IN_BURSTS(backlog)                                                                                 \
	"traffic = ( { name = \"many\"; pattern = \"incast\"; target = 3; load = 0.7; packet = \"256B\"; " \
	"burst_length = \"500ns\"; burst_pause = \"1500ns\"; burst_backlog = \"" backlog                   \
	"\"; }, { name = \"ring\"; process = \"ring\"; size = "                                            \
	"\"300B\"; packet = \"256B\"; nodes = \"0-9\"; burst_length = \"800ns\"; burst_pause = \"400ns\"; } );"
#define TICKS                                                                                                           \
	"traffic = ( { pattern = \"all-to-all\"; load = 1.0; packet = \"200B\"; injection = \"periodic\"; } );" /* ties \
	                                                                                                         */
/* As published, so that small buffers are enough for packets to go around. */
#define UGAL(kind) "routing = { kind = \"" kind "\"; bias = \"0B\"; };"
#define ROUTING(kind) "routing = { kind = \"" kind "\"; };"
#define TIMES(measure, drain) "seed = 3; time = { warmup = \"2us\"; measure = \"" measure "\"; drain = " drain "; };"
#define PRECISE(percent, limit) "seed = 3; time = { precision = \"" percent "\"; limit = \"" limit "\"; };"
#define PRECISE_FROM(warmup, percent, limit) \
	"seed = 3; time = { warmup = \"" warmup "\"; precision = \"" percent "\"; limit = \"" limit "\"; };"
/* Credits run out within the first microsecond. */
#define PLAIN TIMES(SPAN("4us", "8us"), "false")

/* a few write to one, others to all, and endpoints decide when they send */
#define INCAST                                                                                                      \
	"traffic = ( { name = \"in\"; pattern = \"incast\"; target = 3; load = 0.9; packet = [\"256B\", \"96B\"]; " \
	"nodes = \"0-11\"; }, { name = \"all\"; load = 0.4; packet = \"256B\"; } );"
#define CONTROL(kind, more) "congestion = { kind = \"" kind "\"; " more " }; nic = { table = 3; };"
#define WINDOW "congestion = { kind = \"window\"; window = \"3KB\"; };"
#define ORDER "classes = ( { name = \"a\"; ordering = \"flow\"; } );"
#define GRANTS CONTROL("slingshot", "high = \"2KB\"; low = \"512B\"; period = \"500ns\";")

/* jobs with processes, beside a source */
#define LOOPS                                                                                                       \
	"traffic = ( { name = \"a\"; process = \"window\"; size = \"1000B\"; outstanding = 3; packet = \"256B\"; "  \
	"nodes = "                                                                                                  \
	"\"0-9\"; }, { name = \"b\"; process = \"all-to-all\"; paced = false; size = \"300B\"; packet = \"200B\"; " \
	"nodes "                                                                                                    \
	"= \"5-20\"; }, { name = \"c\"; load = 0.2; packet = \"256B\"; } );"

static const char *const cases[] = {
	SLIMFLY EQUAL PLAIN SWITCH("3KB", "") UNIFORM("0.9") ROUTING("minimal"),
	SLIMFLY EQUAL PLAIN SWITCH("100KB", "") WORST("0.5") ROUTING("minimal"),
	SLIMFLY EQUAL PLAIN SWITCH("5KB", "") WORST("1.0") ROUTING("valiant"),
	SLIMFLY EQUAL PLAIN SWITCH("100KB", "") UNIFORM("1.0") UGAL("ugal-l"),
	SLIMFLY EQUAL PLAIN SWITCH("8KB", "")
	    WORST("0.6") "routing = { kind = \"ugal-g\"; bias = \"0B\"; candidates = 3; };",
	SLIMFLY EQUAL PLAIN SWITCH("6KB", "") WORST("0.8") UGAL("slimfly-adaptive"),
	SLIMFLY EQUAL PLAIN SWITCH("8KB", "") WORST("0.7") ROUTING("slingshot"),
	SLIMFLY EQUAL PLAIN SWITCH("20KB", "forwarding = \"store-and-forward\";") UNIFORM("0.7") UGAL("par"),
	SLIMFLY EQUAL TIMES("4us", "true") SWITCH("4KB", "") JOBS UGAL("ugal-l"),
	DRAGONFLY MIXED PLAIN SWITCH("2KB", "") UNIFORM("1.0") ROUTING("minimal"),
	TREE EQUAL PLAIN SWITCH("2KB", "") WORST("0.9") ROUTING("d-mod-k"),
	TREE EQUAL PLAIN SWITCH("2KB", "") UNIFORM("0.9") ROUTING("ecmp"),
	TREE EQUAL PLAIN SWITCH("2KB", "")
	    UNIFORM("0.9") "routing = { kind = \"spray\"; entropies = 7; order = \"in-turn\"; };",
	DRAGONFLY MIXED PLAIN SWITCH("100KB", "") WORST("0.4") "routing = { kind = \"valiant\"; via = \"group\"; };",
	DRAGONFLY EQUAL PLAIN SWITCH("4KB", "") WORST("0.6") UGAL("ugal-l"),
	DRAGONFLY MIXED PLAIN SWITCH("8KB", "")
	    WORST("0.9") "routing = { kind = \"ugal-g\"; bias = \"0B\"; publish_delay = \"500ns\"; };",
	DRAGONFLY MIXED PLAIN SWITCH("20KB", "")
	    WORST("0.6") "routing = { kind = \"slingshot\"; bias = \"0B\"; quantum = \"256B\"; hold = \"1us\"; };",
	DRAGONFLY MIXED PLAIN SWITCH("5KB", "forwarding = \"store-and-forward\";") JOBS UGAL("par"),
	DRAGONFLY MIXED TIMES("3us", "true") SWITCH("10KB", "") BURSTS ROUTING("valiant"),
	TORUS EQUAL PLAIN SWITCH("2KB", "") UNIFORM("1.0") ROUTING("minimal"),
	TORUS EQUAL PLAIN SWITCH("1KB", "") "routing = { kind = \"minimal\"; deadlock = \"bubble\"; };" WORST("1.0"),
	TORUS EQUAL PLAIN SWITCH("4KB", "") "routing = { kind = \"minimal\"; deadlock = \"bubble\"; };" JOBS,
	TORUS EQUAL PLAIN SWITCH("4KB", "") TICKS ROUTING("valiant"),
	TORUS EQUAL PLAIN SWITCH("9KB", "") WORST("0.9") UGAL("ugal-g"),
	TORUS MIXED_RINGS TIMES("3us", "true") SWITCH("9KB", "") JOBS ROUTING("slingshot"),
	TORUS EQUAL TIMES("4us", "true") SWITCH("3KB", "") TICKS UGAL("ugal-l"),
	SLIMFLY EQUAL PLAIN SWITCH("6KB", "")
	    WORST("0.7") "routing = { kind = \"ugal-l\"; bias = \"0B\"; estimate = \"credits\"; };",
	DRAGONFLY MIXED PLAIN SWITCH("8KB", "") WORST("0.6") "routing = { kind = \"ugal-g\"; bias = \"0B\"; "
							     "publish_delay = \"500ns\"; estimate = \"credits\"; };",
	SLIMFLY EQUAL PLAIN SWITCH("6KB", "")
	    UNIFORM("0.9") "routing = { kind = \"slimfly-adaptive\"; bias = \"0B\"; estimate = \"credits\"; };",
	TORUS EQUAL PLAIN SWITCH("768B", "") UNIFORM("1.0") ROUTING("minimal-adaptive"),
	TORUS MIXED_RINGS PLAIN SWITCH("3KB", "forwarding = \"store-and-forward\";") JOBS ROUTING("minimal-adaptive"),
	TORUS EQUAL PLAIN SWITCH("4KB", "")
	    WORST("0.9") "routing = { kind = \"minimal-adaptive\"; estimate = \"credits\"; };",
	/* runs that pause: until all has arrived, or is known */
	SLIMFLY EQUAL TIMES("4us", "\"auto\"") SWITCH("100KB", "") UNIFORM("0.7") UGAL("ugal-g"),
	SLIMFLY EQUAL TIMES("4us", "\"auto\"") SWITCH("8KB", "") WORST("0.8") UGAL("slimfly-adaptive"),
	TORUS MIXED_RINGS TIMES("4us", "\"auto\"") SWITCH("9KB", "") JOBS ROUTING("slingshot"),
	SLIMFLY EQUAL PRECISE("3%", "20us") SWITCH("100KB", "") UNIFORM("0.6") ROUTING("minimal"),
	DRAGONFLY MIXED PRECISE("5%", "30us") SWITCH("5KB", "forwarding = \"store-and-forward\";") LASTING UGAL("par"),
	SLIMFLY EQUAL PRECISE_FROM("1234567ps", "5%", "20us") SWITCH("100KB", "") UNIFORM("0.5") UGAL("ugal-l"),
	DRAGONFLY FRAMED PLAIN SWITCH("4KB", "") JOBS UGAL("ugal-l"),
	DRAGONFLY FRAMED TIMES("4us", "\"auto\"") SWITCH("9KB", "forwarding = \"store-and-forward\";")
	    LASTING ROUTING("slingshot"),
	DRAGONFLY FRAMED PLAIN
	"switch = { kind = \"crossbar\"; inputs = \"voq\"; buffer = \"4KB\"; };" JOBS ROUTING("minimal"),
	DRAGONFLY FRAMED PLAIN "switch = { kind = \"tiled\"; buffer = \"9KB\"; };" JOBS ROUTING("slingshot"),
	DRAGONFLY FRAMED TIMES(
	    "3us", "true") "switch = { kind = \"tiled\"; preset = \"yarc\"; buffer = \"8KB\"; };" BURSTS UGAL("ugal-l"),
	"topology = { kind = \"dragonfly\"; p = 2; rows = 2; columns = 3; black = 2; h = 1; };" FRAMED PLAIN
	"switch = { kind = \"tiled\"; preset = \"aries\"; buffer = \"8KB\"; };" JOBS ROUTING("aries"),
	DRAGONFLY FRAMED PLAIN CLASSES
	"switch = { kind = \"tiled\"; buffer = \"18KB\"; shared_pool = 0.4; };" CLASS_JOBS ROUTING("slingshot"),
	DRAGONFLY EQUAL TIMES("3us", "true") CLASSES
	"switch = { kind = \"tiled\"; preset = \"yarc\"; buffer = \"8KB\"; };" CLASS_JOBS UGAL("ugal-l"),
	TORUS MIXED_RINGS PLAIN CLASSES
	"switch = { kind = \"tiled\"; buffer = \"9KB\"; grant_arbiter = \"round-robin\"; "
	"column_buffer = \"1KB\"; };" CLASS_JOBS ROUTING("minimal"),
	DRAGONFLY EQUAL PLAIN CLASSES
	"switch = { kind = \"crossbar\"; inputs = \"voq\"; buffer = \"9KB\"; shared_pool = 0.3; };" CLASS_JOBS ROUTING(
	    "ugal-l"),
	TORUS FRAMED_ALIKE PLAIN SWITCH("4KB", "") "routing = { kind = \"minimal\"; deadlock = \"bubble\"; };" JOBS,
	SLIMFLY FRAMED_ALIKE PRECISE("5%", "20us") SWITCH("100KB", "") UNIFORM("0.5") UGAL("ugal-l"),
	SLIMFLY EQUAL PLAIN SWITCH("3KB", "") UNIFORM("0.9") ROUTING("minimal") CONTROL("window", "window = \"1KB\";"),
	DRAGONFLY MIXED TIMES("8us", "\"auto\"") SWITCH("8KB", "") INCAST UGAL("ugal-l") GRANTS,
	SLIMFLY FRAMED_ALIKE TIMES("8us", "true") SWITCH("9KB", "") INCAST ROUTING("minimal") GRANTS,
	DRAGONFLY EQUAL PLAIN "switch = { kind = \"tiled\"; flow_threshold = 0.3; };" INCAST ROUTING("valiant") GRANTS,
	DRAGONFLY MIXED PLAIN "switch = { kind = \"tiled\"; flow_route = \"500ns\"; };" INCAST ROUTING("slingshot")
	    GRANTS,
	TORUS EQUAL PRECISE("5%", "60us") "switch = { kind = \"crossbar\"; };" UNIFORM("0.5") ROUTING("minimal")
	    CONTROL("window", "window = \"512B\";"),
	DRAGONFLY MIXED PLAIN SWITCH("8KB", "") LOOPS UGAL("ugal-l") GRANTS,
	DRAGONFLY EQUAL TIMES("4us", "\"auto\"") SWITCH("5KB", "") IN_BURSTS("carry") UGAL("ugal-l"),
	DRAGONFLY EQUAL TIMES("4us", "\"auto\"") SWITCH("5KB", "") IN_BURSTS("drop") ROUTING("minimal") GRANTS,
	DRAGONFLY EQUAL TIMES("4us", "false") SWITCH("5KB", "") IN_BURSTS("closed") ROUTING("minimal") WINDOW,
	SLIMFLY EQUAL TIMES("8us", "true") SWITCH("3KB", "") LOOPS ROUTING(
	    "valiant") "nic = { overhead_send = \"90ns\"; overhead_receive = \"40ns\"; latency = \"30ns\"; };",
	DRAGONFLY MIXED PLAIN SWITCH("8KB", "") LOOPS UGAL("ugal-l") WINDOW
	"nic = { per_node = 2; choose = \"message\"; latency = \"90ns\"; };",
	DRAGONFLY EQUAL PLAIN SWITCH("8KB", "") INCAST UGAL("ugal-l") CONTROL("swift", "base = \"1500ns\"; first = 2;"),
	DRAGONFLY MIXED TIMES("8us", "true") SWITCH("8KB", "") LOOPS UGAL("ugal-l") WINDOW
	"nic = { table = 3; loss = 0.03; timeout = \"400ns\"; };",
	SLIMFLY FRAMED_ALIKE PLAIN SWITCH("9KB", "") UNIFORM("0.4") ROUTING("valiant") "nic = { loss = 0.01; };",
	TORUS EQUAL TIMES("8us", "true") SWITCH("8KB", "") LOOPS ROUTING("minimal")
	    CONTROL("rccc", "pair_rtt = \"700ns\"; grant = \"600B\";"),
	DRAGONFLY MIXED TIMES("8us", "true") SWITCH("8KB", "") INCAST UGAL("ugal-l")
	    CONTROL("lasthop", "threshold = \"2KB\"; sources = 3; pause = 0.5;"),
	/* acknowledgements from switch to switch */
	DRAGONFLY MIXED PLAIN SWITCH("8KB", "") LOOPS UGAL("ugal-l") WINDOW
	"nic = { ack = \"hop\"; ack_width = 0.05; };",
	SLIMFLY EQUAL TIMES("1500ns", "true") "switch = { kind = \"tiled\"; ack_width = \"1B\"; };" UNIFORM("0.6")
	    ROUTING("valiant") WINDOW
	"nic = { ack = \"hop\"; ack_width = 0.5; ack_bytes = \"8B\"; loss = 0.02; timeout = \"2us\"; };",
	/* in order, by paths and by receivers */
	DRAGONFLY MIXED PLAIN SWITCH("6KB", "") JOBS UGAL("par") ORDER,
	DRAGONFLY EQUAL TIMES("6us", "true") "switch = { kind = \"tiled\"; };" LOOPS ROUTING("valiant") ORDER,
	SLIMFLY EQUAL PLAIN SWITCH("6KB", "") LOOPS UGAL("ugal-l") ORDER
	"nic = { loss = 0.03; timeout = \"400ns\"; ordering = \"receiver\"; };",
	DRAGONFLY FRAMED TIMES("6us", "true") OUTPUTS("buffer = \"3KB\"; trim = true;") JOBS UGAL("ugal-l") ORDER,
	/* switches without credits: what is dropped, trimmed, marked, paused */
	DRAGONFLY MIXED PLAIN OUTPUTS("buffer = \"2KB\"; trim = true; ecn_pmax = 0.3;") JOBS UGAL("par") LOSING,
	DRAGONFLY FRAMED TIMES("4us", "\"auto\"") OUTPUTS("buffer = \"3KB\"; trim = true; latency = \"70ns\";")
	    LASTING ROUTING("slingshot"),
	TORUS EQUAL TIMES("4us", "true") OUTPUTS("buffer = \"1KB\"; ecn_kmin = \"0B\"; ecn_kmax = \"1KB\";")
	    TICKS UGAL("ugal-l") LOSING,
	DRAGONFLY MIXED PLAIN OUTPUTS("buffer = \"3KB\"; trim = true;") LOOPS ROUTING("valiant")
	    CONTROL("window", "window = \"3KB\";"),
	DRAGONFLY MIXED PLAIN OUTPUTS("buffer = \"6KB\"; trim = true;")
	    INCAST UGAL("ugal-l") "congestion = { kind = \"nscc\"; }; nic = { ack_every = \"1KB\"; };",
	DRAGONFLY MIXED PLAIN OUTPUTS("buffer = \"4KB\";")
	    INCAST UGAL("ugal-l") "congestion = { kind = \"nscc\"; }; nic = { loss = 0.01; timeout = \"9us\"; };",
	SLIMFLY FRAMED_ALIKE TIMES("4us", "true") OUTPUTS("buffer = \"3KB\"; trim = true;") LOOPS ROUTING("minimal")
	    CONTROL("nscc", "recovery = \"sleek\";"),
	SLIMFLY FRAMED_ALIKE TIMES("4us", "true") OUTPUTS("buffer = \"9KB\";")
	    LOOPS ROUTING("minimal") "congestion = { kind = \"ecn-dctcp\"; };",
	DRAGONFLY MIXED PLAIN OUTPUTS("buffer = \"1MB\"; ecn_kmin = \"2KB\"; ecn_kmax = \"9KB\";")
	    INCAST ROUTING("valiant") "congestion = { kind = \"dcqcn\"; increase_timer = \"3us\"; };",
	DRAGONFLY MIXED PLAIN OUTPUTS("buffer = \"3KB\"; trim = true;") INCAST UGAL("ugal-l") CONTROL("rccc", ""),
	"topology = { kind = \"fattree\"; k = 6; };" FRAMED_ALIKE PLAIN OUTPUTS("pfc = true; pfc_pause = \"600B\";")
	    JOBS ROUTING("minimal"),
	"topology = { kind = \"torus\"; dims = [8]; wrap = false; endpoints = 4; };" EQUAL TIMES("8us", "\"auto\"")
	    OUTPUTS("pfc = true; pfc_buffer = \"40KB\"; latency = \"35ns\";") LASTING ROUTING("minimal"),
	/* frames by traffic class */
	DRAGONFLY FRAMED TIMES("3us", "true")
	    SWITCH("30KB", "") "classes = ( { name = \"a\"; framing = \"ethernet\"; }, { name = \"b\"; min_frame = "
			       "\"96B\"; } );" CLASS_JOBS UGAL("par"),
	DRAGONFLY MIXED PLAIN KIND_CLASSES
	"switch = { kind = \"tiled\"; buffer = \"18KB\"; shared_pool = 0.4; };" CLASS_JOBS ROUTING("slingshot"),
	DRAGONFLY NOISY FAILING PLAIN KIND_CLASSES
	"switch = { kind = \"crossbar\"; inputs = \"voq\"; buffer = \"9KB\"; };" CLASS_JOBS UGAL("ugal-l") GRANTS,
	DRAGONFLY MIXED TIMES("4us", "\"auto\"") EQUAL_KIND_CLASSES OUTPUTS("buffer = \"3KB\"; trim = true;")
	    CLASS_JOBS ROUTING("valiant") CONTROL("nscc", "recovery = \"sleek\";"),
	/* what goes down */
	DRAGONFLY MIXED PLAIN SWITCH("8KB", "") INCAST AROUND("ugal-l") GRANTS,
	SLIMFLY EQUAL PLAIN "switch = { kind = \"tiled\"; flow_threshold = 0.3; };" LOOPS AROUND("slingshot") GRANTS,
	DRAGONFLY FRAMED PLAIN CLASSES
	"switch = { kind = \"crossbar\"; inputs = \"voq\"; buffer = \"30KB\"; shared_pool = "
	"0.3; };" CLASS_JOBS AROUND("par") "nic = { retry = \"off\"; };",
	TORUS EQUAL TIMES("6us", "true") "switch = { kind = \"tiled\"; };" JOBS AROUND("minimal"),
	DRAGONFLY FRAMED TIMES("6us", "\"auto\"") OUTPUTS("buffer = \"3KB\"; trim = true;") LOOPS AROUND("valiant")
	    CONTROL("nscc", "recovery = \"sleek\";"),
	/* lanes that fail, bit errors, retry buffers */
	DRAGONFLY NOISY FAILING TIMES("8us", "true") SWITCH("6KB", "") JOBS UGAL("ugal-l"),
	DRAGONFLY NOISY FAILING PLAIN CLASSES
	"switch = { kind = \"tiled\"; buffer = \"18KB\"; shared_pool = 0.4; };" CLASS_JOBS UGAL("par"),
	DRAGONFLY NOISY FAILING PLAIN SWITCH("9KB", "shared_pool = 0.4;") JOBS UGAL("par"),
	DRAGONFLY NOISY FAILING TIMES("8us", "true") "switch = { kind = \"tiled\"; };" JOBS ROUTING("slingshot"),
	DRAGONFLY NOISY FAILING PLAIN
	"switch = { kind = \"tiled\"; preset = \"yarc\"; buffer = \"8KB\"; };" LOOPS ROUTING("valiant"),
	DRAGONFLY NOISY FAILING PLAIN
	"switch = { kind = \"crossbar\"; inputs = \"voq\"; buffer = \"4KB\"; };" JOBS UGAL("ugal-l"),
	"topology = { kind = \"torus\"; dims = [8]; wrap = false; endpoints = 4; };" NOISY_RING FAILING_RING TIMES(
	    "4us", "true") OUTPUTS("pfc = true;") LASTING ROUTING("minimal"),
};
#define CASES (sizeof cases / sizeof *cases)

#endif
