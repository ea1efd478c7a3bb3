/** Turns a plan into the rows of its commit. */
import { periodChange } from '../../domain/beliefs/periods.ts';
import type { Change, Plan } from '../../domain/knowledge/plan.ts';
import { validUntil, type Statement } from '../../domain/statements/statement.ts';
import { countsOf, rowOf } from '../../domain/statements/statement-row.ts';
import { questionChanges } from '../../domain/knowledge/owed.ts';
import type { AuditEvent } from '../../stores/postgres/audit/audit.store.ts';
import type { AnchorRecord, KnowledgeWrites } from '../../stores/postgres/knowledge/writes.ts';

export interface RowsContext {
  readonly shard: number;
  readonly now: string;
  readonly newId: () => string;
  /** The batch that an anchor was extracted in. */
  readonly batchOf: (anchorId: string) => string | null;
}

export interface CommitRows {
  readonly writes: KnowledgeWrites;
  readonly audit: readonly AuditEvent[];
}

/** Whether the record or the number of submitters differs: a further saying by the same peers changes neither. */
function rowChanged({ before, after }: Change): boolean {
  if (before === null) return true;
  return (
    before.attestation.submitterCount !== after.attestation.submitterCount ||
    JSON.stringify(rowOf(before)) !== JSON.stringify(rowOf(after))
  );
}

/** Who may read a statement with further sources is more than its row tells. */
function isInherited({ inherited }: Plan, { after }: Change): boolean {
  return inherited.some(({ toId }) => toId === after.id);
}

function newSources({ after }: Change) {
  return after.attestation.added.map(({ isContext = false, messageId, support }) => ({
    knowledge_id: after.id,
    message_id: messageId,
    wording: support?.wording ?? null,
    is_context: isContext,
    span_offset: support?.span?.offset ?? null,
    span_length: support?.span?.length ?? null,
  }));
}

function newParaphrases({ before, after }: Change) {
  const known = new Set(before?.paraphraseHashes);
  return after.paraphraseHashes
    .filter((hash) => !known.has(hash))
    .map((hash) => ({ knowledge_id: after.id, statement_hash: hash }));
}

/** Periods that begin, each at the instant from which its change is in force. */
function periodRows(changes: readonly Change[], newId: () => string, at: (id: string) => string) {
  return changes.flatMap(({ before, after }) => {
    const { opens } = periodChange(before, after);
    if (opens === null) return [];
    return [{ id: newId(), knowledge_id: after.id, believed_from: at(after.id), ...opens }];
  });
}

function governanceRows(plan: Plan, newId: () => string) {
  return {
    transitions: plan.transitions.map((passed) => ({
      id: newId(),
      knowledge_id: passed.statementId,
      scope_id: passed.scopeId,
      from_state: passed.from,
      to_state: passed.to,
      reason: passed.reason,
      actor_peer_id: passed.actor?.peerId ?? null,
    })),
    openings: plan.openings.map((item) => ({
      id: newId(),
      knowledge_id: item.statementId,
      scope_id: item.scopeId,
      subject_peer_id: item.subjectPeerId,
      has_audience: item.hasAudience,
      kind: item.kind,
      reason: item.reason,
      conflict_knowledge_id: item.conflictId,
      target_scope_id: item.targetScopeId,
      target_level: item.targetLevel,
      proposed_sensitivity: item.proposedSensitivity,
      due_hours: item.dueHours,
    })),
    closings: plan.closings.map((item) => ({
      knowledge_id: item.statementId,
      kind: item.kind,
      conflict_knowledge_id: item.conflictId,
      kept_kinds: item.except,
      state: item.state,
      reason: item.reason,
      decided_by: item.by,
    })),
    revised: plan.revised.map((id) => ({ knowledge_id: id })),
    decisions: plan.decisions.map((decision) => ({
      id: newId(),
      knowledge_id: decision.statementId,
      scope_id: decision.scopeId,
      rule_id: decision.ruleId,
      gate: decision.gate,
      decision: decision.decision,
      reason: decision.reason,
      from_state: decision.from,
      to_state: decision.to,
      from_level: decision.fromLevel,
      to_level: decision.toLevel,
      review_item_id: decision.itemId,
      channel: decision.actor?.channel ?? 'pipeline',
      actor_peer_id: decision.actor?.peerId ?? null,
      statement_hash: decision.statementHash,
    })),
    consents: plan.consents.map((consent) => ({
      id: newId(),
      knowledge_id: consent.statementId,
      subject_peer_id: consent.subjectPeerId,
      target_scope_id: consent.targetScopeId,
      status: consent.status,
    })),
  };
}

