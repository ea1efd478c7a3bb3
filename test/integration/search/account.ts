/** One account of a search scene: rows are put there as a superuser would, one statement at a time. */
import { createHash } from 'node:crypto';
import type { DatabasePool } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../../../domain/identity/caller.ts';
import { parseScopePath, ROOT_PATH, scopeChain } from '../../../domain/scopes/path.ts';
import type { Indexer } from '../../../engine/indexes/indexer.ts';
import { ANALYZER } from '../../../engine/indexes/units.ts';
import { statementTermIds } from '../../support/statement-terms.ts';
import { createRefusingInAccount } from '../../../stores/postgres/in-account.ts';
import { HANGS_MS } from '../../support/patience.ts';

export interface StatementInput {
  readonly text: string;
  readonly path?: string;
  readonly state?: string;
  readonly sensitivity?: string;
  readonly level?: string;
  readonly subject?: string | null;
  readonly submitters?: readonly string[];
  readonly confidence?: number;
  readonly expiresAt?: string | null;
  readonly relevantFrom?: string | null;
  readonly relevantUntil?: string | null;
  readonly recordedAt?: string;
  /** Earlier periods, oldest first; the last one is open and has the row's values. */
  readonly periods?: readonly {
    from: string;
    until: string | null;
    state: string;
    path?: string;
  }[];
  readonly corroboration?: number;
  /** The keys of the peers that it is for; for everybody unless given. */
  readonly audience?: readonly string[] | null;
}

