/** Chunks of a document share no call, whatever batching allows. */
import { expect, test } from '@jest/globals';
import { callsOf } from '../../../engine/extraction/calls.ts';
import type { LoadedAnchor } from '../../../engine/extraction/window.ts';

const IDS = ['m1', 'm2', 'm3'];
const BATCHING = { anchors: 8, tokens: 12_000 };

function anchor(messageId: string, document: LoadedAnchor['message']['document']): LoadedAnchor {
  return {
    messageId,
    attemptCount: 0,
    internalErrors: 0,
    lostHolds: 0,
    message: {
      id: messageId,
      session_id: 's',
      scope_id: 'c',
      speaker_id: 'p',
      speaker_key: 'ana',
      speaker_name: 'Ana',
      relay_id: null,
      audience: null,
      role: document === null ? 'user' : 'document',
      content: 'The office has four rooms.',
      content_hash: 'aa',
      said_at: '2026-03-11T12:00:00Z',
      occurred_at: '2024-05-01T10:00:00.000Z',
      occurred_offset_minutes: 0,
      trace_id: '0'.repeat(32),
      document,
    },
    window: [],
    participants: [],
    readable: new Set(IDS),
    scopePath: '/team',
    extracted: null,
  };
}

const sizes = (document: LoadedAnchor['message']['document']) =>
  callsOf(
    IDS.map((id) => anchor(id, document)),
    BATCHING,
  ).map((call) => call.length);

test('messages for different people share no call', () => {
  const audience = { id: 'to bo', principals: ['bo'] };
  const told = IDS.map((id, nth) => {
    const one = anchor(id, null);
    return nth === 0 ? one : { ...one, message: { ...one.message, audience } };
  });
  expect(callsOf(told, BATCHING).map((call) => call.map((one) => one.messageId))).toEqual([
    ['m1'],
    ['m2', 'm3'],
  ]);
});

test('messages of a session share a call, and each chunk of a document has a call of its own', () => {
  expect(sizes(null)).toEqual([3]);
  expect(sizes({ id: 'd', title: null, headings: null, replaced: false })).toEqual([1, 1, 1]);
});
