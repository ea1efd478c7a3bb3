/** A curator puts the statement of an item into other words. */
import { invalidField, Refusal } from '../../domain/errors.ts';
import type { Sensitivity } from '../../domain/statements/candidate.ts';
import { explainFault } from '../../domain/extraction/validate-faults.ts';
import { statementFaults } from '../../domain/extraction/validate-text.ts';
import { curates, type Caller } from '../../domain/identity/caller.ts';
import { ROOT_PATH } from '../../domain/scopes/path.ts';
import type { CommitWork } from '../../stores/postgres/knowledge/commit.store.ts';
import type { FoundStatement } from '../../stores/postgres/knowledge/desk.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { claimOf } from '../knowledge/claims.ts';
import { editOf, openItemOf } from '../knowledge/ruling.ts';
import type { LockedItem } from './locked-item.ts';

export interface EditDecision {
  readonly action: 'edit';
  /** The id of the statement with the new text. */
  readonly newId: string;
  readonly text: string;
  /** SHA-256 of the folded text, hex. */
  readonly statementHash: string;
  /** Null keeps the sensitivity. */
  readonly sensitivity: Sensitivity | null;
  /** Whether the curator approves the new text as well. */
  readonly approve: boolean;
}

/** Refuses what no extractor could have proposed: a question, the first person, a scope's restricted secret. */
function assertStatable({ text, sensitivity }: EditDecision, found: FoundStatement): void {
  const isAboutPeer = found.subject_peer_id !== null;
  const [fault] = statementFaults(text, isAboutPeer);
  if (fault !== undefined) throw invalidField('statement', explainFault(fault));
  if (!isAboutPeer && sensitivity === 'restricted') {
    throw invalidField('sensitivity', 'a statement about a scope is never restricted');
  }
}

/** Whether the curator's approval of the new text waits for its subject. */
function waitsForSubject({ writes }: CommitWork, statementId: string): boolean {
  return writes.consents.some(
    (consent) => consent['knowledge_id'] === statementId && consent['status'] === 'pending',
  );
}

const claimed = (found: FoundStatement, text: string) =>
  found.subject_peer_id === null ? null : claimOf(text, found.subject_names);

/** What is read beside the statement: those of the new text, and of what it claims. */
export function textsBeside(found: FoundStatement, { statementHash, text }: EditDecision) {
  const about = claimed(found, text)?.about;
  const { audience_id: audienceId, subject_id: subjectId } = found;
  return {
    rows: [{ ...found, hash: statementHash }],
    claims: about === undefined ? [] : [{ subjectId, about, audienceId }],
  };
}

/** Judges the edit. Refuses with `invalid_request` a text that is no statement, and an approval beyond the caller's scopes. */
export function judgeEdit(
  stores: Stores,
  caller: Caller,
  decision: EditDecision,
  { found, item, state }: LockedItem,
): () => Promise<void> {
  assertStatable(decision, found);
  const { approve, newId, sensitivity, statementHash, text } = decision;
  const isBeyond = found.target_level === 'account' && !curates(caller, ROOT_PATH);
  if (approve && isBeyond) throw new Refusal('forbidden');
  const work = editOf(
    state,
    {
      id: item.knowledge_id,
      item: openItemOf(item),
      actor: { peerId: caller.peerId, channel: 'api' },
    },
    { newId, text, statementHash, claim: claimed(found, text), sensitivity },
    approve,
  );
  if (work === null) throw new Refusal('conflict');
  return async () => {
    await stores.desk.write(work);
    if (!waitsForSubject(work, newId)) return;
    const waiting = await stores.reviews.openOf(newId, ['gate_a_b']);
    if (waiting !== null) await stores.reviews.awaitConsent(waiting.id, caller.peerId);
  };
}
