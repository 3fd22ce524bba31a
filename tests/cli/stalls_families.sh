#!/usr/bin/env bash
# stalls.sh with the other topologies: HyperX, trees.
families=yes
source "$(dirname "$0")/stalls.sh"
