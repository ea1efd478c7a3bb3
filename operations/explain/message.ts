/** One message explained: what was read of it in one transaction, and what that says. */
import type { Obstacle } from '../../domain/explain/causes.ts';
import { obstaclesOfMessage } from '../../domain/explain/message.ts';
import { obstaclesOfMessageReader } from '../../domain/explain/reader.ts';
import { openChain } from '../../domain/identity/caller.ts';
import { roleAt, roleWord } from '../../domain/identity/roles.ts';
import type { ExplainedMessageRow } from '../../stores/postgres/explain/messages.store.ts';
import type { PeerRow } from '../../stores/postgres/identity/peers.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import type { Explanation } from './output.ts';
import type { Explained, JudgedReader } from './explained.ts';

function viewOf(row: ExplainedMessageRow): NonNullable<Explanation['message']> {
  const { anchor, budget, chunk, document_id: documentId, document_version: version } = row;
  return {
    accepted_at: row.recorded_at,
    occurred_at: row.occurred_at,
    scope_path: row.scope_path,
    session_id: row.session_id,
    speaker_key: row.speaker_key,
    relay_key: row.relay_key,
    role: row.role,
    document:
      documentId === null || version === null || chunk === null
        ? null
        : { id: documentId, version, chunk },
    extraction: anchor && {
      status: anchor.status,
      attempts: anchor.attempts,
      last_error_class: anchor.last_error_class,
      held: anchor.is_held,
      next_look_at: anchor.next_look_at,
      failed_at: anchor.failed_at,
      completed_at: anchor.completed_at,
      candidates: anchor.candidates,
      blocked_until: row.blocked_until,
    },
    mailbox: row.mailbox,
    budget: budget && {
      scope_root: budget.scope_root,
      deadline_at: budget.deadline_at,
      closed_at: budget.closed_at,
    },
    statement_counts: row.statement_counts,
    statements: row.statements,
  };
}

function obstaclesOf(row: ExplainedMessageRow): readonly Obstacle[] {
  const { anchor } = row;
  return obstaclesOfMessage({
    isSpeakerErasing: row.is_speaker_erasing,
    role: row.role,
    isReplaced: !row.is_in_indexes,
    isMailboxPaused: row.mailbox?.paused === true,
    isBudgetClosed: row.budget?.is_closed === true,
    anchor: anchor && {
      status: anchor.status,
      isHeld: anchor.is_held,
      isExtracted: anchor.extracted_at !== null,
      isKeptBack: anchor.is_kept_back,
      lastErrorClass: anchor.last_error_class,
    },
    statementStates: row.statement_counts.map(({ state }) => state),
  });
}

async function judged(
  { explainedMessages, grants, scopes }: Stores,
  row: ExplainedMessageRow,
  peer: PeerRow,
): Promise<JudgedReader> {
  const held = await grants.ofPeer(peer.id);
  const chain = await scopes.find(openChain(held, row.scope_path));
  const role = roleAt(held, row.scope_path);
  const read = await explainedMessages.readBy(row.id, {
    peerId: peer.id,
    scopeIds: chain.map(({ id }) => id),
  });
  return {
    obstacles: obstaclesOfMessageReader({ readsScope: role !== null, wasThere: read.was_there }),
    shown: {
      peer_key: peer.key,
      role: role && roleWord(role),
      readable: read.is_shown,
      was_there: read.was_there,
      failed_conditions: [],
    },
  };
}

/** Null without such a message. */
export async function explainMessage(
  stores: Stores,
  id: string,
  peer: PeerRow | null,
): Promise<Explained | null> {
  const row = await stores.explainedMessages.find(id);
  if (row === null) return null;
  return {
    message: viewOf(row),
    statement: null,
    obstacles: obstaclesOf(row),
    marks: row.marks,
    rowVersion: null,
    isExpected: row.is_in_indexes,
    reader: peer && (await judged(stores, row, peer)),
  };
}
