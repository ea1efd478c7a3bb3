/** Observations to load a service with: plain sentences, no two the same, over a number of sessions. */

export interface LoadObservation {
  readonly session_id: string;
  readonly scope_path: string;
  readonly peer_key: string;
  readonly content: string;
}

const PEOPLE = ['anna', 'boris', 'chen', 'dora', 'emil', 'farah', 'goran', 'hana'] as const;
const THINGS = [
  'kettle',
  'canoe',
  'ladder',
  'lantern',
  'drill',
  'saddle',
  'easel',
  'anvil',
] as const;
const PLACES = ['Bergen', 'Lima', 'Osaka', 'Tartu', 'Accra', 'Quito', 'Turin', 'Perth'] as const;

function pick<T>(items: readonly [T, ...T[]], index: number): T {
  return items[index % items.length] ?? items[0];
}

/** A source of observations; `run` tells its scope and sessions apart from those of other sources. */
export function createObservations(run: string, sessions: number): () => LoadObservation {
  let count = 0;
  return () => {
    const index = count++;
    const person = pick(PEOPLE, index);
    const thing = pick(THINGS, Math.floor(index / 8));
    const place = pick(PLACES, Math.floor(index / 64));
    return {
      session_id: `load-${run}-${index % sessions}`,
      scope_path: `/bench/${run}`,
      peer_key: person,
      content: `I bought the ${thing} with number ${index} in ${place}.`,
    };
  };
}
