#!/usr/bin/env bash
# Measures all that README.md lists, or what is named: bench/run.sh fire condition
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export npm_config_update_notifier=false npm_config_fund=false npm_config_audit=false

all=(fire flat condition deadline run module decide frames template prompt gateway)
[ $# -gt 0 ] || set -- "${all[@]}"
for name in "$@"; do
  [ -f "bench/$name.bench.ts" ] || { echo "nothing to measure is called \`$name\`: ${all[*]}" >&2; exit 2; }
done

# npm writes this file last: older than the lock file means stale.
[ bench/node_modules/.package-lock.json -nt bench/package-lock.json ] || npm ci --prefix bench
npm run --silent build

# cedar-wasm ends some processes of Node 20 with a fatal error where V8 inlines the calls to it.
for name in "$@"; do
  printf '\n## %s\n' "$name"
  node --expose-gc --no-turbo-inline-js-wasm-calls bench/start.mjs "$name"
done
uptime
