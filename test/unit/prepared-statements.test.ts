import { describe, expect, test } from '@jest/globals';
import type { Interceptor } from 'slonik';
import { preparedStatements } from '../../stores/postgres/prepared-statements.ts';

type Transform = NonNullable<Interceptor['transformQuery']>;

/** Asks the texts in turn and answers the name that each got. */
function named(interceptor: Interceptor, texts: readonly string[], name?: string) {
  const transform = interceptor.transformQuery as Transform;
  return texts.map((sql) => {
    const query = { sql, values: [], ...(name !== undefined && { name }) };
    return transform({} as Parameters<Transform>[0], query).name;
  });
}

describe('a statement', () => {
  test('is prepared from the third time on, under a name of its own', () => {
    const interceptor = preparedStatements();
    const first = named(interceptor, ['a', 'a', 'a', 'a', 'b', 'a']);
    expect(first.slice(0, 2)).toEqual([undefined, undefined]);
    expect(first[2]).toMatch(/^\w+$/);
    expect(new Set([first[2], first[3], first[5]]).size).toBe(1);
    const second = named(interceptor, ['b', 'b', 'b']);
    expect(second[2]).not.toBe(first[2]);
  });

  test('keeps the name that it was given', () => {
    const interceptor = preparedStatements();
    expect(named(interceptor, ['a', 'a', 'a'], 'own')).toEqual(['own', 'own', 'own']);
  });

  test('that is one of thousands leaves a connection with a bounded number of them', () => {
    const interceptor = preparedStatements();
    const texts = Array.from({ length: 5_000 }, (_, n) => `select ${n}`);
    const names = texts.flatMap((text) => named(interceptor, [text, text, text, text]));
    expect(new Set(names.filter((name) => name !== undefined)).size).toBe(200);
  });
});
