/**
 * Scopes by their place in the tree, at a cost that does not grow with the account: a path is found by its hash, its
 * chain by the hashes of the chain, and what lies below it step by step from parent to child. Nothing here compares the
 * paths themselves: row security lets neither `starts_with` nor `like` into the conditions of an index.
 */
import { sql, type FragmentSqlToken } from 'slonik';

/** Whether `alias` (of `scopes`) stands at the path. */
export function isAtPath(path: string, alias: string): FragmentSqlToken {
  return sql.fragment`${sql.identifier([alias, 'path_hash'])} = text_sha256(${path})`;
}

/** Whether `alias` (of `scopes`) stands at one of the paths. */
export function isAtOneOf(paths: readonly string[], alias: string): FragmentSqlToken {
  return sql.fragment`${sql.identifier([alias, 'path_hash'])} = any(text_hashes(${sql.array(paths, 'text')}))`;
}

/**
 * The scopes of the chain of `alias` (of `scopes`) that exist, itself included: `[{"id", "depth"}, …]` as jsonb. The
 * root has depth 0. Paths are left out: they are long, and callers know them.
 */
export function chainOf(alias: string): FragmentSqlToken {
  const column = (name: string) => sql.identifier([alias, name]);
  return sql.fragment`(
    select jsonb_agg(jsonb_build_object('id', step.id, 'depth', link.place - 1))
    from unnest(text_hashes(scope_chain(${column('path')}))) with ordinality as link (hash, place)
    join scopes step on step.account_id = ${column('account_id')} and step.path_hash = link.hash)`;
}

/**
 * A query of `id` and `path`: the scope of the account at the path and all scopes below it, none when it does not
 * exist.
 */
export function subtreeOf(account: FragmentSqlToken, path: string): FragmentSqlToken {
  return sql.fragment`
    with recursive subtree as (
      select s.account_id, s.id, s.path from scopes s
      where s.account_id = ${account} and ${isAtPath(path, 's')}
      union all
      select s.account_id, s.id, s.path from subtree
      join scopes s on s.account_id = subtree.account_id and s.parent_id = subtree.id
    )
    select id, path from subtree`;
}
