/** One workflow bundle for a whole test run: what workers load is what is tested. */
import { ensureWorkflowBundle } from '../../runtime/start/bundle.ts';

export default async function buildBundle(): Promise<void> {
  await ensureWorkflowBundle({ say: (line) => void process.stderr.write(`${line}\n`) });
}
