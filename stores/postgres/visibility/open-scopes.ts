/** The scopes that openings let through, as a condition of SQL: `ScopeDirectoryStore` walks them, this judges one. */
import { sql, type FragmentSqlToken } from 'slonik';
import { areEverything, type Openings } from '../../../domain/identity/openings.ts';
import { ROOT_PATH, type ScopePath } from '../../../domain/scopes/path.ts';

/** What the path of a scope at or below `path` begins with once a slash is put to its end. */
const prefixOf = (path: ScopePath): string => (path === ROOT_PATH ? path : `${path}/`);

/** Whether the scope of the path `text` lies at or below one of the paths. */
function isBelowOneOf(text: FragmentSqlToken, paths: readonly ScopePath[]): FragmentSqlToken {
  if (paths.length === 0) return sql.fragment`false`;
  return sql.fragment`exists (
    select from unnest(${sql.array(paths.map(prefixOf), 'text')}) as above (prefix)
    where starts_with(${text} || '/', above.prefix))`;
}

/** Whether the openings let the scope of the path `text` through. */
export function isOpen(text: FragmentSqlToken, openings: Openings): FragmentSqlToken {
  if (areEverything(openings)) return sql.fragment`true`;
  const { closedBelow, closedHere, tops } = openings;
  const wide = tops.filter(({ reachesBelow }) => reachesBelow).map(({ path }) => path);
  const single = tops.filter(({ reachesBelow }) => !reachesBelow).map(({ path }) => path);
  return sql.fragment`((${text} = any(${sql.array(single, 'text')}) or ${isBelowOneOf(text, wide)})
    and ${text} <> all(${sql.array(closedHere, 'text')}) and not ${isBelowOneOf(text, closedBelow)})`;
}
