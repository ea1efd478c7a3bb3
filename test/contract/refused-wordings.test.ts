/** What was redacted, rejected or contested does not come back, in the same words or in others, under any preset. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDesk, type Desk } from './desk-scene.ts';
import type { Body } from '../support/service.ts';

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.service.close());

/** How each refusal is said; answers when the statement is refused. */
const REFUSALS = {
  redacted: async (id: string) => void (await desk.own('redact', id)),
  contested: async (id: string) => void (await desk.own('contest', id)),
  async rejected(id: string) {
    await desk.own('contest', id);
    const [item] = await desk.itemsOf(id);
    await desk.decide(item?.['id'], 'reject', { version: item?.['version'] });
  },
} as const;

const LANGUAGES = [
  'Dutch',
  'Finnish',
  'Welsh',
  'Greek',
  'Polish',
  'Danish',
  'Irish',
  'Czech',
  'Thai',
];
const cells = (['strict', 'assisted', 'unattended'] as const).flatMap((preset) =>
  (['redacted', 'contested', 'rejected'] as const).map((refusal) => [preset, refusal] as const),
);

const rowsNaming = (language: string) =>
  desk.service.rows(
    `select id, state, previously_refused from knowledge
     where statement like '%' || $1 || '%' order by recorded_at`,
    [language],
  );

async function seenBy(token: string, id: unknown): Promise<boolean> {
  const { service } = desk;
  const answers = await Promise.all([
    service.call({ path: '/api/v1/knowledge?scope_path=/team&limit=100', token }),
    service.search(token, { query: 'learning language', scope_path: '/team' }),
  ]);
  return answers.some(({ text }) => text.includes(String(id)));
}

describe.each(cells)('under %s, what was %s', (preset, refusal) => {
  test('is held when it is said again, in the same words or in others, and nobody sees it', async () => {
    const language = LANGUAGES[cells.findIndex(([a, b]) => a === preset && b === refusal)] ?? '';
    await desk.service.home.preset(preset);
    const first = await desk.said(`I am learning ${language}.`);
    await REFUSALS[refusal](first);
    for (const words of [`I am learning ${language}.`, `I have been learning ${language}.`]) {
      await desk.said(words);
    }
    const [before, ...later]: readonly Body[] = await rowsNaming(language);
    expect(before).toMatchObject({ id: first, state: refusal });
    expect(later.length).toBeGreaterThan(0);
    for (const row of later) {
      expect(row).toMatchObject({ state: 'held', previously_refused: true });
      for (const reader of [desk.tokens.relay, desk.tokens.alice, desk.tokens.bob]) {
        expect(await seenBy(reader, row['id'])).toBe(false);
      }
      const [item] = await desk.itemsOf(String(row['id']));
      expect(item).toMatchObject({ kind: 'gate_a_b', reason: 'previously_refused' });
    }
  });
});
