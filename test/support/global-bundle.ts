/**
 * The workflow bundle of a whole test run: what workers load is what is tested. Programs are bundled by the tests that start
 * them, because their bundles change with every source.
 */
import { ensureBundles } from '../../runtime/start/bundle.ts';

export default async function buildBundle(): Promise<void> {
  await ensureBundles({
    needsPrograms: false,
    say: (line) => void process.stderr.write(`${line}\n`),
  });
}
