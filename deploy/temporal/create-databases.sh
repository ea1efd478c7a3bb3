#!/bin/bash
# Makes Temporal's role and its two databases on the Postgres of PGHOST. May be repeated: a new password is set.
set -eu
psql -qX -v ON_ERROR_STOP=1 <<'SQL'
\getenv password TEMPORAL_DATABASE_PASSWORD
select 'create role temporal login'
where not exists (select from pg_roles where rolname = 'temporal') \gexec
alter role temporal password :'password';
select format('create database %I owner temporal', name)
from unnest(array['temporal', 'temporal_visibility']) as name
where not exists (select from pg_database where datname = name) \gexec
revoke connect on database temporal, temporal_visibility from public;
SQL
