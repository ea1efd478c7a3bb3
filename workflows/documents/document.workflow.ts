/** Reads one version of a document, and waits for its chunks to be extracted: `document/<run>`. */
import {
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { DocumentActivities } from '../../activities/contracts.ts';
import { counters } from '../../domain/workflow-history/safe-text.ts';
import { withRunEndings } from '../runs.ts';
import { documentOptions } from '../lanes.ts';
import { documentTotals, type DocumentStart, type DocumentTotals } from './messages.ts';

/** Pauses between two looks at what is extracted: most documents take seconds, a slow model takes longer. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 300_000;

export async function readDocument(start: DocumentStart): Promise<DocumentTotals> {
  const { accountId, runId, carried } = start;
  const { parseDocument, settleDocument } = proxyActivities<DocumentActivities>(documentOptions());
  let totals = carried?.totals ?? { chunks: 0, superseded: 0 };
  setHandler(documentTotals, () => totals);
  const count = (): void => setCurrentDetails(counters({ ...totals }));

  if (carried == null) {
    const { chunks } = await withRunEndings(start, () => parseDocument({ accountId, runId }));
    totals = { ...totals, chunks };
    count();
  }
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    const page = await withRunEndings(start, () => settleDocument({ accountId, runId }));
    totals = { ...totals, superseded: totals.superseded + page.superseded };
    count();
    if (page.pending === 0 && !page.more) return totals;
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof readDocument>({ accountId, runId, carried: { totals } });
    }
    const pause = page.more ? 0 : pauseMs;
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    if (pause > 0) await withRunEndings(start, () => sleep(pause));
  }
}
