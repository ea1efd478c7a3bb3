/** A service that runs for tests, here or in a process of its own. */
import type { z } from 'zod';
import type { Operation } from '../../../operations/operation.ts';

/** The first account, and what its administrator was born with. */
export interface FirstAccount {
  readonly accountId: string;
  readonly token: string;
  readonly expiresAt: string;
}

export interface Running {
  readonly url: string;
  /** A superuser's address of its database. */
  readonly adminUrl: string;
  readonly first: FirstAccount;
  /** Runs an operation in the process of the service, as the command line does. */
  operate<O extends Operation>(operation: O, input: unknown): Promise<z.output<O['output']>>;
  /** Opens the door of another process on the same servers, with connections and memory of its own. */
  openDoor(): Promise<string>;
  /** Log events of level error so far, oldest first. */
  errors(): Promise<readonly string[]>;
  close(): Promise<void>;
}
