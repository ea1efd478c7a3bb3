/**
 * The declaration of a use-case: its input, its output, its callers and its work. REST, MCP, the console and the
 * command line call it through `execute`; no door holds a rule.
 */
import type { z } from 'zod';
import type { RefusalCode } from '../domain/errors.ts';
import type { Caller } from '../domain/identity/caller.ts';
import type { Environment } from './environment/environment.ts';

/**
 * `public` asks for no credential; `any_identity` for a valid one; `human` for a person who signed in; `erased` for such
 * a person, or for the ended credential that asked to erase one;
 * `account_admin` for an effective account-admin at `/`; `operator` is in-process only (command line).
 */
export type Access = 'public' | 'any_identity' | 'human' | 'erased' | 'account_admin' | 'operator';

/** The effect of a call. It decides the HTTP method, the MCP hints and whether a person has to confirm. */
export type Effect = 'read' | 'write' | 'destroy';

export interface RequestContext<C extends Caller | null = Caller | null> extends Environment {
  readonly caller: C;
  /** The id of the running operation. `execute` sets it. */
  readonly operationId?: string;
  /**
   * Resolves the caller again. The answer is at most 5 s old; it is `unauthorized` if the credential has ended. Absent
   * in process.
   */
  readonly resolveCaller?: () => Promise<Caller>;
  /** 32 lowercase hex. */
  readonly traceId: string;
  readonly now: Date;
  /** The start of the operation in monotonic milliseconds. A repeated read keeps it. */
  readonly startedAt?: number;
  /** Takes the progress of a long operation as one line without content. Absent if the door shows no progress. */
  readonly progress?: (line: string) => void;
  /** Sends a part of the answer before it is complete; absent where the door sends complete answers only. */
  readonly emit?: (event: string, data: unknown) => void;
  /** Aborted when the client disconnects or the process stops. */
  readonly signal: AbortSignal;
  /** A bounded identity of the client's network address, for sign-in limits only. */
  readonly clientAddress: string | null;
  /** Present on writes that carry the header; `path` is the concrete request path. */
  readonly idempotency: { readonly key: string; readonly path: string } | null;
}

type CallerFor<A extends Access> = A extends 'public' | 'operator' ? Caller | null : Caller;

export interface Operation<
  A extends Access = Access,
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
> {
  /** `noun.verb`, stable: audit, metrics and tests name it. */
  readonly id: string;
  readonly access: A;
  readonly effect: Effect;
  /** Whether it may end the credential of its own caller. */
  readonly endsCaller?: boolean;
  /** Says in one line what the operation does, for callers. */
  readonly summary?: string;
  /** Says what a caller must know beyond the summary and the fields. Markdown. */
  readonly description?: string;
  /** Refusals that `run` throws. Those of access, input and transport follow from the other members. */
  readonly refusals?: readonly RefusalCode[];
  readonly input: I;
  readonly output: O;
  run(context: RequestContext<CallerFor<A>>, input: z.output<I>): Promise<z.input<O>>;
}

/** Returns the declaration unchanged, with its types. */
export function defineOperation<A extends Access, I extends z.ZodType, O extends z.ZodType>(
  operation: Operation<A, I, O>,
): Operation<A, I, O> {
  return operation;
}
