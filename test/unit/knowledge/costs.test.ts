/** What a plan costs grows with what it holds, and no faster: told by how often it reads its statements. */
import { describe, expect, test } from '@jest/globals';
import { MOST_COMPARED_SUBMITTERS, withSources } from '../../../domain/statements/attestation.ts';
import type { PlanContext } from '../../../domain/knowledge/plan.ts';
import { planProposals } from '../../../domain/knowledge/planning.ts';
import type { Proposal, Statement } from '../../../domain/statements/statement.ts';
import { isKnownToReadersOf } from '../../../domain/statements/standing.ts';
import { MOST_CONFLICTS, readTimeline } from '../../../domain/knowledge/updates.ts';
import { context, proposal, source } from './fixtures.ts';

/** Of the statements that a commit reads of an attribute, so many are for some. */
const MOST_ADDRESSED = 16;
/** Linear work reads 4 times as often, quadratic work 16 times, cubic work 64 times. */
const NEARLY_LINEAR = 5;

let reads = 0;

/** The same values, of which one is counted whenever it is read. */
function counted<T extends object>(values: T, key: keyof T): T {
  const value = values[key];
  const get = (): T[keyof T] => {
    reads += 1;
    return value;
  };
  return Object.defineProperty({ ...values }, key, { enumerable: true, get });
}

function readsOf(work: () => unknown): number {
  reads = 0;
  work();
  return reads;
}

function growth(size: number, work: (size: number) => () => unknown): number {
  return readsOf(work(4 * size)) / readsOf(work(size));
}

const apart: PlanContext['paraphrases'] = {
  threshold: 0.97,
  likeness: () => 0,
  covers: () => true,
};

function saying(n: number, values: Partial<Proposal> = {}): Proposal {
  const from = { messageId: `m${n}`, contentHash: `h${n}` };
  const base = proposal({ statementHash: `text ${n}`, ...values }, from);
  return { ...base, wording: { ...base.wording, ...values.wording, text: `Alice says ${n}.` } };
}

const many = (count: number, from = 0, values: Partial<Proposal> = {}): Proposal[] =>
  Array.from({ length: count }, (_, n) => saying(from + n, values));

function held(proposals: readonly Proposal[], over = context()): Statement[] {
  return planProposals(proposals, [], over).changes.map(({ after }) => after);
}

describe('the words of a proposal cost the same', () => {
  test('however many statements of its subject are known, where other words may say the same', () => {
    const over = (): PlanContext => ({ ...context(), paraphrases: apart });
    const ratio = growth(100, (size) => {
      const known = held(many(size)).map((each) => counted(each, 'scopeId'));
      const said = many(30, size).map((each) => counted(each, 'scopeId'));
      return () => planProposals(said, known, over());
    });
    expect(ratio).toBeLessThan(NEARLY_LINEAR);
  });

  test('however many windows a text was said of', () => {
    const window = (n: number): Partial<Proposal> => ({
      statementHash: 'tea',
      wording: {
        ...proposal().wording,
        relevantFrom: { at: new Date(86_400_000 * n).toISOString(), precision: 'day' },
      },
    });
    const dated = (size: number): Proposal[] =>
      Array.from({ length: size }, (_, n) => saying(n, window(n)));
    const ratio = growth(100, (size) => {
      const proposals = dated(size).map((each) => counted(each, 'scopeId'));
      return () => planProposals(proposals, [], context());
    });
    expect(ratio).toBeLessThan(NEARLY_LINEAR);
  });
});

/** The statement, of whose claim and state every read is counted. */
function watched(statement: Statement): Statement {
  const { claim } = statement.wording;
  if (claim === null) throw new Error('every statement of a timeline claims something');
  const wording = { ...statement.wording, claim: counted(claim, 'mode') };
  return counted({ ...statement, wording }, 'state');
}

