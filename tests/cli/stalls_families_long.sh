#!/usr/bin/env bash
# stalls_families.sh with every kind of switch, three patterns, two loads and 300 us for what is safe.
families=yes
long=yes
source "$(dirname "$0")/stalls.sh"
