/** A workflow: it counts the accounts once. */
import type { Edit } from '../scratch.ts';

export const WORKFLOW: readonly Edit[] = [
  {
    file: 'workflows/reconcile/count-accounts.workflow.ts',
    insert: `/** Counts the accounts, page by page: \`count-accounts\`. */
import { proxyActivities } from '@temporalio/workflow';
import type { ReconcilerActivities } from '../../activities/contracts.ts';
import { reconcilerOptions } from '../lanes.ts';

export async function countAccounts(): Promise<number> {
  const { accountsAfter } = proxyActivities<ReconcilerActivities>(reconcilerOptions());
  let count = 0;
  for (let afterId: string | null = null; ; ) {
    const { accountIds }: { readonly accountIds: readonly string[] } = await accountsAfter({ afterId });
    count += accountIds.length;
    afterId = accountIds.at(-1) ?? null;
    if (afterId === null) return count;
  }
}
`,
  },
  {
    file: 'workflows/index.ts',
    before: 'export { erasure }',
    insert: "export { countAccounts } from './reconcile/count-accounts.workflow.ts';\n",
  },
];
