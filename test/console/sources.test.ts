/** The pages about sources: who sees which documents, sessions and observations, and the forms that change them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpAnswer } from '../support/http.ts';
import { eventually } from '../support/patience.ts';
import { readPage } from './browser.ts';
import {
  closeWithoutErrors,
  openScene,
  PASSWORD,
  type Browser,
  type Page,
  type Scene,
} from './scene.ts';
import { formWith, sendParts, upload } from './upload.ts';

const UPLOAD = '/console/sources/upload';
const NOTE = { name: 'note.md', type: 'text/markdown', bytes: '# Note\n\nAna lives in Porto.\n' };
const HOSTILE = '<img src=x onerror=alert(1)>\u202E"\'.md';
const MISSING = '01890000-0000-7000-8000-000000000000';

let scene: Scene;
const at: Record<string, Browser> = {};
let memberVersion: string;
let memberDocument: string;
let aliceMessage: string;

const landed = (answer: HttpAnswer): string =>
  /versions\/([0-9a-f-]+)\?/.exec(answer.headers.location ?? '')?.[1] ?? '';

const browserOf = (name: string): Browser => {
  const found = at[name];
  if (found === undefined) throw new Error(`nobody is ${name}`);
  return found;
};
const opened = (name: string, path: string): Promise<Page> => browserOf(name).open(path);

beforeAll(async () => {
  scene = await openScene();
  for (const name of ['reader', 'member', 'curator', 'admin', 'alice'] as const) {
    at[name] = await scene.signedIn(name);
  }
  at['none'] = scene.browser();
  const form = await opened('member', UPLOAD);
  const answer = await upload(browserOf('member'), form, NOTE, {
    scope_path: '/team',
    title: 'A note of the member',
    external_id: 'note',
  });
  expect([answer.status, answer.headers.location]).toEqual([
    303,
    expect.stringMatching(/done=uploaded$/),
  ]);
  memberVersion = landed(answer);
  const [row] = await scene.service.rows(
    'select document_id from document_versions where id = $1',
    [memberVersion],
  );
  memberDocument = String(row?.['document_id']);
  const [message] = await scene.service.rows(
    `select m.id from messages m join peers p on p.account_id = m.account_id and p.id = m.speaker_peer_id
     where p.key = 'alice' order by m.id limit 1`,
  );
  aliceMessage = String(message?.['id']);
}, 300_000);

afterAll(() => closeWithoutErrors(scene?.service));

describe('documents', () => {
  test('are shown to whoever uploaded them and to curators, and to nobody else', async () => {
    for (const name of ['member', 'curator', 'admin']) {
      expect((await opened(name, '/console/sources')).text).toContain('A note of the member');
    }
    for (const name of ['reader', 'alice']) {
      const page = await opened(name, '/console/sources');
      expect(page.text).not.toContain('A note of the member');
      expect(page.text).toContain('No documents yet');
    }
  });

  test('show their versions, and the statements drawn from one', async () => {
    const browser = browserOf('member');
    await eventually(async () => {
      const page = await browser.open(`/console/sources/versions/${memberVersion}`);
      return page.text.includes('Done') && page.text.includes('Statements drawn from it');
    });
    const answer = await upload(
      browser,
      await browser.open(UPLOAD),
      { ...NOTE, bytes: '# Note\n\nAna lives in Faro.\n' },
      { scope_path: '/team', external_id: 'note' },
    );
    expect(answer.status).toBe(303);
    const list = await browser.open('/console/sources');
    expect(list.text).toContain('Version 2');
    expect(list.text).toContain('One earlier version');
    const again = await upload(
      browser,
      await browser.open(UPLOAD),
      { ...NOTE, bytes: '# Note\n\nAna lives in Faro.\n' },
      { scope_path: '/team', external_id: 'note' },
    );
    expect(again.headers.location).toContain('done=unchanged');
  });

  test('can be narrowed by scope and state, and keep both in the address', async () => {
    const page = await opened('admin', '/console/sources?scope_path=%2Fteam&state=withdrawn');
    expect(page.text).toContain('Nothing to show');
    const form = formWith(page, 'Show');
    expect(form.fields).toMatchObject({ scope_path: '/team', state: 'withdrawn' });
    const wrong = await opened('admin', '/console/sources?cursor=nonsense');
    expect([wrong.status, wrong.text.includes('That did not work')]).toEqual([422, true]);
  });

  test('of somebody else are missing byte for byte', async () => {
    const hidden = await opened('reader', `/console/sources/versions/${memberVersion}`);
    const missing = await opened('reader', `/console/sources/versions/${MISSING}`);
    expect(hidden.status).toBe(404);
    expect(hidden.source).toBe(missing.source);
  });

  test('of another account are missing byte for byte, and in no list', async () => {
    const browser = scene.browser();
    const page = await browser.submit(await browser.open('/sign-in'), 'Sign in', {
      email: scene.service.other.adminEmail,
      password: PASSWORD,
    });
    expect(page.path).toBe('/console');
    const hidden = await browser.open(`/console/sources/versions/${memberVersion}`);
    const missing = await browser.open(`/console/sources/versions/${MISSING}`);
    expect([hidden.status, hidden.source]).toEqual([404, missing.source]);
    const said = await browser.open(`/console/sources/observations/${aliceMessage}`);
    expect(said.source).toBe(missing.source);
    for (const path of ['', '/sessions', '/observations']) {
      const { text } = await browser.open(`/console/sources${path}`);
      expect(text).toMatch(/No documents yet|No sessions yet|There are no observations yet/);
    }
  });

  test('are withdrawn by members, and no more once they are', async () => {
    const browser = browserOf('member');
    const file = { ...NOTE, bytes: 'Bo has a green boat.' };
    await upload(browser, await browser.open(UPLOAD), file, {
      scope_path: '/team',
      title: 'To withdraw',
    });
    const page = await browser.open('/console/sources');
    const first = formWith(page, 'Withdraw this document');
    const answer = await browser.request('POST', first.action, { fields: first.fields });
    expect([answer.status, answer.headers.location]).toEqual([
      303,
      '/console/sources?done=withdrawn',
    ]);
    const after = await browser.open('/console/sources?state=withdrawn');
    expect(after.text).toContain('To withdraw');
    expect(after.forms.some(({ button }) => button === 'Withdraw this document')).toBe(false);
  });

  test('of which somebody knows the id are not withdrawn without the right to', async () => {
    const browser = browserOf('reader');
    const token = (await browser.open('/console')).forms[0]?.fields['_csrf'] ?? '';
    const tell = async (id: string) => {
      const answer = await browser.request('POST', `/console/sources/documents/${id}/withdraw`, {
        fields: { _csrf: token },
      });
      return [answer.status, answer.text];
    };
    const hidden = await tell(memberDocument);
    expect(hidden[0]).toBe(404);
    expect(hidden).toEqual(await tell(MISSING));
  });
});

describe('an upload', () => {
  test('is for members: others are told so, and a form of theirs is refused', async () => {
    const page = await opened('reader', UPLOAD);
    expect(page.text).toContain('You may upload nothing');
    const token = page.forms[0]?.fields['_csrf'] ?? '';
    const answer = await sendParts(browserOf('reader'), UPLOAD, [
      ['_csrf', token],
      ['scope_path', '/team'],
      ['file', NOTE],
    ]);
    expect(answer.status).toBe(403);
  });

  test('counts only with the token before the file, from a page of this host, in its own session', async () => {
    const browser = browserOf('member');
    const page = await browser.open(UPLOAD);
    const { fields } = formWith(page, 'Upload');
    const token = fields['_csrf'] ?? '';
    const other = (await opened('curator', '/console')).forms[0]?.fields['_csrf'] ?? '';
    const count = async () =>
      (await scene.service.rows('select count(*)::int as n from document_versions'))[0]?.['n'];
    const before = await count();
    const file = ['file', { ...NOTE, bytes: 'Never kept.' }] as const;
    const scope = ['scope_path', '/team'] as const;
    const refused = [
      await sendParts(browser, UPLOAD, [scope, file]),
      await sendParts(browser, UPLOAD, [['_csrf', 'x'], scope, file]),
      await sendParts(browser, UPLOAD, [['_csrf', other], scope, file]),
      await sendParts(browser, UPLOAD, [scope, file, ['_csrf', token]]),
      await sendParts(browser, UPLOAD, [['_csrf', token], scope, file], {
        origin: 'https://evil.example',
      }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect(await count()).toBe(before);
  });

  test('is not taken once its session has ended, from a form and cookies that somebody kept', async () => {
    const browser = await scene.signedIn('member');
    const page = await browser.open(UPLOAD);
    const kept = new Map(browser.cookies);
    await browser.submit(page, 'Sign out');
    for (const [name, value] of kept) browser.cookies.set(name, value);
    const file = { ...NOTE, bytes: 'Said after the end.' };
    const answer = await upload(browser, page, file, { scope_path: '/team' });
    expect([answer.status, answer.headers.location]).toEqual([303, '/sign-in']);
  });

  test('that is not accepted keeps what was typed, and says why beside the field', async () => {
    const browser = browserOf('member');
    const page = await browser.open(UPLOAD);
    const typed = { scope_path: '/team', title: 'Typed <b>title</b>' };
    const again = async (file: Parameters<typeof upload>[2], words = typed) => {
      const answer = await upload(browser, page, file, words);
      const shown = readPage(answer, UPLOAD);
      expect(formWith(shown, 'Upload').fields).toMatchObject(words);
      expect(shown.elements.has('b')).toBe(false);
      return [answer.status, shown.text] as const;
    };
    const none = await again({ name: '', type: 'application/octet-stream', bytes: '' });
    expect(none).toEqual([422, expect.stringContaining('must be chosen')]);
    const strange = await again({ name: 'a.exe', type: 'application/x-msdownload', bytes: 'MZ' });
    expect(strange).toEqual([415, expect.stringContaining('must be text, Markdown')]);
    const large = await again({ ...NOTE, bytes: Buffer.alloc(32 * 1_048_576 + 1, 'a') });
    expect(large).toEqual([413, expect.stringContaining('is larger than 32 MiB')]);
    const scope = await again(NOTE, { ...typed, scope_path: '/team/../x' });
    expect(scope).toEqual([422, expect.stringContaining('must be a scope path')]);
  });

  test('takes the name of the file as a text, and leaves out one that is no title', async () => {
    const browser = browserOf('member');
    const send = async (name: string, bytes: string) => {
      const answer = await upload(
        browser,
        await browser.open(UPLOAD),
        { name, type: 'text/markdown', bytes },
        { scope_path: '/team' },
      );
      expect(answer.status).toBe(303);
    };
    await send(HOSTILE, 'Cleo keeps bees.');
    await send(`${'x'.repeat(400)}.md`, 'Dag keeps hens.');
    const page = await browser.open('/console/sources');
    expect(page.text).toContain('<img src=x onerror=alert(1)>');
    expect(page.text).not.toContain('U+202E');
    expect(page.elements.has('img')).toBe(false);
    expect(page.text).toContain('A document without a title');
  });
});

describe('sessions and observations', () => {
  test('are shown to those who were there and to curators', async () => {
    for (const name of ['alice', 'curator', 'admin']) {
      expect((await opened(name, '/console/sources/sessions')).text).toContain('scene-1');
      expect((await opened(name, '/console/sources/observations')).text).toContain('red canoe');
      const one = await opened(name, `/console/sources/observations/${aliceMessage}`);
      expect([one.status, one.text.includes('An observation Status')]).toEqual([200, true]);
    }
    for (const name of ['reader', 'member']) {
      expect((await opened(name, '/console/sources/sessions')).text).not.toContain('scene-1');
      expect((await opened(name, '/console/sources/observations')).text).not.toContain('red canoe');
      const hidden = await opened(name, `/console/sources/observations/${aliceMessage}`);
      const missing = await opened(name, `/console/sources/observations/${MISSING}`);
      expect([hidden.status, hidden.source]).toEqual([404, missing.source]);
    }
  });

  test('of a session are the same page for one that is hidden and one that is missing', async () => {
    const without = async (session: string) =>
      (
        await opened('reader', `/console/sources/observations?session_id=${session}`)
      ).source.replaceAll(session, 'S');
    expect(await without('scene-1')).toBe(await without('scene-x'));
    const there = await opened('alice', '/console/sources/observations?session_id=scene-1');
    expect(there.text).toContain('red canoe');
  });

  test('show text, names and paths as text', async () => {
    const markup = '<script>alert(1)</script><b>bold</b>\u202E';
    await scene.service.ingestAndWait(scene.relay, {
      peer_key: 'alice',
      session_id: 'markup <i>session</i>',
      scope_path: '/team/<u>x</u>'.replace('</u>', ''),
      content: `I like ${markup} very much.`,
    });
    const page = await opened('admin', '/console/sources/observations');
    expect(page.text).toContain('<b>bold</b>[U+202E]');
    expect(page.text).toContain('markup <i>session</i>');
    for (const element of ['b', 'i', 'u']) expect(page.elements.has(element)).toBe(false);
    expect(page.source.match(/<script/g)).toHaveLength(1);
  });

  test('that were given up are requeued by administrators alone', async () => {
    await scene.service.rows(
      `update extraction_anchors set status = 'repairable', completed_at = null, last_error_class = 'model_not_found'
       where message_id = $1`,
      [aliceMessage],
    );
    const list = (name: string) => opened(name, '/console/sources/observations?state=repairable');
    const ofCurator = await list('curator');
    expect(ofCurator.text).toContain('Needs repair');
    expect(ofCurator.forms.some(({ button }) => button === 'Requeue the extraction')).toBe(false);
    const { action } = formWith(await list('admin'), 'Requeue the extraction');
    const token = ofCurator.forms[0]?.fields['_csrf'] ?? '';
    const refused = await browserOf('curator').request('POST', action, {
      fields: { _csrf: token },
    });
    expect(refused.status).toBe(403);
    const page = await browserOf('admin').submit(await list('admin'), 'Requeue the extraction');
    expect([
      page.status,
      page.text.includes('You requeued it. The service extracts it again.'),
    ]).toEqual([200, true]);
  });
});

test('a version whose passages were given up leads administrators to them', async () => {
  await scene.service.rows(
    `update extraction_anchors a set status = 'terminal', completed_at = null, last_error_class = 'model_not_found'
     from messages m where m.account_id = a.account_id and m.id = a.message_id and m.document_version_id = $1`,
    [memberVersion],
  );
  const path = `/console/sources/versions/${memberVersion}`;
  const to = '/console/sources/observations?state=terminal';
  const page = await opened('admin', path);
  expect([page.text.includes('Given up'), page.links.includes(to)]).toEqual([true, true]);
  expect((await opened('member', path)).links).not.toContain(to);
  const passages = await opened('admin', to);
  expect(passages.links).toContain(path);
  expect(passages.forms.some(({ button }) => button === 'Requeue the extraction')).toBe(true);
});

test('connectors are said not to exist', async () => {
  expect((await opened('reader', '/console/sources/connectors')).text).toContain(
    'There are no connectors yet',
  );
});

test.each(['', '/sessions', '/observations', '/connectors', '/upload'])(
  'the page /console/sources%s opens for people who have signed in alone',
  async (path) => {
    const address = `/console/sources${path}`;
    const none = await browserOf('none').request('GET', address);
    expect([none.status, none.headers.location]).toEqual([
      303,
      `/sign-in?return_to=${encodeURIComponent(address)}`,
    ]);
    const key = await browserOf('none').request('GET', address, {
      headers: { authorization: `Bearer ${scene.relay}` },
    });
    expect(key.status).toBe(303);
    expect((await opened('reader', address)).status).toBe(200);
  },
);
