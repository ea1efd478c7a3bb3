/** `knowledge.read`: one statement with what a person needs to judge it. */
import { curates } from '../../domain/identity/caller.ts';
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { SENSITIVITIES, TARGET_LEVELS } from '../../domain/statements/candidate.ts';
import {
  AUDIENCE_REASONS,
  audienceAfterRejection,
  audienceOf,
  audienceReasonOf,
  audiencesOf,
  AUDIENCES,
} from '../../domain/governance/audience.ts';
import { SPEAKER_TABLE } from '../../domain/governance/desk.ts';
import { ITEM_KINDS, ITEM_STATES } from '../../domain/governance/items.ts';
import {
  aboutSubject,
  visibleInState,
  type Condition,
} from '../../domain/governance/visibility.ts';
import { KNOWLEDGE_STATES } from '../../domain/statements/states.ts';
import { parseScopePath, ROOT_PATH } from '../../domain/scopes/path.ts';
import { excerptOf } from '../../domain/text/excerpt.ts';
import type { FoundStatement } from '../../stores/postgres/knowledge/desk.store.ts';
import type { KnowledgeRow } from '../../stores/postgres/knowledge/rows.store.ts';
import type { WordedSourceRow } from '../../stores/postgres/knowledge/statement-page.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { knowledgeOutput } from '../observations/knowledge-output.ts';
import { defineOperation } from '../operation.ts';
import { decisionOutput, versioned } from '../reviews/decision-output.ts';
import { ROLE_WORDS, roleWord } from '../../domain/identity/roles.ts';
import { authoriseRead, type AuthorisedRead } from '../access/reader.ts';

/** Characters that are shown before and after the words that support the statement. */
const CLUSTERS_AROUND = 240;

const sourceOutput = z.object({
  message_id: z.uuid(),
  occurred_at: z.iso.datetime(),
  speaker_key: z.string(),
  speaker_name: z.string(),
  document_title: z.string().nullable(),
  is_chunk: z.boolean().describe('Whether it is a chunk of a document.'),
  before: z.string(),
  supports: z.string().describe('The words that support the statement. Empty if they are unknown.'),
  after: z.string(),
});

const readersOutput = z.object({
  scope_path: z.string(),
  target_level: z.enum(TARGET_LEVELS),
  readers: z.enum(AUDIENCES),
});

const output = z.object({
  knowledge: knowledgeOutput.extend({ scope_path: z.string() }),
  subject: z.object({ key: z.string(), name: z.string() }).nullable(),
  standing_since: z.iso
    .datetime()
    .nullable()
    .describe('The time since which the statement has its present state.'),
  audience: z.enum(AUDIENCES),
  audience_reason: z.enum(AUDIENCE_REASONS).describe('The reason for this audience.'),
  addressed_to: z
    .object({
      peers: z.array(z.object({ key: z.string(), name: z.string() })),
      roles: z.array(z.enum(ROLE_WORDS)),
      circles: z.array(z.string()),
    })
    .nullable()
    .describe('Whom its audience names. Null without an audience.'),
  is_submitter: z.boolean().describe('Whether the caller said or relayed it.'),
  may_withdraw: z
    .boolean()
    .describe('Whether the caller said it, has not taken it back and may do so now.'),
  is_subject: z.boolean().describe('Whether the statement is about the caller.'),
  is_curator: z.boolean().describe('Whether the caller is a curator who decides about it.'),
  sources: z
    .array(sourceOutput)
    .describe('The earliest sources that the caller may read, at most 20.'),
  history: z
    .array(
      z.object({
        state: z.enum(KNOWLEDGE_STATES),
        target_level: z.enum(TARGET_LEVELS),
        sensitivity: z.enum(SENSITIVITIES),
        confidence: z.number(),
        believed_from: z.iso.datetime(),
        believed_until: z.iso.datetime().nullable(),
      }),
    )
    .describe(
      'The latest first. Only its subject and its curators get this; it is empty for other callers.',
    ),
  decisions: z
    .array(decisionOutput)
    .describe(
      'The latest first. Only its subject and its curators get this; it is empty for other callers.',
    ),
  reviews: z
    .array(
      z.object({
        id: z.uuid(),
        version: z.int(),
        kind: z.enum(ITEM_KINDS),
        state: z.enum(ITEM_STATES),
        reason: z.string(),
        target_scope_path: z.string().nullable(),
        proposed_sensitivity: z.enum(SENSITIVITIES).nullable(),
        due_at: z.iso.datetime(),
        approved: readersOutput.describe('The readers of the statement after an approval.'),
        rejected: readersOutput.describe('The readers of the statement after a rejection.'),
      }),
    )
    .describe(
      'The open items about it. Only its curators get them; the list is empty for other callers.',
    ),
});

