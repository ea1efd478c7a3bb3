/** A process that gives one account one turn of the sweeps: `node sweep-process.ts <database url> <account id>`. */
import { v7 as uuidv7 } from 'uuid';
import { createSweeps } from '../../../engine/lifecycle/sweeps.ts';
import { openPool } from '../../../stores/postgres/pool.ts';
import { SHARDS } from '../../../stores/postgres/actors/shards.ts';
import { SweepsStore } from '../../../stores/postgres/sweeps/sweeps.store.ts';

const [url = '', accountId = ''] = process.argv.slice(2);
const pool = await openPool(url, { maxPoolSize: 2 });
const sweeps = createSweeps({
  store: new SweepsStore(pool),
  newId: () => uuidv7(),
  ring: () => {},
  shards: SHARDS,
  report: () => {},
});
await sweeps.turn(accountId, new AbortController().signal);
await pool.end();
