/* tests/network/test_threads_long.c - test_threads with every number of threads for every network. */
#define EVERY_CASE 1
#include "tests/network/test_threads.c"
