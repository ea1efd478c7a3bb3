/**
 * What stays, what goes and what is reworded when Alice is erased, for every constellation of sources, in both modes: one
 * table, each row an account of its own.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { ERASURE_MODES, type ErasureMode } from '../../../domain/erasure/words.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { execute } from '../../../operations/execute.ts';
import { editReview } from '../../../operations/reviews/edit.ts';
import { mergeReview } from '../../../operations/reviews/merge.ts';
import { ErasurePagesStore } from '../../../stores/postgres/erasure/pages.store.ts';
import { documentsOf, never } from '../documents/scene.ts';
import { drain, literalExtractor, pipeline, usePreset } from '../extraction/scene.ts';
import { brokenLaws } from '../governance/laws.ts';
import { Scene } from '../observations/scene.ts';
import { erase } from './erase.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

/** Text (null: withdrawn), state, and how many say it. */
type Left = readonly [text: string | null, state: string, corroboration: number];
type Says = readonly [speaker: 'alice' | 'bob' | 'carol', text: string];

interface Constellation {
  readonly name: string;
  /** In their order. A text is about Bob unless it begins with `about=`. */
  readonly said: readonly Says[];
  /** Documents of one passage each, read after the others spoke. */
  readonly uploaded?: readonly Says[];
  /** Alice passes on what the others say. */
  readonly relayedByAlice?: boolean;
  readonly prepare?: (desk: Desk) => Promise<void>;
  /** How many contradictions wait for a curator before the erasure, and afterwards; none unless given. */
  readonly contradictions?: number;
  readonly stillContradicting?: number;
  readonly left: Readonly<Record<ErasureMode, readonly Left[]>>;
}

interface Desk {
  readonly account: string;
  readonly curator: Caller;
  statement(text: string): Promise<string>;
  /** The curator has an item about the statement, and decides about it. */
  decide(text: string, decision: 'merge' | 'edit', input: object): Promise<void>;
}

const both = (...left: readonly Left[]) => ({ proportionate: left, strict: left });
const TEA = 'Bob likes tea.';
/** Words that only Alice had for it. */
const withdrawn = { proportionate: [[null, 'retracted', 0]], strict: [] } as const;