function questionRows(plan: Plan, newId: () => string) {
  const { closings, openings } = questionChanges(plan);
  return {
    questions_closed: closings.map(({ kinds, reason, statementId }) => ({
      knowledge_id: statementId,
      kinds,
      reason,
    })),
    questions_opened: openings.map((question) => ({
      id: newId(),
      knowledge_id: question.statementId,
      scope_id: question.scopeId,
      peer_id: question.peerId,
      kind: question.kind,
      target_scope_id: question.targetScopeId,
      statement_hash: question.statementHash,
    })),
  };
}

function lifecycleEvent(
  action: string,
  statement: Statement,
  state: Statement['state'],
): AuditEvent {
  return {
    category: 'lifecycle',
    action,
    actor: { kind: 'pipeline' },
    resourceType: 'knowledge',
    resourceId: statement.id,
    metadata: { state, evidence: statement.evidenceLevel, corroboration: statement.corroboration },
    contentHash: Buffer.from(statement.statementHash, 'hex'),
  };
}

/** One event for each change of state and of a window, by the pipeline. */
function auditEvents(plan: Plan): AuditEvent[] {
  const statements = new Map(plan.changes.map(({ after }) => [after.id, after]));
  const states = plan.transitions.flatMap(({ from, statementId, to }): AuditEvent[] => {
    const statement = statements.get(statementId);
    const action = from === null ? 'knowledge.created' : 'knowledge.changed_state';
    return statement === undefined ? [] : [lifecycleEvent(action, statement, to)];
  });
  const windows = plan.changes
    .filter(({ before, after }) => before !== null && endOf(before) !== endOf(after))
    .map(({ after }) => lifecycleEvent('knowledge.changed_window', after, after.state));
  return [...states, ...windows];
}

function endOf(statement: Statement): string | null {
  return validUntil(statement)?.at ?? null;
}

/** The rows that carry out `plan` and settle `anchors`. */
export function commitRows(
  plan: Plan,
  anchors: readonly AnchorRecord[],
  context: RowsContext,
): CommitRows {
  const { newId, now, shard } = context;
  const changed = plan.changes.filter(rowChanged);
  const at = (id: string): string => plan.since?.get(id) ?? now;
  const closed = changed.filter(({ before, after }) => periodChange(before, after).closes);
  const writes: KnowledgeWrites = {
    now,
    shard,
    anchors,
    created: changed.flatMap(({ before, after }) =>
      before ? [] : [{ ...rowOf(after), ...countsOf(after) }],
    ),
    updated: changed.flatMap(({ before, after }) => (before ? [rowOf(after)] : [])),
    closed_beliefs: closed.map(({ after: { id } }) => ({
      knowledge_id: id,
      believed_until: at(id),
    })),
    periods: periodRows(changed, newId, at),
    sources: plan.changes.flatMap(newSources),
    paraphrases: plan.changes.flatMap(newParaphrases),
    outputs: plan.outputs.map(({ anchorId, statementId, effect }) => ({
      id: newId(),
      message_id: anchorId,
      knowledge_id: statementId,
      batch_id: context.batchOf(anchorId),
      effect,
    })),
    inherited: plan.inherited.map(({ fromId, keepsWordings, toId }) => ({
      knowledge_id: toId,
      from_id: fromId,
      keeps_wordings: keepsWordings,
    })),
    marks: plan.changes
      .filter((change) => rowChanged(change) || isInherited(plan, change))
      .map(({ after }) => ({ unit_id: after.id, scope_id: after.scopeId })),
    ...governanceRows(plan, newId),
    ...questionRows(plan, newId),
  };
  return { writes, audit: auditEvents(plan) };
}
