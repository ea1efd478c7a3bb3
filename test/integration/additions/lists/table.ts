/** A table with a store: notes of an account about its scopes. */
import type { Edit } from '../scratch.ts';

export const TABLE: readonly Edit[] = [
  {
    file: 'stores/postgres/migrations/9999_scope_notes.sql',
    insert: `create table scope_notes (
  account_id uuid not null references accounts (id),
  scope_id uuid not null,
  pinned boolean not null default false,
  primary key (account_id, scope_id),
  constraint noted_scope_is_in_same_account foreign key (account_id, scope_id) references scopes (account_id, id)
);
call secure_account_table('scope_notes');
grant select, insert, update, delete on scope_notes to vouch_app;
`,
  },
  {
    file: 'stores/postgres/scopes/notes.store.ts',
    insert: `/** What an account notes of its scopes. */
import { sql } from 'slonik';
import { AccountStore } from '../account-store.ts';

export class ScopeNotesStore extends AccountStore {
  /** Pins the scope. A scope that is pinned already stays so. */
  async pin(scopeId: string): Promise<void> {
    await this.tx.query(sql.unsafe\`
      insert into scope_notes (account_id, scope_id, pinned) values (\${this.accountId}::uuid, \${scopeId}::uuid, true)
      on conflict (account_id, scope_id) do update set pinned = true\`);
  }
}
`,
  },
  {
    file: 'stores/postgres/stores.ts',
    before: 'import { ScopesStore }',
    insert: "import { ScopeNotesStore } from './scopes/notes.store.ts';\n",
  },
  {
    file: 'stores/postgres/stores.ts',
    before: '    scopes: new ScopesStore(...of),',
    insert: '    scopeNotes: new ScopeNotesStore(...of),\n',
  },
  {
    file: 'domain/erasure/registry.ts',
    before: '  browser_sessions: {',
    insert: `  scope_notes: {
    content: [],
    id: [],
    neither: words('account_id scope_id pinned'),
    goes: { stays: 'Nothing of a person.' },
  },
`,
  },
  {
    file: 'domain/portability/tables.ts',
    before: "  schema_migrations: 'The schema",
    insert: "  scope_notes: 'Notes of this deployment.',\n",
  },
  {
    file: 'test/integration/plans/exceptions.ts',
    before: "  'stores.gateRules.inForce':",
    insert: "  'stores.scopeNotes.pin': 'a person, by primary key',\n",
  },
];
