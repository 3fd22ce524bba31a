/* tests/experiments/sweep/synthetic.h - results made by formula, so that sweep and report are tested without a
 * simulator.
 *
 * A test program that includes this plays `tilefly run` itself when its first argument is "run" (a sweep starts
 * /proc/self/exe). Accepted load is the offered load up to a limit that the routing sets; latency is 500 + 100 * load
 * ns. */
#ifndef TESTS_EXPERIMENTS_SWEEP_SYNTHETIC_H
#define TESTS_EXPERIMENTS_SWEEP_SYNTHETIC_H

#include "experiments/config/builtin.h"
#include "experiments/config/config.h"
#include "experiments/results/inputs.h"
#include "tilefly_version.h"

#include <criterion/criterion.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static const char *synthetic_set(const char *const *sets, size_t n, const char *path, const char *default_value)
{
	size_t length = strlen(path);
	for (size_t i = n; i-- > 0;)
		if (!strncmp(sets[i], path, length) && sets[i][length] == '=')
			return sets[i] + length + 1;
	return default_value;
}

#ifndef SYNTHETIC_NOISE
#define SYNTHETIC_NOISE 0 /* added to the accepted load, times the seed */
#endif

static double synthetic_accepted(const char *routing, double load, int seed)
{
	double limit = !strcmp(routing, "valiant") ? 0.5 : 0.95;
	return (load < limit ? load : limit) + SYNTHETIC_NOISE * seed;
}

/* Writes a result with every kind of record: 8 switches of 3 ports and 2 virtual channels, 10 time bins. */
static void synthetic_write(const char *file, const char *config, const char *routing, double load, int seed,
                            bool complete)
{
	gzFile out = gzopen(file, "wb");
	gzprintf(out,
	         "{\"record\":\"manifest\",\"format\":1,\"tool\":\"tilefly\",\"version\":\"%s\",\"commit\":\"%s\","
	         "\"config\":",
	         TILEFLY_VERSION, TILEFLY_COMMIT);
	gzputs(out, config);
	gzprintf(out, ",\"config_text\":\"seed = 1;\\n\",\"seed\":1,\"ranks\":1}\n");
	gzprintf(
	    out,
	    "{\"record\":\"summary\",\"complete\":%s,\"seed\":1,\"measured_to_ns\":14000.0,\"topology\":{\"kind\":"
	    "\"slimfly\",\"switches\":8,"
	    "\"endpoints\":16,\"links\":12,\"diameter\":2},\"offered_load\":%.6f,\"accepted_load\":%.6f,"
	    "\"packets\":{\"created\":10,\"delivered\":9},"
	    "\"latency_ns\":{\"mean\":%.3f,\"p50\":500.0,\"p99\":900.5,\"max\":1000},"
	    "\"network_latency_ns\":{\"mean\":450.0,\"p99\":800.0},\"hops\":{\"mean\":1.9,\"max\":2},"
	    "\"minimal_fraction\":1.0,\"engine\":{\"wall_s\":0.25,\"packet_hops_per_s\":1e7},\"digest\":\"%016x\"%s}\n",
	    complete ? "true" : "false", load, synthetic_accepted(routing, load, seed), 500 + 100 * load,
	    (unsigned)(load * 1000),
	    load > 0.6 + 1e-9 ? ",\"latency_censored\":true,\"stationary\":false"
			      : ",\"latency_censored\":false,\"stationary\":true");
	gzprintf(out, "{\"record\":\"histogram\",\"job\":\"background\",\"quantity\":\"latency\",\"unit\":\"ps\","
	              "\"bins\":[[400000,500000,60],[500000,600000,30],[600000,1000000,10]]}\n");
	gzprintf(out,
	         "{\"record\":\"histogram\",\"job\":\"background\",\"quantity\":\"network_latency\",\"unit\":\"ps\","
	         "\"bins\":[[300000,400000,70],[400000,700000,30]]}\n");
	for (int t = 0; t < 10; t++)
		gzprintf(out,
		         "{\"record\":\"timeline\",\"t_ns\":%d,\"bin_ns\":2000,\"created\":%d,\"injected\":5,"
		         "\"delivered\":%d,"
		         "\"created_bytes\":%d,\"delivered_bytes\":%d,\"hops\":9}\n",
		         2000 * t, 100, 90 + t, 25600 * 8, (90 + t) * 256 * 8);
	for (int s = 0; s < 8; s++) {
		for (int p = 0; p < 3; p++)
			gzprintf(out,
			         "{\"record\":\"port\",\"switch\":%d,\"port\":%d,\"class\":\"%s\",\"to_switch\":0,\"to_"
			         "port\":0,"
			         "\"packets\":%d,\"bytes\":%d,\"utilization\":%.3f,\"vc_mean_bytes\":[%d,%d],\"vc_"
			         "waits\":[0,0]}\n",
			         s, p, p ? "global" : "local", 10 * s, 2560 * s, 0.1 * s, 1000 * s * p, 500 * s);
		gzprintf(
		    out,
		    "{\"record\":\"activity\",\"switch\":%d,\"bin_ns\":2000,\"endpoint_sends\":[9,8,7,6,5,5,5,5,5,5],"
		    "\"endpoint_receives\":[0,1,2,3,4,5,5,5,5,5],\"switch_sends\":[%d,2,3,4,5,6,7,8,9,9],"
		    "\"switch_receives\":[0,2,3,4,5,6,7,8,9,9]}\n",
		    s, s);
	}
	gzprintf(out, "{\"record\":\"packet\",\"src\":1}\n");
	gzprintf(out, "{\"record\":\"end\",\"complete\":%s,\"records\":48,\"digest\":\"0\"}\n",
	         complete ? "true" : "false");
	gzclose(out);
}

