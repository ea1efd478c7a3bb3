/**
 * Sends episodes side by side and stops at every checkpoint. In a round each episode goes on to its next stop, so that one
 * wait for the indexes serves all of them.
 */
import { waitUntilFinal } from '../../bench/passes.ts';
import { forEachOf } from '../../bench/timing.ts';
import type { Access } from '../../bench/client.ts';
import type { GatememCheckpoint } from '../../data/gatemem.ts';
import { evidenceFor } from './asking.ts';
import type { Evidence } from './evidence.ts';
import { peerKey, type Sender, type SentEpisode } from './sending.ts';

const CONCURRENCY = 4;
const PATIENCE_MS = 300_000;
/** Statements of a search, and messages of a source search: a page. */
export const PAGE = 12;

export interface Asked {
  readonly sent: SentEpisode;
  readonly checkpoint: GatememCheckpoint;
  readonly evidence: Evidence;
}

export interface Ground {
  readonly sender: Sender;
  /** The key with which the application asks. */
  readonly access: Access;
  readonly includesQuestions: boolean;
  /** Returns once everything is extracted and indexed. */
  readonly quiet: () => Promise<void>;
  readonly say: (line: string) => void;
}

export interface Outcome {
  readonly asked: readonly Asked[];
  readonly notCompleted: number;
}

function stopsOf({ episode }: SentEpisode): number[] {
  return [...new Set(episode.checkpoints.map(({ after }) => after))];
}

async function ask(
  { access, includesQuestions }: Ground,
  sent: SentEpisode,
  checkpoint: GatememCheckpoint,
): Promise<Asked> {
  const question = {
    text: checkpoint.question,
    scopePath: sent.place.scopePath,
    reader: peerKey(sent.place, checkpoint.asker),
    limit: PAGE,
    includesQuestions,
  };
  const evidence = await evidenceFor(access, question, (id) => sent.turnOf(id));
  return { sent, checkpoint, evidence };
}

/** Sends every episode to its stop of the round; answers how many messages were not completed. */
async function sendRound(
  { quiet, sender }: Ground,
  stops: readonly { readonly sent: SentEpisode; readonly stop: number }[],
): Promise<number> {
  const ids: string[] = [];
  await forEachOf(stops, CONCURRENCY, async ({ sent, stop }) => {
    ids.push(...(await sent.sendUntil(stop, sender)));
  });
  const deadline = performance.now() + PATIENCE_MS;
  let missing = 0;
  await forEachOf(ids, CONCURRENCY, async (id) => {
    const { status } = await waitUntilFinal(sender.client, id, deadline);
    if (status !== 'completed') missing += 1;
  });
  await quiet();
  return missing;
}

/** Asks every checkpoint of the episodes as its asker, when no more than it may know has been sent. */
export async function askAtStops(
  ground: Ground,
  episodes: readonly SentEpisode[],
): Promise<Outcome> {
  const asked: Asked[] = [];
  let notCompleted = 0;
  const rounds = Math.max(...episodes.map((sent) => stopsOf(sent).length));
  for (let round = 0; round < rounds; round += 1) {
    const stops = episodes.flatMap((sent) => {
      const stop = stopsOf(sent)[round];
      return stop === undefined ? [] : [{ sent, stop }];
    });
    notCompleted += await sendRound(ground, stops);
    const due = stops.flatMap(({ sent, stop }) =>
      sent.episode.checkpoints
        .filter(({ after }) => after === stop)
        .map((checkpoint) => ({ sent, checkpoint })),
    );
    await forEachOf(due, CONCURRENCY, async ({ sent, checkpoint }) => {
      asked.push(await ask(ground, sent, checkpoint));
    });
    ground.say(`  stop ${round + 1} of ${rounds}: ${asked.length} checkpoints asked`);
  }
  return { asked, notCompleted };
}
