/* tests/network/test_legs_long.c - test_legs in full. */
#define EVERY_CASE 1
#include "tests/network/test_legs.c"
