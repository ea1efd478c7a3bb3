/**
 * Two accounts that hold the same statements, but for those that a reader must not know of: `full` has them, `bare` has
 * not. Each hidden statement has a word of its own, and so has the message of another person that says the same, before
 * so many that its point names nobody.
 */
import type { DatabasePool } from 'slonik';
import { MOST_LISTED } from '../../../domain/retrieval/listed.ts';
import {
  createCardBuilder,
  type CardBuilderOptions,
} from '../../../engine/context-cards/builder.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { ContextCardAccountsStore } from '../../../stores/postgres/context-cards/accounts.store.ts';
import type { OpenDatabase } from '../../support/database.ts';
import type { AccountScene, StatementInput } from '../search/account.ts';

const MARCH = '2026-03-01T00:00:00.000Z';
const JUNE = '2026-06-01T00:00:00.000Z';
/** Between the two. */
export const PAST = '2026-05-01T00:00:00.000Z';
/** Past all of them. */
export const NOW = new Date('2026-07-01T00:00:00.000Z');

type Hidden = Omit<StatementInput, 'text'> & {
  /** Whether an empty answer may say that there is such a statement: today, and of the past instant. */
  readonly mentioned: Readonly<Record<'today' | 'past', boolean>>;
  /** What becomes of it in Postgres after the indexes have heard of it; `$1` is its account, `$2` its id. */
  readonly afterwards?: string;
};

const OTHERS = { subject: 'anna', submitters: ['bruno'], sensitivity: 'internal' } as const;
const NEVER = { today: false, past: false } as const;
const UNTIL_JUNE = (state: string, now: string, path = '/poc') => [
  { from: MARCH, until: JUNE, state, path },
  { from: JUNE, until: null, state: now },
];

/** By the word that only this statement has. */
export const HIDDEN: Readonly<Record<string, Hidden>> = {
  // What waits for a person is the one thing that an empty answer may mention.
  waiting: { ...OTHERS, state: 'provisional', mentioned: { today: true, past: true } },
  personally: { ...OTHERS, sensitivity: 'personal', mentioned: NEVER },
  restrictedly: { ...OTHERS, sensitivity: 'restricted', mentioned: NEVER },
  // Words that have others in their stead: a search asks for those as well.
  puppy: { ...OTHERS, sensitivity: 'personal', mentioned: NEVER },
  roadtrip: { ...OTHERS, state: 'provisional', mentioned: { today: true, past: true } },
  heldback: { ...OTHERS, state: 'held', mentioned: NEVER },
  refused: { ...OTHERS, state: 'rejected', mentioned: NEVER },
  disputed: { ...OTHERS, state: 'contested', mentioned: NEVER },
  below: { ...OTHERS, path: '/poc/below', mentioned: NEVER },
  lapsed: { ...OTHERS, expiresAt: '2026-04-01T00:00:00.000Z', mentioned: NEVER },
  withdrawn: {
    ...OTHERS,
    state: 'redacted',
    periods: UNTIL_JUNE('active', 'redacted'),
    mentioned: NEVER,
  },
  // The indexes still hold it as a public statement.
  unheard: {
    ...OTHERS,
    sensitivity: 'public',
    mentioned: NEVER,
    afterwards: "update knowledge set state = 'redacted' where account_id = $1 and id = $2",
  },
  // The indexes know that it was public at the past instant.
  stricter: {
    ...OTHERS,
    sensitivity: 'personal',
    periods: UNTIL_JUNE('active', 'active'),
    mentioned: NEVER,
  },
  nomore: {
    ...OTHERS,
    state: 'rejected',
    periods: UNTIL_JUNE('provisional', 'rejected'),
    mentioned: NEVER,
  },
  departed: {
    ...OTHERS,
    state: 'provisional',
    path: '/away',
    periods: UNTIL_JUNE('provisional', 'provisional'),
    mentioned: NEVER,
  },
  vanishing: {
    ...OTHERS,
    sensitivity: 'public',
    subject: 'erwin',
    mentioned: NEVER,
    afterwards: `update peers set erasing_at = now() where account_id = $1
      and id = (select subject_peer_id from knowledge where account_id = $1 and id = $2)`,
  },
};

