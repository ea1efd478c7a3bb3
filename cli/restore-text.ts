import type { FinishedSummary, RestoreSummary } from './dependencies.ts';
import { pairs } from './text.ts';

function promisesText(promises: FinishedSummary['promises']): string {
  if (promises === null) return 'unknown: no list was named';
  const counts = Object.values(promises.kinds);
  const sum = (of: 'already' | 'done' | 'unknown'): number =>
    counts.reduce((total, count) => total + count[of], 0);
  return `${sum('done')} repeated, ${sum('already')} held already, ${sum('unknown')} about what came later`;
}

/** What the closing steps of a restore did. */
export function finishedText(finished: FinishedSummary): string {
  const { audit, documents, indexes } = finished;
  return pairs({
    'promises since': promisesText(finished.promises),
    'sign-ins ended': finished.tokens_ended,
    'keys suspended': finished.keys_suspended,
    'runs started again': finished.runs_started_again,
    'index entries': indexes.units,
    'documents without bytes': documents.missing,
    'bytes without a document, removed': documents.removed,
    'audit events verified': audit.verified,
  });
}

/** What is left to do after a restore, as a line; null where nothing is wrong. */
export function faultOf({ audit, documents, indexes }: FinishedSummary): string | null {
  const faults = [
    audit.broken_accounts > 0
      ? `The audit chain of ${audit.broken_accounts} accounts is broken: run vouch audit verify.`
      : null,
    documents.missing > 0
      ? `${documents.missing} documents have no bytes: run vouch document verify.`
      : null,
    indexes.failed > 0
      ? `${indexes.failed} entries of the indexes are not written yet: workers try them again.`
      : null,
  ].filter((fault) => fault !== null);
  return faults.length === 0 ? null : faults.join(' ');
}

export function restoreText({ backup, finished }: RestoreSummary): string {
  const keys = finished.keys_suspended;
  return [
    pairs({
      'state of': backup.ended_at,
      release: backup.app_version,
      accounts: finished.accounts,
    }),
    finishedText(finished),
    keys === 0
      ? 'Start the service with npm start.'
      : `Start the service with npm start. ${keys} API ${keys === 1 ? 'key waits' : 'keys wait'} for vouch key resume.`,
  ].join('\n');
}
