/** The account of the matrix of pages: who sits at a browser, and the things that addresses name. */
import { v7 as uuidv7 } from 'uuid';
import { ERASURE_WORD } from '../../../../console/pages/me/page.ts';
import { openScene, PASSWORD, type Browser, type Scene } from '../../../console/scene.ts';
import { sendParts } from '../../../console/upload.ts';
import { dataOf } from '../../../support/service.ts';
import type { Kind, Viewer } from './page-table.ts';

export const TEMPORAL_UI = 'https://temporal.example/ui/';
const STRANGER = "another account's administrator";

/** Ids by the names that the tables give their things. */
type Things = Readonly<Record<Kind, Readonly<Record<string, string>>>>;

export interface PageScene {
  readonly scene: Scene;
  readonly things: Things;
  browserOf(viewer: Viewer): Browser;
  /** Another browser of the same person, just signed in; for nobody one without a session. */
  freshBrowser(viewer: Viewer): Promise<Browser>;
}

const PEOPLE: Readonly<Partial<Record<Viewer, string>>> = {
  'a reader': 'reader',
  'a member': 'member',
  'a curator': 'curator',
  'an administrator': 'admin',
  'the subject': 'alice',
};

/** Words of statements and titles that these viewers may read on no page, and in no answer to a form. */
const SECRETS = {
  waiting: 'cello',
  'waiting elsewhere': 'bees',
  foreign: 'tomatoes',
  'document of the member': 'Harbour note',
  'document elsewhere': 'Orchard note',
  believed: 'red canoe',
  contested: 'silver spoon',
  asked: 'wooden harmonica',
  circle: 'Lantern crew',
  'circle elsewhere': 'Harvest crew',
  'foreign circle': 'Turnip crew',
} as const;
const OF_HOME = [
  SECRETS.waiting,
  SECRETS['waiting elsewhere'],
  SECRETS.believed,
  SECRETS.contested,
  SECRETS.asked,
  SECRETS['document of the member'],
  SECRETS['document elsewhere'],
  SECRETS.circle,
  SECRETS['circle elsewhere'],
];
const FOREIGN = [SECRETS.foreign, SECRETS['foreign circle']];

export const HIDDEN_WORDS: Readonly<Record<Viewer, readonly string[]>> = {
  nobody: [...OF_HOME, ...FOREIGN],
  'a key of an agent': [...OF_HOME, ...FOREIGN],
  'a reader': [...OF_HOME.filter((word) => word !== SECRETS.believed), ...FOREIGN],
  'a member': [
    SECRETS.waiting,
    SECRETS['waiting elsewhere'],
    SECRETS.contested,
    SECRETS.asked,
    SECRETS['document elsewhere'],
    SECRETS.circle,
    SECRETS['circle elsewhere'],
    ...FOREIGN,
  ],
  'a curator': [
    SECRETS['waiting elsewhere'],
    SECRETS['document elsewhere'],
    SECRETS['circle elsewhere'],
    ...FOREIGN,
  ],
  'an administrator': FOREIGN,
  [STRANGER]: OF_HOME,
  'the subject': [SECRETS['document of the member'], SECRETS['document elsewhere'], ...FOREIGN],
};

export async function csrfOf(browser: Browser): Promise<string> {
  const page = await browser.open(browser.cookies.has('vouch_session') ? '/console' : '/sign-in');
  return page.forms[0]?.fields['_csrf'] ?? '';
}

async function oneId(scene: Scene, query: string, values: readonly unknown[]): Promise<string> {
  const [row] = await scene.service.rows(query, values);
  if (row === undefined) throw new Error(`nothing for ${query}`);
  return String(row['id']);
}

const itemOf = (scene: Scene, knowledgeId: string): Promise<string> =>
  oneId(scene, 'select id from review_items where knowledge_id = $1 and decided_at is null', [
    knowledgeId,
  ]);
const questionAbout = (scene: Scene, knowledgeId: string): Promise<string> =>
  oneId(scene, 'select id from questions where knowledge_id = $1 and ended_at is null', [
    knowledgeId,
  ]);
const messageOf = (scene: Scene, content: string): Promise<string> =>
  oneId(scene, 'select id from messages where content = $1', [content]);

/** A document that an agent sent; no statement is drawn from a question. */
async function sent(scene: Scene, token: string, path: string, title: string) {
  const { document_id: document, document_version_id: version } = dataOf(
    await scene.service.call({
      path: '/api/v1/documents',
      token,
      json: {
        scope_path: path,
        title,
        media_type: 'text/plain',
        content_base64: Buffer.from(`When does it open, ${title}?`).toString('base64'),
      },
    }),
  );
  return { document: String(document), version: String(version) };
}

