/** What axe finds on a page: https://www.deque.com/axe. Its source is evaluated, so the page's own policy stays on. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { z } from 'zod';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const violations = z.array(
  z.object({ id: z.string(), nodes: z.array(z.object({ target: z.array(z.string()) })) }),
);

/** The rules that the page breaks, and where; empty when it breaks none. WCAG 2.2 AA and axe's best practices. */
export async function barriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(source);
  const found: unknown = await page.evaluate(`axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    resultTypes: ['violations'],
  }).then(({ violations }) => violations)`);
  return violations
    .parse(found)
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
