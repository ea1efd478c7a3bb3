/** Metrics of the sealer of audit events: in workers, where it runs. */
import { Counter, type Registry } from 'prom-client';
import type { SealReport } from '../../engine/audit/sealer.ts';

/** Counts what passes of the sealer did. */
export function createAuditMetrics(registry: Registry): (report: SealReport) => void {
  const registers = [registry];
  const sealed = new Counter({
    name: 'vouch_audit_sealed_events_total',
    help: 'Audit events that this process sealed.',
    registers,
  });
  const failures = new Counter({
    name: 'vouch_audit_seal_failures_total',
    help: 'Accounts that a pass of the sealer of this process could not seal; the next pass tries them again.',
    registers,
  });
  return (report) => {
    sealed.inc(report.sealed);
    failures.inc(report.failed);
  };
}
