/**
 * Reading what Qdrant answers to searches, by hand: they bring hundreds of hits, and a schema that looks at each costs
 * more than their ranking does. A list that is none throws, because whatever else answers at the address must not pass
 * for hits. Errors name a field and no value.
 */

/** The field of what may be anything. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** The list, which is called so in the error of an answer without it. */
export function listOf(value: unknown, called: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new TypeError(`Qdrant answered no list of ${called}`);
}

/** The answers to this number of searches. */
export function answersTo(searches: number, answer: unknown): readonly unknown[] {
  const answers = listOf(answer, 'answers');
  if (answers.length === searches) return answers;
  throw new RangeError('Qdrant left searches without an answer');
}

/** The score of a hit; JSON may name numbers that have no end. */
export function scoreOf(hit: unknown): number {
  const score = fieldOf(hit, 'score');
  if (typeof score === 'number' && Number.isFinite(score)) return score;
  throw new TypeError('Qdrant answered a hit without a score');
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What a point holds, which may be anything. */
export function payloadOf(point: unknown): unknown {
  if (typeof point === 'object' && point !== null && 'payload' in point) return point.payload;
  throw new TypeError('Qdrant answered a point that is none');
}

/** The vector of that name that the point was answered with; null where it has none that is made of numbers. */
export function vectorOf(point: unknown, name: string): readonly number[] | null {
  const vector = fieldOf(fieldOf(point, 'vector'), name);
  return Array.isArray(vector) && vector.every((number) => typeof number === 'number')
    ? vector
    : null;
}

/** The unit that a point is of; null where its payload names none. */
export function sourceOf(point: unknown): string | null {
  const id = fieldOf(payloadOf(point), 'source_id');
  return typeof id === 'string' && ID.test(id) ? id : null;
}
