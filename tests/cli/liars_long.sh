#!/usr/bin/env bash
# liars.sh with what is tried on two ranks tried under both schedulers.
both="conservative optimistic"
source "$(dirname "$0")/liars.sh"
