/** A query that holds a secret: words look for it in our own indexes, an embedder is not shown it. */
import { expect, test } from '@jest/globals';
import { planQuery } from '../../../engine/text/query-plan.ts';
import { maskSecrets } from '../../../engine/secrets/mask.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

test('a query with a secret is embedded masked, and its terms are those of the query as sent', async () => {
  const query = `who uses ${TOKEN}`;
  const [masked = ''] = await maskSecrets([query]);
  const plan = planQuery(query, masked);
  expect(plan.meaning).toBe('who uses secret');
  expect(plan.text).toContain('a1b2');
  expect([...plan.terms.keys()].join(' ')).toContain('a1b2');
});

test('a query without a secret is embedded as sent', () => {
  const plan = planQuery('where is "the boat" -harbour', 'where is "the boat" -harbour');
  expect(plan.meaning).toBe('where is the boat');
  expect(plan.meaning).toBe(plan.text);
});
