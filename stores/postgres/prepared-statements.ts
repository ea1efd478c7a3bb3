/**
 * SQL statements that a process sends often are parsed once for each connection. Row security and long conditions make
 * Postgres spend twice as long on parsing and planning a statement as on running it. The plan of a prepared one is kept
 * (see `settingsOf` in `pool.ts`).
 */
import type { Interceptor } from 'slonik';

/** A text that was sent no more than so often gets no name. */
const ASKED_BEFORE = 2;
/** Each is kept by every connection of the process, about 100 KiB of the server's memory for a long one. */
const MOST_PREPARED = 200;
/** Texts that are counted at a time; past it the count begins anew. */
const MOST_COUNTED = 1_000;

/** Names the SQL statements that a process sends often, so that the driver prepares them. */
export function preparedStatements(): Interceptor {
  const names = new Map<string, string>();
  let asked = new Map<string, number>();

  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size === MOST_PREPARED) return known;
    const times = (asked.get(text) ?? 0) + 1;
    if (times <= ASKED_BEFORE) {
      if (asked.size === MOST_COUNTED) asked = new Map();
      asked.set(text, times);
      return undefined;
    }
    asked.delete(text);
    const name = `vouch_${names.size}`;
    names.set(text, name);
    return name;
  };

  return {
    name: 'prepared-statements',
    transformQuery: (_context, query) => {
      const name = query.name ?? nameOf(query.sql);
      return name === undefined ? query : { ...query, name };
    },
  };
}
