/** The dependencies that the entry point, or a test, gives to the command line. */
import type { Environment } from '../operations/environment/environment.ts';
import type { NumberedLine } from '../operations/promises/tally.ts';

export type Server = 'postgres' | 'temporal' | 'meilisearch' | 'qdrant';

export interface CliContainer {
  readonly environment: Environment;
  close(): Promise<void>;
}

/** What a backup says of itself. */
export interface BackupSummary {
  readonly schema: string;
  readonly app_version: string;
  readonly migration: string;
  readonly started_at: string;
  readonly ended_at: string;
  readonly includes_blobs: boolean;
  readonly counts: Readonly<Record<string, number>>;
}

/** What a restore did beside putting files in their place. */
export interface FinishedSummary {
  readonly accounts: number;
  readonly tokens_ended: number;
  readonly keys_suspended: number;
  readonly runs_started_again: number;
  readonly promises: {
    readonly kinds: Readonly<
      Record<string, { readonly done: number; readonly already: number; readonly unknown: number }>
    >;
  } | null;
  readonly indexes: { readonly units: number; readonly failed: number };
  readonly documents: {
    readonly named: number;
    readonly missing: number;
    readonly removed: number;
  };
  readonly audit: { readonly verified: number; readonly broken_accounts: number };
}

export interface RestoreSummary {
  readonly backup: BackupSummary;
  readonly finished: FinishedSummary;
}

export interface DrillSummary extends RestoreSummary {
  readonly ageSeconds: number;
  readonly faults: readonly string[];
}

/** The installation in the working directory as a whole: its files, beside any operation. */
export interface Installation {
  backUp(output: string): Promise<BackupSummary>;
  /** Restores the backup beside the installation, looks it over, and removes what it made. */
  drill(input: string): Promise<DrillSummary>;
  restore(input: string, lists: readonly string[]): Promise<RestoreSummary>;
}

export interface CliDependencies {
  /** Absent where commands work on a database alone. */
  readonly installation?: Installation;
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
