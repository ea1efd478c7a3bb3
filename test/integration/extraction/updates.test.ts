/** Update at write time on real Postgres, with the built-in extractor: what ends, what stays, who is asked. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import type { PlacedScope } from '../../../domain/scopes/chain-ids.ts';
import type { GatePreset } from '../../../domain/governance/presets.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { planRuling } from '../../../domain/knowledge/planning.ts';
import { planContext } from '../../../engine/knowledge/context.ts';
import { commitRows } from '../../../engine/knowledge/rows.ts';
import { createRegate } from '../../../engine/knowledge/regate.ts';
import { carryOut } from '../../../stores/postgres/knowledge/commit.store.ts';
import { loadKnowledgeState } from '../../../stores/postgres/knowledge/state.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { withAccount } from '../../../stores/postgres/pool.ts';
import { RegateStore } from '../../../stores/postgres/knowledge/regate.store.ts';
import { Scene } from '../observations/scene.ts';
import { drain, usePreset } from './scene.ts';
import { subjectLocks } from '../../../stores/postgres/subject-locks.ts';

let scene: Scene;
let account: string;
let agent: Caller;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  account = await scene.account();
  agent = await scene.caller(account, { key: 'agent' });
});

/** Of the statements of an attribute that are for some, a commit reads so many beside those for the same people. */
const MOST_ADDRESSED = 16;
const DAY = (n: number): string => new Date(Date.UTC(2024, 4, n, 9)).toISOString();

/** One turn and its extraction; each speaker in `session` takes part from the first turn on. */
async function say(
  peer: 'ada' | 'bo',
  content: string,
  day: number,
  audience?: { readonly peers: readonly string[] },
): Promise<void> {
  await scene.ingest(agent, {
    peer_key: peer,
    peer_name: peer === 'ada' ? 'Ada' : 'Bo',
    content,
    occurred_at: DAY(day),
    ...(audience && { audience }),
  });
  await drain(scene, account);
}

/** Statement, state, and window, by text. */
async function standing(): Promise<readonly string[]> {
  const rows = await scene.rows(
    `select statement || ' ' || state || coalesce(' until ' || relevant_until::date::text, '') as line
     from knowledge where account_id = $1 order by statement, recorded_at`,
    [account],
  );
  return rows.map(({ line }) => String(line));
}

const reviews = () =>
  scene.rows(
    `select k.statement, r.state, (select array_agg(o.statement) from knowledge o
       where o.id = r.conflict_knowledge_id) as against
     from review_items r join knowledge k on k.id = r.knowledge_id
     where r.account_id = $1 and r.kind = 'conflict'`,
    [account],
  );

async function change(preset: GatePreset): Promise<void> {
  await usePreset(scene, account, preset);
  const runId = await createInAccount(scene.pool)(account, (stores) =>
    stores.runs.enter({ kind: 'regate', traceId: '0'.repeat(32) }),
  );
  const regate = createRegate({
    store: new RegateStore(scene.pool),
    newId: () => uuidv7(),
    ring: () => {},
  });
  await regate.page({ accountId: account, runId, afterId: null });
}

/** Puts a statement to `redacted` as a ruling of its subject would, in one transaction. */
async function redact(statement: string): Promise<void> {
  const [row] = await scene.rows(
    `select id, subject_peer_id from knowledge
     where account_id = $1 and statement = $2`,
    [account, statement],
  );
  const { rows: places } = await scene.admin.query<PlacedScope>(
    'select id, parent_id as "parentId" from scopes where account_id = $1',
    [account],
  );
  const subjectIds = [String(row?.['subject_peer_id'])];
  await withAccount(scene.pool, account, async (tx) => {
    await tx.query(sql.unsafe`${subjectLocks(account, subjectIds)}`);
    const state = await loadKnowledgeState(tx, {
      subjectIds,
      ids: [String(row?.['id'])],
      texts: [],
      claims: [],
      scopeIds: places.map(({ id }) => id),
    });
    const context = { ...planContext(places, state, () => uuidv7()), consents: new Map() };
    const actor = { peerId: null, channel: 'api' } as const;
    const word = { action: 'redact' } as const;
    const { plan } = planRuling(String(row?.['id']), word, state.statements, context, actor);
    const options = { accountId: account, shard: 0, now: state.now, newId: () => uuidv7() };
    await carryOut(tx, account, commitRows(plan, [], { ...options, batchOf: () => null }));
  });
}

