/** Promises of the service that hold for any text, checked on the data of the measurement. */
import { runPass } from '../../bench/passes.ts';
import { statementsOf } from '../../bench/statements.ts';
import { turnsOf } from '../../data/conversation.ts';
import type { LocomoConversation } from '../../data/locomo.ts';
import { none, type Row } from '../report.ts';
import type { Bench, Ingested } from '../service/conversation.ts';

const CONCURRENCY = 8;
const PATIENCE_MS = 900_000;
const QUESTIONS_ASKED = 40;

/** Counts the cited sources that are no messages of the conversation. */
function foreignSources({ messageIds, statements }: Ingested): number {
  const sent = new Set(messageIds);
  const sources = [...statements.values()].flatMap((row) => row.source_message_ids);
  return sources.filter((id) => !sent.has(id)).length;
}

/** Sends the conversation again, first with the same keys and then without; counts what that adds. */
async function replayRows(
  bench: Bench,
  conversation: LocomoConversation,
  first: Ingested,
): Promise<Row[]> {
  const turns = turnsOf(conversation);
  const options = { place: first.place, concurrency: CONCURRENCY, patienceMs: PATIENCE_MS };
  const known = new Set(first.messageIds);
  const name = conversation.conversation_id;
  const keyed = await runPass(bench.client, turns, {
    ...options,
    keyOf: (index) => `${bench.run}-${name}-${index}`,
  });
  const plain = await runPass(bench.client, turns, options);
  const added = (statements: Iterable<string>): number =>
    [...statements].filter((id) => !first.statements.has(id)).length;
  return [
    none('replay by key: messages added', keyed.messageIds.filter((id) => !known.has(id)).length),
    none('replay by key: statements added', added(statementsOf(keyed.statuses).keys())),
    none('plain re-send: statements added', added(statementsOf(plain.statuses).keys())),
    none(
      'plain re-send: not completed',
      plain.statuses.filter(({ status }) => status !== 'completed').length,
    ),
  ];
}

/** Asks the questions of one conversation in the scope of another; every result must belong to that other one. */
async function outOfScope(
  bench: Bench,
  conversations: readonly LocomoConversation[],
  ingested: readonly Ingested[],
): Promise<{ readonly outside: number; readonly answers: number }> {
  let outside = 0;
  let answers = 0;
  for (const [index, here] of ingested.entries()) {
    const own = new Set([...here.statements.keys(), ...here.messageIds]);
    const elsewhere = conversations[(index + 1) % conversations.length];
    for (const { question } of (elsewhere?.questions ?? []).slice(0, QUESTIONS_ASKED)) {
      const found = await bench.client.search(question, here.place.scopePath);
      answers += found.length;
      outside += found.filter(({ id }) => !own.has(id)).length;
    }
  }
  return { outside, answers };
}

/** Every row has the floor 0, except the number of search results, which shows that searches gave results at all. */
export async function contractRows(
  bench: Bench,
  conversations: readonly LocomoConversation[],
  ingested: readonly Ingested[],
): Promise<Row[]> {
  const sent = ingested.reduce((sum, { messageIds }) => sum + messageIds.length, 0);
  const completed = ingested.reduce((sum, one) => sum + one.completed, 0);
  const scopes = await outOfScope(bench, conversations, ingested);
  const [conversation] = conversations;
  const [first] = ingested;
  return [
    none('messages not completed', sent - completed),
    none(
      'sources that were not ingested',
      ingested.reduce((sum, one) => sum + foreignSources(one), 0),
    ),
    { metric: 'search results looked at', value: scopes.answers, digits: 0, floor: 1 },
    none('search results out of scope', scopes.outside),
    ...(conversation === undefined || first === undefined
      ? []
      : await replayRows(bench, conversation, first)),
  ];
}
