/** The search attributes of every execution, and how a server that lacks them gets them. */
import {
  defineSearchAttributeKey,
  TypedSearchAttributes,
  type SearchAttributePair,
} from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { isGrpcServiceError, type Client } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../domain/actors/names.ts';
import { pause } from '../../engine/async.ts';

const GRPC_ALREADY_EXISTS = 6;
const GRPC_NOT_FOUND = 5;
/** Keyword, in the server's enumeration of value types. */
const KEYWORD = 2;
const DAY_MS = 86_400_000;

const lane = defineSearchAttributeKey('Lane', 'KEYWORD');
const runKind = defineSearchAttributeKey('RunKind', 'KEYWORD');
const accountRef = defineSearchAttributeKey('AccountRef', 'KEYWORD');
const buildShaKey = defineSearchAttributeKey('BuildSha', 'KEYWORD');

export interface ExecutionLabels {
  readonly lane: string;
  readonly runKind: string;
  /** Left out for work on all accounts. */
  readonly accountId?: string;
  /** A commit id, or `dev`. */
  readonly buildSha: string;
}

/** All that apply, for a start call. */
export function searchAttributesOf(labels: ExecutionLabels): TypedSearchAttributes {
  const pairs: SearchAttributePair[] = [
    { key: lane, value: labels.lane },
    { key: runKind, value: labels.runKind },
    { key: buildShaKey, value: labels.buildSha },
  ];
  if (labels.accountId !== undefined) pairs.push({ key: accountRef, value: labels.accountId });
  return new TypedSearchAttributes(pairs);
}

function hasCode(error: unknown, code: number): boolean {
  if (!isGrpcServiceError(error)) return false;
  const actual: number = error.code;
  return actual === code;
}

async function unlessCode(code: number, call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    if (hasCode(error, code)) return false;
    throw error;
  }
}

/**
 * Registers the namespace and the search attributes on a server that this program did not start. May be repeated.
 * Resolves when the namespace can be used. Throws the server's refusal.
 */
export async function ensureNamespaceAndSearchAttributes(
  client: Client,
  options: { readonly retentionDays?: number } = {},
): Promise<void> {
  const { connection } = client;
  const { namespace } = client.options;
  const found = await unlessCode(GRPC_NOT_FOUND, () =>
    connection.workflowService.describeNamespace({ namespace }),
  );
  if (!found) {
    await unlessCode(GRPC_ALREADY_EXISTS, () =>
      connection.workflowService.registerNamespace({
        namespace,
        workflowExecutionRetentionPeriod: msToTs((options.retentionDays ?? 7) * DAY_MS),
      }),
    );
  }
  const searchAttributes = Object.fromEntries(SEARCH_ATTRIBUTES.map((name) => [name, KEYWORD]));
  await retryUntilKnown(() =>
    unlessCode(GRPC_ALREADY_EXISTS, () =>
      connection.operatorService.addSearchAttributes({ namespace, searchAttributes }),
    ),
  );
}

const KNOWN_WITHIN_MS = 20_000;

/** Repeats the call until it succeeds: all parts of the server know a new namespace only some seconds later. */
async function retryUntilKnown(call: () => Promise<unknown>): Promise<void> {
  const giveUpAt = performance.now() + KNOWN_WITHIN_MS;
  for (;;) {
    try {
      await call();
      return;
    } catch (error) {
      const unknown = hasCode(error, GRPC_NOT_FOUND);
      if (!unknown || performance.now() > giveUpAt) throw error;
      await pause(500);
    }
  }
}
