/** A service with a curator, cards that are published over HTTP, and statements that are put there row by row. */
import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { TestAccount } from '../../support/account.ts';
import { dataOf, startService, type Body, type Service } from '../../support/service.ts';

const DAY_MS = 86_400_000;
export const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

/** A statement, where it differs from an active internal preference about the peer, which the peer said itself. */
export interface Said {
  readonly text?: string;
  readonly path?: string;
  /** The key of the peer that it is about; null for the scope. */
  readonly about?: string | null;
  /** Keys of those who said it. */
  readonly by?: readonly string[];
  readonly kind?: string;
  readonly state?: string;
  readonly sensitivity?: string;
  readonly target_level?: string;
  readonly verification?: string;
  readonly attribute?: string;
  readonly confidence?: number;
  readonly corroboration?: number;
  readonly source?: 'message' | 'document';
  readonly expiresAt?: string | null;
  /** When it began to be believed, and when it was said. */
  readonly since?: string;
  readonly saidAt?: string;
  /** Whether it was placed before it came into its state. */
  readonly wasPlaced?: boolean;
}

export interface SkillScene {
  readonly service: Service;
  readonly account: TestAccount;
  readonly curator: string;
  readonly agent: string;
  peer(key: string): Promise<string>;
  scope(path: string): Promise<string>;
  say(about: string, said?: Said): Promise<string>;
  publish(body: Body, token?: string): Promise<Body>;
  /** The report of a machine about a peer. */
  report(skill: string, peer: string, path?: string): Promise<Body>;
  close(): Promise<void>;
}

const sha = (text: string): Buffer => createHash('sha256').update(text).digest();

export const itemsOf = (rows: unknown): readonly Body[] =>
  Array.isArray(rows) ? rows.map((row): Body => Object(row)) : [];
/** The item of a requirement. */
export const itemOf = (report: Body, key = 'one'): Body =>
  itemsOf(report['requirements']).find((item) => item['key'] === key) ?? {};

/** A requirement that is required, with `changes`. */
export const requirement = (changes: Body = {}): Body => ({
  key: 'one',
  level: 'required',
  source_policy: 'from-memory',
  selector: { kind: 'preference', subject: 'peer' },
  ...changes,
});

export async function startSkillScene(name = 'skills'): Promise<SkillScene> {
  const service = await startService();
  const account = await service.account(name);
  const { token: agent } = await account.agent('agent');
  const curator = await account.person('curator', { role: 'curator' });
  await service.ingest(agent, { scope_path: '/team', content: 'Hello.', role: 'assistant' });
  return sceneOn(service, account, { agent, curator });
}

function sceneOn(
  service: Service,
  account: TestAccount,
  { agent, curator }: { readonly agent: string; readonly curator: string },
): SkillScene {
  const id = account.id;
  const one = async (query: string, values: readonly unknown[]): Promise<string> => {
    const [row] = await service.rows(query, values);
    return String(Object.values(row ?? {})[0]);
  };
  const peer = (key: string) =>
    one(
      `with made as (insert into peers (account_id, id, key, name, kind) values ($1, $2, $3, $3, 'human')
         on conflict do nothing returning id)
       select id from made union all select id from peers where account_id = $1 and key = $3 limit 1`,
      [id, uuidv7(), key],
    );
  const scope = async (path: string): Promise<string> => {
    const above = path.slice(0, path.lastIndexOf('/')) || '/';
    const parent = path === '/' ? null : await scope(above);
    return one(
      `with made as (insert into scopes (account_id, id, path, parent_id) values ($1, $2, $3, $4)
         on conflict do nothing returning id)
       select id from made union all select id from scopes where account_id = $1 and path = $3 limit 1`,
      [id, uuidv7(), path, parent],
    );
  };
  const scene: SkillScene = {
    service,
    account,
    agent,
    curator,
    peer,
    scope,
    say: (about, said = {}) => addStatement(scene, about, said),
    async publish(body, token = curator) {
      const json = { scope_path: '/team', ...body };
      return dataOf(await service.call({ path: '/api/v1/governance/skills', token, json }));
    },
    async report(skill, key, path = '/team') {
      const json = { skill, scope_path: path, peer_key: key };
      return dataOf(await service.call({ path: '/api/v1/readiness', token: agent, json }));
    },
    close: () => service.close(),
  };
  return scene;
}

