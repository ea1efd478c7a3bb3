/** Which linked scopes a read takes in: those that its caller could name and read by itself, nearest first. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readableChain, type Caller } from '../../../domain/identity/caller.ts';
import type { Grant } from '../../../domain/identity/roles.ts';
import {
  MOST_LINKED_SCOPES,
  readableLinked,
  readableLinkedToAny,
  type LinkedScope,
} from '../../../domain/identity/links.ts';
import { parseScopePath, type ScopePath } from '../../../domain/scopes/path.ts';

function path(text: string): ScopePath {
  const parsed = parseScopePath(text);
  if (parsed === null) throw new Error('not a path');
  return parsed;
}

const allow = (scope: string, rest: Partial<Grant> = {}): Grant => ({
  scopePath: path(scope),
  role: 'reader',
  effect: 'allow',
  propagate: true,
  ...rest,
});

const caller = (grants: readonly Grant[], pin: string | null = null): Caller => ({
  accountId: 'a',
  credentialId: 'c',
  kind: 'machine',
  peerId: 'p',
  peerKey: 'p',
  pinPath: pin === null ? null : path(pin),
  secretPolicy: 'keep',
  grants,
});

const link = (chain_scope_id: string, to: string): LinkedScope => ({
  chain_scope_id,
  id: to,
  path: to,
});
const taken = (who: Caller, links: readonly LinkedScope[], chain = ['/', '/a', '/a/b']) =>
  readableLinked(who, chain, links).map(({ id }) => id);

const everywhere = caller([allow('/')]);

describe('a linked scope is taken in', () => {
  test('when the caller may read it, in the order of the nearest end and then by path', () => {
    const links = [link('/', '/z'), link('/a', '/y'), link('/a/b', '/x'), link('/a/b', '/w')];
    expect(taken(everywhere, links)).toEqual(['/w', '/x', '/y', '/z']);
  });

  test('once, whichever scopes of the chain are linked to it, and not when the chain has it', () => {
    expect(taken(everywhere, [link('/', '/x'), link('/a', '/x'), link('/a/b', '/a')])).toEqual([
      '/x',
    ]);
  });

  test('not when no grant of the caller reaches it, or a deny does', () => {
    const links = [link('/a', '/x'), link('/a', '/y')];
    expect(taken(caller([allow('/a'), allow('/x')]), links)).toEqual(['/x']);
    expect(taken(caller([allow('/'), allow('/y', { effect: 'deny' })]), links)).toEqual(['/x']);
  });

  test('not when it lies outside of the pin', () => {
    const links = [link('/a', '/a/c'), link('/a', '/x'), link('/', '/a/d')];
    expect(taken(caller([allow('/')], '/a'), links)).toEqual(['/a/c', '/a/d']);
  });

  test('not when its other end is no scope of the readable chain', () => {
    expect(taken(everywhere, [link('/hidden', '/x')])).toEqual([]);
  });
});

test('scopes that the caller may not read take no room of those that it may', () => {
  const many = Array.from({ length: 3 * MOST_LINKED_SCOPES }, (_, n) =>
    link('/a/b', `/${n % 3 === 0 ? 'seen' : 'hidden'}/${String(n).padStart(3, '0')}`),
  );
  const who = caller([allow('/a'), allow('/seen')]);
  const seen = taken(who, many);
  expect(seen).toHaveLength(MOST_LINKED_SCOPES);
  expect(seen.every((id) => id.startsWith('/seen/'))).toBe(true);
  expect(seen).toEqual(
    taken(
      who,
      many.filter(({ id }) => id.startsWith('/seen/')),
    ),
  );
});

const NAMES = ['/', '/a', '/a/b', '/a/c', '/x', '/x/y', '/z'];
const anyGrants = fc.array(
  fc.record({
    scope: fc.constantFrom(...NAMES),
    effect: fc.constantFrom('allow' as const, 'deny' as const),
    propagate: fc.boolean(),
  }),
  { maxLength: 5 },
);

test('a link opens nothing: the caller reads each scope that is taken in when it names it', () => {
  fc.assert(
    fc.property(
      anyGrants,
      fc.option(fc.constantFrom(...NAMES)),
      fc.array(fc.tuple(fc.constantFrom('/', '/a', '/a/b'), fc.constantFrom(...NAMES))),
      (grants, pin, pairs) => {
        const who = caller(
          grants.map(({ scope, ...rest }) => allow(scope, rest)),
          pin,
        );
        const chain = readableChain(who, path('/a/b'));
        const links = pairs.map(([near, far]) => link(near, far));
        for (const { id, chain_scope_id: near } of readableLinked(who, chain, links)) {
          expect(readableChain(who, path(id))).toContain(id);
          expect(chain).toContain(near);
          expect(chain).not.toContain(id);
        }
      },
    ),
  );
});

test('several chains take in what each takes in alone, each once, without what stands in one of them', () => {
  const chains = [['/', '/a', '/a/b'], ['/', '/x', '/x/y'], ['/', '/a', '/a/c'], []];
  fc.assert(
    fc.property(
      anyGrants,
      fc.option(fc.constantFrom(...NAMES)),
      fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...NAMES))),
      fc.subarray(chains),
      (grants, pin, pairs, some) => {
        const who = caller(
          grants.map(({ scope, ...rest }) => allow(scope, rest)),
          pin,
        );
        const links = pairs.map(([near, far]) => link(near, far));
        const together = readableLinkedToAny(who, some, links).map(({ id }) => id);
        const inChains = some.flat();
        const alone = some
          .flatMap((chain) => readableLinked(who, chain, links))
          .map(({ id }) => id)
          .filter((id) => !inChains.includes(id));
        expect(together.toSorted()).toEqual([...new Set(alone)].toSorted());
      },
    ),
  );
});

test('each chain has room for its own linked scopes, however many the others have', () => {
  const linked = (near: string, top: string) =>
    Array.from({ length: 2 * MOST_LINKED_SCOPES }, (_, n) => link(near, `${top}/${n}`));
  const links = [...linked('/a', '/of-a'), ...linked('/x', '/of-x')];
  const taken = readableLinkedToAny(everywhere, [['/a'], ['/x']], links);
  expect(taken.filter(({ id }) => id.startsWith('/of-a/'))).toHaveLength(MOST_LINKED_SCOPES);
  expect(taken.filter(({ id }) => id.startsWith('/of-x/'))).toHaveLength(MOST_LINKED_SCOPES);
});
