/** What a search answers while its servers fail, row by row of the fault table, on the real servers. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import type { RequestContext } from '../../../operations/operation.ts';
import { openFaultScene, type FaultScene } from './fault-scene.ts';
import { rowsOf, saidBy, type FaultRow } from './fault-rows.ts';
import { ASKED, FAULT_TABLE } from './fault-table.ts';

/**
 * Time of a search that is to be late. What answers has the remaining two fifths after the first index was late, and
 * takes a few milliseconds of them.
 */
const SHORT_MS = 3_000;
const settings = { minimalRecall: true } as RequestContext['settings'];

let faults: FaultScene;
const readers = new Map<boolean, Caller>();

beforeAll(async () => {
  faults = await openFaultScene();
  for (const withoutEmbedder of [false, true]) {
    await faults.fresh({ withoutEmbedder }).ensureIndexes();
    readers.set(withoutEmbedder, await faults.plant());
  }
});
afterAll(() => faults.close());

async function answered(reader: Caller, { profile, asked }: FaultRow) {
  const body = { scope_path: '/poc', ...ASKED[asked], profile };
  const answer = await faults.scene.search(reader, body, { settings });
  expect(JSON.stringify(answer)).not.toContain('SECRET-SERVER-TEXT');
  return { profile, asked, says: saidBy(answer) };
}

describe.each(FAULT_TABLE)('while $when', ({ faults: named, late, withoutEmbedder, rows }) => {
  test.each(Object.entries(named))(
    '%s: each search answers as the table says',
    async (_, fault) => {
      const reader = readers.get(withoutEmbedder === true);
      if (reader === undefined) throw new Error('nothing is planted');
      const declared = rowsOf(rows);
      faults.fresh({
        ...(late ? { patienceMs: SHORT_MS } : {}),
        withoutEmbedder: withoutEmbedder === true,
      });
      await faults.become(fault);
      try {
        const said = await Promise.all(declared.map((row) => answered(reader, row)));
        expect(said).toEqual(declared);
      } finally {
        await faults.become({});
      }
    },
  );
});

test('each group of the table says what each profile answers', () => {
  const said = FAULT_TABLE.map(({ rows }) => new Set(rowsOf(rows).map(({ profile }) => profile)));
  expect(said.map((profiles) => [...profiles].toSorted())).toEqual(
    FAULT_TABLE.map(() => ['balanced', 'fast', 'minimal', 'thorough']),
  );
});
