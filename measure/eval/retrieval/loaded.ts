/** Conversations of the ranking sets as the service got them, and the ids that it gave their messages. */
import { runPass, type Place } from '../../bench/passes.ts';
import type { Client } from '../../bench/client.ts';
import type { Turn } from '../../data/conversation-file.ts';
import type { CorpusConversation } from '../rank/corpus.ts';
import { placeOf, type Bench } from '../service/conversation.ts';

export interface Loaded {
  readonly conversation: CorpusConversation;
  readonly place: Place;
  /** The set's id of each message that was sent, by the id that the service gave it. */
  readonly ids: ReadonlyMap<string, string>;
  readonly completed: number;
}

const CONCURRENCY = 8;
const PATIENCE_MS = 900_000;
/** Passages of a text have no speaker and no day, but the service asks for both. */
const READER_ALOUD = 'narrator';
const SOME_MOMENT = '2026-01-15T12:00:00.000Z';

/** The messages in the form in which they are sent. Only a chat with an assistant has roles. */
export function turnsOf({ messages, style }: CorpusConversation): Turn[] {
  return messages.map(({ session, speaker, at, content }) => ({
    sessionId: session,
    speaker: style === 'passages' ? READER_ALOUD : speaker,
    ...(style === 'assistant' ? { role: speaker } : {}),
    occurredAt: style === 'passages' ? SOME_MOMENT : new Date(at).toISOString(),
    content,
  }));
}

export interface LoadOptions {
  /** The scope; the conversation's own unless given. */
  readonly scope?: string;
  /** Keeps the sessions of several loads of one conversation apart. */
  readonly name?: string;
  readonly client?: Client;
  /** Begins the Idempotency-Keys, by message; none unless given. */
  readonly keys?: string;
}

/** Sends the messages in this order (sessions side by side) and waits until each is extracted; not until it is indexed. */
export async function load(
  bench: Bench,
  conversation: CorpusConversation,
  { client = bench.client, keys, name = conversation.name, scope = name }: LoadOptions = {},
): Promise<Loaded> {
  const place: Place = {
    scopePath: placeOf(bench, scope).scopePath,
    sessionPrefix: placeOf(bench, `${scope}-${name}`).sessionPrefix,
  };
  const { messages } = conversation;
  const pass = await runPass(client, turnsOf(conversation), {
    place,
    concurrency: CONCURRENCY,
    patienceMs: PATIENCE_MS,
    ...(keys === undefined
      ? {}
      : { keyOf: (index) => `${keys}-${conversation.name}-${messages[index]?.id}` }),
  });
  return {
    conversation,
    place,
    ids: new Map(pass.messageIds.map((id, index) => [id, messages[index]?.id ?? ''] as const)),
    completed: pass.statuses.filter(({ status }) => status === 'completed').length,
  };
}
