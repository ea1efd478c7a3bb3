/** Confidence and evidence level are computed. */
import { expect, test } from '@jest/globals';
import {
  confidenceOf,
  evidenceLevelOf,
  gradeCandidate,
} from '../../../domain/statements/confidence.ts';
import { ANCHOR_ID, CANDIDATE, EARLIER_ID, REQUEST } from '../models/fixtures.ts';

test.each([
  ['stated_explicitly', 1, 0.75],
  ['clearly_implied', 0.8, 0.6],
  ['inferred', 0.6, 0.45],
] as const)('%s is %d when direct and %d when indirect', (level, direct, indirect) => {
  expect(confidenceOf({ confidence_level: level }, 'direct')).toBe(direct);
  expect(confidenceOf({ confidence_level: level }, 'indirect')).toBe(indirect);
});

test('what has been measured stands in place of what the level says', () => {
  const measured = { confidence_level: 'stated_explicitly', precision: 0.92 } as const;
  expect(confidenceOf(measured, 'direct')).toBe(0.92);
  expect(confidenceOf(measured, 'indirect')).toBe(0.69);
});

test('evidence is direct only when the subject spoke the cited span', () => {
  expect(evidenceLevelOf(CANDIDATE, REQUEST)).toBe('direct');
  expect(evidenceLevelOf({ ...CANDIDATE, subjectRef: 'tomas' }, REQUEST)).toBe('indirect');
  expect(evidenceLevelOf({ ...CANDIDATE, sourceMessageIds: [EARLIER_ID] }, REQUEST)).toBe(
    'indirect',
  );
  const scope = { ...CANDIDATE, subjectType: 'scope', subjectRef: 'ines' } as const;
  expect(evidenceLevelOf(scope, REQUEST)).toBe('indirect');
});

test('citing a second message of the subject does not make hearsay direct', () => {
  const candidate = {
    ...CANDIDATE,
    subjectRef: 'tomas',
    sourceMessageIds: [ANCHOR_ID, EARLIER_ID],
  };
  expect(gradeCandidate(candidate, REQUEST)).toMatchObject({
    evidenceLevel: 'indirect',
    confidence: 0.75,
  });
});
