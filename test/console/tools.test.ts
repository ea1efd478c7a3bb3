/** The pages of tools: each is run as the person who looks at it, and shows what is sent and answered. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TOOLS } from '../../api/mcp/tools.ts';
import { readPage } from './browser.ts';
import { closeWithoutErrors, openScene, type Browser, type Page, type Scene } from './scene.ts';
import { formWith } from './upload.ts';

let scene: Scene;
const at: Record<string, Browser> = {};

const browserOf = (name: string): Browser => {
  const found = at[name];
  if (found === undefined) throw new Error(`nobody is ${name}`);
  return found;
};

beforeAll(async () => {
  scene = await openScene();
  for (const name of ['reader', 'member', 'alice', 'admin'] as const) {
    at[name] = await scene.signedIn(name);
  }
  const [statement] = await scene.service.rows(
    `select id from knowledge where statement ilike '%red canoe%'`,
  );
  const token = (await browserOf('alice').open('/console')).forms[0]?.fields['_csrf'] ?? '';
  const path = `/console/knowledge/${String(statement?.['id'])}/confirm`;
  const confirmed = await browserOf('alice').request('POST', path, { fields: { _csrf: token } });
  expect(confirmed.status).toBe(303);
  await scene.service.quiet();
}, 300_000);

afterAll(() => closeWithoutErrors(scene?.service));

/** Runs the tool with what is typed and answers the page that comes. */
async function ran(
  name: string,
  tool: string,
  typed: Readonly<Record<string, string>>,
): Promise<Page> {
  const path = `/console/tools/${tool}`;
  const page = await browserOf(name).open(path);
  const button = page.forms.find(({ action }) => action === path)?.button ?? '';
  const { action, fields } = formWith(page, button);
  const answer = await browserOf(name).request('POST', action, { fields: { ...fields, ...typed } });
  return readPage(answer, path);
}

describe('the page of all tools', () => {
  test('leads to a form for each of them', async () => {
    const browser = browserOf('member');
    const page = await browser.open('/console/tools');
    for (const { name, takes } of TOOLS) {
      expect(page.links).toContain(`/console/tools/${name}`);
      const one = await browser.open(`/console/tools/${name}`);
      const form = one.forms.find(({ action }) => action === `/console/tools/${name}`);
      expect(Object.keys(form?.fields ?? {})).toEqual(expect.arrayContaining([...takes, '_csrf']));
    }
    expect((await browser.open('/console/tools/no_tool')).status).toBe(404);
  });

  test('says why a person may not call one', async () => {
    const page = await browserOf('reader').open('/console/tools/ingest');
    expect(page.text).toContain('To record something you must be a member of a scope');
    expect(page.forms.some(({ action }) => action === '/console/tools/ingest')).toBe(false);
    const token = page.forms[0]?.fields['_csrf'] ?? '';
    const forced = await browserOf('reader').request('POST', '/console/tools/ingest', {
      fields: { _csrf: token, scope_path: '/team', session_id: 's', content: 'I am here.' },
    });
    expect(forced.text).toContain('forbidden');
    const said = await scene.service.rows(`select 1 from messages where content = 'I am here.'`);
    expect(said).toEqual([]);
  });
});

describe('a run', () => {
  test('shows the exact call and answer, and keeps what was typed', async () => {
    const page = await ran('alice', 'search', {
      scope_path: '/team',
      query: 'red canoe',
      limit: '3',
      include_cross_links: 'false',
    });
    expect(page.status).toBe(200);
    expect(page.text).toContain(
      '"arguments": { "scope_path": "/team", "query": "red canoe", "limit": 3, "include_cross_links": false }',
    );
    expect(page.text).toContain('Alice owns a red canoe.');
    const form = page.forms.find(({ action }) => action === '/console/tools/search');
    expect(form?.fields).toMatchObject({
      scope_path: '/team',
      query: 'red canoe',
      limit: '3',
      include_cross_links: 'false',
    });
  });

  test('reads as the person, and finds no more than the person may read', async () => {
    await scene.said('I own a blue kite.');
    const [row] = await scene.service.rows(
      `select state from knowledge where statement ilike '%blue kite%'`,
    );
    const state = String(row?.['state']);
    expect(state).not.toBe('active');
    const list = async (name: string) =>
      (await ran(name, 'query_knowledge', { scope_path: '/team', state })).text;
    expect(await list('alice')).toContain('Alice owns a blue kite.');
    expect(await list('reader')).not.toContain('blue kite');
    const named = await ran('reader', 'search', {
      scope_path: '/team',
      query: 'canoe',
      peer_key: 'alice',
    });
    expect(named.text).toContain('"code": "forbidden"');
  });

  test('records what a member says, once for one key', async () => {
    const typed = {
      scope_path: '/team',
      session_id: 'own',
      content: 'I said\r\nthis myself.',
      idempotency_key: 'k1',
    };
    for (const _ of [1, 2])
      expect((await ran('member', 'ingest', typed)).text).toContain('"message_id"');
    const rows = await scene.service.rows(
      `select p.key from messages m join peers p on p.account_id = m.account_id and p.id = m.speaker_peer_id
       where m.content = $1`,
      ['I said\nthis myself.'],
    );
    expect(rows).toEqual([{ key: scene.emailOf('member') }]);
  });

  test('that is refused says so as a client is told, and shows markup as text', async () => {
    const markup = '<script>alert(1)</script><b>x</b>';
    const page = await ran('alice', 'query_knowledge', {
      scope_path: markup,
      limit: '3',
      cursor: 'nonsense',
    });
    expect(page.text).toContain('"isError": true');
    expect(page.text).toContain('"code": "invalid_request"');
    expect(page.text).toContain(markup);
    expect(page.elements.has('b')).toBe(false);
    expect(page.source.match(/<script/g)).toHaveLength(1);
  });

  test('is forgotten but for its tool, time, code and milliseconds, and five are kept', async () => {
    const browser = await scene.signedIn('alice');
    at['fresh'] = browser;
    expect((await browser.open('/console/tools')).text).toContain('No tool was run yet');
    for (let run = 0; run < 6; run += 1) {
      await ran('fresh', run === 5 ? 'ask' : 'get_context', {
        scope_path: '/team',
        question: 'Which canoe?',
      });
    }
    const rows = await scene.service.rows(
      `select tool_runs from browser_sessions where jsonb_array_length(tool_runs) > 0 order by last_seen_at desc`,
    );
    const mine = rows
      .map((row) => row['tool_runs'] as Record<string, unknown>[])
      .find(([first]) => first?.['tool'] === 'ask');
    expect(mine).toHaveLength(5);
    for (const kept of mine ?? [])
      expect(Object.keys(kept).toSorted()).toEqual(['at', 'code', 'ms', 'tool']);
    const page = await browser.open('/console/tools');
    expect(page.text).toContain('ask');
    expect(page.source.match(/<tr role="row">/g)).toHaveLength(6);
  });

  test('counts only with the token of the session', async () => {
    const browser = browserOf('alice');
    const other = (await browserOf('admin').open('/console')).forms[0]?.fields['_csrf'] ?? '';
    for (const token of ['', 'x', other]) {
      const answer = await browser.request('POST', '/console/tools/search', {
        fields: { _csrf: token, scope_path: '/team', query: 'canoe' },
      });
      expect(answer.status).toBe(403);
    }
    const own = (await browser.open('/console')).forms[0]?.fields['_csrf'] ?? '';
    const foreign = await browser.request('POST', '/console/tools/search', {
      fields: { _csrf: own, scope_path: '/team', query: 'canoe' },
      headers: { origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
  });
});
