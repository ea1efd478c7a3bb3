/** What a curator puts into other words, and what a curator merges. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refusal } from './answers.ts';
import { dataOf, openDesk, type Desk } from './desk-scene.ts';
import type { Body } from '../support/service.ts';

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.service.close());

async function waiting(content: string): Promise<{ readonly id: string; readonly item: Body }> {
  const id = await desk.said(content);
  const [item] = await desk.itemsOf(id);
  if (item === undefined) throw new Error('nothing waits');
  return { id, item };
}

const sourcesOf = (id: unknown) =>
  desk.service.rows(
    'select message_id, speaker_peer_id from provenance where knowledge_id = $1 order by message_id',
    [id],
  );

/** Words and place of what each source said. */
const supportsOf = (id: unknown) =>
  desk.service.rows(
    'select wording, span_offset, span_length from provenance where knowledge_id = $1 order by message_id',
    [id],
  );

describe('an edit', () => {
  test('replaces a waiting statement by a new one with the same sources, which waits in its turn', async () => {
    const { id, item } = await waiting('I grow leeks.');
    const answer = dataOf(
      await desk.decide(item['id'], 'edit', { version: 1, statement: 'Alice grows white leeks.' }),
    );
    const knowledge: Body = Object(answer['knowledge']);
    expect(answer).toMatchObject({ review: { id: item['id'], state: 'closed', version: 2 } });
    expect(knowledge).toMatchObject({
      statement: 'Alice grows white leeks.',
      state: 'provisional',
      source_count: 1,
      corroboration_count: 1,
      extracting_provider: 'human',
      extracting_model: 'curator_edit',
    });
    expect(await desk.row(id)).toMatchObject({ state: 'superseded' });
    expect(await desk.row(String(knowledge['id']))).toMatchObject({ supersedes_id: id });
    expect(await sourcesOf(knowledge['id'])).toEqual(await sourcesOf(id));
    const again = await desk.itemsOf(String(knowledge['id']));
    expect(again).toMatchObject([{ kind: 'gate_a_b', version: 1 }]);
  });

  test('keeps where the sources say it, and none of their words', async () => {
    const { id, item } = await waiting('Hello. I grow tall leeks.');
    const edit = { version: 1, statement: 'Alice grows leeks that are tall.' };
    const answer = dataOf(await desk.decide(item['id'], 'edit', edit));
    expect(await supportsOf(id)).toEqual([
      { wording: 'Alice grows tall leeks.', span_offset: 7, span_length: 18 },
    ]);
    expect(await supportsOf(Object(answer['knowledge']).id)).toEqual([
      { wording: null, span_offset: 7, span_length: 18 },
    ]);
  });

  test('keeps who submitted the statement, and nobody else, as readers of the new text', async () => {
    const { item } = await waiting('I knit in blue.');
    const answer = dataOf(
      await desk.decide(item['id'], 'edit', { version: 1, statement: 'Alice knits in dark blue.' }),
    );
    const seenBy = async (token: string) => {
      const list = await desk.service.call({
        path: '/api/v1/knowledge?scope_path=/team&state=provisional&limit=100',
        token,
      });
      return list.text.includes(String(Object(answer['knowledge']).id));
    };
    expect([await seenBy(desk.tokens.relay), await seenBy(desk.tokens.bob)]).toEqual([true, false]);
  });

  test('with approval is placed at once, and is found by its new words', async () => {
    const { id, item } = await waiting('I breed pigeons.');
    const body = { version: 1, statement: 'Alice breeds carrier pigeons.', approve: true };
    const { knowledge } = dataOf(await desk.decide(item['id'], 'edit', body));
    expect(knowledge).toMatchObject({ state: 'active', verification: 'curator_approved' });
    expect(await desk.row(id)).toMatchObject({ state: 'superseded' });
  });

  test('of a placed statement leaves it until the new text is approved', async () => {
    const { id, item } = await waiting('I own two boats.');
    await desk.decide(item['id'], 'approve', { version: 1 });
    await desk.own('contest', id);
    const [contest] = await desk.itemsOf(id);
    await desk.decide(contest?.['id'], 'approve', { version: contest?.['version'] });
    const promoted = await desk.service.call({
      path: `/api/v1/governance/knowledge/${id}/promote`,
      method: 'POST',
      token: desk.tokens['root curator'],
      json: { target_scope_path: '/' },
    });
    const { review } = dataOf(promoted);
    const edited = dataOf(
      await desk.decide(
        Object(review).id,
        'edit',
        { version: Object(review).version, statement: 'Alice owns three boats.' },
        desk.tokens['root curator'],
      ),
    );
    const newId = String(Object(edited['knowledge']).id);
    expect((await desk.row(id))['state']).toBe('active');
    expect(await desk.row(newId)).toMatchObject({ state: 'provisional', supersedes_id: null });
    const [next] = await desk.itemsOf(newId);
    await desk.decide(next?.['id'], 'approve', { version: next?.['version'] });
    expect(await desk.row(id)).toMatchObject({ state: 'superseded' });
    expect(await desk.row(newId)).toMatchObject({ state: 'active', supersedes_id: id });
  });

  test('of a contested statement upholds the contest', async () => {
    const { id } = await waiting('I failed an exam.');
    await desk.own('contest', id);
    const [contest] = await desk.itemsOf(id);
    const version = contest?.['version'];
    const answer = dataOf(
      await desk.decide(contest?.['id'], 'edit', { version, statement: 'Alice repeated an exam.' }),
    );
    expect(answer).toMatchObject({
      review: { state: 'rejected' },
      knowledge: { state: 'provisional' },
    });
    expect(await desk.row(id)).toMatchObject({ state: 'rejected' });
  });

  test('is answered once for one idempotency key, with the same new statement', async () => {
    const { item } = await waiting('I climb walls.');
    const path = `/api/v1/governance/reviews/${String(item['id'])}/edit`;
    const edit = () =>
      desk.service.call({
        path,
        method: 'POST',
        token: desk.tokens.curator,
        headers: { 'idempotency-key': 'edit-1' },
        json: { version: 1, statement: 'Alice climbs high walls.' },
      });
    const [first, second] = [await edit(), await edit()];
    expect(Object(dataOf(second)['knowledge']).id).toBe(Object(dataOf(first)['knowledge']).id);
  });

  test.each<[string, unknown]>([
    ['nothing', ' '],
    ['no word', '?!'],
    ['a question', 'Does Alice climb?'],
    ['the first person', 'I climb walls.'],
    ['too many characters', 'a '.repeat(600)],
  ])('is refused with 422 when its text is %s, and changes nothing', async (_name, statement) => {
    const { id, item } = await waiting('I run uphill.');
    const answer = await desk.decide(item['id'], 'edit', { version: item['version'], statement });
    expect(refusal(answer)).toEqual([422, 'invalid_request', 'statement']);
    expect(await desk.row(id)).toMatchObject({ state: 'provisional' });
  });
});

