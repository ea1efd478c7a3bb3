/** Random reads: the routes of the tables with random words, filters and cursors in place of those of their cells. */
import * as fc from 'fast-check';
import { eachOf } from '../../../engine/async.ts';
import { situationOf } from './aspects.ts';
import { cursorAt, withFields } from './borrowed.ts';
import { STATEMENTS, WORD, WORD_OF_DOCUMENTS } from './plan.ts';
import { READS } from './routes/reads.ts';
import { answerOf, wordsOf, type Call } from './run.ts';
import type { MatrixScene } from './scene.ts';
import { rowFor, type Cell } from './table.ts';
import { IDENTITY_NAMES, type IdentityName } from './world.ts';

const AT_ONCE = 4;

/** A read, with numbers in place of what only the scene knows. */
interface RandomRead {
  readonly route: string;
  readonly cell: Cell;
  readonly fields: (scene: MatrixScene) => Readonly<Record<string, unknown>>;
}

const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(WORD, WORD_OF_DOCUMENTS, 'jar', 'keeps', 'lives') },
  { weight: 3, arbitrary: fc.constantFrom('zonk', 'crock', 'zonkville', 'handbook') },
  { weight: 3, arbitrary: fc.nat({ max: STATEMENTS.length }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom('submarine', 'said', '東京', 'x') },
);
const query = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  {
    weight: 6,
    arbitrary: fc.array(word, { minLength: 1, maxLength: 4 }).map((all) => all.join(' ')),
  },
  { weight: 2, arbitrary: fc.tuple(word, word).map(([a, b]) => `${a} -${b}`) },
  { weight: 2, arbitrary: fc.tuple(word, word).map(([a, b]) => `"${a}" or ${b}`) },
  { weight: 1, arbitrary: fc.tuple(word, word).map(([a, b]) => `"${a} ${b}"`) },
  { weight: 1, arbitrary: word.map((a) => `-${a}`) },
);
const limit = fc.constantFrom(1, 5, 100);
const nth = fc.nat({ max: STATEMENTS.length - 1 });
const isForeign = fc.boolean();

type Fields = fc.Arbitrary<RandomRead['fields']>;

/** A message of the plan, or of the other account. */
const messageOf = (scene: MatrixScene, at: number, foreign: boolean): string =>
  foreign ? scene.foreign.messageId : (STATEMENTS[at]?.message.id ?? '');

const searches: Fields = fc
  .record({
    text: query,
    limit,
    profile: fc.constantFrom('fast', 'balanced', 'thorough'),
    minimum: fc.constantFrom(null, null, null, 0.2),
    include_identity_profile: fc.boolean(),
    from: fc.option(fc.tuple(nth, isForeign), { freq: 4 }),
  })
  .map(({ from, minimum, text, ...fields }) => (scene) => ({
    ...fields,
    query: text,
    min_score: minimum,
    source_filters: from === null ? null : { source_message_id: messageOf(scene, ...from) },
  }));
const asks: Fields = fc
  .record({
    question: query.map((text) => (text === '' ? 'What is kept?' : text)),
    limit,
    include_identity_profile: fc.boolean(),
  })
  .map((fields) => () => fields);
const sourceSearches: Fields = fc
  .record({
    query,
    limit,
    mode: fc.constantFrom('exact', 'semantic', 'full_text'),
    excerpt_chars: fc.constantFrom(80, 2_000),
    include_questions: fc.boolean(),
  })
  .map((fields) => () => fields);
const listings: Fields = fc
  .record({ limit: limit.map(String), at: fc.option(nth), foreign: isForeign })
  .map(({ at, foreign, ...fields }) => (scene) => {
    const id = foreign ? scene.foreign.statementId : STATEMENTS[at ?? 0]?.id;
    return at === null ? fields : { ...fields, cursor: cursorAt(id ?? '') };
  });
const contexts: Fields = fc.record({ query, limit }).map((fields) => () => fields);
const lineages: Fields = fc.record({ max_depth: fc.constantFrom(0, 1, 8) }).map((all) => () => all);
const plain: Fields = fc.constant(() => ({}));

/** A further route that reads is a further line. */
const ROUTES: Readonly<Record<string, readonly [weight: number, fields: Fields]>> = {
  'POST /api/v1/search': [12, searches],
  'POST /api/v1/ask': [5, asks],
  'POST /api/v1/source-search': [4, sourceSearches],
  'GET /api/v1/knowledge': [4, listings],
  'POST /api/v1/lineage': [6, lineages],
  'POST /api/v1/context': [3, contexts],
  'POST /api/v1/stable-profile': [3, plain],
  'POST /api/v1/readiness': [2, plain],
};

const reads: fc.Arbitrary<RandomRead> = fc.oneof(
  ...READS.flatMap(({ route, vary }) => {
    const [weight, fields] = ROUTES[route] ?? [];
    if (weight === undefined || fields === undefined) return [];
    const only = 'sought' in vary ? { ...vary, sought: ['what was said'] } : vary;
    const values = Object.entries(only).map(([name, all]) => [name, fc.constantFrom(...all)]);
    const identity = fc.constantFrom(...IDENTITY_NAMES);
    const cell = fc.record({ identity, ...Object.fromEntries(values) }) as fc.Arbitrary<Cell>;
    return [{ weight, arbitrary: fc.record({ route: fc.constant(route), cell, fields }) }];
  }),
);

export interface RandomReport {
  readonly faults: readonly string[];
  /** Reads that were answered with 200. */
  readonly letIn: number;
}

/** Whatever is sought, an answer shows less than the cell allows, and nothing else. */
export async function askAtRandom(
  scene: MatrixScene,
  call: Call,
  { seed, size }: { readonly seed: number; readonly size: number },
): Promise<RandomReport> {
  const tables = new Map(READS.map((table) => [table.route, table]));
  // What is said plainly is found by other words than the cell has.
  const sought = STATEMENTS.filter(({ isPlain }) => !isPlain);
  const known = new Set(sought.flatMap(({ id, message }) => [id, message.id]));
  const isOfPlan = (fault: string): boolean =>
    /^(?:shows|rests on)/.test(fault) && known.has(fault.split(' ').at(-1) ?? '');
  const faults: string[] = [];
  let letIn = 0;
  const ask = async ({ cell, fields, route }: RandomRead, n: number): Promise<void> => {
    const table = tables.get(route);
    const asked = { cell, scene, fresh: undefined, n };
    if (table === undefined) throw new Error(`no table for ${route}`);
    const sent = withFields(table.request(asked), fields(scene));
    const token = scene.tokenOf(cell['identity'] as IdentityName);
    const answer = await call({ ...sent, ...(token === null ? {} : { token }) });
    const { answer: expected } = rowFor(table.rows, situationOf(route, cell));
    const checks = { fresh: new Map(), alone: () => [] };
    const found = [
      ...(expected.includes(answerOf(answer)) ? [] : [`answered ${answer.status} ${answer.text}`]),
      ...(answer.status === 200 ? (table.shows?.(answer, asked, checks) ?? []) : []).filter(
        isOfPlan,
      ),
      ...scene.leaks.faultsOf(`read ${n}`, cell, sent, answer),
    ];
    if (answer.status === 200) letIn += 1;
    const where = `read ${n}, ${route} (${wordsOf(cell)}) ${JSON.stringify(sent)}`;
    faults.push(...found.map((fault) => `${where}: ${fault}`));
  };
  const sampled = fc.sample(reads, { numRuns: size, seed });
  await eachOf([...sampled.entries()], AT_ONCE, ([n, each]) => ask(each, n));
  return { faults, letIn };
}
