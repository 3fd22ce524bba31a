/* tests/switch/test_sharing_long.c - test_sharing in full. */
#define EVERY_CASE 1
#include "tests/switch/test_sharing.c"
