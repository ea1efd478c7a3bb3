/** A line of the list of promises is exactly what was promised, or no promise. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  PROMISE_FIELDS,
  PROMISE_KINDS,
  type GivenPromise,
  type PromiseField,
} from '../../../domain/promises/kinds.ts';
import { lineOf, MOST_LINE_BYTES, readLine } from '../../../domain/promises/line.ts';
import { promisedBy } from '../../../domain/promises/statements.ts';
import { sha256Digest } from '../../../stores/promises/promise-list.ts';

const instant = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const hash = fc.stringMatching(/^[0-9a-f]{64}$/);

function valueOf(field: PromiseField): fc.Arbitrary<unknown> {
  if (field === 'id') return fc.uuid();
  if (field === 'id?') return fc.option(fc.uuid());
  if (field === 'time?') return fc.option(instant);
  if (field === 'hash') return hash;
  if (field === 'flag') return fc.boolean();
  return fc.constantFrom(...field);
}

const given = fc.constantFrom(...PROMISE_KINDS).chain((kind) => {
  const fields = Object.entries<PromiseField>(PROMISE_FIELDS[kind]);
  return fc.record({
    kind: fc.constant(kind),
    account_id: fc.uuid(),
    event_id: fc.uuid(),
    given_at: instant,
    ...Object.fromEntries(fields.map(([name, field]) => [name, valueOf(field)])),
  }) as unknown as fc.Arbitrary<GivenPromise>;
});
const line = given.map((promise) => lineOf(promise, sha256Digest));
const read = (text: string) => readLine(text, sha256Digest);

/** A line with a right check whose kind or version another release wrote. */
function rewritten(text: string, change: (body: string) => string): string {
  const body = change(text.slice(0, text.lastIndexOf(',"check":')));
  return `${body},"check":"${sha256Digest(body).slice(0, 16)}"}`;
}

describe('a line of the list', () => {
  test('says what was promised, within its bound', () => {
    fc.assert(
      fc.property(given, (promise) => {
        const text = lineOf(promise, sha256Digest);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MOST_LINE_BYTES);
        expect(read(text)).toMatchObject({ state: 'promise', promise });
      }),
    );
  });

  test('that is cut anywhere promises nothing', () => {
    fc.assert(
      fc.property(line, fc.nat(), (text, at) => {
        const cut = text.slice(0, at % text.length);
        expect(read(cut).state).toBe(cut === '' ? 'blank' : 'cut');
        expect(read(`${cut}${'\0'.repeat(40)}`).state).not.toBe('promise');
      }),
    );
  });

  test('in which anything was changed promises nothing', () => {
    fc.assert(
      fc.property(line, fc.nat(), fc.string({ minLength: 1, maxLength: 3 }), (text, at, other) => {
        const place = at % text.length;
        const changed = `${text.slice(0, place)}${other}${text.slice(place + other.length)}`;
        fc.pre(changed !== text);
        expect(read(changed).state).not.toBe('promise');
      }),
    );
  });

  test('of any other text promises nothing', () => {
    fc.assert(fc.property(fc.string(), (text) => read(text).state !== 'promise'));
    expect(read('{"promise":1}').state).toBe('foreign');
    expect(read('key,value').state).toBe('foreign');
  });

  test('of a later release is told by its kind', () => {
    fc.assert(
      fc.property(line, (text) => {
        const held = rewritten(text, (body) => body.replace(/"kind":"\w+"/, '"kind":"hold"'));
        expect(read(held)).toEqual({ state: 'newer', kind: 'hold' });
        const later = rewritten(text, (body) => body.replace('"promise":1', '"promise":2'));
        expect(read(later).state).toBe('newer');
        const more = rewritten(text, (body) => `${body},"name":"Ada"`);
        expect(read(more).state).toBe('foreign');
      }),
    );
  });
});

test('what a person takes back is a promise, what the clock and the gates do is none', () => {
  const id = '01990000-0000-7000-8000-000000000001';
  const by = (reason: Parameters<typeof promisedBy>[0]['reason'], to_state: 'held' | 'rejected') =>
    promisedBy({ knowledge_id: id, reason, to_state });
  expect(by('withheld_by_curator', 'held')).toMatchObject({ as: 'withheld' });
  expect(by('contest_unanswered', 'rejected')).toMatchObject({ as: 'rejected' });
  expect(by('gates_rerun', 'rejected')).toBeNull();
  expect(by('revalidation_unanswered', 'held')).toBeNull();
});
