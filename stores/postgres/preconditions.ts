/**
 * What must hold of a database before a process works on it: it is empty or belongs to the service, it is migrated
 * to this build, and row security binds the role of the connection. Each failure is one sentence for the operator.
 */
import { sql } from 'slonik';
import { z } from 'zod';
import { readMigrations } from './migrate.ts';
import type { Queryable } from './pool.ts';
import { PreconditionError } from './precondition-error.ts';
import { FUNCTION_OWNERS } from './provision.ts';

const FIRST_MIGRATION = '0001_identity.sql';

const markRow = z.object({ has_mark: z.boolean(), other_relations: z.int() });

/**
 * What the database holds. `empty`: no table, view or sequence. `ours`: the service's table of migrations. `foreign`:
 * anything else, and the service must not touch it. Relations of extensions do not count.
 */
export async function schemaMark(db: Queryable): Promise<'empty' | 'ours' | 'foreign'> {
  const { has_mark, other_relations } = await db.one(sql.type(markRow)`
    with relations as (
      select c.oid, n.nspname, c.relname
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and c.relpersistence <> 't'
        and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_(toast|temp)'
        and not exists (
          select from pg_depend d
          where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')),
    mark as (
      select r.oid from relations r
      where r.nspname = 'public' and r.relname = 'schema_migrations'
        and (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
          where a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped)
          = array['name', 'sha256', 'applied_at'])
    select exists (select from mark) as has_mark,
      (select count(*)::integer from relations where oid not in (select oid from mark)) as other_relations`);
  if (!has_mark) return other_relations === 0 ? 'empty' : 'foreign';
  // A start that was cut short before its first migration leaves no more than this table, empty.
  if (other_relations === 0) return 'ours';
  return (await appliedMigrations(db)).has(FIRST_MIGRATION) ? 'ours' : 'foreign';
}

async function appliedMigrations(db: Queryable): Promise<ReadonlyMap<string, string>> {
  const rows = await db.any(sql.type(z.object({ name: z.string(), sha256: z.string() }))`
    select name, sha256 from schema_migrations`);
  return new Map(rows.map((row) => [row.name, row.sha256]));
}

/**
 * The names of shipped migrations that the database has not seen, in order.
 * @throws PreconditionError when it has seen one that this build does not ship in the same form.
 */
export async function pendingMigrations(db: Queryable): Promise<readonly string[]> {
  const shipped = await readMigrations();
  const applied = await appliedMigrations(db);
  const known = new Map(shipped.map(({ name, sha256 }) => [name, sha256]));
  for (const [name, sha256] of applied) {
    if (known.get(name) !== sha256) {
      throw new PreconditionError(
        `Another build migrated the database (${name} differs). Use that build, or restore a backup.`,
      );
    }
  }
  return shipped.filter(({ name }) => !applied.has(name)).map(({ name }) => name);
}

const privilegeRow = z.object({
  role: z.string(),
  is_superuser: z.boolean(),
  bypasses_row_security: z.boolean(),
  creates_roles: z.boolean(),
  owns_relations: z.boolean(),
  rewrites_messages: z.boolean(),
});

/**
 * Refuses to work as anything stronger than `vouch_app`: neither the role of the connection nor any role it
 * may become is a superuser, bypasses row security, makes roles, owns a relation of ours, or may change or
 * delete a message.
 */
export async function assertLeastPrivilege(db: Queryable): Promise<void> {
  const found = await db.one(sql.type(privilegeRow)`
    with reachable as (
      select r.oid, r.rolsuper, r.rolbypassrls, r.rolcreaterole
      from pg_roles r
      where r.rolname in (session_user, current_user) or pg_has_role(session_user, r.oid, 'member')),
    relations as (
      select c.oid, c.relowner from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S'))
    select session_user::text as role,
      bool_or(rolsuper) as is_superuser,
      bool_or(rolbypassrls) as bypasses_row_security,
      bool_or(rolcreaterole) as creates_roles,
      exists (
        select from relations c join reachable r on r.oid = c.relowner) as owns_relations,
      exists (
        select from reachable r
        where has_table_privilege(r.oid, 'messages', 'update, delete')) as rewrites_messages
    from reachable`);
  const faults = [
    found.is_superuser ? 'is a superuser' : null,
    found.bypasses_row_security ? 'bypasses row security' : null,
    found.creates_roles ? 'may create roles' : null,
    found.owns_relations ? 'owns tables' : null,
    found.rewrites_messages ? 'may change or delete messages' : null,
  ].filter((fault) => fault !== null);
  if (faults.length > 0) {
    throw new PreconditionError(
      `The database role ${found.role} is too strong for the service: it ${faults.join(', ')}. Connect as vouch_app.`,
    );
  }
}

/**
 * Refuses a database whose functions that look across accounts, or erase, lost their owners: a dump that was restored
 * without owners. As those of another role they see nothing, or far too much.
 */
async function assertFunctionOwners(db: Queryable): Promise<void> {
  const strays = await db.oneFirst(sql.type(z.object({ strays: z.int() }))`
    select count(*)::integer as strays from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prosecdef
      and pg_get_userbyid(p.proowner) <> all(${sql.array([...FUNCTION_OWNERS], 'text')})
      and not exists (
        select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`);
  if (strays > 0) {
    throw new PreconditionError(
      `${strays} functions of the database belong to another role than they should: it was restored without its owners. Restore it again without --no-owner, after npm run migrate has made the roles.`,
    );
  }
}

/** Checks all of it, for a process that does not migrate. */
export async function assertDatabaseUsable(db: Queryable): Promise<void> {
  const mark = await schemaMark(db);
  if (mark !== 'ours') {
    throw new PreconditionError(
      mark === 'empty'
        ? 'The database is empty. Start the service once, or run its migrations.'
        : 'The database contains tables of another application. Set DATABASE_URL to another database.',
    );
  }
  const pending = await pendingMigrations(db);
  if (pending.length > 0) {
    throw new PreconditionError(
      `The database lacks ${pending.length} migrations; the first is ${pending[0]}. Start the service once, or run its migrations.`,
    );
  }
  await assertFunctionOwners(db);
  await assertLeastPrivilege(db);
}
