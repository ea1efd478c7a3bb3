/**
 * Erases a person: `erasure/<request>`. It walks through the steps of the registry, page by page, and reads every store
 * back twice. If a reading finds an entry, it walks through the steps again. An operator can pause it. Nobody can roll
 * it back.
 */
import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { GovernanceActivities } from '../../activities/contracts.ts';
import { counters } from '../../domain/workflow-history/safe-text.ts';
import { ERASURE_STEPS, type ErasureStep } from '../../domain/erasure/words.ts';
import { erasureOptions } from '../lanes.ts';
import { withRunEndings } from '../runs.ts';
import {
  erasureProgress,
  pauseErasure,
  resumeErasure,
  type ErasureProgress,
  type ErasureStart,
} from './messages.ts';

const NOTHING_DONE: ErasureProgress = { step: 0, pages: 0, erased: 0, remaining: 0, paused: 0 };

/** Extractions of the person's messages end first, even while an operator holds the erasure back. */
const NEVER_PAUSED: ErasureStep = 'anchors';

export async function erasure(start: ErasureStart): Promise<void> {
  const { accountId, carried, runId } = start;
  const run = { accountId, runId };
  const { completeErasure, eraseStep, verifyErasure } =
    proxyActivities<GovernanceActivities>(erasureOptions());
  let totals = carried?.totals ?? NOTHING_DONE;
  const tell = (change: Partial<ErasureProgress>): void => {
    totals = { ...totals, ...change };
    setCurrentDetails(counters({ ...totals }));
  };
  setHandler(pauseErasure, () => tell({ paused: 1 }));
  setHandler(resumeErasure, () => tell({ paused: 0 }));
  setHandler(erasureProgress, () => totals);

  /** Between two pages: waits while it is held back, and begins a new history when this one is long. */
  const betweenPages = async (): Promise<void> => {
    await condition(() => totals.paused === 0);
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof erasure>({ ...run, carried: { totals } });
    }
  };

  const walk = async (step: ErasureStep, place: number): Promise<void> => {
    for (;;) {
      if (step !== NEVER_PAUSED) await betweenPages();
      const { erased, more, waitMs } = await eraseStep({ ...run, step });
      tell({ step: place, pages: totals.pages + 1, erased: totals.erased + erased });
      if (!more) return;
      if (waitMs > 0) await sleep(waitMs);
    }
  };

  await withRunEndings(run, async () => {
    let nextInMs: number | null = 0;
    let remaining = 1;
    while (nextInMs !== null) {
      if (remaining > 0) {
        for (const [at, step] of ERASURE_STEPS.entries()) await walk(step, at + 1);
      }
      await betweenPages();
      ({ nextInMs, remaining } = await verifyErasure(run));
      tell({ step: 0, remaining });
      if (nextInMs !== null && nextInMs > 0) await sleep(nextInMs);
    }
    await completeErasure(run);
  });
}
