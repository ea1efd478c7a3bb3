import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  keyOf,
  REFERENCE_VISIBILITIES,
  walkLineage,
  type Lineage,
  type LineageFacts,
  type LineageReference,
  type ReadFacts,
} from '../../../domain/lineage/lineage.ts';
import { sized } from '../../support/run.ts';

type Graph = ReadonlyMap<string, readonly LineageReference[]>;
const WIDE = { maxDepth: 8, maxFanOut: 24, maxNodes: 100 };
const root = { type: 'knowledge', id: 'k0' } as const;

const to = (
  id: string,
  visibility: LineageReference['visibility'] = 'visible',
): LineageReference => ({
  type: id.startsWith('m') ? 'message' : 'knowledge',
  id,
  visibility,
});

function factsOf(graph: Graph): ReadFacts {
  return async (targets, maxFanOut) =>
    new Map(
      targets.map((target): [string, LineageFacts] => {
        const all = graph.get(target.id) ?? [];
        const references = all.slice(0, maxFanOut);
        const further = all.length - references.length;
        return [keyOf(target), { derivationLevel: 1, operation: 'extracted', references, further }];
      }),
    );
}

async function walk(graph: Graph, budget = WIDE): Promise<Lineage> {
  const lineage = await walkLineage(root, budget, factsOf(graph));
  if (lineage === null) throw new Error('no root');
  return lineage;
}

const stops = ({ terminations }: Lineage) =>
  Object.fromEntries(Object.entries(terminations).filter(([, count]) => count > 0));

describe('a walk', () => {
  test('is breadth first', async () => {
    const graph = new Map([
      ['k0', [to('k1'), to('k2')]],
      ['k1', [to('m1')]],
      ['k2', [to('m2'), to('m1')]],
    ]);
    const { nodes, truncated } = await walk(graph);
    expect(nodes.map(({ id, traversalDepth }) => [id, traversalDepth])).toEqual([
      ['k0', 0],
      ['k1', 1],
      ['k2', 1],
      ['m1', 2],
      ['m2', 2],
    ]);
    expect(truncated).toBe(false);
  });

  test('ends at a cycle, also at one of a single statement', async () => {
    const graph = new Map([
      ['k0', [to('k1')]],
      ['k1', [to('k1'), to('k0')]],
    ]);
    const lineage = await walk(graph);
    expect([lineage.nodes.length, stops(lineage), lineage.truncated]).toEqual([
      2,
      { cycle: 2 },
      false,
    ]);
  });

  test.each([
    ['missing', 'missing_source'],
    ['lifecycle_hidden', 'lifecycle_hidden'],
    ['authorization_hidden', 'authorization_hidden'],
  ] as const)('counts a reference that is %s, and names no id', async (visibility, stop) => {
    const lineage = await walk(new Map([['k0', [to('k1', visibility)]]]));
    expect(stops(lineage)).toEqual({ [stop]: 1 });
    expect(lineage.nodes[0]?.references).toEqual([{ type: 'knowledge', visibility, id: null }]);
    expect(lineage.truncated).toBe(false);
  });

  test.each([
    ['depth', { ...WIDE, maxDepth: 0 }, 3],
    ['fan_out', { ...WIDE, maxFanOut: 1 }, 2],
    ['total_nodes', { ...WIDE, maxNodes: 2 }, 2],
  ] as const)('is truncated by its %s', async (stop, budget, count) => {
    const lineage = await walk(new Map([['k0', [to('m1'), to('m2'), to('m3')]]]), budget);
    expect([stops(lineage), lineage.truncated]).toEqual([{ [stop]: count }, true]);
  });

  test('is nothing without a root', async () => {
    expect(await walkLineage(root, WIDE, async () => new Map())).toBeNull();
  });
});

const ids = Array.from({ length: 12 }, (_, at) => `${at < 8 ? 'k' : 'm'}${at}`);
const graphs = fc
  .array(
    fc.tuple(
      fc.constantFrom(...ids),
      fc.uniqueArray(
        fc
          .record({ id: fc.constantFrom(...ids), at: fc.nat(9) })
          .map(({ at, id }) =>
            to(id, at < 7 ? 'visible' : (REFERENCE_VISIBILITIES[at - 6] ?? 'missing')),
          ),
        { selector: keyOf, maxLength: 6 },
      ),
    ),
    { maxLength: 12 },
  )
  .map((pairs): Graph => new Map(pairs));
