/* tests/network/test_class_draws.c - some of the drawn cases of class_draws.h; controls that follow no class are
 * refused where one has a guarantee. */
#include "tests/network/class_draws.h"

Test(class_draws, shares_are_by_guarantee, .timeout = 200)
{
	for (uint32_t i = 0; i < 12; i++)
		run_drawn_case(i);
}

/* Whether a network of these classes under this control is refused; *said: whether the error names congestion.kind. */
static bool refuses(const char *control, const char *classes, bool *said)
{
	struct bench_config c;
	char text[1000];
	snprintf(
	    text, sizeof text,
	    "topology = { kind = \"single\"; ports = 8; }; switch = { kind = \"crossbar\"; }; congestion = { kind = "
	    "\"%s\"; }; classes = ( %s ); traffic = ( { class = \"a\"; load = 0.1; }, { class = \"b\"; load = 0.1; } "
	    ");",
	    control, classes);
	bench_read(&c, text, "", NULL);
	struct net *net = net_create(&c.setup, &c.errors);
	*said = false;
	for (size_t i = 0; i < c.errors.n; i++)
		*said = *said || !strcmp(c.errors.v[i].key, "congestion.kind");
	bool refused = !net;
	net_destroy(net);
	bench_close(&c);
	return refused;
}

Test(class_draws, controls_that_follow_no_class_are_refused)
{
	static const char *const guarantees[] = {
		"{ name = \"a\"; min_bandwidth = 0.5; }, { name = \"b\"; }",
		"{ name = \"a\"; }, { name = \"b\"; max_bandwidth = 0.5; }",
		"{ name = \"a\"; }, { name = \"b\"; priority = 1; }",
	};
	static const char *const blind[] = { "swift", "lasthop", "rccc" }, *const sighted[] = { "none", "window",
		                                                                                "slingshot" };
	bool said;
	for (int c = 0; c < 3; c++) {
		for (int g = 0; g < 3; g++) {
			cr_expect(refuses(blind[c], guarantees[g], &said), "%s: %s", blind[c], guarantees[g]);
			cr_expect(said, "%s: %s", blind[c], guarantees[g]);
			cr_expect_not(refuses(sighted[c], guarantees[g], &said), "%s: %s", sighted[c], guarantees[g]);
		}
		cr_expect_not(refuses(blind[c], "{ name = \"a\"; }, { name = \"b\"; }", &said), "%s", blind[c]);
		cr_expect(said, "%s", blind[c]); /* a warning */
	}
}
