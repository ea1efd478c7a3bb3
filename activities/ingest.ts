/**
 * Lane `ingest`: takes the observations of a mailbox and hands them to the processor (`ingest-flow.ts`). An account's
 * shard has one drain, and a drain takes nothing of a session that it holds, so a session is never worked on twice at
 * a time.
 */
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import type { IngestActivities } from './contracts.ts';
import { LONGEST_EXTRACTION_MS } from '../domain/extraction/effort.ts';
import { runDrain, type DrainLane, type DrainMailboxes } from './drain.ts';
import { IngestFlow, type IngestFlowOptions } from './ingest-flow.ts';

export interface IngestActivityOptions extends DrainLane, IngestFlowOptions {
  readonly mailboxes: DrainMailboxes & IngestFlowOptions['mailboxes'];
}

const MOST_UNITS_IN_STEP = 100;
/**
 * How long a drain past its limits goes on beside slow work. The drain is cut off only after the extraction that it
 * began last has reached its own time limit. The activity may take a little longer than that (`workflows/lanes.ts`).
 */
const GOES_ON_FOR_MS = 1_800_000;
const HARD_STOP_MS = GOES_ON_FOR_MS + LONGEST_EXTRACTION_MS + 120_000;

/** The activities of the lane. */
export function createIngestActivities(options: IngestActivityOptions): IngestActivities {
  return {
    drainMailbox: (input) => {
      const { accountId, shard } = input;
      return runDrain('ingest', input, {
        ...options,
        batchSize: MOST_UNITS_IN_STEP,
        goesOnForMs: GOES_ON_FOR_MS,
        hardStopMs: HARD_STOP_MS,
        heartbeat,
        cancelled: cancellationSignal(),
        work: (epoch) => new IngestFlow(options, { accountId, kind: 'ingest', shard }, epoch),
      });
    },
  };
}
