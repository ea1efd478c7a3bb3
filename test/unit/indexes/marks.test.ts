/** Marks of the indexes: an index of another past is noticed, and one that only a killed process left is not. */
import { describe, expect, test } from '@jest/globals';
import { createIndexMarks, type MarkHolder } from '../../../engine/indexes/marks.ts';
import type { IndexMark } from '../../../stores/postgres/indexes/index-marks.store.ts';

type Engine = 'meilisearch' | 'qdrant';
type Row = { current: string | null; pending: string | null; lost: boolean };

interface World {
  rows: Map<Engine, Row>;
  held: Map<Engine, string>;
}

/** Steps that change a store, after which a process may be killed. */
function worldOf(kill: { after: number } = { after: Infinity }) {
  const world: World = { rows: new Map(), held: new Map() };
  let step = 0;
  const changed = (): void => {
    step += 1;
    if (step === kill.after) throw new Error('killed');
  };
  const rowOf = (engine: Engine): Row =>
    world.rows.get(engine) ?? { current: null, pending: null, lost: false };
  const holder = (engine: Engine): MarkHolder => ({
    read: async () => world.held.get(engine) ?? null,
    async write(mark) {
      world.held.set(engine, mark);
      changed();
    },
  });
  let marks = 0;
  const process = createIndexMarks({
    store: {
      find: async (engine): Promise<IndexMark | null> => world.rows.get(engine) ?? null,
      async propose(engine, mark, staleMs) {
        const row = rowOf(engine);
        if (row.pending !== null && staleMs > 0 && !world.rows.has(engine)) return false;
        world.rows.set(engine, { ...row, pending: mark });
        changed();
        return true;
      },
      async settle(engine, mark) {
        const row = rowOf(engine);
        if (row.pending === mark) world.rows.set(engine, { ...row, current: mark, pending: null });
        changed();
      },
      async lose(engine) {
        world.rows.set(engine, { ...rowOf(engine), lost: true });
        changed();
      },
      async found() {
        for (const [engine, row] of world.rows) world.rows.set(engine, { ...row, lost: false });
        changed();
      },
    },
    holders: { meilisearch: holder('meilisearch'), qdrant: holder('qdrant') },
    newMark: () => `mark-${(marks += 1)}`,
  });
  return { world, process };
}

const copyOf = ({ held, rows }: World): World => ({ rows: new Map(rows), held: new Map(held) });

describe('the marks of the indexes', () => {
  test('of a new installation are made without a rebuild, and stay known while they are renewed', async () => {
    const { process } = worldOf();
    for (let turn = 0; turn < 3; turn += 1) expect(await process.pass()).toBe(false);
    expect(await process.isKnown('qdrant')).toBe(true);
  });

  test.each(['meilisearch', 'qdrant'] as const)('tell an emptied %s', async (engine) => {
    const { process, world } = worldOf();
    await process.pass();
    world.held.delete(engine);
    expect(await process.isKnown(engine)).toBe(false);
    expect(await process.pass()).toBe(true);
    // It waits to be written anew whatever it holds by then.
    expect(await process.isKnown(engine)).toBe(false);
    await process.accept();
    expect([await process.isKnown(engine), await process.pass()]).toEqual([true, false]);
  });

  test('tell an index of yesterday, and a database of yesterday', async () => {
    for (const side of ['rows', 'held'] as const) {
      const { process, world } = worldOf();
      await process.pass();
      const yesterday = copyOf(world);
      await process.pass();
      if (side === 'rows') world.rows = yesterday.rows;
      else world.held = yesterday.held;
      expect(await process.pass()).toBe(true);
    }
  });

  test('tell a database that is new beside an index that is not', async () => {
    const { process, world } = worldOf();
    await process.pass();
    world.rows.clear();
    expect(await process.pass()).toBe(true);
  });

  test('are known after a process was killed between any two of its steps', async () => {
    for (let after = 1; after <= 6; after += 1) {
      const kill = { after: Infinity };
      const { process, world } = worldOf(kill);
      await process.pass();
      kill.after = 6 + after;
      await expect(process.pass()).rejects.toThrow('killed');
      const [known, pending] = [await process.isKnown('meilisearch'), world.rows.size];
      expect([known, await process.isKnown('qdrant'), pending]).toEqual([true, true, 2]);
    }
  });
});
