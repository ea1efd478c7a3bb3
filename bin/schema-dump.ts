/**
 * Prints the schema of the migrated database that DATABASE_URL names:
 *
 *   DATABASE_URL=… node bin/schema-dump.ts > stores/postgres/schema.sql
 */
import { openPool } from '../stores/postgres/pool.ts';
import { describeSchema } from '../stores/postgres/schema-description.ts';

const url = process.env['DATABASE_URL'];
if (url === undefined) {
  process.stderr.write('Set DATABASE_URL to the migrated database to describe.\n');
  process.exitCode = 2;
} else {
  const pool = await openPool(url, { maxPoolSize: 1 });
  try {
    process.stdout.write(await describeSchema(pool));
  } finally {
    await pool.end();
  }
}
