/** A person with very many messages and statements, beside a million statements of others. Made from few by SQL. */
import type { Client } from 'pg';
import { copyStatements } from '../load/copies.ts';
import { sendObservations } from '../load/http-load.ts';
import { untilDone, untilNothingIsMarked } from '../load/searchable.ts';
import type { LoadedStack } from '../load/stack.ts';

/** Key of the person who is erased. */
export const PERSON = 'anna';
/** Messages that the person said, each with a statement about the person; so many statements others said besides. */
const OWN = 10_000;
const OWN_SCOPE = '/bench/own';
const OTHERS_SCOPE = '/bench/others';
/** Statements of others lie in scopes of so many. */
const SLICE = 100_000;
const INDEXED_WITHIN_MS = 40 * 60_000;

export interface Size {
  /** Of others. */
  readonly statements: number;
  /** How many of them the indexes hold too. */
  readonly indexed: number;
}

async function say(stack: LoadedStack, scope: string, person: string): Promise<void> {
  const content = 'I keep the lathe with number 1 in the yard of Ghent.';
  const observation = { scope_path: scope, session_id: scope, peer_key: person, content };
  await sendObservations(stack, () => observation, { clients: 1, amount: 1 });
  await untilDone(stack.admin, scope, 1);
}

/** Runs statements as superuser, without triggers and without a limit of time. */
async function inBulk(admin: Client, work: () => Promise<void>): Promise<void> {
  await admin.query('begin');
  await admin.query('set local session_replication_role = replica');
  await admin.query('set local statement_timeout = 0');
  await work();
  await admin.query('commit');
}

/** Marks the messages of the scope for both indexes. */
async function markMessages(admin: Client, scope: string): Promise<void> {
  await admin.query(
    `insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
     select m.account_id, engine, 'message', m.id, m.scope_id, a.shard
     from scopes s
     join messages m on m.account_id = s.account_id and m.scope_id = s.id
     join extraction_anchors a on a.account_id = m.account_id and a.message_id = m.id
     cross join unnest(enum_range(null::index_engine)) as engine
     where s.path = $1 on conflict do nothing`,
    [scope],
  );
}

/**
 * Leaves the marks of the first `kept` units of the scope, so that the indexes hold no more. The kept ids are found once:
 * as a condition on each mark, a million statements take hours.
 */
async function unmark(admin: Client, scope: string, kept: number): Promise<void> {
  await admin.query(
    `with place as materialized (select account_id, id from scopes where path = $1),
     kept as materialized (
       select k.id from place s join knowledge k on k.account_id = s.account_id and k.scope_id = s.id
       order by k.id limit $2)
     delete from dirty_marks d using place s
     where d.account_id = s.account_id and d.scope_id = s.id
       and not exists (select from kept where kept.id = d.unit_id)`,
    [scope, kept],
  );
}

/** What others said in this scope is about the person. */
async function sayAbout(admin: Client, scope: string, person: string): Promise<void> {
  await admin.query(
    `update knowledge k set subject_peer_id = p.id
     from scopes s, peers p
     where s.path = $1 and k.account_id = s.account_id and k.scope_id = s.id
       and p.account_id = s.account_id and p.key = $2`,
    [scope, person],
  );
}

/** Fills the service and waits until the indexes have what they are to hold. Answers the key of the person. */
export async function fill(stack: LoadedStack, { indexed, statements }: Size): Promise<string> {
  const { admin } = stack;
  const crowds = Array.from(
    { length: Math.ceil(statements / SLICE) },
    (_, at) => `/bench/crowd-${at}`,
  );
  await say(stack, OWN_SCOPE, PERSON);
  await say(stack, OTHERS_SCOPE, 'boris');
  for (const [at, scope] of crowds.entries()) await say(stack, scope, `somebody-${at}`);
  await untilNothingIsMarked(admin);
  // The worker would index what is changed afterwards.
  const worker = stack.processes().get('worker');
  if (worker === undefined) throw new Error('no worker runs');
  process.kill(worker, 'SIGSTOP');
  try {
    for (const scope of [OWN_SCOPE, OTHERS_SCOPE]) {
      await copyStatements(admin, scope, OWN - 1);
      await inBulk(admin, () => markMessages(admin, scope));
    }
    await inBulk(admin, () => sayAbout(admin, OTHERS_SCOPE, PERSON));
    for (const [at, scope] of crowds.entries()) {
      const amount = Math.min(SLICE, statements - at * SLICE);
      await copyStatements(admin, scope, amount);
      const kept = Math.max(0, Math.min(amount, indexed - at * SLICE));
      await inBulk(admin, () => unmark(admin, scope, kept));
    }
    await admin.query('vacuum analyze');
  } finally {
    process.kill(worker, 'SIGCONT');
  }
  await untilNothingIsMarked(admin, INDEXED_WITHIN_MS);
  return PERSON;
}
