/** What is shown of the evidence that an answerer was given. */
import { z } from 'zod';
import {
  EVIDENCE_ORIGINS,
  EVIDENCE_TYPES,
  type AdmittedEvidence,
} from '../../domain/answers/evidence.ts';

export const evidenceOutput = z
  .object({
    id: z.uuid().describe('The id of the statement or of the message.'),
    type: z.enum(EVIDENCE_TYPES),
    text: z.string().describe('The text of the statement, or an excerpt of the message.'),
    scope_path: z.string(),
    source_message_ids: z.array(z.uuid()),
    relevant_from: z.iso.datetime().nullable(),
    relevant_until: z.iso.datetime().nullable(),
    origin: z
      .enum(EVIDENCE_ORIGINS)
      .describe(
        '`head`: one of the first candidates of the search. `tool`: a tool of the recall found it. `tail`: a further candidate of the search.',
      ),
    peer_key: z.string().optional().describe('The key of the speaker.'),
    role: z.string().optional(),
    occurred_at: z.string().optional(),
  })
  .meta({ id: 'Evidence', description: 'An item of evidence that the answerer read.' });

export function evidenceView(item: AdmittedEvidence): z.input<typeof evidenceOutput> {
  const { spoken, validity } = item;
  const said = item.type === 'source_message' ? spoken : null;
  return {
    id: item.id,
    type: item.type,
    text: item.text,
    scope_path: item.scopePath,
    source_message_ids: [...item.sourceMessageIds],
    relevant_from: validity.from?.at ?? null,
    relevant_until: validity.until?.at ?? null,
    origin: item.origin,
    ...(said === null
      ? {}
      : { peer_key: said.peerKey, role: said.role, occurred_at: said.occurredAt }),
  };
}