const budgets = fc.record({
  maxDepth: fc.integer({ min: 0, max: 8 }),
  maxFanOut: fc.integer({ min: 1, max: 24 }),
  maxNodes: fc.integer({ min: 1, max: 100 }),
});

test('every walk ends within its budget, is always the same, and names no hidden id', async () => {
  await fc.assert(
    fc.asyncProperty(graphs, budgets, async (graph, budget) => {
      const lineage = await walk(graph, budget);
      expect(await walk(graph, budget)).toEqual(lineage);
      const { nodes, terminations, truncated } = lineage;
      expect(nodes.length).toBeLessThanOrEqual(budget.maxNodes);
      expect(new Set(nodes.map(keyOf)).size).toBe(nodes.length);
      const depths = nodes.map(({ traversalDepth }) => traversalDepth);
      expect(depths).toEqual(depths.toSorted((a, b) => a - b));
      expect(Math.max(...depths)).toBeLessThanOrEqual(budget.maxDepth);
      const references = nodes.flatMap((node) => node.references);
      expect(
        references.filter(({ id, visibility }) => (id === null) === (visibility === 'visible')),
      ).toEqual([]);
      expect(truncated).toBe(
        terminations.depth + terminations.fan_out + terminations.total_nodes > 0,
      );
    }),
  );
});

/**
 * What becomes of each reference, judged from the finished walk alone: a node is reached by the first reference to it, in
 * the order of the nodes, and from there the way back to the target is known.
 */
function judged({ nodes }: Lineage, graph: Graph, budget: typeof WIDE) {
  const count = { followed: 0, again: 0, cycle: 0, depth: 0, fan_out: 0, total_nodes: 0 };
  const hidden = { missing: 0, lifecycle_hidden: 0, authorization_hidden: 0 };
  const present = new Set(nodes.map(keyOf));
  const from = new Map<string, string | null>([[keyOf(root), null]]);
  const isAbove = (key: string, node: string | null): boolean =>
    node !== null && (node === key || isAbove(key, from.get(node) ?? null));
  for (const node of nodes) {
    const all = graph.get(node.id) ?? [];
    count.fan_out += Math.max(0, all.length - budget.maxFanOut);
    for (const reference of all.slice(0, budget.maxFanOut)) {
      const key = keyOf(reference);
      if (reference.visibility !== 'visible') hidden[reference.visibility] += 1;
      else if (isAbove(key, keyOf(node))) count.cycle += 1;
      else if (from.has(key)) count.again += 1;
      else if (present.has(key)) {
        from.set(key, keyOf(node));
        count.followed += 1;
      } else if (node.traversalDepth >= budget.maxDepth) count.depth += 1;
      else count.total_nodes += 1;
    }
  }
  return { count, hidden };
}

test('every reference is followed, met again, or stopped for exactly one of the seven reasons', async () => {
  const small = fc.record({
    maxDepth: fc.integer({ min: 0, max: 4 }),
    maxFanOut: fc.integer({ min: 1, max: 6 }),
    maxNodes: fc.integer({ min: 1, max: 12 }),
  });
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(graphs, fc.oneof(budgets, small), async (graph, budget) => {
      const lineage = await walk(graph, budget);
      const { count, hidden } = judged(lineage, graph, budget);
      const { again: _, followed, ...stopped } = count;
      expect(lineage.terminations).toEqual({
        ...stopped,
        missing_source: hidden.missing,
        lifecycle_hidden: hidden.lifecycle_hidden,
        authorization_hidden: hidden.authorization_hidden,
      });
      expect(followed).toBe(lineage.nodes.length - 1);
      for (const stop of Object.keys(stops(lineage))) met.add(stop);
    }),
    { numRuns: sized({ short: 100, long: 500 }) },
  );
  expect(met.size).toBe(7);
});

test('a walk that no budget stops reaches all that can be reached, and only that', async () => {
  await fc.assert(
    fc.asyncProperty(graphs, async (graph) => {
      const { nodes } = await walk(graph);
      const reached = new Set(['k0']);
      for (const id of reached) {
        for (const reference of graph.get(id) ?? []) {
          if (reference.visibility === 'visible') reached.add(reference.id);
        }
      }
      // Twelve things in a row are further away than a walk goes.
      if (nodes.every(({ traversalDepth }) => traversalDepth < WIDE.maxDepth)) {
        expect(new Set(nodes.map(({ id }) => id))).toEqual(reached);
      }
    }),
  );
});
