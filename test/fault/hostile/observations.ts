/** Observations: long ones, many, and the same again and again. */
import type { Attack } from './scene.ts';
import { HOSTILE_TEXTS } from './texts.ts';

const ACCEPTED = [202];
const SIDE_BY_SIDE = 8;
const SENTENCES_A_MESSAGE = 60;
/** Segments and characters of a segment that a path may have. */
const SEGMENTS = 32;
const SEGMENT_CHARACTERS = 128;

export const TEXTS_ALONE: readonly Attack[] = HOSTILE_TEXTS.map(({ what, make }) => ({
  title: `${what} does not delay other accounts`,
  answers: ACCEPTED,
  async run({ ingest, settings, round }) {
    const content = make(settings.textBytes - 1);
    for (const copy of [1, 2]) {
      await ingest({
        session_id: `text-${round}-${copy}`,
        content: `${content}${copy}`,
      });
    }
  },
}));

export const TEXT_ATTACKS: readonly Attack[] = [
  {
    title: 'long texts of every kind at once do not delay other accounts',
    answers: ACCEPTED,
    run: ({ ingest, eachOf, settings, round }) =>
      eachOf(settings.texts, settings.texts, (at) => {
        const text = HOSTILE_TEXTS[at % HOSTILE_TEXTS.length];
        const content = text?.make(settings.textBytesAtOnce - 8) ?? '';
        return ingest({ session_id: `texts-${round}-${at}`, content: `${content}${at}` });
      }),
  },
  {
    title: 'long texts that expand, in one session at once, do not delay other accounts',
    answers: ACCEPTED,
    run: ({ ingest, eachOf, settings, round }) =>
      eachOf(settings.texts, settings.texts, (at) => {
        const content = '\u3316'.repeat(Math.floor(settings.textBytesAtOnce / 3) - 4);
        return ingest({ session_id: `expanding-${round}`, content: `${content}${at}` });
      }),
  },
];

export const HISTORY_ATTACKS: readonly Attack[] = [
  {
    title: 'the same sentence said again and again does not delay other accounts',
    answers: ACCEPTED,
    run: ({ ingest, eachOf, settings, round }) =>
      eachOf(settings.repeats, SIDE_BY_SIDE, (at) =>
        ingest({
          session_id: `same-${round}-${at % 40}`,
          content: 'I live in the town of Bergen.',
        }),
      ),
  },
  {
    title: 'the same sentence said by very many speakers does not delay other accounts',
    answers: ACCEPTED,
    run: ({ ingest, eachOf, settings, round }) =>
      eachOf(settings.names, SIDE_BY_SIDE, (at) =>
        ingest({
          session_id: `all-${round}-${at % 40}`,
          peer_key: `crowd-${at}`,
          content: 'The canteen of the shipyard opens at noon.',
        }),
      ),
  },
  {
    title: 'a backfill of one session does not delay other accounts',
    answers: ACCEPTED,
    run: ({ ingest, eachOf, settings, round }) =>
      eachOf(settings.backfill, SIDE_BY_SIDE, (at) =>
        ingest({
          session_id: `backfill-${round}`,
          occurred_at: new Date(Date.UTC(2020, 0, 1, 0, at)).toISOString(),
          content: `I mended the lantern number ${at} in Quito.`,
        }),
      ),
  },
  {
    title: 'one speaker with hundreds of sessions does not delay other accounts',
    answers: ACCEPTED,
    run: ({ ingest, eachOf, settings, round }) =>
      eachOf(settings.sessions, SIDE_BY_SIDE, (at) =>
        ingest({
          session_id: `sessions-${round}-${at}`,
          content: `I painted the saddle number ${at} in Turin.`,
        }),
      ),
  },
  {
    title: 'hundreds of statements about one subject in a few messages do not delay other accounts',
    answers: ACCEPTED,
    run: ({ ingest, eachOf, settings, round }) =>
      eachOf(Math.ceil(settings.statements / SENTENCES_A_MESSAGE), 4, (message) => {
        const sentences = Array.from(
          { length: SENTENCES_A_MESSAGE },
          (_, at) => `I own the easel number ${message * SENTENCES_A_MESSAGE + at}-${round}.`,
        );
        return ingest({ session_id: `subject-${round}-${message}`, content: sentences.join(' ') });
      }),
  },
  {
    title: 'hundreds of telephone numbers of one person do not delay other accounts',
    answers: ACCEPTED,
    run: ({ ingest, eachOf, settings, round }) =>
      eachOf(settings.statements, SIDE_BY_SIDE, (at) =>
        ingest({
          session_id: `phones-${round}-${at % 40}`,
          content: `My phone number is +47 55 ${String(round * 10_000 + at).padStart(6, '0')}.`,
        }),
      ),
  },
  {
    title: 'hundreds of scopes and peers do not delay other accounts',
    answers: ACCEPTED,
    run: ({ ingest, eachOf, settings, round }) =>
      eachOf(settings.names, SIDE_BY_SIDE, (at) =>
        ingest({
          session_id: `names-${round}-${at % 40}`,
          scope_path: `/hostile/${round}/${at}/below`,
          peer_key: `somebody-${round}-${at}`,
          content: `I saw somebody-${round}-${at} at the pier number ${at}.`,
        }),
      ),
  },
  {
    title: 'hundreds of repetitions of one request do not delay other accounts',
    answers: [...ACCEPTED, 409],
    run: ({ send, keepUp, round }) =>
      keepUp(64, (at) => {
        const body = { session_id: `twins-${round}`, scope_path: '/hostile', peer_key: 'mallory' };
        return send('/api/v1/ingest', {
          headers: { 'idempotency-key': `twins-${round}-${Math.floor(at / 200)}` },
          body: JSON.stringify({ ...body, content: `I lent the drill ${at % 2} to Emil.` }),
        });
      }),
  },
  {
    // Refused for its form or taken: either is an answer.
    title: 'scope paths of the longest kind do not delay other accounts',
    answers: [...ACCEPTED, 422],
    run: ({ ingest, keepUp, round }) =>
      keepUp(4, (at) => {
        const character = ['a', 'ä', '語', '𝔘'][at % 4] ?? 'a';
        const segment = character.repeat(SEGMENT_CHARACTERS - 8) + String(at).padStart(4, '0');
        return ingest({
          session_id: `${character.repeat(200)}${round}-${at % 10}`,
          scope_path: `/${segment}`.repeat(SEGMENTS),
          peer_key: `${character.repeat(200)}${at % 10}`,
          content: 'I keep the anvil here.',
        });
      }),
  },
];
