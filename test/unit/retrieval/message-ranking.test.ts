/** The second scoring of messages, once it is known which of them a reader may read. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NO_TRAITS, type PassageTraits } from '../../../domain/ranking/traits.ts';
import type { ChainReader } from '../../../domain/governance/visibility.ts';
import { rescored } from '../../../engine/source-search/rescored.ts';
import { readQuestion } from '../../../engine/text/ranked-question.ts';
import type { SpokenMessage } from '../../../stores/postgres/observations/source-messages.store.ts';
import type { MessageHit } from '../../../stores/qdrant/message-points.ts';

interface Told {
  readonly score: number;
  readonly speaker?: string;
  readonly session?: string;
  readonly role?: string;
  readonly order?: number;
  readonly traits?: Partial<PassageTraits>;
}

const hitOf = ([messageId, { order = 0, score, traits }]: [string, Told]): MessageHit => ({
  messageId,
  score,
  order,
  beginsAt: null,
  traits: { ...NO_TRAITS, ...traits },
});

const spokenOf = ([id, told]: [string, Told]): SpokenMessage => ({
  id,
  session_id: told.session ?? 's',
  role: told.role ?? 'user',
  speaker_peer_id: told.speaker ?? 'bob',
  speaker_name: told.speaker ?? 'bob',
});

/** Messages with their scores, best first. Those in `hidden` were found, and may not be read. */
function rank(
  question: string,
  messages: Readonly<Record<string, Told>>,
  more: {
    readonly reader?: ChainReader;
    readonly hidden?: Readonly<Record<string, Told>>;
    readonly total?: number;
  } = {},
): [string, number][] {
  const { hidden = {}, reader = { posture: 'peer', peerId: 'carol' }, total = 10 } = more;
  const told = Object.entries(messages);
  const hits = [...Object.entries(hidden), ...told].map(hitOf);
  const asked = { reading: readQuestion(question), total, reader, scopeIds: ['scope'] };
  return rescored(hits, told.map(spokenOf), asked).map(({ messageId, score }) => [
    messageId,
    score,
  ]);
}

const order = (...asked: Parameters<typeof rank>): string[] => rank(...asked).map(([id]) => id);

describe('messages that were found by words', () => {
  test('stand by their share of what the query weighs, those of one score in the order of their time', () => {
    const messages = {
      late: { score: 5, order: 9 },
      weak: { score: 1 },
      b: { score: 5, order: 3 },
      a: { score: 5, order: 3 },
    };
    expect(rank('boat', messages)).toEqual([
      ['a', 0.5],
      ['b', 0.5],
      ['late', 0.5],
      ['weak', 0.1],
    ]);
  });

  test('are lifted where the one person speaks whom the question names', () => {
    const messages = { b: { score: 5 }, a: { score: 4, speaker: 'anna' } };
    expect(order('the boat', messages)).toEqual(['b', 'a']);
    expect(order('the boat of Anna', messages)).toEqual(['a', 'b']);
    expect(order('the boat of Anna and Bob', messages)).toEqual(['b', 'a']);
  });

  test('are lifted where a person speaks to an assistant and asks of themself', () => {
    const told = (speaker: string, role: string, score: number): Told => ({
      score,
      speaker,
      role,
      traits: { isWithAssistant: true },
    });
    const messages = {
      answer: told('hal', 'assistant', 5),
      tool: told('hal', 'Tool', 4.9),
      bobs: told('bob', 'user', 4.5),
      carols: told('carol', 'user', 4),
    };
    expect(order('the boat', messages)).toEqual(['answer', 'tool', 'bobs', 'carols']);
    // The reader speaks among them.
    expect(order('where is my boat', messages)[0]).toBe('carols');
    const named: ChainReader = {
      posture: 'named',
      named: { posture: 'peer', peerId: 'bob' },
      scopeIds: ['scope'],
      otherwise: { posture: 'peer', peerId: 'carol' },
    };
    expect(order('where is my boat', messages, { reader: named })[0]).toBe('bobs');
    // It does not: whoever speaks to the assistant may be meant.
    const stranger: ChainReader = { posture: 'peer', peerId: 'erwin' };
    expect(order('where is my boat', messages, { reader: stranger }).slice(0, 2)).toEqual([
      'bobs',
      'carols',
    ]);
    const betweenPeople = { b: { score: 5 }, c: { score: 4, speaker: 'carol' } };
    expect(order('where is my boat', betweenPeople)).toEqual(['b', 'c']);
  });

  test('have scores between 0 and 1 that fall with the rank', () => {
    const messages = {
      first: { score: 9, speaker: 'anna' },
      second: { score: 8, speaker: 'anna' },
      third: { score: 9.5 },
    };
    const ranked = rank('the boat of Anna', messages);
    expect(ranked.map(([id]) => id)).toEqual(['first', 'second', 'third']);
    expect(ranked.map(([, score]) => score)).toEqual([1, 1, 0.95]);
  });

  test('are told apart where every word of the query is common', () => {
    const messages = { a: { score: 0.000_2 }, b: { score: 0.000_3 } };
    expect(rank('boat', messages, { total: 0.0006 })).toEqual([
      ['b', 0.5],
      ['a', 0.333],
    ]);
  });
});

test('what a reader may not read changes neither the order nor a score', () => {
  const told = fc.record({
    score: fc.double({ min: 0.01, max: 12, noNaN: true }),
    speaker: fc.constantFrom('anna', 'bob', 'carol'),
    session: fc.constantFrom('s1', 's2', 's3', 's4', 's5', 's6', 's7'),
    role: fc.constantFrom('user', 'assistant'),
    order: fc.nat(9),
    traits: fc.record({
      isShortQuestion: fc.boolean(),
      hasTimeCue: fc.boolean(),
      saysSomething: fc.boolean(),
      isWithAssistant: fc.boolean(),
    }),
  });
  const messages = fc.dictionary(fc.stringMatching(/^m\d{1,3}$/), told, { maxKeys: 24 });
  const hidden = fc.dictionary(fc.stringMatching(/^h\d{1,3}$/), told, { maxKeys: 24 });
  const question = fc.constantFrom('when did I see Anna', 'my boat', 'Anna and Bob', 'boat');
  fc.assert(
    fc.property(question, messages, hidden, (asked, readable, others) => {
      const without = rank(asked, readable);
      expect(rank(asked, readable, { hidden: others })).toEqual(without);
      const scores = without.map(([, score]) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
    }),
  );
});
