/** What a start remembers for the next one: ports, generated secrets, and the directory of Postgres. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { EmbeddedError } from './errors.ts';
import type { DataDirectory } from './data-dir.ts';
import { readIfPresent, writePrivateFile } from './private-files.ts';

const port = z.int().min(1).max(65_535).exactOptional();

const stateShape = z.strictObject({
  version: z.literal(1),
  ports: z.strictObject({
    api: port,
    metrics: port,
    workerMetrics: port,
    postgres: port,
    meilisearch: port,
    qdrant: port,
    temporal: port,
    temporalUi: port,
    temporalHttp: port,
    temporalMetrics: port,
  }),
  secrets: z.strictObject({
    /** Password of the cluster's superuser, which owns no table of the service. */
    postgresSuperuser: z.string().min(16),
    /** Written by earlier versions, in which the owner role could log in; no longer used. */
    postgresOwner: z.string().exactOptional(),
    /** For the login role of the running service. */
    postgresApp: z.string().min(16),
    meilisearchMasterKey: z.string().min(16),
    qdrantApiKey: z.string().min(16),
    /** The service's own key (SERVICE_SECRET_KEY of its processes). */
    service: z.string().min(32),
  }),
  /** Set only when Postgres' files are not in `.vouch/postgres`. */
  postgresHome: z.string().startsWith('/').exactOptional(),
});

export type EmbeddedState = z.infer<typeof stateShape>;

/** A fresh state: no ports yet, every secret newly generated (256 bits each). */
export function newState(): EmbeddedState {
  return {
    version: 1,
    ports: {},
    secrets: {
      postgresSuperuser: secret(),
      postgresApp: secret(),
      meilisearchMasterKey: secret(),
      qdrantApiKey: secret(),
      service: secret(),
    },
  };
}

/**
 * The remembered state, or a new one for an empty directory.
 * @throws EmbeddedError when it is unreadable, or missing while data exist: new secrets would lock
 * the service out of its own database.
 */
export function loadState(directory: DataDirectory): EmbeddedState {
  const text = readIfPresent(directory.stateFile);
  if (text === undefined) {
    if (!existsSync(directory.postgresHome)) return newState();
    throw new EmbeddedError(
      `${directory.stateFile} is missing. It has the passwords for the data beside it. Restore the file, or remove ${directory.path} to start without data.`,
    );
  }
  const state = parseState(text);
  if (state !== null) return state;
  throw new EmbeddedError(
    `${directory.stateFile} is damaged. Restore it, or remove ${directory.path} to start without data.`,
  );
}

/** The state that a file holds; null for any other text. */
export function parseState(text: string): EmbeddedState | null {
  try {
    return stateShape.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Writes the state (0600), whole or not at all. */
export function saveState(directory: DataDirectory, state: EmbeddedState): void {
  writePrivateFile(directory.stateFile, `${JSON.stringify(state, null, 2)}\n`);
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}
