/** What a test file and the process of the service say to each other, over the channel of the process. */
import { Refusal, type FieldProblem, type RefusalCode } from '../../../domain/errors.ts';
import type { FirstAccount } from './running.ts';

export interface Started {
  readonly url: string;
  readonly adminUrl: string;
  readonly first: FirstAccount;
}

/** What the process is asked for. */
export type Ask =
  | { readonly do: 'start'; readonly settings: Readonly<Record<string, string>> }
  | { readonly do: 'operate'; readonly id: string; readonly input: unknown }
  | { readonly do: 'open-door' }
  | { readonly do: 'errors' }
  | { readonly do: 'close' };

/** How a call ended that did not succeed. */
export type Failure =
  | {
      readonly refused: RefusalCode;
      readonly fields: readonly FieldProblem[] | null;
      readonly retryAfterSeconds: number | null;
    }
  | { readonly failed: string };

export interface Asked {
  readonly call: number;
  readonly ask: Ask;
}

export type Answered =
  | { readonly call: number; readonly value: unknown }
  | { readonly call: number; readonly failure: Failure };

export function failureOf(error: unknown): Failure {
  if (error instanceof Refusal) {
    const { code: refused, fields, retryAfterSeconds } = error;
    return { refused, fields, retryAfterSeconds };
  }
  return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

/** The error that a failed call threw, or one that quotes it. */
export function errorOf(failure: Failure): Error {
  if ('failed' in failure) return new Error(`in the process of the service: ${failure.failed}`);
  const { refused, fields, retryAfterSeconds } = failure;
  return new Refusal(refused, {
    ...(fields === null ? {} : { fields }),
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
  });
}
