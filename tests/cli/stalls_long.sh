#!/usr/bin/env bash
# stalls.sh with three patterns, two loads and 300 us for what is safe, and five patterns for what is not.
long=yes
source "$(dirname "$0")/stalls.sh"
