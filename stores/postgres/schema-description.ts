/**
 * The schema of a database as text, read from the catalogue in an order that depends on names only. Printed
 * as SQL for people to read and for version control to compare; `schema.sql` beside this file is one such
 * print, and a test holds it against a freshly migrated database.
 */
import { sql } from 'slonik';
import { z } from 'zod';
import type { Queryable } from './pool.ts';

const lineRow = z.object({ line: z.string() });

async function lines(db: Queryable, query: ReturnType<typeof sql.fragment>): Promise<string> {
  const found = await db.anyFirst(sql.type(lineRow)`${query}`);
  return found.join('\n');
}

/** The functions and types of an extension are described by its name. */
const ownFunction = sql.fragment`not exists (
  select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`;

const EXTENSIONS = sql.fragment`
  select format('create extension %I;', e.extname) as line
  from pg_extension e where e.extnamespace = 'public'::regnamespace
  order by e.extname collate "C"`;

const ENUMS = sql.fragment`
  select format('create type %I as enum (%s);', t.typname,
    string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder)) as line
  from pg_type t join pg_enum e on e.enumtypid = t.oid
  where t.typnamespace = 'public'::regnamespace
  group by t.typname order by t.typname collate "C"`;

const COMPOSITES = sql.fragment`
  select format('create type %I as (%s);', c.relname,
    string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' order by a.attnum)) as line
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'c'
  group by c.relname order by c.relname collate "C"`;

const TABLES = sql.fragment`
  select concat_ws(E'\n',
    format('create table %I (', c.relname),
    (select string_agg(part, E',\n' order by place, name collate "C") from (
      select 0 as place, lpad(a.attnum::text, 5, '0') as name,
        format('  %I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
          coalesce(case when a.attgenerated = 's'
            then format(' generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
            else ' default ' || pg_get_expr(d.adbin, d.adrelid) end, ''),
          case when a.attnotnull then ' not null' else '' end) as part
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      union all
      select 1, k.conname, format('  constraint %I %s', k.conname, pg_get_constraintdef(k.oid))
      from pg_constraint k where k.conrelid = c.oid and k.contype <> 'n') parts),
    ');',
    format('alter table %I owner to %I;', c.relname, pg_get_userbyid(c.relowner)),
    case when c.relrowsecurity then format('alter table %I enable row level security;', c.relname) end,
    case when c.relforcerowsecurity then format('alter table %I force row level security;', c.relname) end,
    '') as line
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  order by c.relname collate "C"`;

const SEQUENCES = sql.fragment`
  select format(E'create sequence %I as %s start %s increment %s;\nalter sequence %I owner to %I;', c.relname,
    format_type(s.seqtypid, null), s.seqstart, s.seqincrement, c.relname, pg_get_userbyid(c.relowner)) as line
  from pg_class c join pg_sequence s on s.seqrelid = c.oid
  where c.relnamespace = 'public'::regnamespace
  order by c.relname collate "C"`;

const INDEXES = sql.fragment`
  select pg_get_indexdef(i.indexrelid) || ';' as line
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = 'public'::regnamespace
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
  order by c.relname collate "C"`;

const POLICIES = sql.fragment`
  select format('create policy %I on %I as %s for %s to %s%s%s;', p.policyname, p.tablename,
    lower(p.permissive), lower(p.cmd), array_to_string(p.roles, ', '),
    coalesce(' using (' || p.qual || ')', ''), coalesce(' with check (' || p.with_check || ')', '')) as line
  from pg_policies p where p.schemaname = 'public'
  order by p.tablename collate "C", p.policyname collate "C"`;

const FUNCTIONS = sql.fragment`
  select format(E'%s;\nalter %s %s owner to %I;\n', rtrim(pg_get_functiondef(p.oid), E'\n'),
    case p.prokind when 'p' then 'procedure' else 'function' end, p.oid::regprocedure,
    pg_get_userbyid(p.proowner)) as line
  from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p') and ${ownFunction}
  order by p.oid::regprocedure::text collate "C"`;

const TRIGGERS = sql.fragment`
  select pg_get_triggerdef(t.oid) || ';' as line
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
  order by c.relname collate "C", t.tgname collate "C"`;

/** Rights of all roles but an object's owner, which has every right. `public` stands for every role. */
const GRANTS = sql.fragment`
  with rights as (
    select format('schema %I', n.nspname) as target, n.nspowner as owner, acl.*
    from pg_namespace n, aclexplode(n.nspacl) acl where n.nspname = 'public'
    union all
    select format('%s %I', case c.relkind when 'S' then 'sequence' else 'table' end, c.relname), c.relowner, acl.*
    from pg_class c, aclexplode(c.relacl) acl where c.relnamespace = 'public'::regnamespace
    union all
    select format('column %I.%I', c.relname, a.attname), c.relowner, acl.*
    from pg_class c join pg_attribute a on a.attrelid = c.oid, aclexplode(a.attacl) acl
    where c.relnamespace = 'public'::regnamespace
    union all
    select format('routine %s', p.oid::regprocedure), p.proowner, acl.*
    from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) acl
    where p.pronamespace = 'public'::regnamespace and ${ownFunction})
  select format('grant %s on %s to %s;',
    string_agg(lower(privilege_type), ', ' order by privilege_type), target,
    case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end) as line
  from rights where grantee <> owner
  group by target, grantee
  order by target collate "C", 1`;

/** Kinds of relation that the sections above do not print; there should be none. */
const OTHERS = sql.fragment`
  select format('-- not described: %I (kind %s)', c.relname, c.relkind) as line
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind not in ('r', 'p', 'i', 'I', 'S', 'c')
  order by c.relname collate "C"`;

const SECTIONS = [
  ['Extensions', EXTENSIONS],
  ['Types', ENUMS],
  ['Composite types', COMPOSITES],
  ['Sequences', SEQUENCES],
  ['Tables', TABLES],
  ['Indexes', INDEXES],
  ['Row security', POLICIES],
  ['Functions', FUNCTIONS],
  ['Triggers', TRIGGERS],
  ['Rights', GRANTS],
  ['Others', OTHERS],
] as const;

/** The schema `public` of the database as one text, ending in a newline. Any role may ask. */
export async function describeSchema(db: Queryable): Promise<string> {
  const parts = ['-- What the migrations amount to. Printed by bin/schema-dump.ts; do not edit.'];
  for (const [title, query] of SECTIONS) {
    const text = await lines(db, query);
    if (text !== '') parts.push(`-- ${title}\n\n${text}`);
  }
  return `${parts.join('\n\n')}\n`;
}
