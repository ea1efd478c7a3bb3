/** A provider that misbehaves for some texts, and what an account says, or searches for, to make it. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { MISDEEDS } from './misdeeds.ts';
import type { Attack } from './scene.ts';
import type { HostileSettings } from './settings.ts';

const PROGRAM = fileURLToPath(new URL('./provider-process.ts', import.meta.url));
/** What the service waits for an answer, so that a test can wait for it too. */
const PATIENCE_MS = 4_000;
/**
 * How long the circuit of the attacking account keeps calls back. Every misdeed opens it, and what was sent has a
 * status only after the next probes: at the usual thirty seconds an attack would wait for a minute and a half.
 */
const CIRCUIT_OPEN_S = 3;
const SIDE_BY_SIDE = 8;

export interface HostileProvider {
  /** Settings that make a start extract and rerank through it. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): void;
}

export async function startHostileProvider({
  candidates,
}: HostileSettings): Promise<HostileProvider> {
  const child = fork(PROGRAM, [String(candidates)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const baseUrl = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8').trim()));
    child.once('exit', () => reject(new Error('the hostile provider ended')));
  });
  return {
    environment: {
      SERVICE_MODEL_INGEST_EXTRACTOR: 'openai-compatible:hostile',
      SERVICE_MODEL_INGEST_EXTRACTOR_BASE_URL: baseUrl,
      SERVICE_MODEL_INGEST_EXTRACTOR_TIMEOUT_MS: String(PATIENCE_MS),
      SERVICE_CIRCUIT_OPEN_SECONDS: String(CIRCUIT_OPEN_S),
      SERVICE_MODEL_EMBEDDER: 'deterministic',
      SERVICE_MODEL_RERANKER: 'openai-compatible:hostile',
      SERVICE_MODEL_RERANKER_BASE_URL: baseUrl,
    },
    stop: () => void child.kill(),
  };
}

const ACCEPTED = [202];

/**
 * What needs texts that can be extracted comes first: an account whose texts fail for good has its circuit open most of
 * the time, and its other texts wait for the probes between.
 */
export const PROVIDER_ATTACKS: readonly Attack[] = [
  ...Object.entries(MISDEEDS).map(([word, what]): Attack => ({
    title: `searches for which the reranker ${what} do not delay other accounts`,
    answers: [200, 202, 429, 503],
    async run({ ingest, send, keepUp, eachOf, round }) {
      await eachOf(8, 4, (at) =>
        ingest({ session_id: `ranked-${round}`, content: `I sold the canoe ${word}${at}.` }),
      );
      const query = `who sold the canoe, please ${word}`;
      const body = JSON.stringify({ scope_path: '/hostile', query, profile: 'thorough' });
      await keepUp(SIDE_BY_SIDE, () => send('/api/v1/search', { body }));
    },
  })),
  {
    title: 'a backfill that begins with texts that hang does not delay other accounts',
    answers: ACCEPTED,
    run: ({ ingest, eachOf, settings, round }) =>
      eachOf(settings.backfill / 2, SIDE_BY_SIDE, (at) =>
        ingest({
          session_id: `hanging-${round}-${at % 8}`,
          content: at < 8 ? 'I say please hang.' : `I sold the canoe number ${at} in Lima.`,
        }),
      ),
  },
  ...Object.entries(MISDEEDS).map(([word, what]): Attack => ({
    title: `texts for which the provider ${what} do not delay other accounts`,
    answers: ACCEPTED,
    run: ({ ingest, eachOf, round }) =>
      eachOf(3, 3, (at) =>
        ingest({ session_id: `${word}-${round}-${at}`, content: `I say please ${word} ${at}.` }),
      ),
  })),
  {
    title: 'hundreds of polls for a text that hangs do not disturb other accounts',
    answers: [200, 202, 429, 503],
    async run({ send, eachOf, settings, round }) {
      const { text } = await send('/api/v1/ingest', {
        body: JSON.stringify({
          session_id: `polled-${round}`,
          scope_path: '/hostile',
          peer_key: 'mallory',
          content: 'I say please hang.',
        }),
      });
      const id = /[0-9a-f-]{36}/.exec(text)?.[0];
      await eachOf(settings.polls, settings.polls, () =>
        send(`/api/v1/ingest/${id}?wait_ms=10000`),
      );
    },
  },
];