const CONSTELLATIONS: readonly Constellation[] = [
  {
    name: 'what Alice said of herself goes',
    said: [['alice', 'about=alice Alice likes tea.']],
    left: both(),
  },
  {
    name: 'what another said of Alice goes',
    said: [['carol', 'about=alice Alice likes tea.']],
    left: both(),
  },
  {
    name: 'what only Alice said of another loses its text',
    said: [['alice', TEA]],
    left: withdrawn,
  },
  {
    name: 'what Alice said of another again and again loses its text',
    said: [
      ['alice', TEA],
      ['alice', TEA],
    ],
    left: withdrawn,
  },
  {
    name: 'what another said too, in the same words, stays',
    said: [
      ['alice', TEA],
      ['carol', TEA],
    ],
    left: both([TEA, 'active', 1]),
  },
  {
    name: 'what another said first stays',
    said: [
      ['carol', TEA],
      ['alice', TEA],
    ],
    left: both([TEA, 'active', 1]),
  },
  {
    name: 'what Alice passed on for another stays',
    said: [['carol', TEA]],
    relayedByAlice: true,
    left: both([TEA, 'active', 1]),
  },
  {
    name: 'what only a document of Alice says of another loses its text',
    said: [],
    uploaded: [['alice', TEA]],
    left: withdrawn,
  },
  {
    name: 'what a document of Alice says and another said too stays',
    said: [['carol', TEA]],
    uploaded: [['alice', TEA]],
    left: both([TEA, 'active', 1]),
  },
  {
    name: 'what a document of another says of Alice goes',
    said: [],
    uploaded: [['carol', 'about=alice Alice likes tea.']],
    left: both(),
  },
  {
    name: 'what Alice said and a document of another says too stays',
    said: [['alice', TEA]],
    uploaded: [['carol', TEA]],
    left: both([TEA, 'active', 1]),
  },
  {
    name: 'what was merged into the words of Alice takes the words of the other',
    said: [
      ['alice', TEA],
      ['carol', 'Bob loves tea.'],
    ],
    async prepare(desk) {
      const into = await desk.statement(TEA);
      await desk.decide('Bob loves tea.', 'merge', { into });
    },
    left: both(['Bob loves tea.', 'superseded', 1], ['Bob loves tea.', 'active', 1]),
  },
  {
    name: 'what was merged into the words of Alice, and whose own words were not kept, loses its text',
    said: [
      ['alice', TEA],
      ['carol', 'Bob loves tea.'],
    ],
    async prepare(desk) {
      const into = await desk.statement(TEA);
      await desk.decide('Bob loves tea.', 'merge', { into });
      await scene.rows('update provenance set wording = null where account_id = $1', [
        desk.account,
      ]);
    },
    left: {
      proportionate: [
        [null, 'retracted', 1],
        ['Bob loves tea.', 'superseded', 1],
      ],
      strict: [['Bob loves tea.', 'superseded', 1]],
    },
  },
  {
    name: 'what a curator put into other words stays while another attests it',
    said: [
      ['alice', TEA],
      ['carol', TEA],
    ],
    async prepare(desk) {
      await desk.decide(TEA, 'edit', { statement: 'Bob drinks tea.', approve: true });
    },
    left: both([TEA, 'superseded', 1], ['Bob drinks tea.', 'active', 1]),
  },
  {
    name: 'what a curator put into other words loses its text with its only source',
    said: [['alice', TEA]],
    async prepare(desk) {
      await desk.decide(TEA, 'edit', { statement: 'Bob drinks tea.', approve: true });
    },
    left: {
      proportionate: [
        [null, 'retracted', 0],
        [null, 'retracted', 0],
      ],
      strict: [],
    },
  },
  {
    name: 'what Alice had made outdated holds again',
    said: [
      ['carol', 'Bob lives in Oslo.'],
      ['alice', 'Bob lives in Rome.'],
    ],
    left: {
      proportionate: [
        [null, 'retracted', 0],
        ['Bob lives in Oslo.', 'active', 1],
      ],
      strict: [['Bob lives in Oslo.', 'active', 1]],
    },
  },
  {
    name: 'what Alice said against another takes the question to the curator along',
    said: [
      ['carol', 'Bob lives in Oslo.'],
      ['alice', 'as=personal Bob lives in Rome.'],
    ],
    contradictions: 1,
    left: {
      proportionate: [
        [null, 'retracted', 0],
        ['Bob lives in Oslo.', 'active', 1],
      ],
      strict: [['Bob lives in Oslo.', 'active', 1]],
    },
  },
  {
    name: 'what another said against Alice needs no curator any more',
    said: [
      ['alice', 'Bob lives in Oslo.'],
      ['carol', 'as=personal Bob lives in Rome.'],
    ],
    contradictions: 1,
    left: {
      proportionate: [
        [null, 'retracted', 0],
        ['Bob lives in Rome.', 'active', 1],
      ],
      strict: [['Bob lives in Rome.', 'active', 1]],
    },
  },
  {
    name: 'of those whom another contradicts only Alice leaves the list',
    said: [
      ['alice', 'as=public Bob lives in Oslo.'],
      ['bob', 'Bob lives in Rome.'],
      ['carol', 'as=personal Bob lives in Lima.'],
    ],
    contradictions: 3,
    stillContradicting: 1,
    left: {
      proportionate: [
        [null, 'retracted', 0],
        ['Bob lives in Lima.', 'active', 1],
        ['Bob lives in Rome.', 'active', 1],
      ],
      strict: [
        ['Bob lives in Lima.', 'active', 1],
        ['Bob lives in Rome.', 'active', 1],
      ],
    },
  },
];

/** A text is about Bob unless it says whom it is about. */
const worded = (text: string): string => (text.startsWith('about=') ? text : `about=bob ${text}`);

async function upload(uploader: Caller, text: string): Promise<void> {
  const documents = documentsOf(scene, uploader);
  const version = await documents.submitted(worded(text));
  version.keep();
  const reader = documents.reader();
  await reader.parse(version.run, never);
  await drain(scene, uploader.accountId, pipeline(scene, { extract: literalExtractor }));
  while ((await reader.settle(version.run)).more);
}

