/** Turns of the retention over an account: which pages they ask for, when they end, and when the audit log is told. */
import { describe, expect, test } from '@jest/globals';
import {
  FIRST_PLACE,
  RETENTION_KINDS,
  USUAL_RETENTION,
  type RetentionPlace,
  type RetentionPolicy,
} from '../../../domain/retention/policy.ts';
import { refuse } from '../../../domain/workflow-history/safe-text.ts';
import { createRetention } from '../../../engine/retention/retention.ts';
import type { RetentionPage } from '../../../stores/postgres/retention/retention.store.ts';

const ACCOUNT = '0198c8c8-0000-7000-8000-00000000000a';
const LAST = { at: '2026-01-01T00:00:00.123456Z', afterId: ACCOUNT };

interface Played {
  readonly policy?: Partial<RetentionPolicy>;
  /** Pages of each kind. */
  readonly pages?: number;
  /** Milliseconds of a page. */
  readonly pageMs?: number;
  readonly fails?: (page: RetentionPage) => Error | null;
}

/** A retention over a store that plays so many pages of a row, and what was asked of it. */
function play({ fails = () => null, pageMs = 100, pages = 1, policy = {} }: Played = {}) {
  const asked: string[] = [];
  const rests: number[] = [];
  const failed: string[] = [];
  let clock = 0;
  const left = new Map(RETENTION_KINDS.map((kind) => [kind, pages]));
  const retention = createRetention({
    policy: { ...USUAL_RETENTION, ...policy },
    report: (kind) => void failed.push(kind),
    now: () => clock,
    rest: async (ms) => void rests.push(ms),
    store: {
      accountsAfter: async () => [],
      completePass: async () => {},
      tell: async () => void asked.push('tell'),
      async page(page) {
        const { days, limit, place } = page;
        clock += pageMs;
        const failure = fails(page);
        if (failure !== null) throw failure;
        asked.push(`${place.kind} ${days}${place.afterId === null ? '' : ' goes on'}`);
        expect(limit).toBe(10_000);
        const more = (left.get(place.kind) ?? 0) - 1;
        left.set(place.kind, more);
        return { pruned: 1, next: more > 0 ? { kind: place.kind, ...LAST } : null };
      },
    },
  });
  const turn = (place: RetentionPlace | null, signal = new AbortController().signal) =>
    retention.turn({ accountId: ACCOUNT, place, signal, onPruned: () => {} });
  return { asked, failed, rests, turn };
}

describe('a turn', () => {
  test('goes over each kind with its days, and then tells', async () => {
    const { asked, rests, turn } = play();
    expect(await turn(null)).toEqual({ rows: 7, failed: 0, next: null });
    expect(asked).toEqual([
      'runs 30',
      'attempts 400',
      'usage_days 400',
      'request_days 400',
      'gate_decisions 3650',
      'lifecycle_events 3650',
      'tokens 30',
      'tell',
    ]);
    expect(rests).toEqual([]);
  });

  test('asks for nothing that is kept for ever', async () => {
    const { asked, turn } = play({ policy: { usage: null, tokens: null } });
    await turn(null);
    expect(asked).toEqual(['runs 30', 'gate_decisions 3650', 'lifecycle_events 3650', 'tell']);
  });

  test('rests after each page that another follows, for as long as the page took and no longer than two seconds', async () => {
    const quick = play({ pages: 2 });
    await quick.turn(null);
    expect(quick.rests).toEqual(RETENTION_KINDS.map(() => 100));
    const slow = play({ pages: 2, pageMs: 4_000 });
    await slow.turn(null);
    expect(new Set(slow.rests)).toEqual(new Set([2_000]));
  });

  test('ends after half a minute with its place, which a history may hold, and the next one goes on there', async () => {
    const { asked, turn } = play({ pages: 3, pageMs: 10_000 });
    const first = await turn(null);
    expect(first).toEqual({ rows: 3, failed: 0, next: { ...FIRST_PLACE, kind: 'attempts' } });
    const second = await turn(first.next);
    expect(second.rows).toBe(3);
    for (const { next } of [first, second]) expect(refuse(next)).toBeNull();
    expect(refuse({ kind: 'attempts', ...LAST })).toBeNull();
    expect(asked).not.toContain('tell');
    expect(asked.slice(1, 5)).toEqual([
      'runs 30 goes on',
      'runs 30 goes on',
      'attempts 400',
      'attempts 400 goes on',
    ]);
  });

  test('that is told to stop ends before its next page', async () => {
    const { asked, turn } = play();
    const place = { kind: 'tokens', ...LAST } as const;
    expect(await turn(place, AbortSignal.abort())).toEqual({ rows: 0, failed: 0, next: place });
    expect(asked).toEqual([]);
  });

  test('goes on with the next kind after one whose page fails, and counts it', async () => {
    const { asked, failed, turn } = play({
      fails: ({ place }) => (place.kind === 'attempts' ? new Error('a defect') : null),
    });
    expect(await turn(null)).toEqual({ rows: 6, failed: 1, next: null });
    expect(failed).toEqual(['attempts']);
    expect(asked.at(-1)).toBe('tell');
  });

  test('ends with the failure when the database is away', async () => {
    const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    const { asked, turn } = play({ fails: () => away });
    await expect(turn(null)).rejects.toBe(away);
    expect(asked).toEqual([]);
  });
});
