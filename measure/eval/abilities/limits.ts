/** Checks that long chats, the largest content, and date expressions of every shape are processed without failure. */
import { timed } from '../../bench/timing.ts';
import { waitUntilFinal } from '../../bench/passes.ts';
import { readBeam, type BeamConversation } from '../../data/beam.ts';
import { turnsOf } from '../../data/conversation.ts';
import { readDateExpressions, type DateExpression } from '../../data/temporal.ts';
import { none, type Row } from '../report.ts';
import { ingest, placeOf, type Ability, type Bench } from '../service/conversation.ts';

const MEBIBYTE = 1_048_576;
const PATIENCE_MS = 600_000;
const SOME_MOMENT = '2026-01-15T12:00:00Z';

/** Content of exactly so many bytes, in sentences. */
function contentOf(bytes: number): string {
  const sentence = 'I bought a boat in Oslo last week. ';
  return sentence.repeat(Math.ceil(bytes / sentence.length)).slice(0, bytes);
}

async function sizeRows(bench: Bench): Promise<Row[]> {
  const { scopePath } = placeOf(bench, 'sizes');
  const largest = await bench.accept(scopePath, contentOf(MEBIBYTE));
  const tooLarge = await bench.accept(scopePath, contentOf(MEBIBYTE + 1));
  const done =
    largest.messageId === null
      ? null
      : await waitUntilFinal(bench.client, largest.messageId, performance.now() + PATIENCE_MS);
  return [
    {
      metric: '1 MiB of content: completed',
      value: Number(done?.status === 'completed'),
      digits: 0,
      floor: 1,
    },
    {
      metric: 'one byte more: refused with 413',
      value: Number(tooLarge.status === 413),
      digits: 0,
      floor: 1,
    },
  ];
}

/** Sends BEAM's longest message of a user alone: how long it takes from the request to completed. */
async function longestRow(bench: Bench, conversations: readonly BeamConversation[]): Promise<Row> {
  const [longest] = conversations
    .flatMap(turnsOf)
    .filter(({ role }) => role === 'user')
    .toSorted((a, b) => b.content.length - a.content.length);
  const alone = await timed(() => ingest(bench, 'longest', longest === undefined ? [] : [longest]));
  return {
    metric: `longest message of a user (${longest?.content.length ?? 0} characters), s`,
    value: alone.ms / 1000,
  };
}

async function measureChats(
  bench: Bench,
  conversations: readonly BeamConversation[],
): Promise<readonly Row[]> {
  let sent = 0;
  let completed = 0;
  let told = 0;
  let statements = 0;
  let seconds = 0;
  for (const conversation of conversations) {
    const ingested = await ingest(bench, conversation.conversation_id, turnsOf(conversation));
    sent += ingested.messageIds.length;
    completed += ingested.completed;
    told += conversation.messages.filter(({ role }) => role !== 'assistant').length;
    statements += ingested.statements.size;
    seconds += ingested.seconds;
  }
  return [
    { metric: 'messages', value: sent, digits: 0 },
    none('messages not completed', sent - completed),
    { metric: 'statements per message of a user', value: statements / told, digits: 2 },
    { metric: 'messages/s', value: sent / seconds },
    await longestRow(bench, conversations),
    ...(await sizeRows(bench)),
  ];
}

async function measureExpressions(
  bench: Bench,
  files: readonly (readonly DateExpression[])[],
): Promise<readonly Row[]> {
  const turns = files.flatMap((file, index) =>
    file.map(({ text, reference }) => ({
      sessionId: `file-${index}`,
      speaker: 'Ada',
      occurredAt: reference ?? SOME_MOMENT,
      content: text,
    })),
  );
  const ingested = await ingest(bench, 'expressions', turns);
  return [
    { metric: 'expressions', value: turns.length, digits: 0 },
    none('messages not completed', turns.length - ingested.completed),
  ];
}

export const longChats: Ability = {
  title: 'limits (beam)',
  prepare(dataFolder) {
    const conversations = readBeam(dataFolder);
    return conversations === null ? null : (bench) => measureChats(bench, conversations);
  },
};

export const dateExpressions: Ability = {
  title: 'stress (recognizers-datetime)',
  prepare(dataFolder) {
    const files = readDateExpressions(dataFolder);
    return files === null ? null : (bench) => measureExpressions(bench, files);
  },
};