/** Statements that each say another value of one attribute, one later than the other. */
function timeline(size: number, of: (n: number) => Partial<Statement>): Statement[] {
  const [first] = held([proposal()]);
  if (first === undefined) throw new Error('a proposal makes a statement');
  return Array.from({ length: size }, (_, n): Statement => {
    const at = new Date(86_400_000 * n).toISOString();
    const claim = { about: 'residence', value: `v${n}`, mode: 'holds' as const };
    const said = { messageId: `m${n}`, occurredAt: at, contentHash: `h${n}` };
    const bare = { ...first.attestation, lastSaid: new Map(), first: null, added: [] };
    return {
      ...first,
      id: `k${n}`,
      statementHash: `k${n}`,
      attestation: withSources(bare, [source(said)]),
      wording: { ...first.wording, claim, occurredAt: at, sourceHash: `h${n}` },
      ...of(n),
    };
  });
}

describe('a timeline of an attribute costs no more than its length', () => {
  const by = (speaker: string, n: number): Partial<Statement> => ({
    evidenceLevel: 'indirect',
    attestation: withSources(
      {
        lastSaid: new Map(),
        first: null,
        submitters: new Set(),
        submitterCount: 0,
        sourceCount: 0,
        scopeIds: new Set(),
        identities: new Set(),
        added: [],
      },
      [source({ messageId: `m${n}`, speakerId: speaker, relayId: null, contentHash: `h${n}` })],
    ),
  });

  test.each<[string, (n: number) => Partial<Statement>]>([
    ['of one who says another value each time', () => ({})],
    ['of as many people as statements', (n) => by(`p${n}`, n)],
    ['of one who says the same in many ways', () => ({ wording: sameValue })],
  ])('%s', (_whose, of) => {
    const ratio = growth(200, (size) => {
      const statements = timeline(size, of).map(watched);
      return () => readTimeline(statements, context());
    });
    expect(ratio).toBeLessThan(NEARLY_LINEAR);
  });

  const sameValue = {
    ...proposal().wording,
    claim: { about: 'residence', value: 'bergen', mode: 'holds' as const },
  };

  test('a review names the newest statements that it contradicts, up to a maximum', () => {
    const placed = timeline(MOST_CONFLICTS + 20, () => ({ state: 'active', targetLevel: 'scope' }));
    const [last] = timeline(MOST_CONFLICTS + 40, () => ({})).slice(-1);
    if (last === undefined) throw new Error('there is a last one');
    const same = placed.map((each) => ({ ...each, wording: { ...each.wording, claim: oslo } }));
    const { conflicts } = readTimeline([...same, last], context());
    const named = conflicts.get(last.id) ?? [];
    expect(named).toHaveLength(MOST_CONFLICTS);
    expect(named).not.toContain('k0');
    expect(named).toContain(`k${MOST_CONFLICTS + 19}`);
  });

  test('for each of the audiences that some of its statements have', () => {
    const audience = (n: number) => ({ id: `to ${n}`, principals: [`p${n}`] });
    const to = (n: number): Partial<Statement> =>
      n % 50 < MOST_ADDRESSED ? { audience: audience(n % 50) } : {};
    const ratio = growth(200, (size) => {
      const statements = timeline(size, to).map(watched);
      const proposals = many(1, size, { wording: { ...proposal().wording, claim: oslo } });
      return () => planProposals(proposals, statements, context());
    });
    expect(ratio).toBeLessThan(NEARLY_LINEAR);
  });

  const oslo = { about: 'residence', value: 'oslo', mode: 'holds' as const };
});

test('a statement with too many submitters to compare does not count as known to readers of another', () => {
  const [older] = held([proposal()]);
  const [newer] = held([proposal()]);
  if (older === undefined || newer === undefined) throw new Error('two statements');
  expect(isKnownToReadersOf(older, newer)).toBe(true);
  const crowd = Array.from({ length: MOST_COMPARED_SUBMITTERS }, (_, n) =>
    source({ messageId: `m${n}`, speakerId: `p${n}` }),
  );
  const submitted = { ...older, attestation: withSources(older.attestation, crowd) };
  expect(isKnownToReadersOf(submitted, newer)).toBe(false);
  // Its submitters read it all the same.
  expect(isKnownToReadersOf(older, { ...newer, attestation: submitted.attestation })).toBe(true);
});
