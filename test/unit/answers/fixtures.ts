/** Evidence of a few statements, and an answerer over a stub endpoint. */
import type { AdmittedEvidence } from '../../../domain/answers/evidence.ts';

export const idOf = (n: number): string =>
  `018f0000-0000-7000-8000-00000000${String(n).padStart(4, '0')}`;

const NO_WINDOW = { from: null, until: null };

export function evidence(
  n: number,
  text: string,
  changes: Partial<AdmittedEvidence> = {},
): AdmittedEvidence {
  return {
    id: idOf(n),
    type: 'knowledge',
    text,
    scopePath: '/team',
    sourceMessageIds: [idOf(9_000 + n)],
    validity: NO_WINDOW,
    level: 'peer',
    isProvisional: false,
    score: 1 / n,
    subjectPeerId: null,
    subjectName: null,
    claim: null,
    spoken: null,
    origin: 'head',
    ...changes,
  };
}

export const THREE = [
  evidence(1, 'Ana keeps bees on the roof of the office.'),
  evidence(2, 'Ana keeps bees and hens.'),
  evidence(3, 'Ana sold her car in March.'),
];