/** What a word of no statement is like. */
export const ABSENT = 'submarine';

/**
 * Active and internal statements are counted for the weights of words and for names, until the indexes hear of their end, or their
 * state changes (ADR 8). Here that has happened: what is compared is everything else.
 */
async function uncount(pool: DatabasePool, account: AccountScene, ids: readonly string[]) {
  await createInAccount(pool)(account.id, async (stores) => {
    await stores.frequencies.recount({
      gone: ids.map((unitId) => ({ unit: 'statement' as const, unitId })),
    });
    await stores.mentions.rewrite({ gone: ids });
  });
}

/** More peers than a point of a message names take part in what bruno said. */
async function gather(sql: OpenDatabase['rows'], account: AccountScene): Promise<void> {
  await sql(
    `insert into peers (account_id, id, key, name, kind)
     select $1, gen_random_uuid(), 'guest-' || n, 'guest', 'human' from generate_series(0, $2::integer) n`,
    [account.id, MOST_LISTED],
  );
  await sql(
    `insert into session_participants (account_id, session_id, scope_id, peer_id, reads_whole_session)
     select m.account_id, m.session_id, m.scope_id, guest.id, true
     from messages m
     join peers speaker on speaker.account_id = m.account_id and speaker.id = m.speaker_peer_id
     join peers guest on guest.account_id = m.account_id and guest.name = 'guest'
     where m.account_id = $1 and speaker.key = 'bruno'`,
    [account.id],
  );
}

/** Builds the cards and profiles of all accounts, without the wait in which changes are gathered. */
async function project({ pool, rows: sql }: Pick<OpenDatabase, 'pool' | 'rows'>): Promise<void> {
  const failures: unknown[] = [];
  const cardBuilder = createCardBuilder({
    accounts: new ContextCardAccountsStore(pool),
    inAccount: createInAccount(pool),
    // There is no model, so there are no summaries.
    gateway: {
      describe: () => ({ dream_reasoner: { provider: 'none' } }),
    } as unknown as CardBuilderOptions['gateway'],
    now: () => NOW,
    onFailure: (error) => failures.push(error),
  });
  const { signal } = new AbortController();
  await cardBuilder.build(signal);
  await sql('update projection_work set available_at = clock_timestamp()');
  await cardBuilder.build(signal);
  if (failures.length > 0) throw new AggregateError(failures, 'a context card was not built');
}

/** Fills the account, tells the indexes and builds context cards. */
export async function fill(
  database: Pick<OpenDatabase, 'pool' | 'rows'>,
  account: AccountScene,
  which: 'full' | 'bare',
): Promise<void> {
  const { pool, rows: sql } = database;
  for (const path of ['/poc', '/poc/below', '/away']) await account.scope(path);
  for (const peer of ['anna', 'bruno', 'carol', 'erwin']) await account.peer(peer);
  await account.statement({ text: 'The harbour is open in summer', recordedAt: MARCH });
  await account.statement({ text: 'Anna painted the harbour', recordedAt: MARCH, path: '/' });
  await account.statement({ text: 'The road was long, and so was the trip', recordedAt: MARCH });
  await account.message({ speaker: 'carol', text: 'I saw the harbour', occurredAt: MARCH });
  if (which === 'full') {
    const ids = new Map<string, string>();
    for (const [word, { mentioned: _, afterwards: _afterwards, ...input }] of Object.entries(
      HIDDEN,
    )) {
      const text = `Anna is ${word} in a boat`;
      ids.set(word, await account.statement({ recordedAt: MARCH, ...input, text }));
      await account.message({ speaker: 'bruno', text });
    }
    await gather(sql, account);
    await sql(
      `update belief_periods set sensitivity = 'public'
       where account_id = $1 and knowledge_id = $2 and believed_until is not null`,
      [account.id, ids.get('stricter')],
    );
    await account.refresh();
    for (const [word, { afterwards }] of Object.entries(HIDDEN)) {
      if (afterwards !== undefined) await sql(afterwards, [account.id, ids.get(word)]);
    }
    await uncount(pool, account, [...ids.values()]);
  }
  await account.refresh();
  await project(database);
}
