/** What the command line is given by its entry point, or by a test. */
import type { Environment } from '../operations/environment.ts';

export type Server = 'postgres' | 'temporal' | 'meilisearch' | 'qdrant';

export interface CliContainer {
  readonly environment: Environment;
  close(): Promise<void>;
}

export interface CliDependencies {
  /** Reaches the named servers, starting embedded ones that stand still, until the container is closed. */
  open(servers: readonly Server[]): Promise<CliContainer>;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  out(text: string): void;
  err(text: string): void;
  now(): Date;
  /** Aborted when the person at the terminal interrupts. */
  readonly signal: AbortSignal;
}