async function open(constellation: Constellation) {
  const { prepare, relayedByAlice = false, said, uploaded = [] } = constellation;
  const account = await scene.account();
  await usePreset(scene, account, 'unattended');
  const relay = await scene.caller(account, { key: 'relay' });
  const alice = await scene.caller(account, { key: 'alice', kind: 'human' });
  const passing = await scene.caller(account, { key: 'passing' });
  const bob = await scene.caller(account, { key: 'bob', kind: 'human' });
  const carol = await scene.caller(account, { key: 'carol', kind: 'human' });
  const curator = await scene.caller(account, { key: 'cura', role: 'curator', kind: 'human' });
  const by: Caller = relayedByAlice
    ? { ...passing, peerId: alice.peerId, peerKey: 'alice' }
    : relay;
  // Whom a message may be about: those who are there.
  for (const peer_key of ['alice', 'bob', 'carol']) {
    await scene.ingest(relay, { peer_key, content: 'Hello.', role: 'assistant' });
  }
  for (const [at, [peer_key, text]] of said.entries()) {
    await scene.ingest(by, {
      peer_key,
      occurred_at: new Date(Date.UTC(2024, 0, 1, at)).toISOString(),
      content: worded(text),
    });
    await drain(scene, account, pipeline(scene, { extract: literalExtractor }));
  }
  for (const [who, text] of uploaded) await upload({ alice, bob, carol }[who], text);
  const statement = async (text: string): Promise<string> => {
    const [row] = await scene.rows(
      'select id from knowledge where account_id = $1 and statement = $2',
      [account, text],
    );
    return String(row?.['id']);
  };
  const desk: Desk = {
    account,
    curator,
    statement,
    async decide(text, decision, input) {
      const id = await statement(text);
      const [item] = await scene.rows(
        `insert into review_items (has_audience, account_id, id, knowledge_id, scope_id, subject_peer_id, kind, reason, due_at)
         select audience_id is not null, account_id, uuidv7(), id, scope_id, subject_peer_id, 'gate_b', 'asked', now() from knowledge
         where id = $1 returning id, version`,
        [id],
      );
      const context = { ...scene.context(curator), sweep: { soon: () => {} } };
      const asked = { review_id: item?.['id'], version: item?.['version'], ...input };
      const operation: Parameters<typeof execute>[0] =
        decision === 'merge' ? mergeReview : editReview;
      await execute(operation, context, asked);
    },
  };
  await prepare?.(desk);
  return { account, alice: alice.peerId ?? '' };
}

const leftRow = z.object({
  statement: z.string().nullable(),
  state: z.string(),
  corroboration_count: z.number(),
});

async function left(account: string): Promise<readonly Left[]> {
  const rows = await scene.rows(
    `select statement, state::text, corroboration_count from knowledge where account_id = $1
     order by statement nulls first, state`,
    [account],
  );
  return z
    .array(leftRow)
    .parse(rows)
    .map((row) => [row.statement, row.state, row.corroboration_count]);
}

/** How many contradictions wait for a curator. */
async function contradictions(account: string): Promise<number> {
  const items = await scene.rows(
    `select from review_items where account_id = $1 and kind = 'conflict' and decided_at is null`,
    [account],
  );
  return items.length;
}

const sorted = (rows: readonly Left[]): readonly string[] =>
  rows.map((row) => JSON.stringify(row)).toSorted();

describe.each(ERASURE_MODES)('%s', (mode) => {
  test.each(CONSTELLATIONS)('$name', async (constellation) => {
    const { account, alice } = await open(constellation);
    expect(await contradictions(account)).toBe(constellation.contradictions ?? 0);
    // Pages of one row end as pages of many do.
    const runId = await erase(scene, account, alice, mode, mode === 'strict' ? 1 : undefined);
    expect(sorted(await left(account))).toEqual(sorted(constellation.left[mode]));
    expect(await contradictions(account)).toBe(constellation.stillContradicting ?? 0);
    expect(await brokenLaws(scene, account)).toEqual([]);
    const places = await new ErasurePagesStore(scene.pool).placesLeft({
      accountId: account,
      runId,
    });
    // The indexes and the bytes of documents take no part here.
    expect(places.filter((place) => !/^(dirty_marks|erasure_blobs)\./.test(place))).toEqual([]);
  });
});