describe.each(['strict', 'assisted'] as const)('under %s', (preset) => {
  beforeEach(() => usePreset(scene, account, preset));
  const kept = preset === 'strict' ? 'provisional' : 'active';

  test.each([
    ['residence', 'I live in Bergen.', 'I moved to Oslo in March.', 'until 2024-03-01'],
    ['employer', 'I work at Acme.', 'I left Acme in April 2024.', 'until 2024-04-01'],
    ['occupation', 'I work as a nurse.', 'I became a teacher in February.', 'until 2024-02-01'],
    ['name', 'My name is Ada Berg.', 'I changed my name to Ada Vik in March.', 'until 2024-03-01'],
    ['marital status', 'I am single these days.', 'I got married in April.', 'until 2024-04-01'],
    ['age', 'I am 34 years old.', 'I turned 35 yesterday.', 'until 2024-05-11'],
    ['e-mail', 'My email is ada@example.org.', 'My email is ada@example.com.', 'superseded'],
    ['phone', 'My phone number is 555-0100.', 'My phone number is 555-0199.', 'superseded'],
    ['a possession', 'I bought a Tesla.', 'I sold my Tesla in April.', 'until 2024-04-01'],
    ['an end', 'I live in Bergen.', 'I no longer live in Bergen.', 'superseded'],
    ['a correction', 'I live in Bergen.', 'I live in Oslo, not in Bergen.', 'superseded'],
  ])('%s is updated', async (_attribute, older, newer, end) => {
    await say('ada', older, 1);
    const [before] = await scene.rows(
      'select id, row_version from knowledge where account_id = $1',
      [account],
    );
    await say('ada', newer, 12);
    const rows = await scene.rows(
      `select id, state::text, coalesce('until ' || relevant_until::date::text, state::text) as end,
         relevant_until_precision, supersedes_id, updated_by_id, row_version
       from knowledge where account_id = $1 order by recorded_at, id`,
      [account],
    );
    expect(rows).toHaveLength(2);
    const [was, is] = rows;
    expect(was).toMatchObject({ id: before?.['id'], end, updated_by_id: is?.['id'] });
    expect(was?.['state']).toBe(end === 'superseded' ? 'superseded' : kept);
    expect(is).toMatchObject({
      state: kept,
      supersedes_id: end === 'superseded' ? before?.['id'] : null,
    });
    const marks = await scene.rows(
      'select engine, generation from dirty_marks where account_id = $1 and unit_id = $2 and unit = $3',
      [account, before?.['id'], 'statement'],
    );
    expect(marks).toHaveLength(2);
    const periods = await scene.rows(
      `select state::text, relevant_until is not null as ends, believed_until is null as open
       from belief_periods where account_id = $1 and knowledge_id = $2 order by believed_from`,
      [account, before?.['id']],
    );
    expect(periods).toEqual([
      { state: kept, ends: false, open: false },
      { state: was?.['state'], ends: end !== 'superseded', open: true },
    ]);
  });

  test.each([
    ['a visit', 'I live in Bergen.', 'I visited Oslo in March.'],
    ['a relative', 'I live in Bergen.', 'My sister lives in Oslo.'],
    ['a person outside the session', 'I live in Bergen.', 'Kari from the office lives in Oslo.'],
    ['another taste', 'I like green tea.', 'I like coffee.'],
    ['a question', 'I live in Bergen.', 'Do you think I live in Oslo? I like the rain there.'],
    ['a plan', 'I live in Bergen.', "I'm moving to Oslo next month."],
    ['a wish', 'I live in Bergen.', 'I want to live in Oslo.'],
    ['a negation', 'I live in Bergen.', "I don't live in Oslo."],
    ['a thing of the past', 'I live in Bergen.', 'I used to live in Oslo.'],
    ['a stay', 'I live in Bergen.', 'I live in Oslo for the summer.'],
    ['a second job', 'I work at Acme.', 'I also work at a bakery in Oslo.'],
    ['another thing sold', 'I bought a Tesla.', 'I sold my kayak in April.'],
    ['a closed past', 'I lived in Oslo until 2015.', 'I live in Bergen.'],
    ['another person', 'I live in Bergen.', 'Bo lives in Oslo now.'],
  ])('%s updates nothing', async (_what, first, second) => {
    await say('bo', 'Hello there!', 1);
    await say('ada', first, 2);
    const before = await scene.rows(
      'select to_jsonb(k) as row from knowledge k where account_id = $1',
      [account],
    );
    expect(before).toHaveLength(1);
    await say('ada', second, 12);
    const after = await scene.rows(
      'select to_jsonb(k) as row from knowledge k where account_id = $1 order by recorded_at, id',
      [account],
    );
    expect(after).toHaveLength(2);
    expect(after[0]).toEqual(before[0]);
    expect(after[1]?.['row']).toMatchObject({ supersedes_id: null, updated_by_id: null });
    expect(await reviews()).toEqual([]);
  });

  test('a message that arrives late is applied at its own time, and reinstates what it restores', async () => {
    await say('ada', 'I live in Bergen.', 1);
    await say('ada', 'I live in Rome.', 20);
    expect(await standing()).toEqual([
      'Ada lives in Bergen. superseded',
      `Ada lives in Rome. ${kept}`,
    ]);
    await say('ada', 'I moved to Paris in April.', 10);
    expect(await standing()).toEqual([
      `Ada lives in Bergen. ${kept} until 2024-04-01`,
      `Ada lives in Rome. ${kept}`,
      `Ada moved to Paris in April. ${kept} until 2024-05-01`,
    ]);
    expect(
      await scene.rows(
        `select e.from_state, e.to_state, e.reason from lifecycle_events e
         join knowledge k on k.id = e.knowledge_id
         where e.account_id = $1 and k.statement = 'Ada lives in Bergen.' order by e.occurred_at, e.id`,
        [account],
      ),
    ).toEqual([
      { from_state: null, to_state: kept, reason: 'extracted' },
      { from_state: kept, to_state: 'superseded', reason: 'updated' },
      { from_state: 'superseded', to_state: kept, reason: 'reinstated' },
    ]);
  });

  test('a return to an earlier value reinstates the earlier statement', async () => {
    await say('ada', 'I live in Bergen.', 1);
    await say('ada', 'I live in Oslo.', 5);
    await say('ada', 'I live in Bergen.', 9);
    expect(await standing()).toEqual([
      `Ada lives in Bergen. ${kept}`,
      'Ada lives in Oslo. superseded',
    ]);
  });

  test('what one was told is replaced by what the same is told later, however many others were told the like meanwhile', async () => {
    const to = (peer: string) => ({ peers: [peer] });
    await say('ada', 'I live in Bergen.', 1, to('bo'));
    for (let n = 0; n < MOST_ADDRESSED + 2; n += 1) {
      await say('ada', 'I live in Bergen.', 2, to(`friend-${n}`));
    }
    await say('ada', 'I live in Oslo.', 5, to('bo'));
    const lines = await standing();
    expect(lines.filter((line) => line === 'Ada lives in Bergen. superseded')).toHaveLength(1);
    expect(lines.filter((line) => line === `Ada lives in Bergen. ${kept}`)).toHaveLength(
      MOST_ADDRESSED + 2,
    );
  });
});

