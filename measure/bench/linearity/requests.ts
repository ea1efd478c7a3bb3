/** Requests of extraction that carry a pump, and the people in them. */
import type { ExtractionRequest } from '../../../domain/statements/candidate.ts';

export const AT = '2026-03-11T12:00:00Z';
export const ADA = { peerKey: 'ada', name: 'Ada', kind: 'human' } as const;
export const BOB = { peerKey: 'bob', name: 'Bob Stone', kind: 'human' } as const;
export const HAL = { peerKey: 'hal', name: 'Hal', kind: 'agent' } as const;
export const PEOPLE = [ADA, BOB, HAL];
/** The longest sentence that extraction reads word by word, in characters. */
export const SENTENCE_CHARS = 560;

/** The longest name, in characters; pumps for names are cut to it. */
export const NAME_CHARS = 200;

/** How much of a pump stands between two remarks. */
const REMARK_CHARS = 32;

export const message = (content: string) => ({
  id: 'm1',
  content,
  role: 'user',
  peerKey: 'ada',
  peerName: 'Ada',
  occurredAt: AT,
  occurredOffsetMinutes: 60,
});

export const request = (
  content: string,
  more: Partial<ExtractionRequest> = {},
): ExtractionRequest => ({
  scopePath: '/home',
  anchor: message(content),
  window: [],
  participants: PEOPLE,
  ...more,
});

/** The pump cut into sentences of the greatest length, no two the same. */
export function sentences(text: string): string {
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += SENTENCE_CHARS) {
    lines.push(`I moved to ${lines.length}, ${text.slice(at, at + SENTENCE_CHARS)}`);
  }
  return lines.join('.\n');
}

/** The pump between short sentences, no two the same, that all look for their company and come to nothing. */
export function remarks(text: string): string {
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += REMARK_CHARS) {
    lines.push(`We drove there ${lines.length} times. ${text.slice(at, at + REMARK_CHARS)}`);
  }
  return lines.join('\n');
}