/** A document that the person uploaded on the page. */
async function uploaded(scene: Scene, browser: Browser, title: string) {
  const answer = await sendParts(browser, '/console/sources/upload', [
    ['_csrf', await csrfOf(browser)],
    ['scope_path', '/team'],
    ['title', title],
    ['external_id', ''],
    ['file', { name: 'note.txt', type: 'text/plain', bytes: `When does it open, ${title}?` }],
  ]);
  const version = /versions\/([0-9a-f-]+)/.exec(answer.headers.location ?? '')?.[1] ?? '';
  const query = 'select document_id as id from document_versions where id = $1';
  return { document: await oneId(scene, query, [version]), version };
}

async function published(browser: Browser, skill: string, path: string): Promise<string> {
  const card = JSON.stringify({ skill, scope_path: path, requirements: [] });
  const fields = { _csrf: await csrfOf(browser), card };
  const answer = await browser.request('POST', '/console/skills/publish', { fields });
  const id = /cards\/([0-9a-f-]{36})/.exec(answer.headers.location ?? '')?.[1];
  if (id === undefined) throw new Error(`no card: ${answer.status} ${answer.text}`);
  return id;
}

/** A circle of the scope, made on the page. */
async function circleOf(
  browser: Browser,
  name: string,
  path: string,
  members = 'alice',
): Promise<string> {
  const fields = { _csrf: await csrfOf(browser), scope_path: path, name, members };
  const answer = await browser.request('POST', '/console/scopes/circles/create', { fields });
  const id = /circles\/([0-9a-f-]{36})/.exec(answer.headers.location ?? '')?.[1];
  if (id === undefined) throw new Error(`no circle: ${answer.status} ${answer.text}`);
  return id;
}

/** A request to forget that names nothing. */
async function holdAt(scene: Scene, accountId: string, path: string): Promise<string> {
  const id = uuidv7();
  await scene.service.rows(
    `insert into forget_holds (account_id, id, scope_id, kind, is_acting, sealed_key, due_at)
     select account_id, $2, id, 'others', false, decode(repeat('00', 32), 'hex'), now()
     from scopes where account_id = $1 and path = $3`,
    [accountId, id, path],
  );
  return id;
}

/** A statement about alice that would be shared if she agreed; she has not been heard. */
async function consentAsked(scene: Scene, alice: Browser): Promise<string> {
  const id = await scene.said('I am allergic to nuts.');
  await scene.service.rows(`update knowledge set sensitivity = 'personal' where id = $1`, [id]);
  await alice.submit(await alice.open(`/console/knowledge/${id}`), 'Yes, it is true');
  const token = await scene.service.home.person('root', { role: 'curator' });
  const { review } = dataOf(
    await scene.service.call({
      path: `/api/v1/governance/knowledge/${id}/promote`,
      token,
      json: { target_scope_path: '/' },
    }),
  );
  const item = Object(review);
  await scene.service.call({
    path: `/api/v1/governance/reviews/${String(item.id)}/approve`,
    token: await scene.service.home.person('wide', { role: 'curator' }),
    json: { version: item.version },
  });
  return oneId(scene, 'select id from consents where knowledge_id = $1', [id]);
}

/** A statement that was believed until its subject disputed it. */
async function contestedBy(scene: Scene, alice: Browser, words: string): Promise<string> {
  const id = await scene.said(words);
  await alice.submit(await alice.open(`/console/knowledge/${id}`), 'Yes, it is true');
  await alice.submit(await alice.open(`/console/knowledge/${id}`), 'Let a curator decide');
  return id;
}

/** The scene after a person had herself erased: workers go on with that for a while. */
export async function withErasure(pages: PageScene): Promise<PageScene> {
  const { scene, things } = pages;
  await scene.service.home.person('leaver', { role: 'reader' });
  const browser = await scene.signedIn('leaver');
  const page = await browser.submit(await browser.open('/console/me'), 'Erase me', {
    confirm: ERASURE_WORD,
    mode: 'proportionate',
  });
  const id = /erasure\/([0-9a-f-]{36})$/.exec(page.path)?.[1];
  if (id === undefined) throw new Error(`no erasure: ${page.status} ${page.text}`);
  return { ...pages, things: { ...things, erasure: { 'of somebody who left': id } } };
}

