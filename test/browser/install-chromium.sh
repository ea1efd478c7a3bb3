#!/bin/sh
# Prints the path of Chromium. Where there is none, it installs Debian's first; that needs root.
set -eu

if [ -n "${VOUCH_CHROMIUM:-}" ]; then
  echo "$VOUCH_CHROMIUM"
  exit 0
fi
if ! command -v chromium >/dev/null; then
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo 'The browser tests need Chromium: install it, or name its program in VOUCH_CHROMIUM.' >&2
    exit 1
  fi
  {
    apt-get update
    DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends chromium
  } >&2
fi
command -v chromium
