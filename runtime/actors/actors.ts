/**
 * The calls that the rest of the program may make to actors. It gets this small port instead of the Temporal client,
 * so that ids, queues and search attributes are chosen here only.
 */
import { isGrpcServiceError, type Client } from '@temporalio/client';
import {
  MAILBOX_ACTORS,
  mailboxWorkflowId,
  workflowQueue,
  type Mailbox,
} from '../../domain/actors/names.ts';
import { within } from '../../engine/async.ts';
import { counters } from '../../domain/workflow-history/safe-text.ts';
import type { MailboxActorStart } from '../../workflows/mailbox/messages.ts';
import { searchAttributesOf } from './search-attributes.ts';

/**
 * Whether Temporal serves the namespace: `away` when it cannot be reached, `lacking` when it does not know the
 * namespace, `refusing` when it declines.
 */
export type TemporalState = 'serving' | 'lacking' | 'refusing' | 'away';

export interface Actors {
  /** Signals the actor of the mailbox that work may wait, and starts it when it sleeps. Throws Temporal's error. */
  ring(mailbox: Mailbox, deadlineMs: number): Promise<void>;
  probe(deadlineMs: number): Promise<TemporalState>;
}

export interface ActorsOptions {
  readonly client: Client;
  readonly queuePrefix: string;
  /** A commit id, or `dev`. */
  readonly buildSha: string;
}

/** gRPC codes: deadline exceeded, unavailable. */
const AWAY_CODES: readonly number[] = [4, 14];
const NOT_FOUND = 5;

/** Thrown when Temporal did not answer in time. */
export class ActorsOverdue extends Error {
  override readonly name = 'TimeoutError';
}

/** Makes `call` within `ms`, on the client's connection. The client bounds its calls, but not the time to connect. */
export function boundedCall<T>(client: Client, ms: number, call: () => Promise<T>): Promise<T> {
  return within(ms, client.connection.withDeadline(Date.now() + ms, call), () => {
    throw new ActorsOverdue('overdue');
  });
}

function stateByError(error: unknown): TemporalState {
  if (error instanceof ActorsOverdue) return 'away';
  // The client wraps the error of gRPC.
  const grpc = isGrpcServiceError(error) ? error : Reflect.get(Object(error), 'cause');
  if (!isGrpcServiceError(grpc)) return 'refusing';
  const code: number = grpc.code;
  if (AWAY_CODES.includes(code)) return 'away';
  return code === NOT_FOUND ? 'lacking' : 'refusing';
}

/** The actors behind `client`. */
export function createActors({ client, queuePrefix, buildSha }: ActorsOptions): Actors {
  const bounded = <T>(ms: number, call: () => Promise<T>): Promise<T> =>
    boundedCall(client, ms, call);

  return {
    async ring(mailbox, deadlineMs) {
      const { accountId, kind, shard } = mailbox;
      const { workflowType, signal, runKind } = MAILBOX_ACTORS[kind];
      const start: MailboxActorStart = { accountId, shard, carried: null };
      await bounded(deadlineMs, () =>
        client.workflow.signalWithStart(workflowType, {
          workflowId: mailboxWorkflowId(mailbox),
          taskQueue: workflowQueue(queuePrefix),
          args: [start],
          signal,
          staticSummary: counters({ shard }),
          // Temporal's list shows these start values; the current details show the actor's progress.
          staticDetails: counters({ shard, drains: 0, ok: 0 }),
          typedSearchAttributes: searchAttributesOf({ lane: kind, runKind, accountId, buildSha }),
        }),
      );
    },
    async probe(deadlineMs) {
      try {
        const { namespace } = client.options;
        await bounded(deadlineMs, () =>
          client.connection.workflowService.describeNamespace({ namespace }),
        );
        return 'serving';
      } catch (error) {
        return stateByError(error);
      }
    },
  };
}