/* The manifest's member "inputs", after the configuration. */
static void append_inputs(struct base_buffer *text, const struct xp_config *config,
                          const struct base_registry *registry)
{
	struct xp_inputs inputs = { 0 };
	struct base_buffer more = { 0 };
	struct base_json json = base_json_memory(&more);
	xp_inputs_list(&inputs, config, registry);
	xp_inputs_hash(&inputs, NULL);
	base_json_object(&json, NULL);
	xp_inputs_member(&json, &inputs);
	base_json_end(&json);
	base_buffer_printf(text, ",%.*s", (int)more.n - 2, more.data + 1);
	free(more.data);
	xp_inputs_free(&inputs);
}

/* Plays `tilefly run CONFIG --set ... --out FILE ...`. The seed says how to behave: 13 fails, 14 waits for SIGTERM. */
static int synthetic_run(int argc, char **argv)
{
	const char *sets[256], *file = NULL;
	size_t n = 0;
	for (int i = 3; i + 1 < argc; i++) {
		if (!strcmp(argv[i], "--set"))
			sets[n++] = argv[i + 1];
		if (!strcmp(argv[i], "--out"))
			file = argv[i + 1];
	}
	const char *log = getenv("SYNTHETIC_LOG"); /* one letter a run */
	FILE *ran = log ? fopen(log, "a") : NULL;
	if (ran) {
		fputc('x', ran);
		fclose(ran);
	}
	struct base_registry registry = { 0 };
	struct xp_config config = { 0 };
	struct base_errors errors = { 0 };
	xp_register_builtin(&registry);
	if (!file ||
	    xp_config_load(&config, argv[2], &(struct xp_sets){ .v = sets, .n = n }, XP_WHOLE, &registry, &errors))
		return 2;
	struct base_buffer text = { 0 };
	struct base_json json = base_json_memory(&text);
	xp_config_json(&config.net, &json, NULL);
	append_inputs(&text, &config, &registry);
	int seed = atoi(synthetic_set(sets, n, "seed", "1"));
	bool complete = true;
	if (seed == 14) {
		sigset_t wait;
		int got;
		sigemptyset(&wait);
		sigaddset(&wait, SIGTERM);
		sigprocmask(SIG_BLOCK, &wait, NULL);
		kill(getppid(), SIGTERM); /* the sweep passes it on */
		sigwait(&wait, &got);
		complete = false;
	}
	if (seed == 13)
		fprintf(stderr, "the thirteenth\n");
	else
		synthetic_write(file, text.data, synthetic_set(sets, n, "routing.kind", "minimal"),
		                atof(synthetic_set(sets, n, "traffic.[0].load", "0.5")), seed, complete);
	free(text.data);
	xp_config_free(&config);
	base_registry_free(&registry);
	return seed == 13 ? 3 : complete ? 0 : 130;
}

static void write_text(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");
	cr_assert(out);
	fputs(text, out);
	fclose(out);
}

static char *read_text(const char *path)
{
	FILE *in = fopen(path, "r");
	if (!in)
		return NULL;
	char *text = calloc(1, 1 << 22);
	text[fread(text, 1, (1 << 22) - 1, in)] = 0;
	fclose(in);
	return text;
}

/* A temporary folder, and the working folder. */
static char folder[64];
static void enter_folder(void)
{
	unsetenv("BXFI_MAP"); /* Criterion's; a child that inherits it takes itself for a test worker */
	strcpy(folder, "/tmp/tilefly-test-XXXXXX");
	cr_assert(mkdtemp(folder));
	cr_assert_eq(chdir(folder), 0);
}
static void leave_folder(void)
{
	char command[128];
	cr_assert_eq(chdir("/"), 0);
	snprintf(command, sizeof command, "rm -rf %s", folder);
	cr_assert_eq(system(command), 0);
}

#define EXPERIMENT                                                                                                \
	"title = \"test\";\nbase = \"slimfly-3k\";\n"                                                             \
	"grid = (\n"                                                                                              \
	"  { name = \"routing\"; points = ( { label = \"minimal\"; set = [\"routing.kind=minimal\"]; },\n"        \
	"                                 { label = \"valiant\"; set = [\"routing.kind=valiant\"]; } ); },\n"     \
	"  { path = \"traffic.[0].load\"; values = [0.25, 0.5, 1.0]; short = [0.5]; } );\n"                       \
	"short = { set = [\"time.measure=20us\"]; };\n"                                                           \
	"published = { scales = ( { label = \"raw\"; factor = 1.0; }, { label = \"scaled\"; factor = 0.5; } );\n" \
	"  curves = ( { routing = \"valiant\"; x = [0.2, 0.4, 1.0]; y = [0.2, 0.4, 0.7]; note = \"n\"; } ); };\n" \
	"expected = ( { routing = \"minimal\"; x = [0.0, 0.5]; of_offered = [0.99, 1.01]; },\n"                   \
	"             { routing = \"minimal\"; x = [1.0, 1.0]; range = [0.96, 1.0]; } );\n"

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "run"))
		return synthetic_run(argc, argv);
	struct criterion_test_set *tests = criterion_initialize();
	int result = 0;
	if (criterion_handle_args(argc, argv, true))
		result = !criterion_run_all_tests(tests);
	criterion_finalize(tests);
	return result;
}

#endif
