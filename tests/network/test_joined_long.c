/* tests/network/test_joined_long.c - test_joined with every combination. */
#define EVERY_CASE 1
#include "tests/network/test_joined.c"
