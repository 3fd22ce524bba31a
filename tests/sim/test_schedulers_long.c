/* tests/sim/test_schedulers_long.c - test_schedulers in full. */
#define EVERY_CASE 1
#include "tests/sim/test_schedulers.c"
