import { describe, expect, test } from '@jest/globals';
import {
  relationScores,
  type Relations,
  type SharedName,
} from '../../../domain/entities/relations.ts';
import type { QueryEntity } from '../../../domain/entities/resolution.ts';
import {
  entityScores,
  MOST_ENTITIES,
  MOST_ROWS_OF_ENTITY,
} from '../../../domain/entities/scores.ts';

const entity = (alias: string, ids: readonly string[], statements = ids.length): QueryEntity => ({
  names: [{ scopeId: 's', asked: alias, alias, statements, isSure: true, statementIds: ids }],
});

const ids = (n: number): string[] => Array.from({ length: n }, (_, at) => `k${at}`);

describe('the score of a statement by entities', () => {
  test('is its share of the rarity of the entities that the query names', () => {
    const rare = Math.log(1 + 100 / 1);
    const common = Math.log(1 + 100 / 2);
    const scores = entityScores([entity('acme', ['a']), entity('bob', ['a', 'b'])], 100);
    expect(scores.get('a')).toBeCloseTo(1);
    expect(scores.get('b')).toBeCloseTo(common / (rare + common));
  });

  test('counts a statement of both names of an entity once', () => {
    const anna: QueryEntity = {
      names: [...entity('anna', ['a']).names, ...entity('anna smith', ['a', 'b']).names],
    };
    expect([...entityScores([anna], 100)]).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
  });

  test('leaves out an entity with more statements than can be listed', () => {
    expect(entityScores([entity('anna', ids(MOST_ROWS_OF_ENTITY))], 1_000).size).toBe(25);
    expect(entityScores([entity('anna', [], MOST_ROWS_OF_ENTITY + 1)], 1_000).size).toBe(0);
  });

  test('leaves out an entity of more than half of a corpus of twenty statements', () => {
    expect(entityScores([entity('anna', ids(11))], 20).size).toBe(0);
    expect(entityScores([entity('anna', ids(10))], 20).size).toBe(10);
    expect(entityScores([entity('anna', ids(11))], 19).size).toBe(11);
  });

  test('weighs all entities alike for a reader without frequencies', () => {
    const scores = entityScores([entity('acme', ['a']), entity('bob', ['a', 'b'])], null);
    expect(scores.get('b')).toBe(0.5);
  });

  test('reads the first entities of a query alone, and is nothing without any', () => {
    const many = Array.from({ length: MOST_ENTITIES + 3 }, (_, n) => entity(`x${n}`, [`k${n}`]));
    expect(entityScores(many, 100).size).toBe(MOST_ENTITIES);
    expect(entityScores([], 100).size).toBe(0);
    expect([...entityScores([entity('acme', ['a'])], 0).values()]).toEqual([1]);
  });
});

const shared = (ofId: string, alias: string, mentioning: readonly string[]): SharedName => ({
  ofId,
  ofScopeId: 's',
  alias,
  statements: mentioning.length,
  mentioning: mentioning.map((id) => ({ id, scopeId: id.startsWith('far') ? 'linked' : 's' })),
});

const relations = (given: Partial<Relations>): Relations => ({
  shared: [],
  updates: [],
  units: 100,
  linkedScopeIds: new Set(),
  ...given,
});

describe('the score of a neighbour', () => {
  const contracts = [
    { id: 'a', score: 0.8 },
    { id: 'b', score: 0.4 },
  ];

  test('is the share of the entities of a found statement, times how well that one was found', () => {
    const scores = relationScores(
      contracts,
      relations({ shared: [shared('a', 'acme', ['a', 'c']), shared('b', 'bob', ['b', 'd'])] }),
    );
    expect(scores).toEqual(
      new Map([
        ['c', 1],
        ['d', 0.5],
      ]),
    );
  });

  test('needs three quarters of the entities of the statement, by rarity', () => {
    const both = ['x', 'y'].map((alias) => shared('a', alias, ['a', alias]));
    expect(relationScores(contracts, relations({ shared: both })).size).toBe(0);
    const rare = shared('a', 'x', ['a', 'x']);
    const common = { ...shared('a', 'y', []), statements: 60 };
    const scores = relationScores(contracts, relations({ shared: [rare, common] }));
    expect([...scores.keys()]).toEqual(['x']);
    expect(scores.get('x')).toBeCloseTo(Math.log(51) / (Math.log(51) + Math.log(1 + 100 / 60)));
  });

  test('is that of the strongest tie, and an update is one of strength 1', () => {
    const scores = relationScores(
      contracts,
      relations({
        shared: [shared('b', 'bob', ['b', 'c'])],
        updates: [{ ofId: 'a', id: 'c' }],
      }),
    );
    expect(scores).toEqual(new Map([['c', 1]]));
  });

  test('is halved across a link between scopes', () => {
    const scores = relationScores(
      contracts,
      relations({
        shared: [shared('a', 'acme', ['a', 'far1'])],
        linkedScopeIds: new Set(['linked']),
      }),
    );
    expect(scores).toEqual(new Map([['far1', 0.5]]));
  });

  test('leaves out entities of more than half of a corpus, and all neighbours past ten', () => {
    const half = shared('a', 'anna', ids(11));
    expect(relationScores(contracts, relations({ shared: [half], units: 20 })).size).toBe(0);
    expect(relationScores(contracts, relations({ shared: [half] })).size).toBe(10);
  });

  test('is nothing where nothing was found', () => {
    expect(relationScores([], relations({})).size).toBe(0);
  });
});
