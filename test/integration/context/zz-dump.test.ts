import { writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { describeSchema } from '../../../stores/postgres/schema-description.ts';
import { openTestDatabase } from '../../support/database.ts';

test('dump', async () => {
  const database = await openTestDatabase();
  writeFileSync('/tmp/w/ctx/stores/postgres/schema.sql', await describeSchema(database.pool));
  await database.close();
  expect(1).toBe(1);
});
