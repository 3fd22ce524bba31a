/* tests/switch/test_tiled_invariants_long.c - test_tiled_invariants with every combination. */
#define EVERY_CASE 1
#include "tests/switch/test_tiled_invariants.c"
