#!/usr/bin/env bash
# stalls.sh with the other topologies: HyperX, trees, dragonfly+, PolarFly, orthogonal fat trees, multi-layer full meshes, Jellyfish.
families=yes
source "$(dirname "$0")/stalls.sh"
