/* tests/experiments/config/test_every_key.c - every key of one shipped configuration of each kind of switch, and of
 * every plug-in that none of them chooses, acts or is refused: see every_key.h. The others:
 * test_every_key_long.c. */
#include "tests/experiments/config/every_key.h"

Test(every_key, of_a_crossbar)
{
	try_shipped("switch-conventional-64.cfg");
	report_judged(false);
}

Test(every_key, of_a_tiled_switch)
{
	try_shipped("switch-rosetta-64.cfg");
	report_judged(false);
}

Test(every_key, of_an_output_queued_switch)
{
	try_shipped("fattree-trim-128.cfg");
	report_judged(false);
}

Test(every_key, of_other_plugins)
{
	try_others();
	report_judged(false);
}

/* The first look comes before a given warm-up is over. */
Test(every_key, a_warmup_longer_than_the_first_look)
{
	struct study s = { .text = SMALL(DRAGONFLY, "") };
	struct base_buffer out = { 0 };
	add(&s.sets, "time", "{ warmup = \"3us\"; precision = \"0.05%\"; limit = \"15us\"; }");
	add(&s.sets, "links", "{ default = { latency = \"1ns\"; }; }");
	add(&s.sets, "traffic.[0].load", "0.3");
	cr_assert_eq(run(s.text, &s.sets, "time.warmup", false, &out), RAN, "%s", out.data);
	free(out.data);
}
