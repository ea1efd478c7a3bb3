/** Very many messages and statements of an account, which the worker writes to both indexes. Made from one by SQL. */
import { Client } from 'pg';
import { copyStatements } from './copies.ts';
import { untilDone, untilNothingIsMarked } from './searchable.ts';

const INDEXED_WITHIN_MS = 40 * 60_000;

/** Words that people say to each other, so that they are in everybody's questions too. */
const SENTENCES = [
  'I went to the support group with my friend last week',
  'We painted a sunset by the lake and the kids loved it',
  'My family went camping in the mountains in June',
  'I started a new job in the city and I like the music there',
  'She bought a book about plants for her birthday',
  'What did you do at the beach with the dogs on Sunday',
  'He plays the violin and teaches a class in the evening',
  'When are you going on the trip to Paris',
];

const TEXT = `(array[${SENTENCES.map((sentence) => `'${sentence}'`).join(', ')}])[1 + c.n % ${SENTENCES.length}] || ', number ' || c.n || '.'`;

/** Marks the messages of the scope, as many as were copied. They are known to nobody yet, so nothing around them changes. */
async function markMessages(admin: Client, scope: string): Promise<void> {
  await admin.query(
    `insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard, spreads)
     select m.account_id, engine, 'message', m.id, m.scope_id, a.shard, false
     from scopes s
     join messages m on m.account_id = s.account_id and m.scope_id = s.id
     join extraction_anchors a on a.account_id = m.account_id and a.message_id = m.id
     cross join unnest(enum_range(null::index_engine)) as engine
     where s.path = $1 on conflict do nothing`,
    [scope],
  );
}

/**
 * Adds `units` units, half of them messages and half statements, to the account that has one observation with a statement
 * at the scope. Answers once both indexes hold them.
 */
export async function addForeignUnits(
  databaseUrl: string,
  scope: string,
  units: number,
): Promise<void> {
  const admin = new Client({ connectionString: databaseUrl });
  await admin.connect();
  try {
    await untilDone(admin, scope, 1);
    await untilNothingIsMarked(admin);
    await copyStatements(admin, scope, units / 2, { textSql: TEXT });
    await markMessages(admin, scope);
    await untilNothingIsMarked(admin, INDEXED_WITHIN_MS);
  } finally {
    await admin.end();
  }
}
