/** The dependencies that the entry point, or a test, gives to the command line. */
import type { Environment } from '../operations/environment/environment.ts';
import type { NumberedLine } from '../operations/promises/tally.ts';

export type Server = 'postgres' | 'temporal' | 'meilisearch' | 'qdrant';

export interface CliContainer {
  readonly environment: Environment;
  close(): Promise<void>;
}

export interface CliDependencies {
  /** Opens the named servers until the container is closed; embedded servers that do not run are started. */
  open(servers: readonly Server[]): Promise<CliContainer>;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  out(text: string): void;
  err(text: string): void;
  now(): Date;
  /** The key in PEM that signs receipts of erasures, as `SERVICE_RECEIPT_KEY_FILE` has it; made where it is missing. */
  receiptKeyPem(): Promise<string>;
  /** The lines of lists of promises, in their order. Opens each file when its turn comes. */
  promiseLines(paths: readonly string[]): AsyncIterable<NumberedLine>;
  /** Aborted when the person at the terminal interrupts. */
  readonly signal: AbortSignal;
}
