/** What curators decide at a statement, with what it makes visible to whom; the picture of its lineage; who sees it and why. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { closeWithoutErrors, openScene, type Browser, type Page, type Scene } from './scene.ts';

let scene: Scene;
let alice: Browser;
let curator: Browser;
let reader: Browser;

beforeAll(async () => {
  scene = await openScene();
  alice = await scene.signedIn('alice');
  curator = await scene.signedIn('curator');
  reader = await scene.signedIn('reader');
});
afterAll(async () => closeWithoutErrors(scene?.service));

const at = (id: string): string => `/console/knowledge/${id}`;

/** A statement that is believed, and that its subject then disputes. */
async function contested(words: string): Promise<string> {
  const id = await scene.said(words);
  await alice.submit(await alice.open(at(id)), 'Yes, it is true');
  await alice.submit(await alice.open(at(id)), 'Let a curator decide');
  return id;
}

/** A statement that is believed, and that a curator then asks about again. */
async function askedAgain(words: string): Promise<string> {
  const id = await scene.said(words);
  await alice.submit(await alice.open(at(id)), 'Yes, it is true');
  await curator.submit(await curator.open(at(id)), 'Ask again', { reason: 'Is it?' });
  return id;
}

async function stateOf(id: string): Promise<unknown> {
  const [row] = await scene.service.rows('select state from knowledge where id = $1', [id]);
  return row?.['state'];
}

/** The fields of a decision about the item that waits for the statement, in its present version. */
async function decisionAbout(id: string): Promise<Readonly<Record<string, string>>> {
  const [item] = await scene.service.rows(
    'select id, version from review_items where knowledge_id = $1 and decided_at is null',
    [id],
  );
  return { review: String(item?.['id']), version: String(item?.['version']) };
}

/** Decides at once: the tests do not wait until a decision can no longer be taken back. */
const AT_ONCE = { undo_seconds: '0' };

const buttons = ({ forms }: Page): readonly string[] =>
  forms.map(({ button }) => button.split(': ')[0] ?? '');

describe('what a person said of something else', () => {
  test('is taken back on its page, and says before what becomes of it', async () => {
    const id = await scene.said('I own a brass sextant.');
    await alice.submit(await alice.open(at(id)), 'Yes, it is true');
    expect((await alice.open(at(id))).text).not.toContain('Take back what I said');
    await scene.service.rows(
      'update knowledge set subject_peer_id = null, subject_scope_id = scope_id where id = $1',
      [id],
    );
    const page = await alice.open(at(id));
    expect(page.text).toMatch(/Nobody else says it\..*Only a curator can bring it back\./);
    expect((await reader.open(at(id))).text).not.toContain('Take back what I said');
    const after = await alice.submit(page, 'Take it back');
    expect(after.text).toContain('You took back what you said.');
    expect(after.text).not.toContain('Take back what I said');
    expect(await stateOf(id)).toBe('held');
    expect((await reader.open(at(id))).status).toBe(404);
  });
});

describe('who may see a statement, and why', () => {
  test('is told to each by the rule that decides, and by the right that the viewer has', async () => {
    const id = await scene.said('I play the oboe.');
    await alice.submit(await alice.open(at(id)), 'Yes, it is true');
    const own = await alice.open(at(id));
    expect(own.text).toMatch(
      /Who reads it, and why Read by everyone who may read \/team\..*It is about you\./,
    );
    const read = await reader.open(at(id));
    expect(read.text).toContain('You are reader in /team.');
    expect(read.text).not.toContain('It is about you');
    await scene.service.rows(`update knowledge set sensitivity = 'personal' where id = $1`, [id]);
    const personal = await alice.open(at(id));
    expect(personal.text).toContain('nobody has decided to share it');
    expect((await reader.open(at(id))).status).toBe(404);
  });

  test('is told before a word of its subject: who would see it then', async () => {
    const id = await scene.said('I own a brass barometer.');
    const page = await alice.open(at(id));
    const now = 'now: you and whoever said it';
    expect(page.forms.map(({ button }) => button)).toEqual(
      expect.arrayContaining([
        `Yes, it is true: then read by everyone who may read /team (${now})`,
        'Let a curator decide: still read by you and whoever said it',
        `Withdraw it for good: then read by nobody (${now})`,
      ]),
    );
    expect(page.text).toContain('Nobody can bring it back');
  });
});

