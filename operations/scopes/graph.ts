/** `scope.graph`: statements of one scope with what ties them together, for a picture. */
import { z } from 'zod';
import { disagreements } from '../../domain/answers/disagreements.ts';
import { SENSITIVITIES } from '../../domain/statements/candidate.ts';
import {
  visibleByDefault,
  visibleInState,
  type Condition,
} from '../../domain/governance/visibility.ts';
import { KNOWLEDGE_STATES } from '../../domain/statements/states.ts';
import { hubsOf, MOST_HUBS, namesOf, type NamedStatement } from '../../domain/graph/hubs.ts';
import { disagreeing, MOST_TIES, TIE_KINDS, tiesAmong, type Tie } from '../../domain/graph/ties.ts';
import { openingsWithin } from '../../domain/identity/openings.ts';
import { createPauses } from '../../engine/slices.ts';
import { validityOf } from '../../engine/retrieval/rerank-document.ts';
import type { EvidenceDetail } from '../../stores/postgres/knowledge/evidence-details.store.ts';
import type { KnowledgeRow } from '../../stores/postgres/knowledge/rows.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { scopePathInput } from '../identity/inputs.ts';
import { defineOperation } from '../operation.ts';
import { boundedField, flagField } from '../fields/read.ts';
import { readableScope } from './directory.ts';
import type { ScopedReader } from '../../domain/governance/scoped-reader.ts';
import { ownScopedReader } from '../access/own-reader.ts';

/** Statements of one picture. */
const MOST_STATEMENTS = 150;
const STATEMENTS = 90;
/** Scopes of a subtree whose statements one picture takes in, the first ones of the tree. */
const MOST_SCOPES_OF_GRAPH = 32;

const statementOutput = z.object({
  id: z.uuid(),
  statement: z.string(),
  state: z.enum(KNOWLEDGE_STATES),
  sensitivity: z.enum(SENSITIVITIES),
  confidence: z.number(),
  recorded_at: z.iso.datetime(),
  scope_path: z.string(),
});

interface Picture {
  readonly rows: readonly KnowledgeRow[];
  readonly ties: readonly Tie[];
  readonly details: readonly EvidenceDetail[];
  readonly more: boolean;
}

/** What is believed now, best first, and beside it what that replaced or was made from, a third of all at most. */
async function readPicture(
  stores: Pick<Stores, 'knowledge' | 'statementGraph' | 'evidenceDetails'>,
  { limit, reader, believed, former }: PictureRead,
): Promise<Picture> {
  const read = (
    selection: Parameters<Stores['knowledge']['read']>[0]['selection'],
    of: Condition,
  ) => stores.knowledge.read({ selection, visible: of, reader });
  const listed = await read({ by: 'listing', limit: limit + 1 }, believed);
  const first = listed.slice(0, limit);
  const shown = new Set(first.map(({ id }) => id));
  const any: Condition = { any: [believed, former] };
  const ties = await stores.statementGraph.ties([...shown], any);
  const beside = [...new Set(ties.flatMap(({ from, to }) => [from, to]))]
    .filter((id) => !shown.has(id))
    .toSorted()
    .slice(0, Math.floor(limit / 3));
  const further = beside.length === 0 ? [] : await read({ by: 'ids', ids: beside }, any);
  const rows = [...first.slice(0, limit - further.length), ...further];
  // Who said it is not shown.
  const asked = rows.map(({ id }) => ({ id, earliestMessageId: null }));
  const details = await stores.evidenceDetails.of(asked, { scopeIds: [], reader: reader.reader });
  return { rows, ties, details, more: listed.length > rows.length - further.length };
}

interface PictureRead {
  readonly limit: number;
  readonly reader: ScopedReader;
  readonly believed: Condition;
  readonly former: Condition;
}

