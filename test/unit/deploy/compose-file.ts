/** `docker-compose.yml` as data, with its merges resolved. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT } from '../../architecture/source-tree.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const service = z.object({
  image: z.string(),
  build: z.unknown().optional(),
  user: z.string().optional(),
  init: z.boolean().optional(),
  restart: z.string(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  privileged: z.boolean().optional(),
  network_mode: z.string().optional(),
  networks: z.array(z.string()),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  environment: z.record(z.string(), scalar).default({}),
  mem_limit: z.string(),
  stop_grace_period: z.string().optional(),
  logging: z.object({ options: z.object({ 'max-size': z.string(), 'max-file': z.string() }) }),
  healthcheck: z.union([
    z.object({ disable: z.literal(true) }),
    z.object({ test: z.array(z.string()), retries: z.int(), start_period: z.string() }),
  ]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  deploy: z.object({ replicas: z.int() }).optional(),
});
export type ComposeService = z.infer<typeof service>;

const file = z.object({
  services: z.record(z.string(), service),
  networks: z.record(z.string(), z.object({ internal: z.boolean() }).nullable()),
});

export const composeText = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
export const compose = file.parse(parse(composeText, { merge: true }));

export function composeService(name: string): ComposeService {
  const found = compose.services[name];
  if (found === undefined) throw new Error(`no service ${name}`);
  return found;
}

/** Every service that `name` waits for, directly or not. */
export function waitsFor(name: string): ReadonlySet<string> {
  const names = Object.keys(composeService(name).depends_on);
  return new Set(names.flatMap((one) => [one, ...waitsFor(one)]));
}

/** `50s`, `2m` in seconds. */
export function seconds(text: string): number {
  const [, count, unit] = /^(\d+)(s|m)$/.exec(text) ?? [];
  return Number(count) * (unit === 'm' ? 60 : 1);
}

/** `512m`, `2g` in megabytes. */
export function megabytes(text: string): number {
  const [, count, unit] = /^(\d+)(m|g)$/.exec(text) ?? [];
  return Number(count) * (unit === 'g' ? 1024 : 1);
}
