/** A curator asks again about a statement: with words, withheld or not; and a subject who contests says what is wrong. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import { execute } from '../../../operations/execute.ts';
import { approveReview } from '../../../operations/reviews/approve.ts';
import { decideReviews } from '../../../operations/reviews/bulk.ts';
import { openReview } from '../../../operations/reviews/open.ts';
import { rejectReview } from '../../../operations/reviews/reject.ts';
import { confirmOwnKnowledge } from '../../../operations/self/confirm.ts';
import { contestOwnKnowledge } from '../../../operations/self/contest.ts';
import { redactOwnKnowledge } from '../../../operations/self/redact.ts';
import { drain, literalExtractor, pipeline, usePreset } from '../extraction/scene.ts';
import { Scene } from '../observations/scene.ts';
import { brokenLaws } from './laws.ts';

let scene: Scene;
let account: string;
let alice: Caller;
let curator: Caller;
let statement: string;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  account = await scene.account();
  await usePreset(scene, account, 'unattended');
  alice = await scene.caller(account, { key: 'alice', kind: 'human' });
  curator = await scene.caller(account, { key: 'cura', role: 'curator', kind: 'human' });
  await say('Alice likes tea.');
  statement = String((await rows('select id from knowledge where account_id = $1'))[0]?.['id']);
});

const rows = (query: string, ...values: readonly unknown[]) =>
  scene.rows(query, [account, ...values]);
const act = (operation: Parameters<typeof execute>[0], caller: Caller, input: object) =>
  execute(operation, { ...scene.context(caller), sweep: { soon: () => {} } }, input);

async function say(content: string, by: Caller = alice): Promise<void> {
  await scene.ingest(by, { content });
  await drain(scene, account, pipeline(scene, { extract: literalExtractor }));
}

const reopen = (withhold: boolean, by: Caller = curator) =>
  act(openReview, by, { knowledge_id: statement, reason: ' Bob says otherwise. ', withhold });

async function state(): Promise<string> {
  expect(await brokenLaws(scene, account)).toEqual([]);
  const [row] = await rows(
    'select state, is_withheld from knowledge where account_id = $1 and id = $2',
    statement,
  );
  return `${String(row?.['state'])}${row?.['is_withheld'] === true ? ', withheld' : ''}`;
}

async function item(): Promise<Record<string, unknown>> {
  const [found] = await rows(
    `select item.*, w.reason as words, w.correction, w.peer_id as said_by from review_items item
     left join review_words w on w.account_id = item.account_id and w.review_item_id = item.id
     where item.account_id = $1 and item.knowledge_id = $2 order by item.id desc limit 1`,
    statement,
  );
  return found ?? {};
}

const decide = async (operation: typeof approveReview | typeof rejectReview) => {
  const { id, version } = await item();
  await act(operation, curator, { review_id: id, version });
};

const believed = () =>
  rows(
    'select state from belief_periods where account_id = $1 and knowledge_id = $2 and believed_until is null',
    statement,
  );

describe('a placed statement that a curator asks about again', () => {
  test('stays as it is, with an item that says why', async () => {
    await reopen(false);
    expect(await state()).toBe('active');
    expect(await item()).toMatchObject({
      kind: 'revalidation',
      reason: 'reopened_by_curator',
      words: 'Bob says otherwise.',
      correction: null,
      said_by: curator.peerId,
    });
    await expect(reopen(false)).rejects.toMatchObject({ code: 'conflict' });
    await decide(approveReview);
    expect(await state()).toBe('active');
    await reopen(false);
    await decide(rejectReview);
    expect(await state()).toBe('rejected');
  });

  test('is withheld at once where that is asked, and placed again by a yes to its item alone', async () => {
    await reopen(true);
    expect(await state()).toBe('held, withheld');
    expect(await believed()).toEqual([{ state: 'held' }]);
    await say('Alice likes tea.');
    const bob = await scene.caller(account, { key: 'bob', kind: 'human' });
    await say('Alice likes tea.', bob);
    await expect(
      act(confirmOwnKnowledge, alice, { knowledge_id: statement }),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect(await state()).toBe('held, withheld');
    await decide(approveReview);
    expect(await state()).toBe('active');
  });

  test('may be withheld where the question was open before, and the words of the item are the last ones', async () => {
    await reopen(false);
    await act(openReview, curator, {
      knowledge_id: statement,
      reason: 'It is urgent.',
      withhold: true,
    });
    expect(await state()).toBe('held, withheld');
    expect(await item()).toMatchObject({ words: 'It is urgent.', reason: 'withheld_by_curator' });
    expect(
      await rows('select from review_items where account_id = $1 and decided_at is null'),
    ).toHaveLength(1);
  });

  test('is asked about again after a contest that was dismissed', async () => {
    await reopen(true);
    await act(contestOwnKnowledge, alice, { knowledge_id: statement });
    expect(await state()).toBe('contested, withheld');
    await decide(approveReview);
    expect(await state()).toBe('held, withheld');
    expect(await item()).toMatchObject({ kind: 'revalidation', state: 'pending' });
    await decide(rejectReview);
    expect(await state()).toMatch(/^rejected/);
  });

  test('is for curators of its scope, in words, and only while it is placed', async () => {
    const stranger = await scene.caller(account, {
      key: 'stra',
      role: 'curator',
      at: '/x',
      kind: 'human',
    });
    await expect(reopen(true, stranger)).rejects.toMatchObject({ code: 'not_found' });
    await expect(reopen(true, alice)).rejects.toMatchObject({ code: 'forbidden' });
    for (const reason of ['', '  ', 'x'.repeat(1_001)]) {
      await expect(
        act(openReview, curator, { knowledge_id: statement, reason }),
      ).rejects.toMatchObject({ code: 'invalid_request' });
    }
    await act(redactOwnKnowledge, alice, { knowledge_id: statement });
    await expect(reopen(false)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('a contest', () => {
  test('says what is wrong and what would be right, and the same contest again says nothing new', async () => {
    const words = { reason: 'I never said that.', correction: 'Alice likes coffee.' };
    await act(contestOwnKnowledge, alice, { knowledge_id: statement, ...words });
    const said = { words: words.reason, correction: words.correction, said_by: alice.peerId };
    expect(await item()).toMatchObject({ kind: 'contest', ...said });
    await act(contestOwnKnowledge, alice, { knowledge_id: statement, reason: 'Again.' });
    expect(await item()).toMatchObject(said);
  });

  test('may be without words', async () => {
    await act(contestOwnKnowledge, alice, { knowledge_id: statement, reason: null });
    expect(await item()).toMatchObject({ kind: 'contest', words: null, correction: null });
  });

  test('is not decided among many, and neither is a contradiction', async () => {
    await act(contestOwnKnowledge, alice, { knowledge_id: statement });
    const among = async () => {
      const { id, version } = await item();
      const decisions = [{ id, version, action: 'approve' }];
      const { results } = (await act(decideReviews, curator, { decisions })) as {
        results: readonly { readonly status: string; readonly code: string | null }[];
      };
      return results.map(({ code, status }) => [status, code]);
    };
    expect(await among()).toEqual([['refused', 'conflict']]);
    expect(await state()).toBe('contested');
    await rows("update review_items set kind = 'conflict' where account_id = $1");
    expect(await among()).toEqual([['refused', 'conflict']]);
  });
});
