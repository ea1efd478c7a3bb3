/** `include_cross_links`: what a link between scopes shows, to whom, and that it opens nothing. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { linkScopes, unlinkScopes } from '../../operations/scopes/links.ts';
import type { HttpAnswer } from '../support/http.ts';
import {
  candidatesOf,
  closeWithoutErrors,
  dataOf,
  startService,
  type Body,
  type Service,
} from '../support/service.ts';
import { exactly, refusal, withoutTimes } from './answers.ts';

let service: Service;
let relay: string;
let stranger: string;
let machine: string;

const ASKED = { query: 'garden', profile: 'thorough', scope_path: '/office' };
const LINKED = { include_cross_links: true };
const search = (token: string, body: Body = {}) => service.search(token, { ...ASKED, ...body });

const textsOf = (answer: HttpAnswer): unknown[] =>
  candidatesOf(answer)
    .map(({ scope_path: path, statement }) => [path, statement])
    .toSorted();
const seen = async (token: string, body: Body = {}) =>
  textsOf(await search(token, { ...LINKED, ...body }));

const link = (from: string, to: string) =>
  service.operate(linkScopes, { account: service.home.key, from, to });
const unlink = (from: string, to: string) =>
  service.operate(unlinkScopes, { account: service.home.key, from, to });

const tell = (scope_path: string, content: string) =>
  service.ingestAndWait(relay, {
    scope_path,
    session_id: `at-${scope_path}`,
    peer_key: 'alice',
    peer_name: 'Alice',
    content,
  });

const OFFICE = ['/office', 'Alice planted the garden of the office.'];
const INTERNAL = ['/club', 'Alice planted a garden of roses.'];
const PUBLIC = ['/club', 'Alice opened the botanical garden.'];
const PERSONAL = ['/club', 'Alice has a garden and a diagnosis of asthma.'];
const PROVISIONAL = ['/club', 'Alice keeps a garden and takes medicine for gastritis.'];

beforeAll(async () => {
  service = await startService();
  const { home } = service;
  await home.preset('assisted');
  relay = (await home.agent('relay')).token;
  stranger = (await home.agent('stranger')).token;
  machine = (await home.agent(null)).token;
  await tell('/office', 'I planted the garden of the office.');
  const provisional = await tell('/club', 'I keep a garden and take medicine for gastritis.');
  expect(provisional.knowledge.map(({ state }) => state)).toEqual(['provisional']);
  await tell('/club', 'I planted a garden of roses.');
  const opened = await tell('/club', 'I opened the botanical garden.');
  await home.rewrite(opened.knowledge[0]?.['id'], { sensitivity: 'public' });
  const personal = await tell('/club', 'I have a garden and a diagnosis of asthma.');
  await home.rewrite(personal.knowledge[0]?.['id'], { state: 'active' });
  await tell('/club/board', 'I painted the garden of the board.');
  await tell('/far', 'I visited the garden of the neighbours.');
  await tell('/office/desk', 'I drew a garden at the desk.');
  await home.reindex();
  await link('/office', '/club');
  await link('/club', '/far');
});

afterAll(() => closeWithoutErrors(service));

describe('a search of a scope that is linked to another', () => {
  test('finds the statements of its chain alone unless it asks for links', async () => {
    const answer = await search(relay);
    expect(textsOf(answer)).toEqual([OFFICE]);
    expect(withoutTimes(await search(relay, { include_cross_links: false }))).toEqual(
      withoutTimes(answer),
    );
  });

  test('also finds what the reader may see in the linked scope, not below it, and not one link further', async () => {
    expect(await seen(relay)).toEqual([OFFICE, PROVISIONAL, PERSONAL, PUBLIC, INTERNAL].toSorted());
  });

  test('finds it from a scope below, and from the other end', async () => {
    const below = await seen(stranger, { scope_path: '/office/desk' });
    expect(below).toContainEqual(INTERNAL);
    expect(await seen(stranger, { scope_path: '/club/board' })).toContainEqual(OFFICE);
    expect(await seen(stranger, { scope_path: '/far' })).toEqual(
      [['/far', 'Alice visited the garden of the neighbours.'], INTERNAL, PUBLIC].toSorted(),
    );
  });

  test('echoes the path that was asked for, and says in no field what it reached', async () => {
    const data = dataOf(await search(relay, LINKED));
    expect(data['scope_path']).toBe('/office');
    expect(Object.keys(data).toSorted()).toEqual(
      Object.keys(dataOf(await search(relay))).toSorted(),
    );
  });

  test('finds by phrases, exclusions, meaning alone and without a query there too', async () => {
    expect(await seen(relay, { query: '"botanical garden"' })).toEqual([PUBLIC]);
    expect(await seen(relay, { query: 'garden -roses -office', min_score: 0 })).not.toContainEqual(
      INTERNAL,
    );
    expect(await seen(stranger, { query: '' })).toContainEqual(PUBLIC);
    expect(await seen(stranger, { profile: 'fast', deadline: null })).toContainEqual(PUBLIC);
  });

  test('adds nothing to the stable profile of its reader', async () => {
    const alice = { peer_key: 'alice', include_identity_profile: true };
    const [alone, linked] = await Promise.all([
      search(relay, alice),
      search(relay, { ...alice, ...LINKED }),
    ]);
    expect(dataOf(linked)['identity_profile']).toEqual(dataOf(alone)['identity_profile']);
  });
});

describe('the reader of a linked scope', () => {
  test('without a peer finds public statements only', async () => {
    expect(await seen(machine)).toEqual([PUBLIC]);
  });

  test('that took no part finds neither provisional nor personal statements of others', async () => {
    expect(await seen(stranger)).toEqual([OFFICE, PUBLIC, INTERNAL].toSorted());
  });

  test('that is named by a machine is the same there', async () => {
    expect(await seen(stranger, { peer_key: 'alice' })).toEqual(
      [OFFICE, PROVISIONAL, PERSONAL, PUBLIC, INTERNAL].toSorted(),
    );
  });

  test('that is named by a person holds there only where the person may name one', async () => {
    const curator = { role: 'curator', scope: '/office' };
    const half = await service.home.person('half', curator);
    expect(refusal(await search(half, { peer_key: 'alice', scope_path: '/club' }))).toEqual([
      403,
      'forbidden',
    ]);
    // Of the office alone: the person may not read the club.
    expect(await seen(half, { peer_key: 'alice' })).toEqual([OFFICE]);
    const reading = await service.home.person('reading', curator);
    await service.home.grant(service.home.emailOf('reading'), { scope: '/club', role: 'reader' });
    const other = await service.home.person('other', curator);
    await service.home.grant(service.home.emailOf('other'), { scope: '/club', role: 'curator' });
    // Granted before their first request: nothing is remembered of them.
    expect(await seen(reading, { peer_key: 'alice' })).toEqual(
      [OFFICE, PUBLIC, INTERNAL].toSorted(),
    );
    expect(await seen(other, { peer_key: 'alice' })).toEqual(
      [OFFICE, PROVISIONAL, PERSONAL, PUBLIC, INTERNAL].toSorted(),
    );
  });
});

describe('a linked scope that the caller may not read', () => {
  /** The same search before and after the link, byte for byte but for times. */
  async function sameWithLink(token: string, from: string, to: string, body: Body = {}) {
    const ask = async () =>
      withoutTimes(await search(token, { ...LINKED, scope_path: from, ...body }));
    const before = await ask();
    await link(from, to);
    const after = await ask();
    await unlink(from, to);
    expect(after).toEqual(before);
  }

  beforeAll(async () => {
    await tell('/yard', 'I sweep the yard.');
    await tell('/vault', 'I buried a secret in the garden of the vault.');
  });

  test('is like none, when no grant reaches it', async () => {
    const token = (await service.home.agent('yard-only', { scope: '/yard', role: 'reader' })).token;
    await sameWithLink(token, '/yard', '/vault');
    await sameWithLink(token, '/yard', '/vault', { query: 'buried secret vault' });
    await sameWithLink(token, '/yard', '/vault', { query: '' });
  });

  test('is like none, when a deny reaches it', async () => {
    await service.home.agent('denied', { scope: '/', role: 'reader' });
    await service.home.grant('denied', { scope: '/vault', role: 'reader', effect: 'deny' });
    const denied = (await service.home.agent('denied', { scope: '/', role: 'reader' })).token;
    await sameWithLink(denied, '/yard', '/vault', { query: 'buried secret vault' });
  });

  test('is like none, when it lies outside of the pin of a key', async () => {
    const pinned = (await service.home.agent('pinned', { pin: '/yard' })).token;
    await sameWithLink(pinned, '/yard', '/vault', { query: 'buried secret vault' });
  });

  test('is like none, when the scope at this end is hidden from the caller', async () => {
    const token = (await service.home.agent('vault-only', { scope: '/vault', role: 'reader' }))
      .token;
    const other = await search(token, { ...LINKED, scope_path: '/nowhere' });
    await link('/yard', '/vault');
    const hidden = await search(token, { ...LINKED, scope_path: '/yard' });
    await unlink('/yard', '/vault');
    const compared = (answer: HttpAnswer, path: string) =>
      JSON.stringify(withoutTimes(answer)).replaceAll(path, 'path');
    expect(compared(hidden, '/yard')).toBe(compared(other, '/nowhere'));
    expect(candidatesOf(hidden)).toEqual([]);
  });
});

