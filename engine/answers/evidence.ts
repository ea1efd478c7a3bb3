/** Statements that a search found, as evidence: with what is known of their subjects and of who said them. */
import type { EvidenceItem, Spoken } from '../../domain/answers/evidence.ts';
import type { EvidenceDetail } from '../../stores/postgres/knowledge/evidence-details.store.ts';
import type { SourceRead } from '../../stores/postgres/visibility/shown-messages.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import type { RankedCandidate, RankedStatement } from '../retrieval/candidates.ts';
import { validityOf } from '../retrieval/rerank-document.ts';

/** A statement as evidence, with how many steps it is away from what was said. */
export interface StatementEvidence extends EvidenceItem {
  /** 1 for a statement that was drawn from messages alone. */
  readonly derivationLevel: number;
}

/** The statements among the candidates that have a text. */
export function statementsOf(candidates: readonly RankedCandidate[]): readonly RankedStatement[] {
  return candidates.filter(
    (one): one is RankedStatement => one.type === 'knowledge' && one.row.statement !== null,
  );
}

function claimOf({ claim_about: about, claim_mode: mode, claim_value: value }: EvidenceDetail) {
  return about === null || mode === null ? null : { about, mode, value };
}

function spokenOf(detail: EvidenceDetail): Spoken | null {
  const { said_as_role: role, said_at: at, said_by_key: key, said_by_name: name } = detail;
  if (role === null || at === null || key === null || name === null) return null;
  return { peerKey: key, peerName: name, role, occurredAt: at };
}

/** `detail` is null where it was not read. */
function evidenceOf(
  { fusionScore, row }: RankedStatement,
  detail: EvidenceDetail | null,
): StatementEvidence {
  return {
    id: row.id,
    type: 'knowledge',
    text: row.statement ?? '',
    scopePath: row.scope_path,
    sourceMessageIds: row.source_message_ids,
    validity: validityOf(row),
    level: row.target_level,
    isProvisional: row.state === 'provisional',
    score: fusionScore,
    subjectPeerId: row.subject_peer_id,
    subjectName: detail?.subject_name ?? null,
    claim: detail === null ? null : claimOf(detail),
    spoken: detail === null ? null : spokenOf(detail),
    derivationLevel: detail?.derivation_level ?? 1,
  };
}

/** The statements in their order, with what their rows say of them. */
export function plainEvidence(
  statements: readonly RankedStatement[],
): readonly StatementEvidence[] {
  return statements.map((statement) => evidenceOf(statement, null));
}

/**
 * The same with what they claim, whom they are about and who said them. Of the latter the reader is told where it may
 * read the message.
 */
export async function loadEvidence(
  { evidenceDetails }: Pick<Stores, 'evidenceDetails'>,
  statements: readonly RankedStatement[],
  read: SourceRead,
): Promise<readonly StatementEvidence[]> {
  if (statements.length === 0) return [];
  const asked = statements.map(({ row }) => ({
    id: row.id,
    earliestMessageId: row.source_message_ids[0] ?? null,
  }));
  const details = await evidenceDetails.of(asked, read);
  const detailOf = new Map(details.map((detail) => [detail.id, detail]));
  return statements.map((statement) =>
    evidenceOf(statement, detailOf.get(statement.row.id) ?? null),
  );
}
