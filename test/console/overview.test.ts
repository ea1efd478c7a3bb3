/** The overview counts and tells what each may see; knowledge is narrowed; a person answers what she is asked. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { PASSWORD } from '../support/account.ts';
import { closeWithoutErrors, openScene, type Browser, type Scene } from './scene.ts';

let scene: Scene;
let alice: Browser;
let curator: Browser;
let reader: Browser;
let away: Browser;
let cello: string;

beforeAll(async () => {
  scene = await openScene();
  await scene.service.home.person('away', { role: 'curator', scope: '/else' });
  cello = await scene.said('I play the cello.');
  await scene.said('I like strong tea.');
  alice = await scene.signedIn('alice');
  curator = await scene.signedIn('curator');
  reader = await scene.signedIn('reader');
  away = await scene.signedIn('away');
  await alice.submit(await alice.open(`/console/knowledge/${cello}`), 'Yes, it is true');
});
afterAll(async () => closeWithoutErrors(scene?.service));

async function stateOf(id: string): Promise<unknown> {
  const [row] = await scene.service.rows('select state from knowledge where id = $1', [id]);
  return row?.['state'];
}

describe('the overview', () => {
  test('counts what is believed, what is about the viewer and what waits, each for the viewer', async () => {
    const own = await alice.open('/console');
    expect(own.text).toMatch(/\d statements? \d+ scopes? to read 3 about you/);
    expect(own.text).not.toContain('to take');
    expect((await curator.open('/console')).text).toMatch(/2 decisions to take/);
    const elsewhere = await away.open('/console');
    expect(elsewhere.text).toMatch(/0 statements .*0 decisions to take/);
    expect((await reader.open('/console')).text).toMatch(/1 statement .*0 about you/);
  });

  test('counts no decision of a scope that is denied to a curator of all others', async () => {
    await scene.service.home.person('apart', { role: 'curator', scope: '/' });
    await scene.service.home.grant(scene.service.home.emailOf('apart'), {
      scope: '/team',
      role: 'reader',
      effect: 'deny',
    });
    const apart = await scene.signedIn('apart');
    expect((await apart.open('/console')).text).toMatch(/0 decisions to take/);
    expect((await apart.open('/governance')).text).not.toContain('strong tea');
  });

  test('tells lately what came to be believed, what was said and what was uploaded, as far as each may see it', async () => {
    const told = await reader.open('/console');
    expect(told.text).toMatch(/Lately Alice plays the cello\. Believed in \/team/);
    expect(told.text).not.toContain('I play the cello');
    expect(told.text).not.toContain('strong tea');
    const decides = await curator.open('/console');
    expect(decides.text).toMatch(/said: I play the cello\. Done in \/team/);
    expect((await away.open('/console')).text).not.toContain('cello');
  });

  test('says to those who see it that something came to a stop', async () => {
    const set = (values: string) =>
      scene.service.rows(
        `update extraction_anchors set ${values}
          where message_id = (select message_id from provenance where knowledge_id = $1)`,
        [cello],
      );
    await set(
      `status = 'terminal', last_error_class = 'structured_validation_failed', completed_at = null`,
    );
    expect((await curator.open('/console')).text).toContain(
      'Extraction of 1 observation was given up.',
    );
    expect((await reader.open('/console')).text).not.toContain('given up');
    await set(`status = 'completed', last_error_class = null, completed_at = now()`);
  });

  test('of an empty account says other first steps to who cannot make a key', async () => {
    const { other } = scene.service;
    await other.person('newcomer', { role: 'reader' });
    const browser = scene.browser();
    const page = await browser.submit(await browser.open('/sign-in'), 'Sign in', {
      email: 'newcomer@other.example',
      password: PASSWORD,
    });
    expect(page.text).toContain('Nothing is known yet');
    expect(page.text).not.toContain('vouch key create');
  });
});

describe('knowledge', () => {
  const shownBy = async (query: string): Promise<boolean> =>
    (await alice.open(`/console/knowledge?scope=%2Fteam&${query}`)).text.includes(
      'Alice plays the cello.',
    );

  test('is narrowed by kind, sensitivity, level and person, all in the address', async () => {
    const [row] = await scene.service.rows(
      'select kind, sensitivity, target_level from knowledge where id = $1',
      [cello],
    );
    const fits = {
      kind: row?.['kind'],
      sensitivity: row?.['sensitivity'],
      level: row?.['target_level'],
    };
    for (const [name, value] of Object.entries(fits)) {
      expect([name, await shownBy(`${name}=${String(value)}`)]).toEqual([name, true]);
    }
    expect(await shownBy('about=alice')).toBe(true);
    for (const other of [
      'kind=event',
      'sensitivity=restricted',
      'level=account',
      'about=relay',
      'about=nobody',
    ]) {
      expect([other, await shownBy(other)]).toEqual([other, false]);
    }
    expect(await shownBy(`q=cello&kind=${String(row?.['kind'])}`)).toBe(true);
    expect(await shownBy('q=cello&kind=event')).toBe(false);
  });

  test('that fits no filter says how to go on', async () => {
    const page = await reader.open('/console/knowledge?scope=%2Fteam&kind=event&size=50');
    expect(page.text).toContain('Nothing fits these filters');
    expect(page.links).toContain('/console/knowledge?scope=%2Fteam&size=50');
    const found = await reader.open('/console/knowledge?scope=%2Fteam&kind=event&q=cello');
    expect(found.text).toContain('0 of the 1 best results of the search fit the filters');
  });

  test('is found with the ways that found it, on a day of the past as it was then', async () => {
    const now = await reader.open('/console/knowledge?scope=%2Fteam&q=cello');
    expect(now.text).toMatch(/found by (?:meaning|words)/);
    const before = await reader.open('/console/knowledge?scope=%2Fteam&q=cello&as_of=2020-01-01');
    expect(before.text).toContain('as it was believed on 2020-01-01');
    expect(before.text).not.toContain('Alice plays the cello.');
    const wrong = await reader.open('/console/knowledge?scope=%2Fteam&q=cello&as_of=yesterday');
    expect([wrong.status, wrong.text.includes('As it was on: must be an ISO 8601 date')]).toEqual([
      422,
      true,
    ]);
  });
});

describe('what a person is asked', () => {
  test('is answered with yes: the statement is believed, and nothing is asked any more', async () => {
    const id = await scene.said('I own a rowing boat.');
    expect((await alice.open('/console')).text).toContain('You are asked');
    const page = await alice.open('/console/me');
    expect(page.text).toContain('Is this true? Alice owns a rowing boat.');
    const { _csrf = '' } = page.forms[0]?.fields ?? {};
    const yes = await alice.request('POST', '/console/me/questions/yes', {
      fields: { _csrf, knowledge: id },
    });
    expect([yes.status, yes.headers.location]).toEqual([
      303,
      '/console/me?done=confirmed#questions',
    ]);
    expect(await stateOf(id)).toBe('active');
    expect((await alice.open('/console/me')).text).not.toContain(
      'Is this true? Alice owns a rowing',
    );
  });

  test('is answered with no: the words are gone', async () => {
    const id = await scene.said('I own a clay pipe.');
    const page = await alice.open('/console/me');
    const form = page.forms.find(
      ({ button, fields }) =>
        button.startsWith('Withdraw it for good: ') && fields['knowledge'] === id,
    );
    await alice.request('POST', form?.action ?? '', { fields: form?.fields ?? {} });
    expect(await stateOf(id)).toBe('redacted');
    expect((await alice.open('/console/me')).text).not.toContain('pipe');
  });

  test('may be left open: the statement stays, and she is not asked again', async () => {
    const id = await scene.said('I own a fishing rod.');
    const before = await stateOf(id);
    const [question] = await scene.service.rows(
      'select id from questions where knowledge_id = $1',
      [id],
    );
    const page = await alice.open('/console/me');
    const form = page.forms.find(({ fields }) => fields['question'] === question?.['id']);
    const fields = form?.fields ?? {};
    const left = await alice.request('POST', form?.action ?? '', { fields });
    expect(left.headers.location).toBe('/console/me?done=left#questions');
    expect(await stateOf(id)).toBe(before);
    expect((await alice.open('/console/me')).text).not.toContain(
      'Is this true? Alice owns a fishing',
    );
    const [ended] = await scene.service.rows('select end_reason from questions where id = $1', [
      question?.['id'],
    ]);
    expect(ended).toEqual({ end_reason: 'unsure_closed' });
    expect((await alice.request('POST', form?.action ?? '', { fields })).status).toBe(404);
  });

  test('comes as often as she wants', async () => {
    const page = await alice.open('/console/me');
    const wished = await alice.submit(page, 'Save how often to ask me', {
      max_per_session: '1',
      pause_for_hours: '24',
    });
    expect(wished.text).toContain('From now on the service asks you that often.');
    expect(wished.text).toContain('No agent asks you until');
    const form = wished.forms.find(({ button }) => button === 'Save how often to ask me');
    expect(form?.fields).toMatchObject({ max_per_session: '1', max_per_day: '10' });
  });

  test('is for her alone: for others her question is as missing', async () => {
    const id = await scene.said('I keep a parrot.');
    const [question] = await scene.service.rows(
      'select id from questions where knowledge_id = $1',
      [id],
    );
    expect((await reader.open('/console/me')).text).not.toContain('parrot');
    const { fields = {} } = (await reader.open('/console')).forms[0] ?? {};
    const sent = async (word: string, more: Readonly<Record<string, string>>) => {
      const path = `/console/me/questions/${word}`;
      const answer = await reader.request('POST', path, { fields: { ...fields, ...more } });
      return `${answer.status} ${answer.text}`;
    };
    const leave = await sent('leave', { question: String(question?.['id']) });
    expect(leave).toBe(await sent('leave', { question: uuidv7() }));
    expect(leave.startsWith('404 ')).toBe(true);
    expect(await sent('yes', { knowledge: id })).toBe(await sent('yes', { knowledge: uuidv7() }));
    const forged = await alice.request('POST', '/console/me/questions/leave', {
      fields: { question: String(question?.['id']) },
    });
    expect(forged.status).toBe(403);
  });
});
