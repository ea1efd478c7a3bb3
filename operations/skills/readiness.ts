/** `skills.readiness`: whether enough is known of a peer for an agent to use a skill, and what to ask where it is not. */
import { z } from 'zod';
import { invalidField } from '../../domain/errors.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { MOST_NAMED_MATCHES } from '../../domain/skills/report.ts';
import { scopePathField } from '../fields/observation.ts';
import { defineOperation } from '../operation.ts';
import { sessionField, withQuestion } from '../questions/pending.ts';
import { readerField } from '../fields/read.ts';
import { authoriseRead } from '../access/reader.ts';
import { skillField } from './card-output.ts';
import { reportOutput } from './report-output.ts';
import { reportAbout } from './reporting.ts';

const input = z.object({
  skill: skillField,
  scope_path: scopePathField.meta({
    description:
      'The scope in which an agent will use the skill. The cards of the scope and of its ancestors apply.',
    wire: { examples: ['/team/project'] },
  }),
  peer_id: z
    .uuid()
    .nullish()
    .transform((id) => id ?? null)
    .meta({
      description:
        'The id of the peer to check. If both are given, the service uses this id and ignores `peer_key`.',
    }),
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

export const checkReadiness = defineOperation({
  id: 'skills.readiness',
  access: 'any_identity',
  effect: 'read',
  summary: 'Check whether memory has the facts that a skill requires',
  description: `Compares the requirements of the skill's cards with the statements that the reader may read about themselves and about the scopes of the chain. Active statements and the reader's own provisional statements satisfy a requirement. If only ended or unconfirmed statements match, the requirement is \`stale\`. For another peer the report reads what a search in that peer's name would find. A gap is not permission to invent a fact: record the person's answer through ingest. At most ${MOST_NAMED_MATCHES} statements are named for a requirement.`,
  refusals: ['forbidden', 'unknown_peer'],
  input,
  output: reportOutput,
  async run(context, request) {
    assertNamesSomebody(context.caller, request);
    const read = await authoriseRead(context, {
      scopePath: request.scope_path,
      peerKey: request.peer_key,
      peerId: request.peer_id,
    });
    const report = await reportAbout(context, read, request.skill);
    const asked = {
      sessionId: request.session_id,
      asOf: null,
      query: '',
      operation: 'skills.readiness',
    };
    return withQuestion(context, read, asked, report);
  },
});
