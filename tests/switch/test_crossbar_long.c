/* tests/switch/test_crossbar_long.c - test_crossbar with every combination. */
#define EVERY_CASE 1
#include "tests/switch/test_crossbar.c"
