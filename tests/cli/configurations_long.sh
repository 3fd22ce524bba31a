#!/usr/bin/env bash
# configurations.sh with 600 configurations, all of them on two ranks as well.
draws="0 600 1"
source "$(dirname "$0")/configurations.sh"
