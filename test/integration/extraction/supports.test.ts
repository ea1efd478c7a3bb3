/** What is kept of each source of a statement: the words of its proposal, and where it says so. On real Postgres. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Candidate, ExtractionRequest } from '../../../domain/statements/candidate.ts';
import { LONGEST_WORDING } from '../../../domain/statements/source.ts';
import { Scene } from '../observations/scene.ts';
import { candidate, drain, pipeline } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

type Said = Readonly<Record<string, unknown>>;

async function home() {
  const account = await scene.account();
  const agent = await scene.caller(account, { key: 'agent' });
  let minutes = 0;
  const say = (content: string, values: Said = {}) => {
    minutes += 1;
    const occurred_at = new Date(Date.UTC(2024, 0, 1) + minutes * 60_000).toISOString();
    const common = { session_id: 's', scope_path: '/team', peer_key: 'ada', occurred_at };
    return scene.ingest(agent, { ...common, content, ...values });
  };
  const drained = (propose: (request: ExtractionRequest) => readonly Candidate[]) =>
    drain(scene, account, pipeline(scene, { extract: propose }));
  const sources = () =>
    scene.rows(
      `select m.content, p.wording, p.span_offset, p.span_length,
         substr(m.content, p.span_offset + 1, p.span_length) as span
       from provenance p join messages m on m.account_id = p.account_id and m.id = p.message_id
       where p.account_id = $1 order by m.occurred_at, m.id`,
      [account],
    );
  return { account, drained, say, sources };
}

/** The sentence "I like …" of the anchor as a statement. */
const likes = (request: ExtractionRequest): readonly Candidate[] => {
  const [supportingSpan] = /I like \w+\./iu.exec(request.anchor.content) ?? [];
  if (supportingSpan === undefined) return [];
  const statement = supportingSpan.replace(/^I like/iu, (words) =>
    words === words.toUpperCase() ? 'ADA LIKES' : 'Ada likes',
  );
  return [candidate(request, { supportingSpan, statement })];
};

describe('each source of a statement', () => {
  test('keeps the words of its own proposal and where its message supports it, in characters', async () => {
    const { account, drained, say, sources } = await home();
    await say('Good morning 😀. I like tea.');
    await say('I LIKE tea. Yes, I do.');
    await drained(likes);
    expect(await sources()).toMatchObject([
      { wording: 'Ada likes tea.', span_offset: 16, span_length: 11, span: 'I like tea.' },
      { wording: 'ADA LIKES tea.', span_offset: 0, span_length: 11, span: 'I LIKE tea.' },
    ]);
    const rows = await scene.rows(
      'select statement, source_count, derivation_level from knowledge where account_id = $1',
      [account],
    );
    expect(rows).toEqual([{ statement: 'Ada likes tea.', source_count: 2, derivation_level: 1 }]);
  });

  test('stays as it was put out first when its message is extracted again', async () => {
    const { account, drained, say, sources } = await home();
    await say('I like tea.');
    await drained(likes);
    const before = await sources();
    await scene.admin.query(
      `update extraction_anchors
       set status = 'pending', extracted_at = null, completed_at = null, claim_epoch = null, available_at = now()
       where account_id = $1`,
      [account],
    );
    await drained((request) => [
      candidate(request, { statement: 'ada LIKES tea', supportingSpan: 'tea' }),
    ]);
    expect(before).toMatchObject([{ wording: 'Ada likes tea.', span: 'I like tea.' }]);
    expect(await sources()).toEqual(before);
  });

  test('has no span where another message supports the statement', async () => {
    const { drained, say, sources } = await home();
    await say('Tea is what I like.');
    await say('As I said.');
    await drained((request) =>
      request.window.length === 0
        ? []
        : [
            candidate(request, {
              statement: 'Ada likes tea.',
              supportingSpan: 'Tea is what I like',
              sourceMessageIds: [request.anchor.id, request.window[0]?.id ?? ''],
            }),
          ],
    );
    expect(await sources()).toMatchObject([
      { content: 'Tea is what I like.', wording: 'Ada likes tea.', span: 'Tea is what I like' },
      { content: 'As I said.', wording: 'Ada likes tea.', span: null },
    ]);
  });

  test('keeps no words that may be those of several speakers', async () => {
    const { drained, say, sources } = await home();
    await say('Does the meeting end at five?', { peer_key: 'bo' });
    await say('It does.');
    await drained((request) =>
      request.window.length === 0
        ? []
        : [
            candidate(request, {
              statement: 'The meeting of Ada ends at five.',
              sourceMessageIds: [request.anchor.id, request.window[0]?.id ?? ''],
            }),
          ],
    );
    expect(await sources()).toMatchObject([
      { content: 'Does the meeting end at five?', wording: null },
      { content: 'It does.', wording: null, span: 'It does.' },
    ]);
  });

  test('keeps no words that are longer than a kept wording may be', async () => {
    const { drained, say, sources } = await home();
    await say('I like tea.');
    await say('I like rain.');
    const long = (subject: string) =>
      `${subject} ${'x'.repeat(LONGEST_WORDING - subject.length - 1)}`;
    await drained((request) => [
      candidate(request, {
        statement: request.anchor.content.includes('tea') ? long('Ada') : `${long('Ada')}x`,
      }),
    ]);
    expect((await sources()).map(({ wording }) => wording)).toEqual([long('Ada'), null]);
  });
});
