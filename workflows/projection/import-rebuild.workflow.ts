/** Writes the indexes of an imported account, and opens it: `import_rebuild/<run>`. */
import {
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { GovernanceActivities, RebuildPlaceInput } from '../../activities/contracts.ts';
import type { RunRef } from '../../domain/pipeline/run-kinds.ts';
import { counters } from '../../domain/workflow-history/safe-text.ts';
import { governanceOptions } from '../lanes.ts';
import { withRunEndings } from '../runs.ts';

export interface ImportRebuildStart extends RunRef {
  /** Left by the run before, when there was one; `place` is null once everything is marked. */
  readonly carried?: {
    readonly place: RebuildPlaceInput | null;
    readonly units: number;
    readonly until: string;
  } | null;
}

const NOTHING_MARKED = '1970-01-01T00:00:00.000Z';
const FIRST: RebuildPlaceInput = { unit: 'statement', afterId: null };

export async function importRebuild(start: ImportRebuildStart): Promise<void> {
  const { accountId, runId, carried } = start;
  const run = { accountId, runId };
  const { markRebuilt, openRebuilt } = proxyActivities<GovernanceActivities>(governanceOptions());
  let units = carried?.units ?? 0;
  let until = carried?.until ?? NOTHING_MARKED;
  let place = carried === undefined || carried === null ? FIRST : carried.place;
  const goOn = async (): Promise<void> => {
    if (!workflowInfo().continueAsNewSuggested) return;
    await continueAsNew<typeof importRebuild>({ ...run, carried: { place, units, until } });
  };
  await withRunEndings(start, async () => {
    while (place !== null) {
      const page = await markRebuilt({ ...run, ...place });
      units += page.marked;
      until = page.at;
      place = page.next;
      setCurrentDetails(counters({ units, waiting: 0 }));
      await goOn();
    }
    for (;;) {
      const { nextInMs, waiting } = await openRebuilt({ ...run, until });
      setCurrentDetails(counters({ units, waiting }));
      if (nextInMs === null) break;
      await sleep(nextInMs);
      await goOn();
    }
  });
}
