/** The tables of skill cards, for `registry.ts`. */
import { words, type RegisteredTable } from './registered-table.ts';

export const SKILL_TABLES: Readonly<Record<string, RegisteredTable>> = {
  // What curators write for everybody who works in the scope. It names kinds of statements and no row of a person.
  skill_cards: {
    content: [],
    id: [],
    neither: [
      ...words('account_id id scope_id skill version requirement_schema_version description'),
      ...words('requirements content_hash published_at retired_at'),
    ],
    goes: { stays: 'Configuration of the account, written for everybody: nothing of a person.' },
  },
};
