/** Lends a service of its own to a measurement, and removes it afterwards. */
import { randomBytes } from 'node:crypto';
import { createClient } from '../../bench/client.ts';
import { contentAcceptor } from './accept.ts';
import type { Bench } from './conversation.ts';
import { untilIndexed } from './quiet.ts';
import { createRetrieval } from './retrieval.ts';
import { startMeasuredService, type MeasuredService } from './stack.ts';

const QUIET_WITHIN_MS = 300_000;

/** Starts the service with these settings, and stops it after the work whatever comes of it. */
export async function withService(
  work: (bench: Bench, service: MeasuredService) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const service = await startMeasuredService(settings);
  try {
    const bench: Bench = {
      client: createClient(service.access),
      accept: contentAcceptor(service.access),
      retrieval: createRetrieval(service.retrieval),
      elsewhere: {
        client: createClient(service.elsewhere.agent),
        retrieval: createRetrieval(service.elsewhere),
      },
      rebuild: () => service.rebuild(),
      addForeign: (units) => service.addForeign(units),
      restart: (changed) => service.restart(changed),
      quiet: () => untilIndexed(service.access.baseUrl, QUIET_WITHIN_MS),
      run: randomBytes(4).toString('hex'),
    };
    await work(bench, service);
  } finally {
    await service.stop();
  }
}