describe('the lineage of a statement', () => {
  test('is a picture of the message that it was drawn from, and the same as a list', async () => {
    const id = await scene.said('I own old radios.');
    const page = await alice.open(at(id));
    expect(page.elements.has('svg')).toBe(true);
    expect(page.source).toMatch(/<svg[^>]*aria-hidden="true"/);
    expect(page.text).toMatch(/The same as a list This statement drawn from what was said/);
    expect(page.source.match(/<rect /g)).toHaveLength(2);
  });

  test('shows who was not there that there is more, and nothing of it', async () => {
    const id = await scene.said('I own two clocks.');
    await alice.submit(await alice.open(at(id)), 'Yes, it is true');
    const page = await reader.open(at(id));
    expect(page.source.match(/<rect /g)).toHaveLength(1);
    expect(page.text).toContain('A number stands for what is not shown');
    const [message] = await scene.service.rows(
      'select message_id from provenance where knowledge_id = $1',
      [id],
    );
    expect(page.source).not.toContain(String(message?.['message_id']));
    expect(page.text).not.toContain('I own two clocks');
  });
});

describe('a decision at the statement', () => {
  test('shows before what each answer makes visible to whom, and is for curators alone', async () => {
    const id = await askedAgain('I own a green bicycle.');
    const page = await curator.open(at(id));
    expect(page.text).toContain('Is it still true?');
    expect(page.text).toContain('It is still true: still read by everyone who may read /team');
    expect(page.text).toContain(
      'It is no longer true: then read by alice, who it is about, and whoever said it (now: everyone who may read /team)',
    );
    expect(buttons(await alice.open(at(id)))).not.toContain('It is still true');
    expect(buttons(await reader.open(at(id)))).toEqual(['Sign out']);
  });

  test('about a contest is taken where both sides are read, and not here', async () => {
    const id = await contested('I own a blue lantern.');
    const page = await curator.open(at(id));
    const { review = '' } = await decisionAbout(id);
    expect(page.links).toContain(`/governance/${review}`);
    expect(page.text).toContain('Read both sides and decide');
    expect(buttons(page)).not.toContain('It is wrong');
    expect((await reader.open(at(id))).status).toBe(404);
  });

  test('is taken, and leads to the item, where it can be taken back', async () => {
    const id = await askedAgain('I own a yellow kayak.');
    const done = await curator.submit(await curator.open(at(id)), 'It is no longer true');
    expect(done.path).toMatch(/^\/governance\/[0-9a-f-]{36}\?did=reject/);
    expect(await stateOf(id)).toBe('active');
    await curator.submit(done, 'Undo');
    await curator.submit(await curator.open(at(id)), 'It is no longer true', AT_ONCE);
    expect(await stateOf(id)).toBe('rejected');
  });

  test('that leaves the statement to others leads to the item all the same', async () => {
    const id = await askedAgain('I own a golden tuba.');
    const done = await curator.submit(await curator.open(at(id)), 'It is no longer true', AT_ONCE);
    expect(done.text).toContain('You rejected: Alice owns a golden tuba. It has been carried out.');
    expect(await stateOf(id)).toBe('rejected');
  });

  test('of a version that was not seen is refused, with the reason beside the forms', async () => {
    const id = await askedAgain('I own a brown hat.');
    const early = await curator.open(at(id));
    await curator.submit(await curator.open(at(id)), 'It is still true', AT_ONCE);
    const late = await curator.submit(early, 'It is no longer true');
    expect([late.status, late.text.includes('It has changed since you opened the page')]).toEqual([
      409,
      true,
    ]);
    expect(await stateOf(id)).toBe('active');
  });

  test('proposes other words and another sensitivity, and keeps what was typed when it cannot be used', async () => {
    const id = await askedAgain('I collect old stamps.');
    const page = await curator.open(at(id));
    const bad = await curator.submit(page, 'Propose the new wording', { statement: '… !' });
    expect([bad.status, bad.text.includes('must hold a word')]).toEqual([422, true]);
    expect(
      bad.forms.find(({ button }) => button === 'Propose the new wording')?.fields,
    ).toMatchObject({ statement: '… !' });
    const good = await curator.submit(bad, 'Propose the new wording', {
      statement: 'Alice collects old coins.',
      sensitivity: 'personal',
      ...AT_ONCE,
    });
    expect(good.status).toBe(200);
    const rows = await scene.service.rows(
      'select sensitivity from knowledge where statement = $1',
      ['Alice collects old coins.'],
    );
    expect(rows).toEqual([{ sensitivity: 'personal' }]);
  });

  test('sent to an address that is no id is not taken', async () => {
    const id = await contested('I own a copper kettle.');
    const { fields = {} } = (await curator.open('/console')).forms[0] ?? {};
    const decision = { ...fields, ...(await decisionAbout(id)) };
    for (const word of ['approve', 'reject']) {
      const path = `${at('no-id-at-all')}/${word}`;
      const { status } = await curator.request('POST', path, { fields: decision });
      expect(status).toBe(404);
    }
    expect(await stateOf(id)).toBe('contested');
  });

  test('forged, or about what is hidden, is as about what is missing', async () => {
    const id = await contested('I own a silver spoon.');
    const decision = await decisionAbout(id);
    const { fields = {} } = (await reader.open('/console')).forms[0] ?? {};
    const sent = async (path: string, more: Readonly<Record<string, string>>) => {
      const answer = await reader.request('POST', path, { fields: { ...fields, ...more } });
      return `${answer.status} ${answer.text}`;
    };
    const missing = { ...decision, review: uuidv7() };
    for (const word of ['approve', 'reject', 'defer', 'edit']) {
      const typed = await sent(`${at(id)}/${word}`, decision);
      expect(typed).toBe(await sent(`${at(uuidv7())}/${word}`, missing));
    }
    const forged = await curator.request('POST', `${at(id)}/approve`, { fields: decision });
    expect(forged.status).toBe(403);
    expect(await stateOf(id)).toBe('contested');
  });
});

