import { describe, expect, test } from '@jest/globals';
import { waiting } from '../../../../measure/eval/service/quiet.ts';
import { turnsOf } from '../../../../measure/eval/retrieval/loaded.ts';

const messages = [{ id: 'm1', session: 's1', speaker: 'user', at: 0, content: 'A kettle.' }];
const rest = { name: 'kettles', messages, questions: [], unanswerable: [], facts: [] };

describe('the turns of a conversation', () => {
  test('have a role in a chat with an assistant only', () => {
    expect(turnsOf({ ...rest, style: 'assistant' })).toEqual([
      {
        sessionId: 's1',
        speaker: 'user',
        role: 'user',
        occurredAt: '1970-01-01T00:00:00.000Z',
        content: 'A kettle.',
      },
    ]);
    expect(turnsOf({ ...rest, style: 'peers' })[0]).not.toHaveProperty('role');
  });

  test('name a speaker and a moment where the set names none', () => {
    const [turn] = turnsOf({ ...rest, style: 'passages' });
    expect(turn?.speaker).toBe('narrator');
    expect(turn?.occurredAt).not.toMatch(/^1970/u);
  });
});

describe('the work that waits', () => {
  const queue = (available: number, executing = 0) => ({
    available,
    scheduled: 0,
    executing,
    retryable: 0,
  });
  const report = (depths: unknown) => ({ checks: { queues: { status: 'ok', depths } } });

  test('is what the queues hold in any state', () => {
    const none = queue(0);
    const depths = { ingest: queue(2, 1), projection: queue(4), governance: none, dream: queue(9) };
    expect(waiting(report(depths))).toBe(7);
    expect(waiting(report({ ingest: none, projection: none, governance: queue(1) }))).toBe(1);
    expect(waiting(report({ ingest: none, projection: none, governance: none }))).toBe(0);
  });

  test('is not known where the service could not count it', () => {
    expect(waiting(report({}))).toBeNull();
  });
});
