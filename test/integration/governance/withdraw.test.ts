/** Who said a thing takes it back: alone, beside others, again, and when it is none of that person's words. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import { execute } from '../../../operations/execute.ts';
import { approveReview } from '../../../operations/reviews/approve.ts';
import { confirmOwnKnowledge } from '../../../operations/self/confirm.ts';
import { contestOwnKnowledge } from '../../../operations/self/contest.ts';
import { redactOwnKnowledge } from '../../../operations/self/redact.ts';
import { withdrawOwnWord } from '../../../operations/self/withdraw.ts';
import { drain, literalExtractor, pipeline, usePreset } from '../extraction/scene.ts';
import { Scene } from '../observations/scene.ts';
import { brokenLaws } from './laws.ts';

const SAID = 'Alice likes tea.';

let scene: Scene;
let account: string;
let alice: Caller;
let bob: Caller;
let carol: Caller;
let curator: Caller;
let statement: string;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  account = await scene.account();
  await usePreset(scene, account, 'unattended');
  const human = (key: string) => scene.caller(account, { key, kind: 'human' });
  [alice, bob, carol] = [await human('alice'), await human('bob'), await human('carol')];
  curator = await scene.caller(account, { key: 'cura', role: 'curator', kind: 'human' });
  // Alice has spoken, so that what Bob says of her is about her.
  await say('Alice is up early.', alice);
  await say(SAID, bob);
  const [made] = await rows(
    'select id from knowledge where account_id = $1 and statement = $2',
    SAID,
  );
  statement = String(made?.['id']);
});

const rows = (query: string, ...values: readonly unknown[]) =>
  scene.rows(query, [account, ...values]);
const act = (
  operation: Parameters<typeof execute>[0],
  caller: Caller,
  input: object,
  key?: string,
) =>
  execute(
    operation,
    {
      ...scene.context(caller, key === undefined ? {} : { idempotencyKey: key }),
      sweep: { soon: () => {} },
    },
    input,
  );

async function say(content: string, by: Caller): Promise<void> {
  await scene.ingest(by, { content: `about=alice as=public ${content}` });
  await drain(scene, account, pipeline(scene, { extract: literalExtractor }));
}

const takeBack = (by: Caller, key?: string) =>
  act(withdrawOwnWord, by, { knowledge_id: statement }, key);

async function row(): Promise<Record<string, unknown>> {
  expect(await brokenLaws(scene, account)).toEqual([]);
  const [found] = await rows(
    `select state, is_withheld, corroboration_count as says, (
       select count(*)::integer from knowledge_attesters a
       where a.account_id = k.account_id and a.knowledge_id = k.id and not a.withdrawn) as attests
     from knowledge k where account_id = $1 and id = $2`,
    statement,
  );
  return found ?? {};
}
const WITHHELD = { state: 'held', is_withheld: true, says: 0, attests: 0 };

describe('what nobody else says', () => {
  test('is withheld at once, with an item for the curators, and its speaker still reads it', async () => {
    expect(await takeBack(bob)).toMatchObject({ id: statement, state: 'held', statement: SAID });
    expect(await row()).toEqual(WITHHELD);
    const items = await rows(
      'select kind, reason from review_items where account_id = $1 and decided_at is null',
    );
    expect(items).toEqual([{ kind: 'revalidation', reason: 'withdrawn_by_speaker' }]);
    const [event] = await rows(
      "select actor_peer_id, resource_id from audit_events where account_id = $1 and action = 'knowledge.withdrawn_by_speaker'",
    );
    expect(event).toEqual({ actor_peer_id: bob.peerId, resource_id: statement });
  });

  test('again changes nothing, with or without a key', async () => {
    await takeBack(bob, 'once');
    const versions = () =>
      rows('select row_version from knowledge where account_id = $1 order by id');
    const before = await versions();
    await takeBack(bob, 'once');
    await takeBack(bob);
    expect(await versions()).toEqual(before);
    expect(
      await rows(
        "select from audit_events where account_id = $1 and action = 'knowledge.withdrawn_by_speaker'",
      ),
    ).toHaveLength(1);
  });

  test('is placed again by a curator alone, whoever says it', async () => {
    await takeBack(bob);
    await say(SAID, bob);
    await say(SAID, carol);
    await expect(
      act(confirmOwnKnowledge, alice, { knowledge_id: statement }),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect(await row()).toEqual({ ...WITHHELD, says: 2, attests: 2 });
    const [item] = await rows(
      'select id, version from review_items where account_id = $1 and decided_at is null',
    );
    await act(approveReview, curator, { review_id: item?.['id'], version: item?.['version'] });
    expect(await row()).toEqual({ state: 'active', is_withheld: false, says: 2, attests: 2 });
  });

  test('that is contested stays contested, and is withheld when the contest is dismissed', async () => {
    await act(contestOwnKnowledge, alice, { knowledge_id: statement });
    await takeBack(bob);
    expect(await row()).toMatchObject({ state: 'contested', attests: 0 });
    const [item] = await rows(
      "select id, version from review_items where account_id = $1 and kind = 'contest' and decided_at is null",
    );
    await act(approveReview, curator, { review_id: item?.['id'], version: item?.['version'] });
    expect(await row()).toEqual(WITHHELD);
  });

  test('that its subject redacted is missing', async () => {
    await act(redactOwnKnowledge, alice, { knowledge_id: statement });
    await expect(takeBack(bob)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('what others say too', () => {
  beforeEach(() => say(SAID, carol));

  test('stays, and counts one fewer', async () => {
    expect(await row()).toMatchObject({ state: 'active', says: 2, attests: 2 });
    await takeBack(bob);
    expect(await row()).toEqual({ state: 'active', is_withheld: false, says: 1, attests: 1 });
  });

  test('counts who took it back again once that person says it again', async () => {
    await takeBack(bob);
    await say(SAID, bob);
    expect(await row()).toEqual({ state: 'active', is_withheld: false, says: 2, attests: 2 });
  });

  test('is withheld when the last of them takes it back', async () => {
    await takeBack(bob);
    await takeBack(carol);
    expect(await row()).toEqual(WITHHELD);
  });

  test('counts no one again who took it back, when its evidence is counted anew', async () => {
    await takeBack(bob);
    await rows('select recount_evidence($1, array[$2::uuid])', statement);
    expect(await row()).toMatchObject({ says: 1, attests: 1 });
  });
});

describe('what is none of that person’s words', () => {
  test('is missing for its subject, for curators, for strangers and for agents', async () => {
    const missing = { code: 'not_found' };
    for (const caller of [alice, curator, carol]) {
      await expect(takeBack(caller)).rejects.toMatchObject(missing);
    }
    const agent = await scene.caller(account, { key: 'robot' });
    await expect(takeBack(agent)).rejects.toMatchObject({ code: 'human_identity_required' });
    expect(await row()).toMatchObject({ state: 'active', attests: 1 });
  });
});

test('two who take it back at once leave what one after the other leaves', async () => {
  await say(SAID, carol);
  await Promise.all([takeBack(bob), takeBack(carol), takeBack(bob)]);
  expect(await row()).toEqual(WITHHELD);
});
