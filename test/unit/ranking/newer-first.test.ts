import { describe, expect, test } from '@jest/globals';
import { newerFirst } from '../../../domain/ranking/newer-first.ts';

const item = (id: string, score: number) => ({ id, score, contributions: [] });
const list = [item('a', 0.9), item('b', 0.8), item('c', 0.5), item('d', 0.1)];

function order(endings: Readonly<Record<string, string>>) {
  return newerFirst(list, (id) => endings[id] ?? null).map(({ id, score }) => `${id} ${score}`);
}

describe('a statement that a newer one ended', () => {
  test('comes right after it, and the newer one takes its score', () => {
    expect(order({ a: 'd' })).toEqual(['d 0.9', 'a 0.9', 'b 0.8', 'c 0.5']);
  });

  test('comes after a whole chain of newer ones', () => {
    expect(order({ a: 'c', c: 'd' })).toEqual(['d 0.9', 'c 0.9', 'a 0.9', 'b 0.8']);
  });

  test('stays where it is behind a better one, or without the newer one', () => {
    expect(order({ d: 'a' })).toEqual(['a 0.9', 'b 0.8', 'c 0.5', 'd 0.1']);
    expect(order({ b: 'missing' })).toEqual(['a 0.9', 'b 0.8', 'c 0.5', 'd 0.1']);
  });

  test('is listed once, also in a circle', () => {
    expect(order({ a: 'b', b: 'a' })).toHaveLength(4);
  });
});
