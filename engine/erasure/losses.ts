/** Decides what becomes of statements that lost sources to an erasure. */
import { ERASURE_SHARD } from '../../domain/erasure/words.ts';
import type { Loss, OtherWords } from '../../domain/knowledge/erasure-draft.ts';
import { planLosses } from '../../domain/knowledge/planning.ts';
import type { LossRules, LostRow } from '../../stores/postgres/erasure/messages-step.ts';
import { claimOf, statementHashOf } from '../knowledge/claims.ts';
import { planContext } from '../knowledge/context.ts';
import { commitRows } from '../knowledge/rows.ts';

/** The words of the source that is left and said it first; null where the statement needs or finds none. */
function otherWords({ has_own_words, other_words, ...row }: LostRow): OtherWords | null {
  if (row.source_count === 0 || has_own_words || other_words === null) return null;
  const { occurred_at: occurredAt, source_hash: sourceHash, text } = other_words;
  const statementHash = statementHashOf(text);
  if (statementHash === null) return null;
  const claim = row.subject_names.length === 0 ? null : claimOf(text, row.subject_names);
  return { text, statementHash, claim, occurredAt, sourceHash };
}

function lossOf(row: LostRow): Loss {
  const isOwn = row.source_count > 0 && row.has_own_words;
  return { id: row.id, words: isOwn ? 'own' : otherWords(row) };
}

/** The rules of a page. */
export function lossRules(newId: () => string): LossRules {
  return {
    readText(row) {
      const words = otherWords(row);
      return words === null
        ? null
        : { hash: words.statementHash, about: words.claim?.about ?? null };
    },
    decide(state) {
      const { lost, now, scopes, statements } = state;
      const plan = planLosses(lost.map(lossOf), statements, planContext(scopes, state, newId));
      const ids = new Set(lost.map(({ id }) => id));
      const changed = plan.changes.filter(({ after }) => ids.has(after.id));
      const retracted = changed.filter(({ after }) => after.state === 'retracted');
      const reworded = changed.filter(
        ({ after, before }) =>
          after.state !== 'retracted' && after.statementHash !== before?.statementHash,
      );
      const rows = { shard: ERASURE_SHARD, now, newId, batchOf: () => null };
      return {
        work: commitRows(plan, [], rows),
        retracted: retracted.map(({ after }) => after.id),
        reworded: reworded.map(({ after }) => after.id),
      };
    },
  };
}
