/** How a text finds the people it may name among very many: by what their names begin with. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let app: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  app = new Client({ connectionString: database.appUrl });
  await app.connect();
});
afterAll(async () => {
  await app.end();
  await database.drop();
});

async function mayName(text: string, name: string): Promise<boolean> {
  const { rows } = await app.query<{ found: boolean }>(
    'select name_lead($2) = any(text_leads($1)) as found',
    [text, name],
  );
  return rows[0]?.found === true;
}

test.each([
  ['Yesterday Ana Maria Lopez moved.', 'Ana Maria Lopez'],
  ['ana.', 'Ana'],
  ['Ask ANA MARIA', 'ana maria'],
  ['(O’Brien) left', 'O’Brien'],
  ['Écrit par Émile Zola.', 'émile zola'],
  ['Written by ana@example.org today', 'ana@example.org'],
  ['我昨天见到王小明了', '王小明'],
  ['我昨天见到王小明了', '王'],
  ['Ana说她喜欢茶', 'Ana'],
  ['어제 김철수는 왔다', '김철수'],
  ['พบสมชายเมื่อวาน', 'สมชาย'],
  ['Chị Nguyễn Thị Hoa đến.', 'Nguyễn Thị Hoa'],
])('%s may name %s', async (text, name) => {
  expect(await mayName(text, name)).toBe(true);
});

test.each([
  ['Ana Lopez moved.', 'Ana Maria'],
  ['Banana', 'Ana'],
  ['我昨天见到王大明了', '王小明'],
  ['Anything at all', '…'],
])('%s does not look for %s', async (text, name) => {
  expect(await mayName(text, name)).toBe(false);
});
