/** `skills.readiness`: whether enough is known of a peer for an agent to use a skill, and what to ask where it is not. */
import { z } from 'zod';
import { invalidField } from '../../domain/errors.ts';
import { visibleToReadiness } from '../../domain/governance/visibility.ts';
import { GAP_REPORT_IDENTITY } from '../../domain/identities.ts';
import { readableChain, type Caller } from '../../domain/identity/caller.ts';
import { requirementsToCheck, type PlacedCard } from '../../domain/skills/inherit.ts';
import { MOST_NAMED_MATCHES } from '../../domain/skills/report.ts';
import { subjectOf } from '../../engine/retrieval/stable-profile.ts';
import { compareTopics, findStatements } from '../../engine/skills/matching.ts';
import type { CardRow } from '../../stores/postgres/skills/cards.store.ts';
import { scopePathField } from '../observations/fields.ts';
import { defineOperation } from '../operation.ts';
import { sessionField, withQuestion } from '../questions/pending.ts';
import { readerField } from '../retrieval/fields.ts';
import { authoriseRead } from '../retrieval/reader.ts';
import { skillField } from './card-output.ts';
import { reportOf, reportOutput } from './report-output.ts';

const input = z.object({
  skill: skillField,
  scope_path: scopePathField.meta({
    description: 'The scope in which the skill is to be used. Cards of it and above it hold.',
    wire: { examples: ['/team/project'] },
  }),
  peer_id: z
    .uuid()
    .nullish()
    .transform((id) => id ?? null)
    .meta({ description: 'The peer that is checked, by its id, which goes before `peer_key`.' }),
  peer_key: readerField,
  session_id: sessionField,
});

type Input = z.output<typeof input>;

/** A credential without a peer has to say whom it means. */
function assertNamesSomebody({ peerId }: Caller, { peer_id: id, peer_key: key }: Input): void {
  if (peerId === null && id === null && key === null) {
    throw invalidField('peer_key', 'is required: this credential has no peer');
  }
}

const placed = ({
  scope_id: scopeId,
  scope_path: scopePath,
  ...card
}: CardRow): PlacedCard & CardRow => ({
  ...card,
  scope_id: scopeId,
  scope_path: scopePath,
  scopeId,
  scopePath,
});

export const checkReadiness = defineOperation({
  id: 'skills.readiness',
  access: 'any_identity',
  effect: 'read',
  summary: 'Check whether enough is known to use a skill',
  description: `Compares what the cards of the skill require with what the reader may read about itself and about the scopes of the chain: active statements and its own provisional ones satisfy a requirement, those that are over or wait to be confirmed leave it stale. For another peer the report reads what a search in that peer's name would. A gap is not permission to invent a fact: answers come back through ingest and governance. At most ${MOST_NAMED_MATCHES} statements are named for a requirement.`,
  refusals: ['forbidden', 'unknown_peer'],
  input,
  output: reportOutput,
  async run(context, request) {
    const { caller, inAccount, now, text } = context;
    assertNamesSomebody(caller, request);
    const read = await authoriseRead(context, {
      scopePath: request.scope_path,
      peerKey: request.peer_key,
      peerId: request.peer_id,
    });
    const { reader, scopeIds } = read;
    const peerId = subjectOf(reader);
    if (peerId === null) throw new TypeError('a report is about a peer');
    const at = now.toISOString();
    const visible = visibleToReadiness({ scopeIds, reader, at });
    const paths = readableChain(caller, read.scopePath);
    const { cards, checked, found, unchecked } = await inAccount(
      caller.accountId,
      async (stores) => {
        const inForce = await stores.skillCards.inForce(request.skill, paths);
        const rows = inForce.map(placed);
        const requirements = requirementsToCheck(rows);
        const sought = { peerId, scopeIds, reader, visible, at };
        const statements = await findStatements(stores, sought, requirements.checked);
        return { ...requirements, cards: rows, found: statements };
      },
      { readOnly: true },
    );
    const behalf = { accountId: caller.accountId, signal: context.signal };
    const matches = await compareTopics(text, found, checked, behalf);
    const report = {
      report_version: GAP_REPORT_IDENTITY,
      skill: request.skill,
      peer_id: peerId,
      scope_id: read.scopeId,
      scope_path: read.scopePath,
      ...reportOf({ cards, checked, unchecked, matches, at }),
    };
    const asked = {
      sessionId: request.session_id,
      asOf: null,
      query: '',
      operation: 'skills.readiness',
    };
    return withQuestion(context, read, asked, report);
  },
});