/** What the lists of all states show the reader, and what is about the reader. */
function visibleTo(
  { curatedScopeIds, reader, scopeIds }: AuthorisedRead,
  peerId: string | null,
  at: string,
): Condition {
  const query = { scopeIds, reader, at };
  const listed = KNOWLEDGE_STATES.map((state) => visibleInState(state, query, curatedScopeIds));
  return { any: [...listed, ...(peerId === null ? [] : [aboutSubject(peerId, 'listed')])] };
}

/** The words that support the statement, in what stands around them. */
function sourceView(row: WordedSourceRow): z.input<typeof sourceOutput> {
  const { passage, passage_offset: cut, span_length: length, span_offset: offset, ...of } = row;
  if (offset === null || length === null) {
    return { ...of, before: '', supports: '', after: excerptOf(passage, 2 * CLUSTERS_AROUND) };
  }
  const points = Array.from(passage);
  const start = offset - cut;
  const first = Math.max(0, start - CLUSTERS_AROUND);
  const ellipsis = first > 0 || cut > 0 ? '…' : '';
  return {
    ...of,
    before: ellipsis + points.slice(first, start).join(''),
    supports: points.slice(start, start + length).join(''),
    after: excerptOf(points.slice(start + length).join(''), CLUSTERS_AROUND),
  };
}

/** What is asked about the statement, with what each answer would make visible to whom. */
async function openReviews({ statementPage }: Stores, knowledge: KnowledgeRow) {
  const items = await statementPage.openItems(knowledge.id);
  return items.map((item) => {
    const asked = { ...item, knowledge };
    return {
      ...item,
      approved: audiencesOf(asked).after,
      rejected: audienceAfterRejection(asked),
    };
  });
}

/** History and decisions tell what was not yet, or is no more, for everybody. */
async function inside(stores: Stores, knowledge: KnowledgeRow, isCurator: boolean) {
  const { id } = knowledge;
  return {
    history: [...(await stores.statementPage.periods(id))],
    decisions: (await stores.reviews.decisions(id)).map(versioned),
    reviews: isCurator ? await openReviews(stores, knowledge) : [],
  };
}

async function mayWithdraw(
  { desk }: Stores,
  { id, state }: KnowledgeRow,
  peerId: string | null,
): Promise<boolean> {
  if (peerId === null || SPEAKER_TABLE[state] === undefined) return false;
  return (await desk.attests(id, peerId)) === true;
}

function subjectOf(found: FoundStatement): z.input<typeof output>['subject'] {
  const [name, key] = found.subject_names;
  return name === undefined || key === undefined ? null : { name, key };
}

export const readStatement = defineOperation({
  id: 'knowledge.read',
  access: 'human',
  effect: 'read',
  summary: 'Read one statement with its sources and its history',
  description: 'If the statement does not exist or the caller may not see it, the answer is 404.',
  refusals: ['not_found'],
  input: z.object({ knowledge_id: z.uuid() }),
  output,
  async run(context, { knowledge_id: id }) {
    const { caller, inAccount, now } = context;
    const found = await inAccount(caller.accountId, ({ desk }) => desk.find(id));
    // The same questions are asked for an id that names nothing.
    const scopePath = parseScopePath(found?.scope_path ?? ROOT_PATH) ?? ROOT_PATH;
    const read = await authoriseRead(context, { scopePath, peerKey: null });
    const visible = visibleTo(read, caller.peerId, now.toISOString());
    return inAccount(caller.accountId, async (stores) => {
      const [knowledge] = await stores.knowledge.read({
        selection: { by: 'ids', ids: [id] },
        visible,
        replaced: visible,
        reader: read,
      });
      if (found === null || knowledge === undefined) throw new Refusal('not_found');
      const { sensitivity, state, subject_peer_id: subjectId, target_level: level } = knowledge;
      const { peerId } = caller;
      const isSubject = subjectId !== null && subjectId === peerId;
      const isSubmitter = peerId !== null && (await stores.statementPage.isSubmittedBy(id, peerId));
      const isCurator = curates(caller, knowledge.scope_path);
      const judged = {
        state,
        sensitivity,
        level,
        isAboutPeer: subjectId !== null,
        hasAudience: knowledge.has_audience,
      };
      const named = await stores.statementPage.audience(id);
      const sources = await stores.statementPage.sources(id, knowledge.source_message_ids);
      const [latest] = await stores.statementPage.periods(id);
      const known =
        isSubject || isCurator
          ? await inside(stores, knowledge, isCurator)
          : { history: [], decisions: [], reviews: [] };
      return {
        knowledge,
        subject: subjectOf(found),
        standing_since: latest?.believed_from ?? null,
        audience: audienceOf(judged),
        audience_reason: audienceReasonOf(judged),
        addressed_to: named && { ...named, roles: named.roles.map(roleWord) },
        is_submitter: isSubmitter,
        may_withdraw: await mayWithdraw(stores, knowledge, peerId),
        is_subject: isSubject,
        is_curator: isCurator,
        sources: sources.map(sourceView),
        ...known,
      };
    });
  },
});
