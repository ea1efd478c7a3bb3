/** Statements about Ada that Ada said. */
import type { ProfileStatement } from '../../../domain/stable-profile/eligible.ts';
import { claimOf } from '../../../engine/knowledge/claims.ts';

export const AT = '2026-06-01T12:00:00.000Z';
let made = 0;

/** A statement about Ada that Ada said, as the extractor would have kept it. */
export function said(text: string, changes: Partial<ProfileStatement> = {}): ProfileStatement {
  made += 1;
  return {
    id: `id-${String(made).padStart(6, '0')}`,
    text,
    kind: 'fact',
    confidence: 0.92,
    confidenceLevel: 'stated_explicitly',
    sensitivity: 'internal',
    evidenceLevel: 'direct',
    sourceCount: 1,
    relevantFrom: null,
    relevantUntil: null,
    recordedAt: `2026-01-01T00:00:00.${String(made).padStart(6, '0')}Z`,
    claim: claimOf(text, ['Ada']),
    sourceMessageIds: [`m-${made}`],
    ...changes,
  };
}
