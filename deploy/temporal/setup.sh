#!/bin/sh
# Brings Temporal's two schemas up to this version, as the role that owns them. May be repeated. The password
# is in SQL_PASSWORD.
set -eu
for pair in temporal:temporal temporal_visibility:visibility; do
  database=${pair%%:*}
  schema=${pair##*:}
  tool="temporal-sql-tool --plugin postgres12 --ep ${POSTGRES_SEEDS} -p ${DB_PORT} -u ${POSTGRES_USER} --db ${database}"
  # Fails when the table of versions is there already; if it failed for another reason, so does the update.
  $tool setup-schema -v 0.0 || true
  $tool update-schema --schema-name "postgresql/v12/${schema}"
done
