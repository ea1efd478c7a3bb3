/**
 * Fifty accounts with 1,400 scopes, and in each scope statements of every state, level and sensitivity with their
 * history. The accounts are alike: scopes, peers and most words have the same names, and only the ids tell them apart.
 */
import { createHash, randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { KNOWLEDGE_STATES } from '../../../domain/governance/visibility.ts';
import { formatApiKey, formatToken } from '../../../domain/identity/secret-text.ts';
import type { Service } from '../../support/service.ts';
import { peersOf, PEOPLE, PERSON_NAMES, scopePathsOf, type PersonName } from './people.ts';

export const THINGS = ['boats', 'geese', 'tea', 'lamps', 'ropes', 'maps', 'bells', 'jars'] as const;
const PER_SCOPE = 2;
const DAY_MS = 86_400_000;
const BEGINNING = Date.UTC(2026, 0, 1);

export interface SeededAccount {
  readonly number: number;
  readonly id: string;
  readonly key: string;
  readonly tokens: Readonly<Record<PersonName, string>>;
  readonly scopeIds: ReadonlyMap<string, string>;
  readonly peerIds: ReadonlyMap<string, string>;
  readonly statementIds: readonly string[];
  readonly messageIds: readonly string[];
}

/** A word of all statements of the account, and of none of another one. */
export const markOf = (account: number): string => `zonk${account}q`;
/** A word of one statement. */
export const ownWordOf = (account: number, n: number): string => `plim${account}n${n}w`;

/** Small whole numbers that look like chance and are the same in every run. */
function dice(seed: string): (sides: number) => number {
  let rolls = 0;
  return (sides) => {
    rolls += 1;
    const digest = createHash('sha256').update(`${seed}/${rolls}`).digest();
    return digest.readUInt32BE(0) % sides;
  };
}

/** Where the n-th statement of an account stands: half of them where many chains come by. */
export function pathOf(account: number, n: number): string {
  const paths = scopePathsOf(account);
  return pick(n % 2 === 0 ? paths.slice(0, SHARED_SCOPES) : paths, Math.floor(n / 2));
}

type Row = Readonly<Record<string, unknown>>;
type Tables = Record<string, Row[]>;

const sha = (text: string): string => `\\x${createHash('sha256').update(text).digest('hex')}`;
const iso = (ms: number): string => new Date(ms).toISOString();
const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

const SENSITIVITIES = ['public', 'internal', 'internal', 'personal', 'restricted'] as const;
const LEVELS = ['peer', 'peer', 'peer', 'scope', 'account'] as const;
/** Every state, the ones that most reads look for more often. */
const STATES = [
  ...KNOWLEDGE_STATES,
  ...Array.from({ length: 14 }, () => 'active' as const),
  ...Array.from({ length: 6 }, () => 'provisional' as const),
];
/** The root and the three scopes below it, which many chains have. */
const SHARED_SCOPES = 4;

interface Place {
  readonly account: number;
  readonly id: string;
  readonly credentialId: string;
  readonly scopeIds: ReadonlyMap<string, string>;
  readonly peerIds: ReadonlyMap<string, string>;
  readonly sessionIds: ReadonlyMap<string, string>;
}

const idOf = (map: ReadonlyMap<string, string>, key: string): string => {
  const id = map.get(key);
  if (id === undefined) throw new Error(`nothing of the name ${key}`);
  return id;
};

function governed(roll: (sides: number) => number, isAboutScope: boolean) {
  const any = pick(SENSITIVITIES, roll(5));
  const sensitivity = any === 'restricted' && isAboutScope ? 'personal' : any;
  const target_level = sensitivity === 'restricted' ? 'peer' : pick(LEVELS, roll(5));
  return { sensitivity, target_level };
}

/** The rows of a statement: itself, its history, its source, and who said it. */
function writeStatement(
  tables: Tables,
  place: Place,
  n: number,
): [statement: string, message: string] {
  const { account, id: account_id, credentialId, peerIds, scopeIds, sessionIds } = place;
  const roll = dice(`${account}/${n}`);
  const paths = scopePathsOf(account);
  const path = pathOf(account, n);
  const scope_id = idOf(scopeIds, path);
  const [knowledge_id, message_id] = [uuidv7(), uuidv7()];
  // At the root Ana and Bo say plainly where they live: everybody finds that, and it is in their profiles.
  const isPlain = n === 0 || n === 8;
  const speaker = isPlain ? pick(['ana', 'bo'], n / 8) : pick(['ana', 'bo', 'cleo'], roll(3));
  const aboutScope = !isPlain && roll(7) === 0;
  const subject = isPlain ? speaker : pick([speaker, 'ana', 'bo', 'cleo'], roll(4));
  const now = isPlain
    ? { sensitivity: 'internal', target_level: 'peer' }
    : governed(roll, aboutScope);
  const state = isPlain ? 'active' : pick(STATES, roll(STATES.length));
  const recorded = BEGINNING + n * DAY_MS;
  const changed = roll(2) === 0 ? null : recorded + 60 * DAY_MS;
  const livesThere = isPlain || (!aboutScope && subject === speaker && roll(2) === 0);
  const words = `${markOf(account)} ${ownWordOf(account, n)}`;
  const statement = livesThere
    ? `${subject} lives in ${words}`
    : `${subject} keeps ${pick(THINGS, roll(THINGS.length))} at ${words}`;
  const speakerId = idOf(peerIds, speaker);
  const same = { account_id, relevant_from: null, relevant_until: null };
  const belief = { account_id, knowledge_id, confidence: 1 };
  tables['messages']?.push({
    account_id,
    id: message_id,
    session_id: idOf(sessionIds, path),
    scope_id,
    speaker_peer_id: speakerId,
    relay_peer_id: idOf(peerIds, 'agent'),
    credential_id: credentialId,
    role: 'user',
    content: `I said that ${statement}`,
    content_hash: sha(statement),
    occurred_at: iso(recorded),
    occurred_offset_minutes: 0,
    recorded_at: iso(recorded),
    trace_id: 'ab'.repeat(16),
  });
  tables['knowledge']?.push({
    ...same,
    ...now,
    id: knowledge_id,
    scope_id,
    subject_peer_id: aboutScope ? null : idOf(peerIds, subject),
    subject_scope_id: aboutScope ? scope_id : null,
    statement,
    statement_hash: sha(`${account}/${n}`),
    kind: 'fact',
    confidence: 1,
    evidence_level: subject === speaker ? 'direct' : 'indirect',
    state,
    verification: 'pending',
    expires_at:
      roll(8) === 0 ? iso(roll(2) === 0 ? recorded + 90 * DAY_MS : Date.UTC(2099, 0)) : null,
    text_occurred_at: iso(recorded),
    text_source_hash: sha(statement),
    extracting_provider: 'deterministic',
    pipeline_version: 'f5-1',
    recorded_at: iso(recorded),
    updated_at: iso(changed ?? recorded),
    claim_about: livesThere ? 'residence' : null,
    claim_value: livesThere ? sha(words).slice(2) : null,
    claim_mode: livesThere ? 'holds' : null,
    source_count: 1,
    submitter_count: 2,
    first_attester_id: speakerId,
    first_said_at: iso(recorded),
    first_said_hash: sha(statement),
  });
  for (const peer_id of [speakerId, idOf(peerIds, 'agent')]) {
    tables['knowledge_submitters']?.push({ account_id, knowledge_id, peer_id });
  }
  const source = { account_id, knowledge_id, message_id, speaker_peer_id: speakerId };
  tables['provenance']?.push({ ...source, source_key: uuidv7(), recorded_at: iso(recorded) });
  tables['knowledge_attesters']?.push({
    account_id,
    knowledge_id,
    peer_id: speakerId,
    source_count: 1,
    last_said_at: iso(recorded),
    last_said_hash: sha(statement),
  });
  tables['knowledge_source_scopes']?.push({ account_id, knowledge_id, scope_id });
  if (changed !== null) {
    tables['belief_periods']?.push({
      ...belief,
      ...governed(roll, aboutScope),
      id: uuidv7(),
      scope_id: idOf(scopeIds, pick(paths, roll(2) === 0 ? n : roll(paths.length))),
      state: pick(['active', 'active', 'provisional', 'stale'], roll(4)),
      believed_from: iso(recorded),
      believed_until: iso(changed),
    });
  }
  tables['belief_periods']?.push({
    ...belief,
    ...now,
    id: uuidv7(),
    scope_id,
    state,
    believed_from: iso(changed ?? recorded),
    believed_until: null,
  });
  return [knowledge_id, message_id];
}

/** The credentials of the people; answers what they send. */
function writePeople(
  tables: Tables,
  { account, id: account_id, peerIds }: Omit<Place, 'sessionIds' | 'credentialId'>,
): { tokens: Record<PersonName, string>; relayId: string } {
  const tokens: Partial<Record<PersonName, string>> = {};
  let relayId = '';
  const granted = new Set<string>();
  for (const name of PERSON_NAMES) {
    const { grants, kind, peer, pin } = PEOPLE[name];
    const [id, random] = [uuidv7(), randomBytes(32)];
    const isHuman = kind === 'human';
    const token = isHuman ? formatToken(random.toString('base64url')) : formatApiKey(id, random);
    const peer_id = peer === null ? null : idOf(peerIds, peer);
    const login_id = isHuman ? uuidv7() : null;
    tokens[name] = token;
    if (name === 'relay') relayId = id;
    if (isHuman) {
      const email = `${name}@seed-${account}.example`;
      tables['logins']?.push({ account_id, id: login_id, peer_id, email, password_hash: 'none' });
    }
    tables['credentials']?.push({
      account_id,
      id,
      kind: isHuman ? 'password_token' : 'api_key',
      secret_hash: sha(token),
      peer_id,
      login_id,
      login_epoch: isHuman ? 0 : null,
      pin_path: pin,
      expires_at: isHuman ? '2099-01-01T00:00:00Z' : null,
    });
    // A pinned key is a second key of the same peer, which has its grants already.
    if (peer !== null && granted.has(peer)) continue;
    if (peer !== null) granted.add(peer);
    for (const { effect, path, role } of grants) {
      const holder = peer_id === null ? { credential_id: id } : { peer_id };
      const grant = { account_id, id: uuidv7(), scope_path: path, role, effect, propagate: true };
      tables['grants']?.push({ credential_id: null, peer_id: null, ...grant, ...holder });
    }
  }
  return { tokens: tokens as Record<PersonName, string>, relayId };
}

function writeAccount(tables: Tables, account: number): SeededAccount {
  const id = uuidv7();
  const key = `seed-${account}`;
  const paths = scopePathsOf(account);
  const scopeIds = new Map(paths.map((path) => [path, uuidv7()]));
  const peerIds = new Map(peersOf(account).map((peer) => [peer, uuidv7()]));
  const sessionIds = new Map(paths.map((path) => [path, uuidv7()]));
  tables['accounts']?.push({ id, key, name: key, gate_preset: 'assisted' });
  for (const [path, scopeId] of scopeIds) {
    const above = path.slice(0, path.lastIndexOf('/')) || '/';
    const parent_id = path === '/' ? null : idOf(scopeIds, above);
    tables['scopes']?.push({ account_id: id, id: scopeId, path, parent_id });
  }
  for (const [peer, peerId] of peerIds) {
    const kind = peer === 'agent' ? 'agent' : 'human';
    tables['peers']?.push({ account_id: id, id: peerId, key: peer, name: peer, kind });
  }
  const { relayId, tokens } = writePeople(tables, { account, id, scopeIds, peerIds });
  for (const [index, path] of paths.entries()) {
    const session_id = idOf(sessionIds, path);
    const scope_id = idOf(scopeIds, path);
    tables['sessions']?.push({
      account_id: id,
      id: session_id,
      external_id: `session-${index}`,
      // All marks in one mailbox: the indexes are told in few tasks.
      shard: 0,
    });
    tables['session_scopes']?.push({ account_id: id, session_id, scope_id });
    // Everybody joins at another time, and only the relay reads the whole session.
    for (const [nth, peer] of ['agent', 'ana', 'bo'].entries()) {
      tables['session_participants']?.push({
        account_id: id,
        session_id,
        scope_id,
        peer_id: idOf(peerIds, peer),
        joined_at: iso(BEGINNING + nth * 20 * DAY_MS),
        reads_whole_session: peer === 'agent',
      });
    }
  }
  const place = { account, id, credentialId: relayId, scopeIds, peerIds, sessionIds };
  const written = Array.from({ length: paths.length * PER_SCOPE }, (_, n) =>
    writeStatement(tables, place, n),
  );
  return {
    number: account,
    id,
    key,
    tokens,
    scopeIds,
    peerIds,
    statementIds: written.map(([statement]) => statement),
    messageIds: written.map(([, message]) => message),
  };
}

const ORDER = [
  'accounts',
  'scopes',
  'peers',
  'logins',
  'credentials',
  'grants',
  'sessions',
  'session_scopes',
  'session_participants',
  'messages',
  'knowledge',
  'knowledge_submitters',
  'provenance',
  'knowledge_attesters',
  'knowledge_source_scopes',
  'belief_periods',
] as const;

/** Makes the accounts, with the gate rules of the first one, and tells the indexes. */
export async function seedAccounts(service: Service, count: number): Promise<SeededAccount[]> {
  const tables: Tables = Object.fromEntries(ORDER.map((table) => [table, []]));
  const accounts = Array.from({ length: count }, (_, account) => writeAccount(tables, account));
  for (const table of ORDER) {
    const rows = tables[table] ?? [];
    const columns = Object.keys(rows[0] ?? {}).join(', ');
    await service.rows(
      `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(rows)],
    );
  }
  for (const { id } of accounts) {
    await service.rows(
      `insert into gate_rules select (jsonb_populate_record(r, jsonb_build_object('account_id', $1::uuid,
         'id', gen_random_uuid()))).* from gate_rules r where r.account_id = $2`,
      [id, service.home.id],
    );
    await service.rows(
      `insert into mailboxes (account_id, kind, shard)
       select $1, k, n from generate_series(0, 7) n, unnest(enum_range(null::mailbox_kind)) k`,
      [id],
    );
  }
  return accounts;
}
