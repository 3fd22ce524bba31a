/* tests/switch/test_classes_long.c - test_classes in full. */
#define EVERY_CASE 1
#include "tests/switch/test_classes.c"
