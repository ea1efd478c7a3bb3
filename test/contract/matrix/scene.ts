/** The account of the matrix in a running service: who is in it, what stands in it, and what requests name. */
import { v7 as uuidv7 } from 'uuid';
import { rebuildIndex } from '../../../operations/retrieval/index-admin.ts';
import type { Service } from '../../support/service.ts';
import { hashSecret } from '../../../runtime/identity/secrets.ts';
import { signIn } from '../../support/account.ts';
import { addClosedSources, CLOSED } from './closed-sources.ts';
import { addHidden, DENIED } from './hidden.ts';
import { makeForeign, type Foreign } from './foreign.ts';
import { addCircle } from './addressed.ts';
import { Rows, type Place } from './row-set.ts';
import { addFacts, addScopes, addSessions, cardRow, SKILL } from './rows.ts';
import { Leaks } from './leaks.ts';
import { DOCUMENTS, STATEMENTS, WORD_OF_DOCUMENTS, type MessageFact } from './plan.ts';
import { uploaded, type Uploaded } from './uploads.ts';
import {
  CIRCLE_MEMBERS,
  CIRCLE_PATHS,
  emailOf,
  IDENTITIES,
  SCOPES,
  type IdentityName,
} from './world.ts';

/** A question: no statement is drawn from it. */
const UPLOADED = `What time does the ${WORD_OF_DOCUMENTS} open?`;

export interface MatrixScene {
  readonly service: Service;
  readonly place: Place;
  readonly foreign: Foreign;
  readonly documents: readonly Uploaded[];
  /** The passages of the documents. */
  readonly chunks: readonly MessageFact[];
  /** Reads all answers. */
  readonly leaks: Leaks;
  /** The bearer token; null for none. */
  tokenOf(identity: IdentityName): string | null;
}

type Tokens = Partial<Record<IdentityName, string>>;

async function makeKeys(service: Service): Promise<Tokens> {
  const { home } = service;
  const tokens: Tokens = {};
  const expired = await home.agent('ended', { expires_in_seconds: 1 });
  const revoked = await home.agent('ended');
  await home.revoke(revoked);
  for (const [name, { credential, grants, kind, peer, pin }] of Object.entries(IDENTITIES)) {
    if (credential !== 'valid' || kind !== 'machine') continue;
    const [grant] = grants;
    if (grant === undefined) throw new Error(`${name} has no grant`);
    const role = grant.role === 'account_admin' ? 'account-admin' : grant.role;
    const where = { scope: grant.path, role, ...(pin === null ? {} : { pin }) };
    tokens[name as IdentityName] = (await home.agent(peer, where)).token;
  }
  await service.rows(
    `update grants g set propagate = false from peers p
     where p.account_id = g.account_id and p.id = g.peer_id and p.key = 'lone' and g.account_id = $1`,
    [home.id],
  );
  tokens['an expired key'] = expired.token;
  tokens['a revoked key'] = revoked.token;
  tokens['an unknown token'] = `vch_${'0'.repeat(60)}`;
  return tokens;
}

async function makePeople(service: Service): Promise<Tokens> {
  const { home, other } = service;
  const call: Service['call'] = (request) => service.call(request);
  const [reader, member, curator, deniedMember, leaver] = await Promise.all([
    home.person('reader', { role: 'reader' }),
    home.person('member'),
    home.person('curator', { role: 'reader' }),
    home.person('denied'),
    home.person('leaver'),
    home.person('stranger', { role: 'reader' }),
  ]);
  const tokens: Tokens = {
    'a reader': reader,
    'a member': member,
    'a curator': curator,
    'a denied member': deniedMember,
    'a person who leaves': leaver,
  };
  await home.grant(emailOf('curator'), { scope: SCOPES.own, role: 'curator' });
  const denied = [
    SCOPES.denied,
    CLOSED,
    ...[DENIED.full, DENIED.without].map((top) => top + DENIED.below),
  ];
  for (const scope of denied) {
    await home.grant(emailOf('denied'), { scope, role: 'reader', effect: 'deny' });
  }
  tokens['an administrator'] = await signIn(call, home.adminEmail);
  tokens["another account's administrator"] = await signIn(call, other.adminEmail);
  return tokens;
}

async function idsOf(service: Service, table: 'peers' | 'scopes', name: 'key' | 'path') {
  const found = await service.rows(`select ${name}, id from ${table} where account_id = $1`, [
    service.home.id,
  ]);
  return new Map(found.map((row) => [String(row[name]), String(row['id'])]));
}

/** The credential of each who has one that is valid. */
async function credentialsOf(service: Service, tokens: Tokens): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const [name, token] of Object.entries(tokens)) {
    const [found] = await service.rows(
      'select id from credentials where account_id = $1 and secret_hash = $2',
      [service.home.id, hashSecret(token)],
    );
    if (found !== undefined) ids.set(name, String(found['id']));
  }
  return ids;
}

async function chunksOf(service: Service): Promise<MessageFact[]> {
  const found = await service.rows(
    `select m.id, s.path, p.key from messages m
     join scopes s on s.account_id = m.account_id and s.id = m.scope_id
     join peers p on p.account_id = m.account_id and p.id = m.speaker_peer_id
     where m.account_id = $1 and m.document_version_id is not null`,
    [service.home.id],
  );
  return found.map((row) => ({
    id: String(row['id']),
    path: String(row['path']),
    speaker: String(row['key']),
    relay: null,
    recordedAt: '',
    isChunk: true,
  }));
}

/** Makes it all, with the indexes told of it. */
export async function openMatrix(service: Service): Promise<MatrixScene> {
  const { home } = service;
  const [keys, people] = await Promise.all([makeKeys(service), makePeople(service)]);
  const tokens: Tokens = { ...keys, ...people };
  const foreign = makeForeign(service);
  const rows = new Rows(home.id);
  const scopeIds = addScopes(rows, (await idsOf(service, 'scopes', 'path')).get('/') ?? '');
  const place: Place = {
    accountId: home.id,
    credentialIds: await credentialsOf(service, tokens),
    scopeIds,
    peerIds: await idsOf(service, 'peers', 'key'),
    sessionIds: new Map([...scopeIds.keys()].map((path) => [path, uuidv7()])),
  };
  addSessions(rows, place);
  addFacts(rows, place, STATEMENTS);
  addHidden(rows, place);
  addClosedSources(rows, place);
  for (const path of CIRCLE_PATHS) {
    addCircle(rows, place, { id: uuidv7(), name: 'matrix', path, members: CIRCLE_MEMBERS });
  }
  for (const path of ['/', SCOPES.own]) {
    rows.add('skill_cards', cardRow(uuidv7(), SKILL, scopeIds.get(path) ?? ''));
  }
  await rows.write((query, values) => service.rows(query, values));
  const documents = await Promise.all(
    DOCUMENTS.map(({ by, path }, nth) =>
      uploaded(service, tokens[by] ?? '', {
        scope_path: path,
        external_id: `matrix-${nth}`,
        content_base64: Buffer.from(`${UPLOADED}${' Or later?'.repeat(nth)}`).toString('base64'),
      }),
    ),
  );
  await service.operate(rebuildIndex, { account: home.key });
  await service.quiet();
  const chunks = await chunksOf(service);
  return {
    service,
    place,
    foreign: await foreign,
    documents,
    chunks,
    leaks: new Leaks(chunks),
    tokenOf: (identity) => tokens[identity] ?? null,
  };
}
