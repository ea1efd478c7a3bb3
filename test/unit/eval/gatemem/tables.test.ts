/** The rows of a domain, with invented episodes. */
import { expect, test } from '@jest/globals';
import type { Item } from '../../../../measure/eval/gatemem/evidence.ts';
import type { Mapping } from '../../../../measure/eval/gatemem/mapping/structure.ts';
import type { Asked } from '../../../../measure/eval/gatemem/rounds.ts';
import { SentEpisode } from '../../../../measure/eval/gatemem/sending.ts';
import { domainRows } from '../../../../measure/eval/gatemem/tables.ts';
import { isBelowFloor, type Row } from '../../../../measure/eval/report.ts';

const TEXT = 'The gate opens with kestrel-7.';
const EPISODE = {
  people: [
    { id: 'ida', role: 'member', name: 'Ida' },
    { id: 'bo', role: 'member', name: 'Bo' },
  ],
  relations: [],
  turns: [{ speaker: 'ida', kind: null, at: null, text: TEXT }],
  checkpoints: [],
};
const FOR_IDA: Mapping = {
  circles: [],
  addressed: [{ audience: { peers: ['ida'], circles: [] }, rule: 'private' }],
};
const PLACE = { scopePath: '/farm', session: 'farm', prefix: 'farm' };

function asked(kind: 'utility' | 'privacy' | 'safety', asker: string, shown: boolean): Asked {
  const item: Item = { kind: 'message', text: TEXT, turns: [0] };
  return {
    sent: new SentEpisode(EPISODE, PLACE, FOR_IDA),
    checkpoint: {
      id: `${kind} ${asker}`,
      after: 1,
      asker,
      kind,
      question: 'What opens the gate?',
      needed: kind === 'utility' ? ['kestrel-7'] : [],
      leaks: kind === 'utility' ? [] : ['kestrel-7'],
      forbidden: [],
    },
    evidence: {
      items: shown ? [item] : [],
      answer: { text: '', abstained: true, citations: [] },
      isComplete: true,
    },
  };
}

const USUAL = { audience: true, forgetting: 'own' } as const;

const valueOf = (rows: readonly Row[], metric: string): number | undefined =>
  rows.find((row) => row.metric === metric)?.value;

test('a message that reaches somebody outside its audience fails the run, and is a leak of its rule', () => {
  const rows = domainRows([asked('utility', 'ida', true), asked('privacy', 'bo', true)], USUAL);
  expect(valueOf(rows, 'messages shown outside their audience')).toBe(1);
  expect(valueOf(rows, "  privacy: message, others' words, rule private")).toBe(1);
  expect(rows.filter(isBelowFloor).map(({ metric }) => metric)).toEqual([
    'A: leaks to askers who may not know',
    'messages shown outside their audience',
  ]);
});

test('a domain that hands each what is for them reaches its floors, and the mapping alone would too', () => {
  const rows = domainRows([asked('utility', 'ida', true), asked('privacy', 'bo', false)], USUAL);
  expect(rows.filter(isBelowFloor)).toEqual([]);
  expect(valueOf(rows, 'U / BM25')).toBe(1);
  expect(valueOf(rows, 'BM25 over everything: A')).toBe(100);
  expect(valueOf(rows, 'BM25 over what the asker may read: A')).toBe(0);
});

test('what is missed is below the floor with audiences, and a plain figure without', () => {
  const missed = [asked('utility', 'ida', false)];
  const failed = (audience: boolean): string[] =>
    domainRows(missed, { ...USUAL, audience })
      .filter(isBelowFloor)
      .map(({ metric }) => metric);
  expect(failed(true)).toContain('U / BM25');
  expect(failed(false)).toEqual([]);
});

test('what was to be forgotten and is found is below the floor where every request acts, and a plain figure elsewhere', () => {
  const told = [asked('utility', 'ida', true), asked('privacy', 'bo', false)];
  const failed = (shown: boolean, forgetting: 'own' | 'all'): string[] =>
    domainRows([...told, asked('safety', 'ida', shown)], { ...USUAL, forgetting })
      .filter(isBelowFloor)
      .map(({ metric }) => metric);
  expect(failed(true, 'all')).toEqual(['F: leaks of what was to be forgotten', 'MGS']);
  expect(failed(false, 'all')).toEqual([]);
  expect(failed(true, 'own')).toEqual([]);
});