/** Ties between statements that cannot both be true. */
function contradictions({ details, rows }: Picture): readonly Tie[] {
  const told = new Map(details.map((detail) => [detail.id, detail]));
  const claiming = rows.map((row) => {
    const { claim_about: about, claim_mode: mode, claim_value: value } = told.get(row.id) ?? {};
    const claim = about == null || mode == null ? null : { about, mode, value: value ?? null };
    return { id: row.id, subjectPeerId: row.subject_peer_id, claim, validity: validityOf(row) };
  });
  return disagreeing(disagreements(claiming));
}

/** Reads the texts for names, and lets others have their turn meanwhile. */
async function namedStatements({ details, rows }: Picture): Promise<readonly NamedStatement[]> {
  const subjects = new Map(details.map(({ id, subject_name: name }) => [id, name]));
  const named: NamedStatement[] = [];
  const pause = createPauses();
  for (const { id, statement } of rows) {
    await pause();
    named.push(namesOf(id, statement ?? '', subjects.get(id) ?? null));
  }
  return named;
}

export const readScopeGraph = defineOperation({
  id: 'scope.graph',
  access: 'human',
  effect: 'read',
  summary: 'Read the statements of one scope with the links between them',
  description: 'If the scope does not exist or the caller may not read it, the answer is 404.',
  refusals: ['not_found'],
  input: z.object({
    scope_path: scopePathInput,
    descendants: flagField.describe('Whether to include the descendants of the scope.'),
    limit: boundedField({
      least: 1,
      most: MOST_STATEMENTS,
      unless: STATEMENTS,
      what: 'The most statements in the picture.',
    }),
  }),
  output: z.object({
    scope_path: z.string(),
    statements: z
      .array(statementOutput)
      .describe('The statements that are believed now, those with the highest confidence first.'),
    more_statements: z
      .boolean()
      .describe('Whether there are more statements than the picture shows.'),
    more_scopes: z
      .boolean()
      .describe('Whether there are more descendants than the picture includes.'),
    hubs: z
      .array(z.object({ name: z.string(), statement_ids: z.array(z.uuid()) }))
      .max(MOST_HUBS)
      .describe('The names that at least two of the statements mention.'),
    ties: z
      .array(z.object({ kind: z.enum(TIE_KINDS), from: z.uuid(), to: z.uuid() }))
      .max(MOST_TIES),
  }),
  async run({ caller, inAccount, now }, { descendants, limit, scope_path: path }) {
    const own = ownScopedReader(caller);
    const { reader } = own;
    const { hasMoreScopes, picture } = await inAccount(
      caller.accountId,
      async (stores) => {
        const scope = await readableScope(stores, caller, path);
        const below = descendants
          ? await stores.scopeDirectory.page({
              openings: openingsWithin(caller.grants, path),
              after: null,
              limit: MOST_SCOPES_OF_GRAPH + 1,
            })
          : [scope];
        const scopeIds = below.slice(0, MOST_SCOPES_OF_GRAPH).map(({ id }) => id);
        const query = { scopeIds, reader, at: now.toISOString() };
        const believed = visibleByDefault(query);
        const former = visibleInState('superseded', query, []);
        return {
          hasMoreScopes: below.length > MOST_SCOPES_OF_GRAPH,
          picture: await readPicture(stores, { limit, reader: own, believed, former }),
        };
      },
      { readOnly: true },
    );
    const { more, rows, ties } = picture;
    const hubs = hubsOf(await namedStatements(picture));
    const ids = new Set(rows.map(({ id }) => id));
    return {
      scope_path: path,
      statements: rows.map((row) => ({
        id: row.id,
        statement: row.statement ?? '',
        state: row.state,
        sensitivity: row.sensitivity,
        confidence: row.confidence,
        recorded_at: row.recorded_at,
        scope_path: row.scope_path,
      })),
      more_statements: more,
      more_scopes: hasMoreScopes,
      hubs: hubs.map(({ label, statementIds }) => ({
        name: label,
        statement_ids: [...statementIds],
      })),
      ties: [...tiesAmong([...ties, ...contradictions(picture)], ids)],
    };
  },
});
