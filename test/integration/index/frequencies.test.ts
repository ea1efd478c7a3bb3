import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { ANALYZER } from '../../../engine/indexes/units.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { openSearchScene, type SearchScene } from '../search/scene.ts';

let scene: SearchScene;

beforeAll(async () => {
  scene = await openSearchScene();
});

afterAll(() => scene.close());

describe('frequencies of terms', () => {
  test('move exactly by difference, also under concurrent counting', async () => {
    const account = await scene.account();
    const scopeId = await account.scope('/df');
    const counted = (unitId: string, termIds: number[]) => ({
      unit: 'statement' as const,
      unitId,
      scopeId,
      termIds,
      analyzerVersion: ANALYZER,
    });
    const ids = Array.from({ length: 8 }, () => uuidv7());
    const count = (units: ReturnType<typeof counted>[]) =>
      createInAccount(scene.pool)(account.id, (stores) =>
        stores.frequencies.recount({ counted: units }),
      );
    const read = () =>
      createInAccount(scene.pool)(account.id, (stores) =>
        stores.frequencies.of([scopeId], 'statement', [1, 2, 3, 4_294_967_295]),
      );
    await Promise.all(
      [0, 1, 2, 3].flatMap(() => [
        count(ids.map((id) => counted(id, [1, 2]))),
        count(ids.toReversed().map((id) => counted(id, [1, 2]))),
      ]),
    );
    expect(await read()).toEqual({
      units: 8,
      byTerm: new Map([
        [1, 8],
        [2, 8],
      ]),
    });
    await Promise.all([
      count(ids.slice(0, 6).map((id) => counted(id, [2, 4_294_967_295]))),
      count(
        ids
          .slice(4)
          .toReversed()
          .map((id) => counted(id, [2, 4_294_967_295])),
      ),
    ]);
    expect(await read()).toEqual({
      units: 8,
      byTerm: new Map([
        [2, 8],
        [4_294_967_295, 8],
      ]),
    });
    await createInAccount(scene.pool)(account.id, (stores) =>
      stores.frequencies.recount({
        gone: [...ids, uuidv7()].map((unitId) => ({ unit: 'statement' as const, unitId })),
      }),
    );
    expect(await read()).toEqual({ units: 0, byTerm: new Map() });
  });
});