describe('a merge', () => {
  test('gives the sources and speakers of the statement to the other one, and ends it', async () => {
    const { id: into } = await waiting('I bake rye bread.');
    const { id, item } = await waiting('I often bake bread from rye.');
    const before = [...(await sourcesOf(into)), ...(await sourcesOf(id))];
    const answer = dataOf(await desk.decide(item['id'], 'merge', { version: 1, into }));
    expect(answer).toMatchObject({
      review: { id: item['id'], state: 'merged' },
      knowledge: { id: into, state: 'provisional', source_count: 2, corroboration_count: 1 },
    });
    expect(await desk.row(id)).toMatchObject({ state: 'superseded', merged_into_id: into });
    expect(await sourcesOf(into)).toHaveLength(before.length);
    expect(await desk.itemsOf(id)).toEqual([]);
  });

  test('takes over the words of the sources, unless these were contested', async () => {
    const { id: into } = await waiting('I skate on lakes.');
    const { item } = await waiting('I like to skate on a lake.');
    const { id: contested } = await waiting('I often skate on a lake.');
    await desk.own('contest', contested);
    const [contest] = await desk.itemsOf(contested);
    await desk.decide(item['id'], 'merge', { version: 1, into });
    const { status } = await desk.decide(contest?.['id'], 'merge', {
      version: contest?.['version'],
      into,
    });
    expect(status).toBe(200);
    expect((await supportsOf(into)).map(({ wording }) => wording)).toEqual([
      'Alice skates on lakes.',
      'Alice likes to skate on a lake.',
      null,
    ]);
  });

  test('counts what was inherited as if it were counted anew', async () => {
    const { id: into } = await waiting('I swim in lakes.');
    const { item } = await waiting('I like to swim in a lake.');
    await desk.decide(item['id'], 'merge', { version: 1, into });
    const counts = () =>
      desk.service.rows(
        `select source_count, submitter_count, corroboration_count, first_said_at, first_said_hash, first_attester_id
         from knowledge where id = $1`,
        [into],
      );
    const found = await counts();
    await desk.service.rows(
      'select recount_evidence(account_id, array[id]) from knowledge where id = $1',
      [into],
    );
    expect(await counts()).toEqual(found);
  });

  test('into what the caller does not curate, or what does not exist, is the same 404', async () => {
    const { id, item } = await waiting('I mow lawns.');
    const elsewhere = desk.tokens['curator elsewhere'];
    const { id: into } = await waiting('I mow the lawn.');
    const answers = [
      await desk.decide(item['id'], 'merge', {
        version: 1,
        into: '01890000-0000-7000-8000-00000000dead',
      }),
      await desk.decide(item['id'], 'merge', { version: 1, into }, elsewhere),
    ];
    expect(answers.map(refusal)).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
    ]);
    expect(answers[0]?.text).toBe(answers[1]?.text);
    expect(await desk.row(id)).toMatchObject({ state: 'provisional' });
  });

  test('into itself, or with a version that is no longer true, is a conflict', async () => {
    const { id, item } = await waiting('I whittle spoons.');
    const { id: into } = await waiting('I whittle wooden spoons.');
    expect(refusal(await desk.decide(item['id'], 'merge', { version: 1, into: id }))).toEqual([
      409,
      'conflict',
    ]);
    expect(refusal(await desk.decide(item['id'], 'merge', { version: 9, into }))).toEqual([
      409,
      'conflict',
    ]);
  });
});
