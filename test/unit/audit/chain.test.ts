/** The rule of the chain: whatever is done to sealed events afterwards, the walk over them finds the first place. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  endFinding,
  follow,
  GENESIS,
  hashesAfter,
  wasMoved,
  type AuditFields,
  type SealedEvent,
} from '../../../domain/audit/chain.ts';
import { eventDigest } from '../../../engine/audit/digest.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const orNull = fc.option(text, { nil: null });
const fields: fc.Arbitrary<AuditFields> = fc.record({
  account_id: fc.constant('0198c8c8-0000-7000-8000-00000000000a'),
  id: fc.uuid(),
  category: text,
  action: text,
  actor_kind: text,
  actor_peer_id: orNull,
  credential_id: orNull,
  resource_type: text,
  resource_id: orNull,
  metadata: text,
  content_hash: orNull,
  occurred_at: text,
});

function sealedOf(events: readonly AuditFields[]): SealedEvent[] {
  const hashes = hashesAfter(GENESIS, events, eventDigest);
  return events.map((event, index) => ({
    fields: event,
    position: index + 1,
    hash: hashes[index] ?? '',
  }));
}

const chain = fc
  .uniqueArray(fields, { minLength: 2, maxLength: 12, selector: ({ id }) => id })
  .map(sealedOf);
const chainAndPlace = chain.chain((events) =>
  fc.tuple(fc.constant(events), fc.nat({ max: events.length - 1 })),
);

const followed = (events: readonly SealedEvent[]) => follow(GENESIS, events, eventDigest);
const at = (events: readonly SealedEvent[], index: number): SealedEvent => {
  const event = events[index];
  if (event === undefined) throw new RangeError('no such event');
  return event;
};

const EXAMPLE: AuditFields = {
  account_id: '0198c8c8-0000-7000-8000-00000000000a',
  id: '0198c8c8-0000-7000-8000-00000000000b',
  category: 'access',
  action: 'reader.named',
  actor_kind: 'credential',
  actor_peer_id: null,
  credential_id: '0198c8c8-0000-7000-8000-00000000000c',
  resource_type: 'peer',
  resource_id: '0198c8c8-0000-7000-8000-00000000000d',
  metadata: '{"operation": "memory.search"}',
  content_hash: null,
  occurred_at: '1795514400.123456',
};

describe('the hash of an event', () => {
  test('is SHA-256 over its JSON with members in order, its position and the hash before it', () => {
    const canonical =
      `{"account_id":"${EXAMPLE.account_id}","action":"reader.named","actor_kind":"credential",` +
      '"actor_peer_id":null,"category":"access","chain":"vouch-audit-chain-1","content_hash":null,' +
      `"credential_id":"${EXAMPLE.credential_id}","id":"${EXAMPLE.id}",` +
      '"metadata":"{\\"operation\\": \\"memory.search\\"}","occurred_at":"1795514400.123456","position":1,' +
      `"previous_hash":"${'0'.repeat(64)}","resource_id":"${EXAMPLE.resource_id}","resource_type":"peer"}`;
    const expected = createHash('sha256').update(canonical).digest('hex');
    expect(eventDigest(EXAMPLE, GENESIS)).toBe(expected);
  });

  test('depends on every field', () => {
    const own = eventDigest(EXAMPLE, GENESIS);
    for (const name of Object.keys(EXAMPLE)) {
      for (const other of ['other', null]) {
        expect([name, eventDigest({ ...EXAMPLE, [name]: other }, GENESIS) === own]).toEqual([
          name,
          EXAMPLE[name as keyof AuditFields] === other,
        ]);
      }
    }
  });

  test('depends on the position and on the hash before it', () => {
    const hashes = [
      GENESIS,
      { ...GENESIS, position: 1 },
      { ...GENESIS, hash: `1${'0'.repeat(63)}` },
    ].map((last) => eventDigest(EXAMPLE, last));
    expect(new Set(hashes).size).toBe(3);
  });
});

describe('a chain', () => {
  test('that nobody touched is followed to its end, in pages of any length', () => {
    fc.assert(
      fc.property(chainAndPlace, ([events, cut]) => {
        const last = events.at(-1);
        expect(followed(events)).toEqual({ last, finding: null });
        const half = followed(events.slice(0, cut));
        expect(follow(half.last, events.slice(cut), eventDigest)).toEqual({ last, finding: null });
        expect(endFinding(last ?? GENESIS, { ...(last ?? GENESIS), goesOn: false })).toBeNull();
      }),
    );
  });

  test('in which one field of one event was changed is broken at this event', () => {
    const name = fc.constantFrom(...(Object.keys(EXAMPLE) as (keyof AuditFields)[]));
    fc.assert(
      fc.property(chainAndPlace, name, orNull, ([events, index], field, value) => {
        const event = at(events, index);
        fc.pre(event.fields[field] !== value);
        const changed = { ...event, fields: { ...event.fields, [field]: value } };
        const { finding, last } = followed(events.with(index, changed));
        expect(finding).toEqual({
          fault: 'changed',
          position: index + 1,
          eventId: changed.fields.id,
        });
        expect(last.position).toBe(index);
      }),
    );
  });

  test('in which one hash was changed is broken at this event', () => {
    fc.assert(
      fc.property(chainAndPlace, ([events, index]) => {
        const changed = { ...at(events, index), hash: 'f'.repeat(64) };
        const { finding } = followed(events.with(index, changed));
        expect(finding).toMatchObject({ fault: 'changed', position: index + 1 });
      }),
    );
  });

  test('from which one event was removed is broken at its position', () => {
    fc.assert(
      fc.property(chainAndPlace, ([events, index]) => {
        const { finding, last } = followed(events.toSpliced(index, 1));
        const end = { ...at(events, events.length - 1), goesOn: false };
        expect(finding ?? endFinding(last, end)).toEqual({
          fault: index === events.length - 1 ? 'end_missing' : 'missing',
          position: index + 1,
          eventId: null,
        });
      }),
    );
  });

  test('from which one event was removed and whose later ones moved up is broken there', () => {
    fc.assert(
      fc.property(chainAndPlace, ([events, index]) => {
        fc.pre(index < events.length - 1);
        const moved = events
          .toSpliced(index, 1)
          .map((event, place) => ({ ...event, position: place + 1 }));
        expect(followed(moved).finding).toMatchObject({ fault: 'changed', position: index + 1 });
      }),
    );
  });

  test('in which two events changed places is broken at the first of them, which is known to have moved', () => {
    const howMuch = fc.constantFrom('with their hashes', 'without their hashes');
    fc.assert(
      fc.property(chain, fc.nat(), fc.nat(), howMuch, (events, a, b, how) => {
        const [first = 0, second = 0] = [a % events.length, b % events.length].toSorted(
          (x, y) => x - y,
        );
        fc.pre(first !== second);
        const swap = (one: SealedEvent, other: SealedEvent): SealedEvent =>
          how === 'with their hashes'
            ? { ...other, position: one.position }
            : { ...one, fields: other.fields };
        const swapped = events
          .with(first, swap(at(events, first), at(events, second)))
          .with(second, swap(at(events, second), at(events, first)));
        const { finding, last } = followed(swapped);
        expect(finding).toMatchObject({ fault: 'changed', position: first + 1 });
        expect(wasMoved(last, at(swapped, first), swapped.slice(first), eventDigest)).toBe(true);
        expect(wasMoved(last, at(swapped, first), [at(swapped, first)], eventDigest)).toBe(false);
      }),
    );
  });

  test('with two events of one position is broken there', () => {
    fc.assert(
      fc.property(chainAndPlace, fields, ([events, index], added) => {
        const twice = events.toSpliced(index + 1, 0, { ...at(events, index), fields: added });
        expect(followed(twice).finding).toEqual({
          fault: 'repeated',
          position: index + 1,
          eventId: added.id,
        });
      }),
    );
  });

  test('whose end is not the one that the database knows is broken at the end', () => {
    const last = { position: 4, hash: 'a'.repeat(64) };
    const differs = { fault: 'end_differs', position: 4, eventId: null };
    expect(endFinding(last, { ...last, goesOn: true })).toEqual(differs);
    expect(endFinding(last, { ...last, hash: 'b'.repeat(64), goesOn: false })).toEqual(differs);
    expect(endFinding(GENESIS, { ...last, goesOn: false })).toEqual({
      fault: 'end_missing',
      position: 1,
      eventId: null,
    });
  });

  test('that was rewritten from some event on is consistent, and has other hashes from there on', () => {
    fc.assert(
      fc.property(chainAndPlace, ([events, index]) => {
        const all = events.map((event) => event.fields);
        const rewritten = sealedOf(
          all.with(index, { ...at(events, index).fields, action: 'another.action' }),
        );
        fc.pre(at(events, index).fields.action !== 'another.action');
        expect(followed(rewritten).finding).toBeNull();
        const heads = new Set(rewritten.map(({ hash }) => hash));
        expect(events.map(({ hash }) => heads.has(hash))).toEqual(
          events.map((_, place) => place < index),
        );
      }),
    );
  });
});
