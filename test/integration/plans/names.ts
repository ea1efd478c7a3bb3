/** Names of statements: looked up by searches, shared by statements, and rewritten with them; and what unknown words may mean. */
import { MOST_QUERY_NAMES, type PossibleName } from '../../../domain/entities/possible-names.ts';
import { MOST_COMPARED } from '../../../domain/entities/mentions.ts';
import { MOST_CONTRACTS } from '../../../domain/entities/relations.ts';
import { termId } from '../../../domain/ranking/term-id.ts';
import { oneSlipAway } from '../../../domain/text/spelling.ts';
import { MOST_LENDING_SCOPES } from '../../../engine/retrieval/known-words.ts';
import { MOST_REPAIRED_WORDS } from '../../../engine/text/repairs.ts';
import { visibleByDefault } from '../../../domain/governance/visibility.ts';
import { seedId } from './seed.ts';
import { ACCOUNT, HOT, inLarge, NOW, READERS, someIds, type Scenario } from './stage.ts';

const MANY = [...HOT, ...Array.from({ length: 63 }, (_, n) => seedId('scope', n + 2))];

const possibleName = (alias: string): PossibleName => ({
  alias,
  from: 0,
  length: 1,
  isSingle: !alias.includes(' '),
  isCapital: true,
});

/** A name of every statement, words of very many names, names of few statements, and names of none. */
const ASKED = Array.from({ length: MOST_QUERY_NAMES }, (_, n) =>
  possibleName(
    ['ana', 'rockets', 'person', `acme rockets ${n}`, `person ${n}`, `nobody ${n}`][n % 6] ?? '',
  ),
);

/** As many unknown words as a query may have repaired, the last one as long as may be. */
const UNKNOWN = ['canooe', 'harbuor', 'wordabcq'.repeat(3)].slice(0, MOST_REPAIRED_WORDS);

const candidatesOf = (unknown: readonly string[]): number[] =>
  unknown.flatMap((word) => Array.from(oneSlipAway(word), (near) => termId(ACCOUNT, near)));

export const NAMES: readonly Scenario[] = [
  ...(['shared', 'public'] as const).flatMap((view) =>
    Object.entries({ 'the hot scope': HOT, 'as many scopes as may be': MANY }).map(
      ([where, scopeIds]): Scenario => ({
        name: `the names of a query in ${where}, as ${view} rows know them`,
        run: (stage) =>
          inLarge(stage, async ({ entities }) => {
            await entities.known(ASKED, scopeIds, view);
            await entities.known([], scopeIds, view);
            await entities.shared(someIds('statement', stage, MOST_CONTRACTS), scopeIds, view);
          }),
      }),
    ),
  ),
  ...Object.entries(READERS).map(([who, reader]): Scenario => ({
    name: `the updates of found statements for a reader ${who}`,
    run: (stage) =>
      inLarge(stage, ({ entities }) => {
        const visible = visibleByDefault({ scopeIds: HOT, reader, at: NOW });
        return entities.updates(someIds('statement', stage, MOST_CONTRACTS), visible);
      }),
  })),
  {
    name: 'the names of statements rewritten',
    run: (stage) =>
      inLarge(stage, async ({ mentions }) => {
        const ids = someIds('statement', stage, 20);
        await mentions.subjects(ids);
        const asked = ids.flatMap((_, at) =>
          Array.from({ length: MOST_COMPARED }, (__, n) => ({
            scopeId: HOT[1] ?? '',
            alias: n === 0 ? 'ana' : `person ${at} ${n}`,
            isPublic: n % 2 === 0,
          })),
        );
        await mentions.namesOfSubjects(asked);
        const counted = ids.map((statementId, n) => ({
          statementId,
          scopeId: HOT[1] ?? '',
          isPublic: n % 2 === 0,
          mentions: ['ana', `person ${n}`, 'new york'].map((alias) => ({
            alias,
            isSure: true,
            isOfSubject: alias === 'ana',
          })),
        }));
        await mentions.rewrite({ counted });
        await mentions.rewrite({ gone: ids.slice(0, 5) });
      }),
  },
  ...Object.entries({ 'the hot scope': HOT, 'as many scopes as may be': MANY }).map(
    ([where, scopeIds]): Scenario => ({
      name: `the terms that unknown words of a query may mean in ${where}`,
      run: (stage) =>
        inLarge(stage, async ({ frequencies }) => {
          const lending = scopeIds.slice(0, MOST_LENDING_SCOPES);
          await frequencies.of(lending, 'statement', candidatesOf(UNKNOWN.slice(0, 1)));
          await frequencies.of(lending, 'statement', candidatesOf(UNKNOWN));
        }),
    }),
  ),
];
