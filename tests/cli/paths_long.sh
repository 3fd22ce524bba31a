#!/usr/bin/env bash
# paths.sh with 300 drawn configurations, and all shipped ones.
draws="0 300 10"
loads=0.5,0.9
source "$(dirname "$0")/paths.sh"
