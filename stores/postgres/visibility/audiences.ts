/** Audiences as rows hold them. */
import { sql, type FragmentSqlToken } from 'slonik';

/** The rows `named`, one for each principal that the audience of a row names, by the alias of its table. */
export function namedInAudienceOf(alias: 'k' | 'm'): FragmentSqlToken {
  const row = (name: string) => sql.identifier([alias, name]);
  return sql.fragment`from audience_members named
    where named.account_id = ${row('account_id')} and named.audience_id = ${row('audience_id')}`;
}

/** The principals that the audience of a row names, as a JSON list in one order. */
export function principalsOf(alias: 'k' | 'm'): FragmentSqlToken {
  return sql.fragment`(select coalesce(jsonb_agg(named.principal order by named.principal), '[]')
    ${namedInAudienceOf(alias)})`;
}
