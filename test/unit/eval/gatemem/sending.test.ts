/** What is sent for an episode, with invented people. */
import { expect, test } from '@jest/globals';
import type { Client, Observation } from '../../../../measure/bench/client.ts';
import type { GatememEpisode, GatememTurn } from '../../../../measure/data/gatemem.ts';
import type { Mapping } from '../../../../measure/eval/gatemem/mapping/structure.ts';
import { ALWAYS } from '../../../../measure/eval/gatemem/mapping/terms.ts';
import {
  SentEpisode,
  type Sender,
  type WrittenCircle,
} from '../../../../measure/eval/gatemem/sending.ts';

const turn = (speaker: string, at: string | null): GatememTurn => ({
  speaker,
  at,
  kind: null,
  text: `${speaker} speaks`,
});
const EPISODE: GatememEpisode = {
  people: [
    { id: 'Ida', role: 'patient', name: 'Ida Holm' },
    { id: 'note', role: 'agent', name: 'Notes' },
  ],
  relations: [],
  turns: [
    turn('Ida', '2030-01-07T09:00'),
    turn('note', '2030-01-07T09:03'),
    turn('Ida', '2030-01-08T09:00'),
  ],
  checkpoints: [],
};
const MAPPING: Mapping = {
  circles: [
    { name: 'always', members: new Map([['note', ALWAYS]]) },
    { name: 'a day', members: new Map([['note', { kind: 'until', day: '2030-01-07' }]]) },
  ],
  addressed: [
    { audience: { peers: ['Ida'], circles: ['a day'] }, rule: 'care' },
    { audience: null, rule: 'broadcast' },
    { audience: null, rule: 'broadcast' },
  ],
};
const PLACE = { scopePath: '/eval/one', session: 'session', prefix: 'Clinic-1' };

function recorder() {
  const observations: (Observation & { audience?: unknown })[] = [];
  const circles: WrittenCircle[] = [];
  const client = {
    ingest: (observation: Observation) => {
      observations.push(observation);
      return Promise.resolve(`message ${observations.length}`);
    },
  };
  const sender: Sender = {
    client: client as unknown as Client,
    putCircle: (circle) => Promise.resolve(void circles.push(circle)),
  };
  return { observations, circles, sender };
}

test('turns are sent in order up to the stop, each once, and found by their ids', async () => {
  const { observations, sender } = recorder();
  const sent = new SentEpisode(EPISODE, PLACE, null);
  expect(await sent.sendUntil(2, sender)).toEqual(['message 1', 'message 2']);
  expect(await sent.sendUntil(3, sender)).toEqual(['message 3']);
  expect(observations.map(({ content }) => content)).toEqual([
    'Ida speaks',
    'note speaks',
    'Ida speaks',
  ]);
  expect([sent.turnOf('message 3'), sent.turnOf('message 4')]).toEqual([2, undefined]);
});

test('a turn names its speaker by a key of the episode, and an agent speaks as an assistant', async () => {
  const { observations, sender } = recorder();
  await new SentEpisode(EPISODE, PLACE, null).sendUntil(2, sender);
  expect(observations[0]).toEqual({
    session_id: 'session',
    scope_path: '/eval/one',
    peer_key: 'clinic-1-ida',
    peer_name: 'Ida Holm',
    occurred_at: '2030-01-07T09:00:00.000Z',
    content: 'Ida speaks',
  });
  expect(observations[1]?.role).toBe('assistant');
});

test('audiences name people by their keys, and a broadcast has none', async () => {
  const { observations, sender } = recorder();
  await new SentEpisode(EPISODE, PLACE, MAPPING).sendUntil(2, sender);
  expect(observations.map(({ audience }) => audience)).toEqual([
    { peers: ['clinic-1-ida'], circles: ['a day'] },
    undefined,
  ]);
});

test('circles are written before the first turn, people join when they appear, and leave when a membership has ended', async () => {
  const { circles, sender } = recorder();
  const sent = new SentEpisode(EPISODE, PLACE, MAPPING);
  const written = (): readonly unknown[] =>
    circles.splice(0).map(({ members, name, scope_path: at }) => [at, name, members]);
  await sent.sendUntil(1, sender);
  expect(written()).toEqual([
    ['/eval/one', 'always', []],
    ['/eval/one', 'a day', []],
  ]);
  await sent.sendUntil(2, sender);
  expect(written()).toEqual([
    ['/eval/one', 'always', ['clinic-1-note']],
    ['/eval/one', 'a day', ['clinic-1-note']],
  ]);
  await sent.sendUntil(3, sender);
  expect(written()).toEqual([['/eval/one', 'a day', []]]);
});

test('turns without times follow each other in order', async () => {
  const { observations, sender } = recorder();
  const timeless = { ...EPISODE, turns: EPISODE.turns.map((one) => ({ ...one, at: null })) };
  await new SentEpisode(timeless, PLACE, null).sendUntil(3, sender);
  const instants = observations.map(({ occurred_at }) => Date.parse(occurred_at));
  expect(instants.every(Number.isFinite)).toBe(true);
  expect(instants).toEqual(instants.toSorted((a, b) => a - b));
  expect(new Set(instants).size).toBe(3);
});
