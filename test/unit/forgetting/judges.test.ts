/** Which texts a hold reaches, by hashes alone. */
import { describe, expect, test } from '@jest/globals';
import { hintOfKey } from '../../../domain/forgetting/find.ts';
import { peerOfKey, type JudgedPlace } from '../../../domain/forgetting/holds.ts';
import { JUDGES_NOTHING, type TextJudge } from '../../../domain/forgetting/judge.ts';
import { foldedTokens, keysOf } from '../../../domain/forgetting/tokens.ts';
import { ROOT_PATH, type ScopePath } from '../../../domain/scopes/path.ts';
import { createHoldKeys } from '../../../engine/forgetting/hold-keys.ts';
import { createJudges, hashOfValue, hintsBy } from '../../../engine/forgetting/judges.ts';
import type { ActingHolds } from '../../../stores/postgres/forgetting/holds.store.ts';

const KEYS = createHoldKeys(new Uint8Array(32).fill(7), 'account');
const TEAM = '/team' as ScopePath;
const BELOW = '/team/a' as ScopePath;

interface Given {
  readonly values: readonly string[];
  readonly opensDoor?: boolean;
  readonly isGeneral?: boolean;
  readonly isStated?: boolean;
}

async function judgeOf(given: Given): Promise<TextJudge> {
  const hint = KEYS.fresh('hints');
  const hintOf = hintsBy(hint.key);
  const { key, sealed } = KEYS.fresh('hold');
  const { isGeneral = false, isStated = false, opensDoor = true, values } = given;
  const holds: ActingHolds = {
    edition: 3,
    sealedHintKey: hint.sealed,
    holds: [
      {
        id: 'hold',
        scopePath: TEAM,
        requesterIds: ['ana', peerOfKey('ana-key')],
        isGeneral,
        sealedKey: sealed,
        values: values
          .flatMap((value) => keysOf(value, foldedTokens(value)))
          .map((value) => ({
            hash: hashOfValue(key, value),
            hint: hintOfKey(value, hintOf),
            opens_door: opensDoor,
            is_specific: /\d| /u.test(value),
            first_said_at: '2026-05-01T00:00:00.000Z',
            is_stated: isStated,
          })),
      },
    ],
  };
  const judges = createJudges(
    () => Promise.resolve(holds),
    () => KEYS,
    JUDGES_NOTHING,
  );
  expect(judges.known('account').edition).toBe(0);
  const judge = await judges.of({} as never, 'account', 3);
  expect(judges.known('account')).toBe(judge);
  return judge;
}

const at = (scopePath: ScopePath, speaker: string, about: readonly string[] = []): JudgedPlace => ({
  scopePath,
  speakerIds: [speaker],
  aboutIds: about,
});

describe('a value that opens a door', () => {
  test.each([
    ['is kept out of what the requester says', at(TEAM, 'ana'), null],
    ['is kept out of what others say', at(TEAM, 'bo'), null],
    ['is kept out of what is said below', at(BELOW, 'bo'), null],
    ['stays in other scopes', at('/other' as ScopePath, 'ana'), 'The code is 4471.'],
    ['stays above its scope', at(ROOT_PATH, 'ana'), 'The code is 4471.'],
  ])('%s', async (_what, place, served) => {
    const judge = await judgeOf({ values: ['4471'] });
    expect(await judge.message('The code is 4471.', place)).toBe(served);
  });
});

describe('a plain word', () => {
  const said = 'We drove to Linz. It rained.';

  test.each([
    ['is kept out of what the requester says', at(TEAM, 'ana'), 'It rained.'],
    [
      'also where the requester is known by key alone',
      at(TEAM, peerOfKey('ana-key')),
      'It rained.',
    ],
    ['is kept out of what is about the requester', at(TEAM, 'bo', ['ana']), 'It rained.'],
    ['is left to others', at(TEAM, 'bo'), said],
    [
      'is left to others where they say it too',
      { ...at(TEAM, 'ana'), speakerIds: ['ana', 'bo'] },
      said,
    ],
  ])('%s', async (_what, place, served) => {
    const judge = await judgeOf({ values: ['Linz'], opensDoor: false });
    expect(await judge.message(said, place)).toBe(served);
  });

  test('is left to others even when a curator has upheld the request', async () => {
    const judge = await judgeOf({ values: ['Linz'], opensDoor: false, isGeneral: true });
    expect(await judge.message(said, at(TEAM, 'bo'))).toBe(said);
  });

  test('is not left where it is more than a word, and a curator has upheld the request', async () => {
    const judge = await judgeOf({ values: ['Harrow Mills'], opensDoor: false, isGeneral: true });
    expect(await judge.message('We buy from Harrow Mills.', at(TEAM, 'bo'))).toBeNull();
  });
});

describe('who had said it before', () => {
  const before = '2026-04-01T00:00:00.000Z';
  const after = '2026-06-01T00:00:00.000Z';
  const foreign = async (given: Omit<Given, 'values'>, place: JudgedPlace, when: string) =>
    (await (await judgeOf({ ...given, values: ['4471'] })).foreign('It is 4471.', place, when))
      .length;

  test('somebody else, so that it is not theirs who asked', async () => {
    expect(await foreign({}, at(TEAM, 'bo'), before)).toBe(1);
  });

  test('nobody else: later, by themself, elsewhere, or once more than the requester asks', async () => {
    expect(await foreign({}, at(TEAM, 'bo'), after)).toBe(0);
    expect(await foreign({}, at(TEAM, 'ana'), before)).toBe(0);
    expect(await foreign({}, at('/other' as ScopePath, 'bo'), before)).toBe(0);
    expect(await foreign({ isGeneral: true }, at(TEAM, 'bo'), before)).toBe(0);
  });

  test('of what stands in a statement about who asked, only a statement about somebody else counts', async () => {
    expect(await foreign({ isStated: true }, at(TEAM, 'bo'), before)).toBe(0);
    expect(await foreign({ isStated: true }, at(TEAM, 'bo', ['ana']), before)).toBe(0);
    expect(await foreign({ isStated: true }, at(TEAM, 'bo', ['bo']), before)).toBe(1);
  });
});

test('of a long paste with a value nothing is served, and of one without everything', async () => {
  const judge = await judgeOf({ values: ['4471'] });
  const long = 'All is well. '.repeat(6_000);
  expect(await judge.message(long, at(TEAM, 'bo'))).toBe(long);
  expect(await judge.message(`${long} It is 4471. ${long}`, at(TEAM, 'bo'))).toBeNull();
});

test('a statement is said without the value, with the claim that is left and its wordings', async () => {
  const judge = await judgeOf({ values: ['4471'] });
  const said = {
    id: 'one',
    text: 'Ana lives in Porto (code 4471).',
    claim: { about: 'home', value: 'x', mode: 'holds' },
    subjectNames: ['Ana'],
    wordings: { m1: 'Ana lives in Porto (code 4471).', m2: 'Ana lives in Porto.' },
    place: at(TEAM, 'bo', ['ana']),
  } as const;
  expect(judge.statement(said)).toMatchObject({
    text: 'Ana lives in Porto.',
    claim: { about: 'residence', mode: 'holds' },
    wordings: { m1: 'Ana lives in Porto.', m2: 'Ana lives in Porto.' },
  });
});