describe('a link', () => {
  test('ends with unlink, at once', async () => {
    const paths = async () =>
      (await seen(relay, { scope_path: '/yard' })).map((row) => Object(row)[0]);
    await link('/yard', '/far');
    expect(await paths()).toEqual(['/far', '/yard']);
    await unlink('/far', '/yard');
    expect(await paths()).toEqual(['/yard']);
  });

  test('of another account shows nothing here, for a scope of the same path', async () => {
    const theirs = (await service.other.agent('theirs')).token;
    await service.ingestAndWait(theirs, {
      scope_path: '/yard',
      content: 'I own a garden of weeds.',
    });
    await service.ingestAndWait(theirs, {
      scope_path: '/club',
      content: 'I own a garden of nettles.',
    });
    const before = withoutTimes(await search(relay, { ...LINKED, scope_path: '/yard' }));
    const ends = { from: '/yard', to: '/club' };
    await service.operate(linkScopes, { account: service.other.key, ...ends });
    expect(withoutTimes(await search(relay, { ...LINKED, scope_path: '/yard' }))).toEqual(before);
    expect(await seen(theirs, { scope_path: '/yard' })).toHaveLength(2);
  });
});

test('anything but a truth value for include_cross_links is refused', async () => {
  expect(refusal(await search(relay, { include_cross_links: 'sideways' }))).toEqual([
    422,
    'invalid_request',
    'include_cross_links',
  ]);
  const unset = await search(relay, { include_cross_links: null });
  expect(exactly(unset)).toMatchObject({ status: 200 });
  expect(textsOf(unset)).toEqual([OFFICE]);
});

test('an empty answer mentions hidden statements of the chain alone, and none of linked scopes', async () => {
  const told = await tell('/club', 'I mended the sundial.');
  await service.home.rewrite(told.knowledge[0]?.['id'], { state: 'provisional' });
  await service.home.reindex();
  const degraded = async (scope_path: string) =>
    dataOf(await search(stranger, { ...LINKED, scope_path, query: 'sundial' }))[
      'degraded_components'
    ];
  expect(await degraded('/club')).toEqual(['candidate_filter']);
  expect(await degraded('/office')).toEqual([]);
});
