/** Sends the turns of an episode as an application would: one scope, one session, and whom each turn is for. */
import type { Client, Observation } from '../../bench/client.ts';
import type { GatememEpisode, GatememTurn } from '../../data/gatemem.ts';
import { dayAfter, membersOn } from './mapping/may-read.ts';
import { AGENT } from './mapping/roles.ts';
import type { Audience, Mapping } from './mapping/structure.ts';

/** Turns of episodes that name no times are this far apart, from a day of their own on. */
const BETWEEN_TURNS_MS = 180_000;
const FIRST_TURN = Date.UTC(2026, 0, 5, 9);

export interface EpisodePlace {
  readonly scopePath: string;
  readonly session: string;
  /** Begins the keys of its peers, so that two episodes share no person. */
  readonly prefix: string;
}

export interface SentAudience {
  readonly peers: readonly string[];
  readonly circles: readonly string[];
}

/** A circle as it is written: the whole list of its members. */
export interface WrittenCircle {
  readonly scope_path: string;
  readonly name: string;
  readonly members: readonly string[];
}

/** The key of a person of the episode. */
export function peerKey({ prefix }: EpisodePlace, id: string): string {
  return `${prefix}-${id}`.toLowerCase();
}

function instantOf({ at }: GatememTurn, place: number): string {
  return at === null
    ? new Date(FIRST_TURN + place * BETWEEN_TURNS_MS).toISOString()
    : new Date(`${at}Z`).toISOString();
}

function sentAudience(place: EpisodePlace, { circles, peers }: Audience): SentAudience {
  return { peers: peers.map((id) => peerKey(place, id)), circles };
}

/** The observation of a turn, with its audience where the turns have some. */
export function observationOf(
  episode: GatememEpisode,
  place: EpisodePlace,
  turn: number,
  mapping: Mapping | null,
): Observation & { readonly peer_name: string; readonly audience?: SentAudience } {
  const said = episode.turns[turn];
  if (said === undefined) throw new RangeError(`an episode has no turn ${turn}`);
  const person = episode.people.find(({ id }) => id === said.speaker);
  const audience = mapping?.addressed[turn]?.audience ?? null;
  return {
    session_id: place.session,
    scope_path: place.scopePath,
    peer_key: peerKey(place, said.speaker),
    peer_name: person?.name ?? said.speaker,
    ...(person?.role === AGENT ? { role: 'assistant' } : {}),
    occurred_at: instantOf(said, turn),
    content: said.text,
    ...(audience === null ? {} : { audience: sentAudience(place, audience) }),
  };
}

export interface Sender {
  readonly client: Client;
  /** Writes the members of a circle. */
  readonly putCircle: (circle: WrittenCircle) => Promise<void>;
}

/** One episode on its way: which turns have been sent, under which ids. */
export class SentEpisode {
  readonly episode: GatememEpisode;
  readonly place: EpisodePlace;
  readonly mapping: Mapping | null;
  readonly messageIds: string[] = [];
  readonly #turns = new Map<string, number>();
  readonly #written = new Map<string, string>();
  /** People of whom the service knows: they have spoken, or a turn was for them. */
  readonly #known = new Set<string>();

  constructor(episode: GatememEpisode, place: EpisodePlace, mapping: Mapping | null) {
    this.episode = episode;
    this.place = place;
    this.mapping = mapping;
  }

  turnOf(messageId: string): number | undefined {
    return this.#turns.get(messageId);
  }

  /** Sends the turns up to this number of them, in their order. Answers the new message ids. */
  async sendUntil(count: number, sender: Sender): Promise<readonly string[]> {
    const from = this.messageIds.length;
    for (let turn = from; turn < count; turn += 1) {
      await this.#writeCircles(turn, sender);
      const observation = observationOf(this.episode, this.place, turn, this.mapping);
      const id = await sender.client.ingest(observation);
      this.messageIds.push(id);
      this.#turns.set(id, turn);
      this.#meet(turn);
    }
    await this.#writeCircles(count - 1, sender);
    return this.messageIds.slice(from);
  }

  #meet(turn: number): void {
    const speaker = this.episode.turns[turn]?.speaker;
    const named = this.mapping?.addressed[turn]?.audience?.peers ?? [];
    for (const id of speaker === undefined ? named : [speaker, ...named]) this.#known.add(id);
  }

  /**
   * Writes the circles whose members are others on the day of the turn. A circle takes only people whom the service knows,
   * so they join when they first appear, and read the earlier turns too.
   */
  async #writeCircles(turn: number, { putCircle }: Sender): Promise<void> {
    const day = dayAfter(this.episode.turns, turn + 1);
    for (const circle of this.mapping?.circles ?? []) {
      const members = membersOn(circle, day)
        .filter((id) => this.#known.has(id))
        .map((id) => peerKey(this.place, id));
      const listed = members.join(' ');
      if (this.#written.get(circle.name) === listed) continue;
      await putCircle({ scope_path: this.place.scopePath, name: circle.name, members });
      this.#written.set(circle.name, listed);
    }
  }
}
