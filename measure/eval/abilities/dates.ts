/** Relative dates: compares the windows of statements with the intervals that people read from the messages. */
import { readDatedMessages, type DatedMessage } from '../../data/temporal.ts';
import { intervalOf, isExact, namesATime, overlap, type Interval } from '../metrics/dates.ts';
import { none, type Row } from '../report.ts';
import { ingest, type Ability, type Bench } from '../service/conversation.ts';

const HALF = 0.5;

function goldOf({ from, until }: DatedMessage): Interval {
  return { from: Date.parse(from), until: Date.parse(until) };
}

/** A message counts when one of its statements has the right window, because its text may name several times. */
async function measure(bench: Bench, messages: readonly DatedMessage[]): Promise<readonly Row[]> {
  const turns = messages.map(({ reference, speaker, content }, index) => ({
    // Each message has a session of its own, because the same message may come twice.
    sessionId: `message-${index}`,
    speaker,
    occurredAt: reference,
    content,
  }));
  const ingested = await ingest(bench, 'dates', turns);
  const read = messages.map((message, index) => ({
    message,
    windows: (ingested.statuses[index]?.knowledge ?? []).flatMap(
      (row) => intervalOf(row.relevant_from, row.relevant_until) ?? [],
    ),
  }));
  const cued = read.filter(({ message }) => message.has_cue);
  const share = (holds: (found: Interval, gold: Interval) => boolean): number =>
    (100 *
      cued.filter(({ message, windows }) =>
        windows.some((window) => holds(window, goldOf(message))),
      ).length) /
    cued.length;
  const cueless = read.filter(({ message }) => !message.has_cue && !namesATime(message.content));
  return [
    { metric: 'messages with a cue', value: cued.length, digits: 0 },
    { metric: 'exact %', value: share(isExact), floor: 65, target: 75 },
    {
      metric: 'overlap of at least half %',
      value: share((found, gold) => overlap(found, gold) >= HALF),
      floor: 87,
      target: 92,
    },
    none(
      `windows on ${cueless.length} messages without any word of time`,
      cueless.filter(({ windows }) => windows.length > 0).length,
    ),
    none('messages not completed', messages.length - ingested.completed),
  ];
}

export const dates: Ability = {
  title: 'dates (locomo-temporal)',
  prepare(dataFolder) {
    const messages = readDatedMessages(dataFolder);
    return messages === null ? null : (bench) => measure(bench, messages);
  },
};
