/* tests/experiments/costing/test_best_long.c - test_best from larger switches: up to some ten thousand members a
 * family. */
#define EVERY_CASE 1
#include "tests/experiments/costing/test_best.c"