async function strangersThings(scene: Scene, stranger: Browser) {
  const { token } = await scene.service.other.agent('their-agent');
  const content = `I grow ${SECRETS.foreign}.`;
  const { knowledge, messageId } = await scene.service.ingestAndWait(token, {
    scope_path: '/team',
    peer_key: 'ana',
    content,
  });
  const statement = String(knowledge[0]?.['id']);
  const document = await sent(scene, token, '/team', 'Their note');
  return {
    statement,
    'own statement': statement,
    'statement asked about': statement,
    question: await questionAbout(scene, statement),
    item: await itemOf(scene, statement),
    message: messageId,
    ...document,
    card: await published(stranger, 'theirs', '/team'),
    circle: await circleOf(stranger, SECRETS['foreign circle'], '/team', 'ana'),
    hold: await holdAt(scene, scene.service.other.id, '/team'),
  };
}

export async function openPageScene(): Promise<PageScene> {
  const scene = await openScene({ SERVICE_TEMPORAL_UI_URL: TEMPORAL_UI });
  const signIn = async (viewer: Viewer): Promise<Browser> => {
    const browser = scene.browser();
    const name = PEOPLE[viewer];
    if (name !== undefined) return scene.signedIn(name);
    if (viewer === 'a key of an agent') browser.cookies.set('vouch_session', scene.relay);
    if (viewer !== STRANGER) return browser;
    const page = await browser.submit(await browser.open('/sign-in'), 'Sign in', {
      email: scene.service.other.adminEmail,
      password: PASSWORD,
    });
    if (page.path !== '/console') throw new Error(`the stranger could not sign in: ${page.text}`);
    return browser;
  };
  const browsers = new Map<Viewer, Browser>();
  for (const viewer of Object.keys(HIDDEN_WORDS) as Viewer[]) {
    browsers.set(viewer, await signIn(viewer));
  }
  const browserOf = (viewer: Viewer): Browser => {
    const browser = browsers.get(viewer);
    if (browser === undefined) throw new Error(`nobody is ${viewer}`);
    return browser;
  };
  const [alice, admin] = [browserOf('the subject'), browserOf('an administrator')];
  const believed = await oneId(scene, `select id from knowledge where statement ilike $1`, [
    `%${SECRETS.believed}%`,
  ]);
  await alice.submit(await alice.open(`/console/knowledge/${believed}`), 'Yes, it is true');
  const waiting = await scene.said('I play the cello.');
  const elsewhere = await scene.said('I keep bees.', '/else');
  const own = await scene.said('I paint at night.');
  const contested = await contestedBy(scene, alice, `I own a ${SECRETS.contested}.`);
  const asked = await scene.said(`I own a ${SECRETS.asked}.`);
  const consent = await consentAsked(scene, alice);
  const here = await uploaded(scene, browserOf('a member'), SECRETS['document of the member']);
  const there = await sent(scene, scene.relay, '/else', SECRETS['document elsewhere']);
  const foreign = await strangersThings(scene, browserOf(STRANGER));
  const both = (inScope: string, other: string, theirs: string) => ({
    'in the scope': inScope,
    elsewhere: other,
    foreign: theirs,
  });
  const things: Things = {
    statement: {
      believed,
      contested,
      waiting,
      'waiting elsewhere': elsewhere,
      foreign: foreign.statement,
    },
    'own statement': { 'waiting for her word': own, foreign: foreign['own statement'] },
    'statement asked about': {
      'of the subject': asked,
      foreign: foreign['statement asked about'],
    },
    question: {
      'put to the subject': await questionAbout(scene, asked),
      foreign: foreign.question,
    },
    item: {
      ...both(await itemOf(scene, waiting), await itemOf(scene, elsewhere), foreign.item),
      contested: await itemOf(scene, contested),
    },
    message: both(
      await messageOf(scene, 'I play the cello.'),
      await messageOf(scene, 'I keep bees.'),
      foreign.message,
    ),
    version: both(here.version, there.version, foreign.version),
    document: both(here.document, there.document, foreign.document),
    card: both(
      await published(admin, 'trip', '/team'),
      await published(admin, 'visit', '/else'),
      foreign.card,
    ),
    circle: both(
      await circleOf(admin, SECRETS.circle, '/team'),
      await circleOf(admin, SECRETS['circle elsewhere'], '/else'),
      foreign.circle,
    ),
    hold: both(
      await holdAt(scene, scene.service.home.id, '/team'),
      await holdAt(scene, scene.service.home.id, '/else'),
      foreign.hold,
    ),
    consent: { 'of the subject': consent },
    erasure: {},
  };
  await scene.service.quiet();
  return { scene, things, browserOf, freshBrowser: signIn };
}

/** An id that nothing has. */
export const MISSING_ID = uuidv7();