async function addStatement(scene: SkillScene, about: string, said: Said): Promise<string> {
  const { account, service } = scene;
  const knowledgeId = uuidv7();
  const scopeId = await scene.scope(said.path ?? '/team');
  const subject = said.about === null ? null : await scene.peer(said.about ?? about);
  const state = said.state ?? 'active';
  const since = said.since ?? daysAgo(1);
  const row = {
    account_id: account.id,
    id: knowledgeId,
    scope_id: scopeId,
    subject_peer_id: subject,
    subject_scope_id: subject === null ? scopeId : null,
    statement: said.text ?? `${about} likes green tea.`,
    statement_hash: `\\x${sha(knowledgeId).toString('hex')}`,
    text_source_hash: `\\x${sha(knowledgeId).toString('hex')}`,
    kind: said.kind ?? 'preference',
    confidence: said.confidence ?? 1,
    evidence_level: 'direct',
    sensitivity: said.sensitivity ?? 'internal',
    target_level: said.target_level ?? 'peer',
    state,
    verification: said.verification ?? 'auto_verified',
    origin: 'extracted',
    corroboration_count: said.corroboration ?? 1,
    previously_refused: false,
    expires_at: said.expiresAt ?? null,
    text_occurred_at: since,
    extracting_provider: 'deterministic',
    pipeline_version: 'f5-1',
    row_version: 1,
    recorded_at: since,
    updated_at: since,
    claim_about: said.attribute ?? null,
    claim_mode: said.attribute === undefined ? null : 'holds',
    source_count: 1,
    submitter_count: 1,
    derivation_level: 1,
  };
  const columns = Object.keys(row).join(', ');
  await service.rows(
    `insert into knowledge (${columns}) select ${columns} from jsonb_populate_record(null::knowledge, $1)`,
    [JSON.stringify(row)],
  );
  await addPeriods(scene, row, said.wasPlaced ?? true);
  for (const key of said.by ?? [about]) await addSource(scene, row, await scene.peer(key), said);
  return knowledgeId;
}

type Row = Readonly<Record<string, unknown>>;

async function addPeriods({ service }: SkillScene, row: Row, wasPlaced: boolean): Promise<void> {
  const over = row['state'] === 'expired' && wasPlaced;
  const add = (state: unknown, from: unknown, until: unknown) =>
    service.rows(
      `insert into belief_periods (account_id, id, knowledge_id, state, scope_id, target_level, sensitivity,
         confidence, believed_from, believed_until)
       select account_id, $3, id, $4, scope_id, target_level, sensitivity, confidence, $5, $6 from knowledge
       where account_id = $1 and id = $2`,
      [row['account_id'], row['id'], uuidv7(), state, from, until],
    );
  if (over) await add('active', daysAgo(30), row['recorded_at']);
  await add(row['state'], row['recorded_at'], null);
}

/** A message of the peer, or a chunk of a document that it uploaded, from which the statement was drawn. */
async function addSource(
  scene: SkillScene,
  row: Row,
  peerId: string,
  { saidAt, source = 'message' }: Said,
): Promise<void> {
  const { account, service } = scene;
  const ids = { session: uuidv7(), message: uuidv7(), document: uuidv7(), version: uuidv7() };
  const scopeId = row['scope_id'];
  const at = saidAt ?? row['recorded_at'];
  await service.rows(
    `insert into sessions (account_id, id, external_id, shard) values ($1, $2, $3, 0)`,
    [account.id, ids.session, ids.session],
  );
  await service.rows(
    'insert into session_scopes (account_id, session_id, scope_id) values ($1, $2, $3)',
    [account.id, ids.session, scopeId],
  );
  const isChunk = source === 'document';
  if (isChunk) await addDocument(scene, ids, scopeId, peerId);
  await service.rows(
    `insert into messages (account_id, id, session_id, scope_id, speaker_peer_id, credential_id, role, content,
       content_hash, occurred_at, occurred_offset_minutes, trace_id, document_version_id, chunk_index)
     select $1, $2, $3, $4, $5, (select id from credentials where account_id = $1 limit 1), 'user', 'I like tea.',
       $6, $7, 0, $8, $9, $10`,
    [
      account.id,
      ids.message,
      ids.session,
      scopeId,
      peerId,
      sha(ids.message),
      at,
      'ab'.repeat(16),
      isChunk ? ids.version : null,
      isChunk ? 0 : null,
    ],
  );
  await service.rows(
    `insert into provenance (account_id, knowledge_id, message_id, speaker_peer_id, source_key)
     values ($1, $2, $3, $4, $5)`,
    [account.id, row['id'], ids.message, peerId, ids.message],
  );
  await service.rows(
    `insert into knowledge_submitters (account_id, knowledge_id, peer_id, scope_id, state, confidence, recorded_at)
     select k.account_id, k.id, $3, k.scope_id, k.state::text, k.confidence, k.recorded_at
     from knowledge k where k.account_id = $1 and k.id = $2`,
    [account.id, row['id'], peerId],
  );
  await service.rows(
    `insert into knowledge_attesters (account_id, knowledge_id, peer_id, document_id, source_count, last_said_at,
       last_said_hash, last_version) values ($1, $2, $3, $4, 1, $5, $6, $7)`,
    [
      account.id,
      row['id'],
      isChunk ? null : peerId,
      isChunk ? ids.document : null,
      at,
      sha(ids.message),
      isChunk ? 1 : null,
    ],
  );
}

async function addDocument(
  { account, service }: SkillScene,
  ids: { readonly document: string; readonly version: string },
  scopeId: unknown,
  peerId: string,
): Promise<void> {
  await service.rows(
    'insert into documents (account_id, id, scope_id, external_id) values ($1, $2, $3, $4)',
    [account.id, ids.document, scopeId, ids.document],
  );
  await service.rows(
    `insert into document_versions (account_id, id, document_id, version, sha256, byte_size, media_type,
       uploader_peer_id, credential_id, occurred_at, occurred_offset_minutes, trace_id)
     select $1, $2, $3, 1, $4, 1, 'text/plain', $5, (select id from credentials where account_id = $1 limit 1),
       now(), 0, $6`,
    [account.id, ids.version, ids.document, sha(ids.version), peerId, 'ab'.repeat(16)],
  );
}