describe('a placed statement under a stricter preset', () => {
  beforeEach(async () => {
    await usePreset(scene, account, 'assisted');
    await say('bo', 'Hello there!', 1);
    await say('ada', 'I live in Bergen.', 2);
    await usePreset(scene, account, 'strict');
  });

  test('is not changed by what another speaker says, and one review is opened', async () => {
    const [before] = await scene.rows(
      'select to_jsonb(k) as row from knowledge k where account_id = $1',
      [account],
    );
    await say('bo', 'Ada moved to Oslo in March.', 10);
    await say('bo', 'Ada moved to Oslo in March.', 11);
    const [after] = await scene.rows(
      'select to_jsonb(k) as row from knowledge k where account_id = $1 order by recorded_at',
      [account],
    );
    expect(after).toEqual(before);
    expect(await standing()).toEqual([
      'Ada lives in Bergen. active',
      'Ada moved to Oslo in March. provisional until 2024-04-01',
    ]);
    expect(await reviews()).toEqual([
      {
        statement: 'Ada moved to Oslo in March.',
        state: 'pending',
        against: ['Ada lives in Bergen.'],
      },
    ]);
  });

  test('is ended only when the newer statement is placed', async () => {
    await say('ada', 'I moved to Oslo in March.', 10);
    expect(await standing()).toEqual([
      'Ada lives in Bergen. active',
      'Ada moved to Oslo in March. provisional until 2024-04-01',
    ]);
    await change('assisted');
    expect(await standing()).toEqual([
      'Ada lives in Bergen. active until 2024-03-01',
      'Ada moved to Oslo in March. active until 2024-04-01',
    ]);
    expect(await reviews()).toMatchObject([{ state: 'approved' }]);
  });

  test('does not keep another speaker from updating earlier statements of their own', async () => {
    await say('bo', 'Ada works at Acme.', 3);
    await say('ada', 'I work at Globex.', 4);
    expect(await standing()).toEqual([
      'Ada lives in Bergen. active',
      'Ada works at Acme. provisional',
      'Ada works at Globex. provisional',
    ]);
    await say('bo', 'Ada works at Initech.', 5);
    expect(await standing()).toEqual([
      'Ada lives in Bergen. active',
      'Ada works at Acme. superseded',
      'Ada works at Globex. provisional',
      'Ada works at Initech. provisional',
    ]);
    expect(await reviews()).toEqual([]);
  });
});

describe('a redacted statement that is said again', () => {
  test.each(['strict', 'assisted', 'unattended'] as const)(
    'comes back held and marked under %s, and reinstates the statement that it had superseded',
    async (preset) => {
      await usePreset(scene, account, preset);
      await say('ada', 'I live in Bergen.', 1);
      await say('ada', 'I live in Oslo.', 2);
      const kept = preset === 'strict' ? 'provisional' : 'active';
      expect(await standing()).toContain('Ada lives in Bergen. superseded');
      await redact('Ada lives in Oslo.');
      expect(await standing()).toEqual([
        `Ada lives in Bergen. ${kept}`,
        'Ada lives in Oslo. redacted',
      ]);
      await say('ada', 'I live in Oslo.', 3);
      expect(
        await scene.rows(
          `select statement, state, previously_refused from knowledge where account_id = $1
           order by recorded_at, id`,
          [account],
        ),
      ).toEqual([
        { statement: 'Ada lives in Bergen.', state: kept, previously_refused: false },
        { statement: 'Ada lives in Oslo.', state: 'redacted', previously_refused: false },
        { statement: 'Ada lives in Oslo.', state: 'held', previously_refused: true },
      ]);
    },
  );
});
