#!/bin/sh
# Makes the namespace once the server works. May be repeated.
set -eu
tries=60
until temporal operator cluster health; do
  tries=$((tries - 1))
  if [ "$tries" -eq 0 ]; then
    echo 'Temporal did not become healthy within a minute.' >&2
    exit 1
  fi
  sleep 1
done
temporal operator namespace describe -n "$TEMPORAL_NAMESPACE" ||
  temporal operator namespace create --retention 168h -n "$TEMPORAL_NAMESPACE"
