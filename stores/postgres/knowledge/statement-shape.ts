/** A statement as the gates decide on it, from a row of `knowledge` and what is counted of its sources. */
import { z } from 'zod';
import { COUNTED_COLUMNS, WRITTEN_COLUMNS } from '../../../domain/statements/columns.ts';
import type { Attestation } from '../../../domain/statements/attestation.ts';
import { sourceIdentity } from '../../../domain/statements/source.ts';
import type { Statement } from '../../../domain/statements/statement.ts';
import { statementOf } from '../../../domain/statements/statement-row.ts';
import { jsonOf, rowShape } from '../statement-columns.ts';

const instant = z.string().transform((text) => new Date(text).toISOString());

const saidShape = z.object({ by: z.string(), at: instant, hash: z.string() });

/** What was asked about the sources of a statement. */
const attestationShape = z
  .object({
    last_said: z.array(saidShape),
    submitters: z.array(z.string()),
    scope_ids: z.array(z.string()),
    used: z.array(
      z.object({
        session_id: z.string(),
        speaker_peer_id: z.string(),
        occurred_at: instant,
        content_hash: z.string(),
      }),
    ),
  })
  .transform((row): Omit<Attestation, 'first' | 'sourceCount' | 'submitterCount'> => ({
    lastSaid: new Map(row.last_said.map(({ by, ...moment }) => [by, moment])),
    submitters: new Set(row.submitters),
    scopeIds: new Set(row.scope_ids),
    identities: new Set(
      row.used.map((message) =>
        sourceIdentity({
          sessionId: message.session_id,
          speakerId: message.speaker_peer_id,
          occurredAt: message.occurred_at,
          contentHash: message.content_hash,
        }),
      ),
    ),
    added: [],
  }));

/** The columns that the gates decide on. */
const DECIDED_ON = [...WRITTEN_COLUMNS, ...COUNTED_COLUMNS];

export const statementShape = z
  .object({
    ...rowShape(DECIDED_ON),
    audience_principals: z.array(z.string()),
    paraphrase_hashes: z.array(z.string()),
    attestation: attestationShape,
  })
  .transform(
    ({
      attestation,
      audience_principals: audiencePrincipals,
      paraphrase_hashes: paraphraseHashes,
      ...row
    }): Statement => statementOf(row, { attestation, audiencePrincipals, paraphraseHashes }),
  );

/** The row `k` of `knowledge` as JSON for `statementShape`, which also wants what stands beside a row. */
export const statementJson = jsonOf(DECIDED_ON, 'k');
