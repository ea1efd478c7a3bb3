/** What a start leaves in its directory: ports, secrets, credentials, the processes that run, the logs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { StackDirectory } from '../../measure/stack.ts';

const state = z.object({
  ports: z.record(z.string(), z.int()),
  secrets: z.object({ meilisearchMasterKey: z.string(), qdrantApiKey: z.string() }),
});
const credentials = z.object({
  admin: z.object({ email: z.string(), password: z.string(), token: z.string() }),
  agent: z.object({ api_key: z.string() }),
});
const children = z.array(
  z.object({ name: z.string(), identity: z.object({ pid: z.int() }).loose() }).loose(),
);

export interface StackFiles {
  readonly ports: Readonly<Record<string, number>>;
  readonly secrets: z.infer<typeof state>['secrets'];
  readonly credentials: z.infer<typeof credentials>;
  /** Temporal's file and what lies beside it. */
  readonly temporalDatabase: readonly string[];
  /** What was promised to people. */
  readonly promises: string;
  /** Every log, rotated ones too. */
  readonly logs: readonly string[];
  /** The process id of a server; null while it does not run. */
  pidOf(name: string): number | null;
}

export function stackFiles(directory: StackDirectory): StackFiles {
  const home = join(directory.path, '.vouch');
  const read = (name: string): unknown => JSON.parse(readFileSync(join(home, name), 'utf8'));
  const { ports, secrets } = state.parse(read('state.json'));
  return {
    ports,
    secrets,
    credentials: credentials.parse(read('credentials.json')),
    promises: join(home, 'promises.jsonl'),
    get temporalDatabase() {
      const names = readdirSync(home).filter((name) => name.startsWith('temporal.db'));
      return names.map((name) => join(home, name));
    },
    get logs() {
      return readdirSync(join(home, 'logs')).map((name) => join(home, 'logs', name));
    },
    pidOf(name) {
      const child = children.parse(read('children.json')).find((one) => one.name === name);
      return child?.identity.pid ?? null;
    },
  };
}
