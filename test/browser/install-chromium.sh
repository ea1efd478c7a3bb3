#!/bin/sh
# Prints the path of Chromium. Where there is none, it installs Debian's without a window first; that needs root.
set -eu

if [ -n "${VOUCH_CHROMIUM:-}" ]; then
  echo "$VOUCH_CHROMIUM"
  exit 0
fi
# The shell has no window to draw, and takes half the processor time of the whole browser.
for program in chromium-headless-shell chromium; do
  if command -v "$program"; then exit 0; fi
done
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo 'The browser tests need Chromium: install it, or name its program in VOUCH_CHROMIUM.' >&2
  exit 1
fi
{
  apt-get update
  DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends chromium-headless-shell
} >&2
command -v chromium-headless-shell
