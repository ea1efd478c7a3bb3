#!/bin/sh
# Prints the path of promtool. Where there is none, it installs Debian's Prometheus first, which brings it; that needs root.
set -eu

if [ -n "${VOUCH_PROMTOOL:-}" ]; then
  echo "$VOUCH_PROMTOOL"
  exit 0
fi
if command -v promtool; then exit 0; fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo 'The alerts need promtool: install the package prometheus, or name the program in VOUCH_PROMTOOL.' >&2
  exit 1
fi
{
  apt-get update
  DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends prometheus
} >&2
command -v promtool
