/** Statements that a search found, as evidence: with what is known of their subjects and of who said them. */
import type { EvidenceItem, Spoken } from '../../domain/answers/evidence.ts';
import type { EvidenceDetail } from '../../stores/postgres/knowledge/evidence-details.store.ts';
import type { SaidMessage, SourceRead } from '../../stores/postgres/source-messages.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import type { RankedCandidate, RankedStatement } from '../retrieval/candidates.ts';
import { validityOf } from '../retrieval/rerank-document.ts';

/** A statement as evidence, with how many steps it is away from what was said. */
export interface StatementEvidence extends EvidenceItem {
  /** 1 for a statement that was drawn from messages alone. */
  readonly derivationLevel: number;
}

export function spokenOf({ occurred_at, peer_key, peer_name, role }: SaidMessage): Spoken {
  return { peerKey: peer_key, peerName: peer_name, role, occurredAt: occurred_at };
}

/** The statements among the candidates that have a text. */
export function statementsOf(candidates: readonly RankedCandidate[]): readonly RankedStatement[] {
  return candidates.filter(
    (one): one is RankedStatement => one.type === 'knowledge' && one.row.statement !== null,
  );
}

/** What is told of a statement beside its row, where it was read. */
interface Told {
  readonly detail?: EvidenceDetail | undefined;
  readonly source?: SaidMessage | undefined;
}

function claimOf({ claim_about: about, claim_mode: mode, claim_value: value }: EvidenceDetail) {
  return about === null || mode === null ? null : { about, mode, value };
}

function evidenceOf({ fusionScore, row }: RankedStatement, told: Told): StatementEvidence {
  const { detail, source } = told;
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
    claim: detail === undefined ? null : claimOf(detail),
    spoken: source === undefined ? null : spokenOf(source),
    derivationLevel: detail?.derivation_level ?? 1,
  };
}

/** The statements in their order, with what their rows say of them. */
export function plainEvidence(
  statements: readonly RankedStatement[],
): readonly StatementEvidence[] {
  return statements.map((statement) => evidenceOf(statement, {}));
}

/**
 * The same with what they claim, whom they are about and who said them. Of the latter the reader is told where it may
 * read the message.
 */
export async function readEvidence(
  stores: Pick<Stores, 'evidenceDetails' | 'sourceMessages'>,
  statements: readonly RankedStatement[],
  read: SourceRead,
): Promise<readonly StatementEvidence[]> {
  if (statements.length === 0) return [];
  const earliest = statements.flatMap(({ row }) => row.source_message_ids.slice(0, 1));
  const details = await stores.evidenceDetails.of(statements.map(({ row }) => row.id));
  const said = await stores.sourceMessages.said([...new Set(earliest)], read);
  const detailOf = new Map(details.map((detail) => [detail.id, detail]));
  const saidBy = new Map(said.map((message) => [message.id, message]));
  return statements.map((statement) => {
    const { id, source_message_ids: sources } = statement.row;
    return evidenceOf(statement, {
      detail: detailOf.get(id),
      source: saidBy.get(sources[0] ?? ''),
    });
  });
}
