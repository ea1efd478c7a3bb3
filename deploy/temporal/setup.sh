#!/bin/sh
# Creates and upgrades Temporal's two schemas. May be repeated.
set -eu
for pair in temporal:temporal temporal_visibility:visibility; do
  database=${pair%%:*}
  schema=${pair##*:}
  tool="temporal-sql-tool --plugin postgres12 --ep ${POSTGRES_SEEDS} -p ${DB_PORT} -u ${POSTGRES_USER} --pw ${POSTGRES_PWD} --db ${database}"
  $tool create || true
  $tool setup-schema -v 0.0 || true
  $tool update-schema --schema-name "postgresql/v12/${schema}"
done
