import { describe, expect, test } from '@jest/globals';
import { answerExtractively } from '../../../engine/answers/extractive.ts';
import type { ExtractiveEvidence } from '../../../domain/answers/extractive/types.ts';

const said = (
  id: string,
  about: string | null,
  text: string,
  more: Partial<ExtractiveEvidence> = {},
) => ({
  id,
  text,
  about,
  spokenBy: about,
  validity: null,
  saidAt: null,
  score: 0.5,
  disagreesWith: [],
  level: 'peer',
  isProvisional: false,
  ...more,
});

const ask = (question: string, evidence: readonly ExtractiveEvidence[]) =>
  answerExtractively({ question, referenceTime: '2026-03-11T12:00:00Z', evidence });

const RACE = said('race', 'Anna', 'Anna ran a charity race in the rain');
const CAKE = said('cake', 'Bob', 'Bob baked a plum cake for the neighbours');

describe('the built-in answerer', () => {
  test('quotes the statement that answers, word for word, and cites it', () => {
    expect(ask('What race did Anna run?', [CAKE, RACE])).toEqual({
      text: RACE.text,
      citedIds: ['race'],
      confidence: expect.any(Number),
      abstained: false,
    });
  });

  test('abstains where only somebody else is known to have done what is asked', () => {
    const { abstained, citedIds } = ask('What charity race did Bob run?', [CAKE, RACE]);
    expect({ abstained, citedIds }).toMatchObject({ abstained: true });
    expect(ask('What charity race did Anna run?', [CAKE, RACE]).abstained).toBe(false);
  });

  test('abstains without evidence, citing nothing', () => {
    expect(ask('What race did Anna run?', [])).toEqual({
      text: '',
      citedIds: [],
      confidence: 0,
      abstained: true,
    });
  });
});
