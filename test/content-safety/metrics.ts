/** Reads every metrics endpoint of a start. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../architecture/source-tree.ts';
import type { StackFiles } from './stack-files.ts';

/** Whether this build has processes that serve metrics of their own. */
function servesMetrics(): boolean {
  const config = readFileSync(join(ROOT, 'runtime/config/index.ts'), 'utf8');
  return /\bSERVICE_[A-Z_]*METRICS[A-Z_]*PORT\b/.test(config);
}

function isRefused(error: unknown): boolean {
  return Reflect.get(Object(Reflect.get(Object(error), 'cause')), 'code') === 'ECONNREFUSED';
}

/**
 * The text of each endpoint that the state names. Temporal's must answer always; those of our own processes
 * must answer as soon as the settings know a port for them, and until then nothing listens there.
 */
export async function readMetrics(files: StackFiles): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const ports = Object.entries(files.ports).filter(([name]) => /metrics$/i.test(name));
  for (const [name, port] of ports) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/metrics`);
      if (response.status !== 200) throw new Error(`${name} answers ${response.status}`);
      texts.set(name, await response.text());
    } catch (error) {
      const expected = name === 'temporalMetrics' || servesMetrics();
      if (expected || !isRefused(error)) throw error;
    }
  }
  const qdrant = await fetch(`http://127.0.0.1:${files.ports['qdrant']}/metrics`, {
    headers: { 'api-key': files.secrets.qdrantApiKey },
  });
  texts.set('qdrant', await qdrant.text());
  return texts;
}
