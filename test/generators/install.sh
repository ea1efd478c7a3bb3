#!/bin/sh
# Prints the folder with the two generators of clients, and installs them there first where it is missing: the Python one
# by pip, the TypeScript one by npm, which brings a compiler of its own.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
versions=$(cat "$here/requirements.txt" "$0" | cksum | cut -d ' ' -f 1)
folder="${XDG_CACHE_HOME:-$HOME/.cache}/vouch/generators-$versions"
if [ -d "$folder" ]; then
  echo "$folder"
  exit 0
fi
if ! command -v python3 >/dev/null || ! python3 -m pip --version >/dev/null 2>&1; then
  echo 'The tests of generated clients need Python 3.10 or newer with pip.' >&2
  exit 1
fi
mkdir -p "$(dirname "$folder")"
draft=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$draft"' EXIT
{
  python3 -m pip install --quiet --no-input --no-deps --root-user-action=ignore --target "$draft/python" --requirement "$here/requirements.txt"
  npm install --silent --no-fund --no-audit --prefix "$draft/node" openapi-typescript@7.13.0 typescript@5.9.3
} >&2
# Whole or not at all; of two that install at once the later one finds it there.
mv -T "$draft" "$folder" 2>/dev/null || [ -d "$folder" ]
echo "$folder"
