/** Texts in indexes: an entry of a btree holds 2,704 bytes, and no caller may make one that does not fit. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestDatabase, type OpenDatabase } from '../../support/database.ts';

/** Indexed texts that no check of their table bounds, each with what does. */
const BOUNDED_ELSEWHERE: Readonly<Record<string, string>> = {
  'audience_members.principal': 'An id, or an id and a role: its pattern says so.',
  'entity_mentions.alias': 'its own check: 128 bytes',
  'projections.entity': 'its own check: 128 bytes',
  'scope_names.alias': 'its own check: 128 bytes',
  'scope_names.word': 'its own check: 128 bytes',
  'logins.email': '254 characters (domain/identity/email.ts)',
  'idempotency_records.method': 'a method of HTTP that a route has',
  'idempotency_records.key': 'its own check: 255 characters',
  'knowledge.attribute': 'the name in `claim_about`, which has a check of its own: 32 characters',
  'knowledge.claim_about': 'its own check: a name and a digest',
  'knowledge.kind_word': 'made by the database of a closed list',
  'knowledge.shelf': 'made by the database of two closed lists',
  'knowledge_addressees.principal': 'The principal of an audience.',
  'knowledge_addressees.state': 'a word of a closed list, written by a trigger',
  'knowledge_submitters.state': 'a word of a closed list, written by a trigger',
  'peers.name_lead': 'words of a name, which has 256 characters',
  'peers.key_lead': 'words of a key, which has 256 characters',
  'provider_circuits.provider': 'a setting of the deployment',
  'provider_circuits.model': 'a setting of the deployment',
  'schema_migrations.name': 'the name of a shipped file',
  'scopes.name': 'a segment of a path: 128 characters (domain/scopes/path.ts)',
  'skill_cards.skill': 'its own check: 64 characters',
  'index_marks.engine': 'one of two words, by its check',
  'token_days.role': 'a role or *, by its check',
  'vector_spaces.collection': 'its own check: 255 characters',
};

let database: OpenDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('every text in an index has at most 256 characters by a check of its table, or a reason', async () => {
  const { rows } = await database.admin.query<{ name: string; bounded: boolean }>(`
    select distinct format('%s.%s', t.relname, a.attname) as name,
      exists (select from pg_constraint k where k.conrelid = t.oid and k.contype = 'c'
        and pg_get_constraintdef(k.oid) like '%char_length(' || a.attname || ') <= 256%') as bounded
    from pg_index i
    join pg_class t on t.oid = i.indrelid
    join pg_attribute a on a.attrelid = t.oid and a.attnum = any(i.indkey::smallint[]) and a.attnum > 0
    where t.relnamespace = 'public'::regnamespace and a.atttypid in ('text'::regtype, 'varchar'::regtype, 'jsonb'::regtype)
    order by 1`);
  const unbounded = rows.filter(({ bounded }) => !bounded).map(({ name }) => name);
  expect(unbounded).toEqual(Object.keys(BOUNDED_ELSEWHERE).toSorted());
});
