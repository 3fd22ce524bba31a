#!/usr/bin/env bash
# stalls_long.sh with the other topologies (HyperX, trees, dragonfly+, PolarFly, orthogonal fat trees, multi-layer full meshes, Jellyfish ...): every kind of switch, three patterns, two loads and 300 us for what is safe.
families=yes
long=yes
source "$(dirname "$0")/stalls.sh"