export interface AccountScene {
  readonly id: string;
  readonly peerIds: ReadonlyMap<string, string>;
  peer(key: string): Promise<string>;
  scope(path: string): Promise<string>;
  /** Inserts a statement with its periods, counts its words and marks it for both indexes. */
  statement(input: StatementInput): Promise<string>;
  message(input: {
    speaker: string;
    text: string;
    path?: string;
    session?: string;
    /** A message into whose session it comes; a session of its own unless given. */
    after?: string;
    relay?: string;
    role?: string;
    /** ISO 8601; now unless given. */
    occurredAt?: string;
  }): Promise<string>;
  /** Makes messages the sources of a statement. */
  drawn(statementId: string, ...messageIds: string[]): Promise<void>;
  /** Lets a peer take part in the session of a message, from its beginning. */
  attend(key: string, messageId: string): Promise<void>;
  /** Lets a peer take part in the session of a message from now on: it reads nothing that was said before. */
  join(key: string, messageId: string): Promise<void>;
  /** Tells Qdrant of statements and waits, as the extraction does. */
  index(...ids: string[]): Promise<'acknowledged' | 'overdue'>;
  /** Works through all marks of the account, or in one batch through the first `most`. */
  refresh(most?: number): Promise<void>;
  /** A machine that reads at the path. */
  caller(options: { peer?: string | null; path?: string }): Promise<Caller>;
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export type RunSql = (
  text: string,
  values?: readonly unknown[],
) => Promise<Record<string, unknown>[]>;

/** Creates an account with its root scope; `indexer` answers the one in use at the time. */
export async function createAccountScene(
  sql: RunSql,
  pool: DatabasePool,
  indexer: () => Indexer,
): Promise<AccountScene> {
  const id = uuidv7();
  const peerIds = new Map<string, string>();
  const scopeIds = new Map<string, string>();
  const credentialId = uuidv7();
  await sql('insert into accounts (id, key, name) values ($1, $2, $2)', [id, `a${id}`]);
  await sql('insert into scopes (account_id, id, path) values ($1, $2, $3)', [id, id, '/']);
  scopeIds.set('/', id);
  await sql(
    `insert into credentials (account_id, id, kind, secret_hash) values ($1, $2, 'api_key', $3)`,
    [id, credentialId, sha256(credentialId)],
  );
  await sql(`insert into mailboxes (account_id, kind, shard) values ($1, 'projection', 0)`, [id]);

  /** The session of that name, which goes on where it stands already: its messages may all have been erased. */
  const newSession = async (externalId?: string): Promise<string> => {
    const sessionId = uuidv7();
    const [session] = await sql(
      `insert into sessions (account_id, id, external_id, shard) values ($1, $2, $3, 0)
       on conflict (account_id, external_id) do update set external_id = excluded.external_id returning id`,
      [id, sessionId, externalId ?? sessionId],
    );
    return String(session?.['id']);
  };
  const sessionOf = async (messageId: string): Promise<string> => {
    const [row] = await sql('select session_id from messages where account_id = $1 and id = $2', [
      id,
      messageId,
    ]);
    return String(row?.['session_id']);
  };
  const takePart = async (key: string, messageId: string, readsWhole: boolean): Promise<void> => {
    await sql(
      `insert into session_participants (account_id, session_id, scope_id, peer_id, joined_at, reads_whole_session)
       select account_id, session_id, scope_id, $3, clock_timestamp(), $4 from messages
       where account_id = $1 and id = $2`,
      [id, messageId, await scene.peer(key), readsWhole],
    );
  };

  /** A new audience of peers at the scope. */
  const newAudience = async (scopeId: string, keys: readonly string[]): Promise<string> => {
    const audienceId = uuidv7();
    await sql('insert into audiences (account_id, id, scope_id, digest) values ($1, $2, $3, $4)', [
      id,
      audienceId,
      scopeId,
      sha256(audienceId),
    ]);
    for (const key of keys) {
      await sql(
        'insert into audience_members (account_id, audience_id, principal) values ($1, $2, $3)',
        [id, audienceId, await scene.peer(key)],
      );
    }
    return audienceId;
  };

  const scene: AccountScene = {
    id,
    peerIds,
    async peer(key) {
      const known = peerIds.get(key);
      if (known !== undefined) return known;
      const peerId = uuidv7();
      await sql(
        `insert into peers (account_id, id, key, name, kind) values ($1, $2, $3, $3, 'human')`,
        [id, peerId, key],
      );
      peerIds.set(key, peerId);
      return peerId;
    },
    async scope(path) {
      const parsed = parseScopePath(path) ?? ROOT_PATH;
      for (const step of scopeChain(parsed)) {
        if (scopeIds.has(step)) continue;
        const parent = scopeChain(step).at(-2) ?? ROOT_PATH;
        const scopeId = uuidv7();
        await sql('insert into scopes (account_id, id, path, parent_id) values ($1, $2, $3, $4)', [
          id,
          scopeId,
          step,
          scopeIds.get(parent),
        ]);
        scopeIds.set(step, scopeId);
      }
      return scopeIds.get(parsed) ?? '';
    },
    async statement(input) {
      const statementId = uuidv7();
      const scopeId = await scene.scope(input.path ?? '/poc');
      const subjectKey = input.subject === undefined ? 'anna' : input.subject;
      const subject = subjectKey === null ? null : await scene.peer(subjectKey);
      const recordedAt = input.recordedAt ?? new Date().toISOString();
      const state = input.state ?? 'active';
      const sensitivity = input.sensitivity ?? 'public';
      const level = input.level ?? 'peer';
      const { audience = null } = input;
      const audienceId = audience === null ? null : await newAudience(scopeId, audience);
      const precision = (end: string | null | undefined) => (end ? 'day' : null);
      await sql(
        `insert into knowledge (account_id, id, scope_id, subject_peer_id, subject_scope_id, statement,
           statement_hash, kind, confidence, evidence_level, sensitivity, target_level, state, verification,
           corroboration_count, expires_at, relevant_from, relevant_from_precision, relevant_until,
           relevant_until_precision, text_occurred_at, text_source_hash, extracting_provider, pipeline_version,
           recorded_at, updated_at, audience_id)
         values ($1, $2, $3, $4, $5, $6, $7, 'fact', $8, 'direct', $9, $10, $11, 'pending', $12, $13, $14, $15,
           $16, $17, $18, $7, 'deterministic', 'f5-1', $18, $18, $19)`,
        [
          id,
          statementId,
          scopeId,
          subject,
          subject === null ? scopeId : null,
          input.text,
          sha256(statementId),
          input.confidence ?? 1,
          sensitivity,
          level,
          state,
          input.corroboration ?? 1,
          input.expiresAt ?? null,
          input.relevantFrom ?? null,
          precision(input.relevantFrom),
          input.relevantUntil ?? null,
          precision(input.relevantUntil),
          recordedAt,
          audienceId,
        ],
      );
      for (const key of input.submitters ?? ['anna']) {
        await sql(
          `insert into knowledge_submitters (account_id, knowledge_id, peer_id, scope_id, state, confidence, recorded_at)
           select k.account_id, k.id, $3, k.scope_id, k.state::text, k.confidence, k.recorded_at
           from knowledge k where k.account_id = $1 and k.id = $2`,
          [id, statementId, await scene.peer(key)],
        );
      }
      for (const period of input.periods ?? [{ from: recordedAt, until: null, state }]) {
        await sql(
          `insert into belief_periods (account_id, id, knowledge_id, state, scope_id, target_level, sensitivity,
             confidence, relevant_from, relevant_from_precision, relevant_until, relevant_until_precision,
             believed_from, believed_until, audience_id)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
          [
            id,
            uuidv7(),
            statementId,
            period.state,
            period.path === undefined ? scopeId : await scene.scope(period.path),
            level,
            sensitivity,
            input.confidence ?? 1,
            input.relevantFrom ?? null,
            precision(input.relevantFrom),
            input.relevantUntil ?? null,
            precision(input.relevantUntil),
            period.from,
            period.until,
            audienceId,
          ],
        );
      }
      const counted = {
        unit: 'statement',
        unitId: statementId,
        scopeId,
        termIds: statementTermIds(id, input.text),
        analyzerVersion: ANALYZER,
      } as const;
      // What is for some counts nowhere.
      await createRefusingInAccount(pool)(id, (stores) =>
        stores.frequencies.recount({ counted: audienceId === null ? [counted] : [] }),
      );
      await sql(
        `insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
         select $1, e, 'statement', $2, $3, 0 from unnest(enum_range(null::index_engine)) e`,
        [id, statementId, scopeId],
      );
      return statementId;
    },
    async message(input) {
      const messageId = uuidv7();
      const scopeId = await scene.scope(input.path ?? '/poc');
      const speaker = await scene.peer(input.speaker);
      const sessionId =
        input.after === undefined ? await newSession(input.session) : await sessionOf(input.after);
      await sql(
        `insert into session_scopes (account_id, session_id, scope_id) values ($1, $2, $3)
         on conflict do nothing`,
        [id, sessionId, scopeId],
      );
      await sql(
        `insert into messages (account_id, id, session_id, scope_id, speaker_peer_id, relay_peer_id, credential_id, role,
           content, content_hash, occurred_at, occurred_offset_minutes, trace_id)
         values ($1, $2, $3, $4, $5, $10, $6, $11, $7, $8, coalesce($12::timestamptz, now()), 0, $9)`,
        [
          id,
          messageId,
          sessionId,
          scopeId,
          speaker,
          credentialId,
          input.text,
          sha256(input.text),
          'a'.repeat(32),
          input.relay === undefined ? null : await scene.peer(input.relay),
          input.role ?? 'user',
          input.occurredAt ?? null,
        ],
      );
      await sql(
        `insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
         select $1, e, 'message', $2, $3, 0 from unnest(enum_range(null::index_engine)) e`,
        [id, messageId, scopeId],
      );
      return messageId;
    },
    async drawn(statementId, ...messageIds) {
      await sql(
        `insert into provenance (account_id, knowledge_id, message_id, speaker_peer_id, source_key)
         select account_id, $2, id, speaker_peer_id, id from messages where account_id = $1 and id = any($3)`,
        [id, statementId, messageIds],
      );
    },
    attend: (key, messageId) => takePart(key, messageId, true),
    join: (key, messageId) => takePart(key, messageId, false),
    index: (...knowledgeIds) =>
      indexer().indexStatements({
        accountId: id,
        knowledgeIds,
        timeoutMs: HANGS_MS,
        signal: new AbortController().signal,
      }),
    async refresh(most) {
      for (let more = true; more;) {
        const report = await indexer().refresh({
          accountId: id,
          shard: 0,
          limit: most ?? 100,
          signal: new AbortController().signal,
        });
        if (report.failed > 0) throw new Error('an index refused a write');
        more = report.more && most === undefined;
      }
    },
    async caller({ peer = null, path = '/' }) {
      return {
        accountId: id,
        credentialId,
        kind: 'machine',
        peerId: peer === null ? null : await scene.peer(peer),
        peerKey: peer,
        pinPath: null,
        secretPolicy: 'keep',
        grants: [
          {
            scopePath: parseScopePath(path) ?? ROOT_PATH,
            role: 'reader',
            effect: 'allow',
            propagate: true,
          },
        ],
      };
    },
  };
  return scene;
}
