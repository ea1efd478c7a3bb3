/** The sums of days go 400 days after their day. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { onOneDay } from '../../support/one-day.ts';
import { Scene } from '../observations/scene.ts';
import { addScope, prune, retentionOf } from './world.ts';

let scene: Scene;
let account: string;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
async function begin(): Promise<void> {
  account = await scene.account();
}
beforeEach(begin);

test(
  'days of use go after 400 days, and the figures say from when on they hold',
  onOneDay(async () => {
    await scene.rows(
      `insert into usage_days select $1, (now() at time zone 'UTC')::date - n, 'embedder', 'p', 'm', 1, 0, 0, 0, 0, 0, 0, 0
     from generate_series(395, 405) n`,
      [account],
    );
    await scene.rows(
      `insert into usage_scope_days select $1, (now() at time zone 'UTC')::date - n, $2::uuid, 'ingest_extractor', 'p', 'm',
       1, 0, 0, 0, 0, 0, 0 from generate_series(395, 405) n`,
      [account, await addScope(scene, account, '/free')],
    );
    await scene.rows(
      `insert into request_days select $1, (now() at time zone 'UTC')::date - n, 1, 1, 1 from generate_series(395, 405) n`,
      [account],
    );
    await scene.rows(
      `insert into token_days (account_id, day, role)
     select $1, (now() at time zone 'UTC')::date - n, '*' from generate_series(395, 405) n`,
      [account],
    );
    expect(await prune(retentionOf(scene), account)).toEqual({ usage_days: 10, request_days: 10 });
    for (const table of ['usage_days', 'usage_scope_days', 'request_days', 'token_days']) {
      const [row] = await scene.rows(
        `select count(*)::int as n, max((now() at time zone 'UTC')::date - day)::int as oldest from ${table} where account_id = $1`,
        [account],
      );
      expect([table, row]).toEqual([table, { n: 6, oldest: 400 }]);
    }
    const [totals] = await scene.rows(
      `select (now() at time zone 'UTC')::date - pruned_before as days from usage_totals where account_id = $1`,
      [account],
    );
    expect(totals).toEqual({ days: 400 });
  }, begin),
);