describe('a statement that is believed', () => {
  const believed = async (words: string): Promise<string> => {
    const id = await scene.said(words);
    await alice.submit(await alice.open(at(id)), 'Yes, it is true');
    return id;
  };

  test('is asked about again by a curator, with a reason, and says so on its page', async () => {
    const id = await believed('I own a stone garden.');
    const empty = await curator.submit(await curator.open(at(id)), 'Ask again', { reason: ' ' });
    expect([empty.status, empty.text.includes('must say something')]).toEqual([422, true]);
    const asked = await curator.submit(empty, 'Ask again', { reason: 'She moved away.' });
    expect(asked.text).toMatch(/You asked again about it\..*Is it still true\?.*She moved away\./);
    expect(await stateOf(id)).toBe('active');
    const page = await curator.open(at(id));
    expect(page.text).toContain('It is under review: Is it still true?');
    expect((await reader.open(at(id))).text).not.toContain('under review');
    expect(buttons(page)).toContain('Withhold it');
    expect(buttons(page)).not.toContain('Ask again');
    await curator.submit(asked, 'It is still true', AT_ONCE);
    expect((await curator.open(at(id))).text).not.toContain('under review');
  });

  test('is taken back at once where its curator withholds it, until that is decided', async () => {
    const id = await believed('My telephone number is 200 300 400.');
    const page = await curator.open(at(id));
    expect(page.text).toMatch(
      /Withhold it meanwhile: then read by alice, who it is about, and whoever said it \(now: everyone/,
    );
    const asked = await curator.submit(page, 'Ask again', { reason: 'A number.', withhold: '1' });
    expect(await stateOf(id)).toBe('held');
    expect((await reader.open(at(id))).status).toBe(404);
    await curator.submit(asked, 'It is no longer true', AT_ONCE);
    expect(await stateOf(id)).toBe('rejected');
  });

  test('is asked about by its curators alone', async () => {
    const id = await believed('I own a red kite.');
    for (const browser of [alice, reader]) {
      expect(buttons(await browser.open(at(id)))).not.toContain('Ask again');
    }
  });
});

describe('a wider scope', () => {
  test('is one of those that the curator curates too, each with who would see it there', async () => {
    await scene.service.home.person('wide', { role: 'curator' });
    const id = await scene.said('I play the flute.', '/team/north');
    await alice.submit(await alice.open(at(id)), 'Yes, it is true');
    const near = await curator.open(at(id));
    expect(near.text).toContain(
      'Scope to share it in /team Then read by everyone who may read /team',
    );
    expect(near.text).not.toContain('The whole account Then read by');
    const wide = await scene.signedIn('wide');
    const page = await wide.open(at(id));
    expect(page.text).toContain('The whole account Then read by everyone in the account');
    const asked = await wide.submit(page, 'Ask', { target_scope_path: '/team' });
    expect(asked.text).toContain('The curators of the wider scope are asked.');
    expect(asked.text).toMatch(/Share it more widely: then read by everyone who may read \/team/);
  });
});
