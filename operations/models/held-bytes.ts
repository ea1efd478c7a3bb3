/** What an account holds, in bytes. */
import { sampledBytes, storageOf } from '../../domain/models/costs.ts';
import type { ActivityRow, CostsStore } from '../../stores/postgres/models/costs.store.ts';

/**
 * Durable bytes are sums that are kept. Operational bytes are numbers of rows times the mean width of the latest ones:
 * a message has one anchor, and a statement its decisions and events.
 */
export async function heldBytes(costs: CostsStore, held: ActivityRow) {
  const widths = await costs.widths();
  return storageOf(
    held.message_bytes + held.statement_bytes + held.version_bytes,
    sampledBytes([
      { rows: held.messages, width: widths.anchor_width },
      { rows: held.ledger_rows, width: widths.ledger_width },
      { rows: held.statements, width: widths.trail_width },
      { rows: widths.runs, width: widths.run_width },
      { rows: widths.marks, width: widths.mark_width },
      { rows: widths.records, width: widths.record_width },
    ]),
  );
}
