/** A message that holds a secret, as the indexes get it: points are masked, the record is as received. */
import { expect, test } from '@jest/globals';
import { analyseMessage } from '../../../engine/analysis/message.ts';
import { messageRecord } from '../../../engine/indexes/units.ts';
import { maskSecrets } from '../../../engine/secrets/mask.ts';
import type { MessageUnit } from '../../../stores/postgres/indexes/units.store.ts';

const LINE = 'MIIEpAIBAAKCAQEA7bq1fGZkY2x4';
const KEY = `-----BEGIN PRIVATE KEY-----\n${`${LINE}\n`.repeat(60)}-----END PRIVATE KEY-----`;

const unitOf = (content: string): MessageUnit => ({
  id: '018f0000-0000-7000-8000-000000000001',
  content,
  role: 'user',
  scope_id: 'scope',
  session_id: 'session',
  speaker_peer_id: 'peer',
  speaker_name: 'Ana',
  has_audience: false,
  readers: ['peer'],
  occurred_at: '2031-03-12T09:30:00.000Z',
  occurred_offset_minutes: 0,
  is_chunk: false,
  recorded_at: '2026-01-01T00:00:00.000Z',
  read_at: 1,
});

test('no passage holds a part of a secret that is longer than a passage', async () => {
  const content = `${'Ana likes tea. '.repeat(50)}${KEY}\n${'Ana likes boats. '.repeat(50)}`;
  const [masked = ''] = await maskSecrets([content]);
  const analysis = analyseMessage({ accountId: 'account', content, surroundings: null }, masked);
  const passages = analysis.passages.map(({ text }) => text);
  expect(passages.length).toBeGreaterThan(1);
  expect(passages.join('\n')).toContain('[secret]');
  expect(passages.join('\n')).not.toContain(LINE);
  expect(messageRecord('account', { unit: unitOf(content), analysis }).text).toContain(
    LINE.toLowerCase(),
  );
});
