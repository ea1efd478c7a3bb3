/** The document and its page, as a browser gets them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openApiText } from '../../../api/openapi/index.ts';
import { operations } from '../../../operations/registry.ts';
import { openDoor, type FakeDoor } from '../../support/fake-door.ts';

let door: FakeDoor;
beforeAll(async () => {
  door = await openDoor({ operations });
});
afterAll(() => door.close());

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  door.call({ path, headers });

describe('the document', () => {
  test('is served without a credential, as it is committed', async () => {
    const answer = await get('/api/openapi.json');
    expect([answer.status, answer.headers['content-type']]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    expect(answer.text).toBe(openApiText(operations));
  });

  test('is not sent again to a client that has its version', async () => {
    const { etag } = (await get('/api/openapi.json')).headers;
    const again = await get('/api/openapi.json', { 'if-none-match': String(etag) });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});

/** What the page loads. */
async function assets(): Promise<string[]> {
  const { text } = await get('/api/docs');
  return [...text.matchAll(/(?:src|href)="(\/api\/docs\/[^"]+)"/g)].map(([, path = '']) => path);
}

describe('the page', () => {
  test('may run scripts and styles of this origin only, and nothing inline', async () => {
    const { status, headers, text } = await get('/api/docs');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(text).not.toMatch(/<script>|<style|\son[a-z]+=|style=|https?:\/\//);
  });

  test('keeps the other security headers', async () => {
    expect((await get('/api/docs')).headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-cache',
    });
  });

  test('loads assets that all exist, have a type and may be cached for ever', async () => {
    const paths = await assets();
    expect(paths).toHaveLength(4);
    const answers = await Promise.all(paths.map((path) => get(path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.map(({ headers }) => headers['content-type'])).toEqual([
      'image/png',
      'text/css; charset=utf-8',
      'text/javascript; charset=utf-8',
      'text/javascript; charset=utf-8',
    ]);
    for (const { headers } of answers) {
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    }
  });

  test('an asset is not sent again to a client that has its version', async () => {
    const [path = ''] = await assets();
    const { etag } = (await get(path)).headers;
    expect((await get(path, { 'if-none-match': String(etag) })).status).toBe(304);
  });

  test.each([
    'swagger-ui.css',
    'package.json',
    '..%2f..%2fpackage.json',
    '%2e%2e%2fpackage.json',
    '..%5cpackage.json',
    '__proto__',
    'constructor',
    '%00',
  ])('no other file is there: %s', async (name) => {
    const answer = await get(`/api/docs/assets/${name}`);
    expect([answer.status, answer.json()]).toMatchObject([404, { code: 'not_found' }]);
  });

  test('a path that climbs out of the folder is 404', async () => {
    for (const path of ['/api/docs/assets/../../package.json', '/api/docs/assets/', '/api/docs/']) {
      expect((await get(path)).status).toBe(404);
    }
  });
});
