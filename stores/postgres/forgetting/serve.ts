/** Has units of an account served as the holds in force say, in the transaction that holds them fast. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import type { ScopePath } from '../../../domain/scopes/path.ts';
import { parseScopePath } from '../../../domain/scopes/path.ts';
import { CLAIM_MODES } from '../../../domain/statements/attributes.ts';
import type { Queryable } from '../queryable.ts';
import type { ForeignValue, SaidStatement, TextJudge } from '../../../domain/forgetting/judge.ts';
import { judgeIn } from '../judging.ts';
import type { JudgedPlace } from '../../../domain/forgetting/holds.ts';
import type { ServedMessage } from '../../../domain/forgetting/judge.ts';
import { ServedTextsStore } from './served-texts.store.ts';

const scopePath = z.string().transform((path): ScopePath => {
  const parsed = parseScopePath(path);
  if (parsed === null) throw new TypeError('a stored path is a path');
  return parsed;
});

const messageRow = z.object({
  id: z.string(),
  text: z.string(),
  is_as_said: z.boolean(),
  scope_path: scopePath,
  speaker_id: z.string(),
  said_at: z.string(),
  about_ids: z.array(z.string()),
});

const statementRow = z.object({
  id: z.string(),
  text: z.string(),
  is_as_said: z.boolean(),
  claim_about: z.string().nullable(),
  claim_value: z.string().nullable(),
  claim_mode: z.enum(CLAIM_MODES).nullable(),
  scope_path: scopePath,
  about_id: z.string().nullable(),
  said_at: z.string(),
  names: z.array(z.string()),
  speaker_ids: z.array(z.string()),
  wordings: z.record(z.string(), z.string()),
});

/** People whom the statements that are drawn from a message are about: so many are looked at. */
const MOST_ABOUT = 64;
/** Of who said a statement it counts whether somebody else did too. */
const MOST_SPEAKERS = 2;

/** Messages `m` with what a judge asks of them. */
export const judgedMessages = (
  accountId: string,
  from: FragmentSqlToken,
): FragmentSqlToken => sql.fragment`
  select m.id, coalesce(m.unmasked, m.content) as text, m.unmasked is null as is_as_said, place.path as scope_path,
    m.speaker_peer_id as speaker_id, m.recorded_at as said_at,
    array(select distinct k.subject_peer_id from (
      select p.knowledge_id from provenance p
      where p.account_id = m.account_id and p.message_id = m.id and not p.is_context limit ${MOST_ABOUT}) drawn
      join knowledge k on k.account_id = m.account_id and k.id = drawn.knowledge_id
      where k.subject_peer_id is not null) as about_ids
  from ${from} join scopes place on place.account_id = ${accountId}::uuid and place.id = m.scope_id`;

/** Statements `k` with what a judge asks of them; the wordings of the sources `p` that are asked for, by default of all. */
export const judgedStatements = (
  accountId: string,
  from: FragmentSqlToken,
  isAsked: FragmentSqlToken = sql.fragment`true`,
): FragmentSqlToken => sql.fragment`
  select k.id, coalesce(k.unmasked ->> 'statement', k.statement) as text, k.unmasked is null as is_as_said,
    case when k.unmasked is null then k.claim_about else k.unmasked ->> 'claim_about' end as claim_about,
    case when k.unmasked is null then k.claim_value else k.unmasked ->> 'claim_value' end as claim_value,
    case when k.unmasked is null then k.claim_mode::text else k.unmasked ->> 'claim_mode' end as claim_mode,
    place.path as scope_path, k.subject_peer_id as about_id,
    coalesce(k.first_said_at, k.recorded_at) as said_at,
    array_remove(array[subject.key, subject.name], null) as names,
    array(select coalesce(a.peer_id, a.attester_id) from knowledge_attesters a
      where a.account_id = k.account_id and a.knowledge_id = k.id and not a.withdrawn limit ${MOST_SPEAKERS}) as speaker_ids,
    coalesce((select jsonb_object_agg(p.message_id, coalesce(p.unmasked ->> 'wording', p.wording)) from provenance p
      where p.account_id = k.account_id and p.knowledge_id = k.id
        and coalesce(p.unmasked ->> 'wording', p.wording) is not null and ${isAsked}), '{}') as wordings
  from ${from} join scopes place on place.account_id = ${accountId}::uuid and place.id = k.scope_id
  left join peers subject on subject.account_id = k.account_id and subject.id = k.subject_peer_id`;

export type JudgedMessage = z.infer<typeof messageRow>;
export type JudgedStatement = z.infer<typeof statementRow>;

function placeOfMessage(row: JudgedMessage): JudgedPlace {
  return {
    scopePath: row.scope_path,
    speakerIds: [row.speaker_id],
    aboutIds: row.about_ids,
  };
}

function placeOfStatement(row: JudgedStatement): JudgedPlace {
  return {
    scopePath: row.scope_path,
    speakerIds: row.speaker_ids,
    aboutIds: row.about_id === null ? [] : [row.about_id],
  };
}

/** Values in the texts that others had said before who asked that they be forgotten. */
export async function foreignIn(
  judge: TextJudge,
  messages: readonly JudgedMessage[],
  statements: readonly JudgedStatement[],
): Promise<readonly ForeignValue[]> {
  const found: ForeignValue[] = [];
  for (const row of messages) {
    // Whom a message is about counts only where it became a statement.
    const place = { ...placeOfMessage(row), aboutIds: [] };
    found.push(...(await judge.foreign(row.text, place, row.said_at)));
  }
  for (const row of statements) {
    found.push(...(await judge.foreign(row.text, placeOfStatement(row), row.said_at)));
  }
  return found;
}

function saidStatement(row: JudgedStatement): SaidStatement {
  const { claim_about: about, claim_mode: mode, claim_value: value } = row;
  return {
    id: row.id,
    text: row.text,
    claim: about === null || mode === null ? null : { about, value, mode },
    subjectNames: row.names,
    wordings: row.wordings,
    place: placeOfStatement(row),
  };
}

/** Has the messages served as the judge says; answers how many are served otherwise than before. */
export async function serveMessages(
  tx: Queryable,
  accountId: string,
  judge: TextJudge,
  rows: readonly JudgedMessage[],
): Promise<number> {
  const served: ServedMessage[] = [];
  for (const row of rows) {
    const text = await judge.message(row.text, placeOfMessage(row));
    if (!row.is_as_said || text !== row.text) served.push({ id: row.id, text });
  }
  return new ServedTextsStore(tx, accountId).messages(served);
}

/**
 * Has the statements served as the judge says; answers those that are served otherwise than they were said, and how many are
 * served otherwise than before.
 */
export async function serveStatements(
  tx: Queryable,
  accountId: string,
  judge: TextJudge,
  rows: readonly JudgedStatement[],
): Promise<{ readonly masked: readonly JudgedStatement[]; readonly changed: number }> {
  const judged = rows.map((row) => {
    const served = judge.statement(saidStatement(row));
    const isAsSaid =
      served.text === row.text &&
      Object.entries(row.wordings).every(([id, wording]) => served.wordings[id] === wording);
    return { row, served, isAsSaid };
  });
  const touched = judged.filter(({ isAsSaid, row }) => !isAsSaid || !row.is_as_said);
  const store = new ServedTextsStore(tx, accountId);
  const changed = await store.statements(touched.map(({ served }) => served));
  return { masked: touched.filter(({ isAsSaid }) => !isAsSaid).map(({ row }) => row), changed };
}

/** The messages by id. */
export function readMessages(
  tx: Queryable,
  accountId: string,
  ids: readonly string[],
): Promise<readonly JudgedMessage[]> {
  return tx.any(sql.type(messageRow)`${judgedMessages(accountId, sql.fragment`messages m`)}
    where m.account_id = ${accountId}::uuid and m.id = any(${sql.array([...ids], 'uuid')})`);
}

/** The statements by id, but those that have no text any more, with the wordings of these messages; null: of all. */
export function readStatements(
  tx: Queryable,
  accountId: string,
  ids: readonly string[],
  messageIds: readonly string[] | null = null,
): Promise<readonly JudgedStatement[]> {
  const isAsked =
    messageIds === null
      ? sql.fragment`true`
      : sql.fragment`p.message_id = any(${sql.array([...messageIds], 'uuid')})`;
  return tx.any(sql.type(statementRow)`
    ${judgedStatements(accountId, sql.fragment`knowledge k`, isAsked)}
    where k.account_id = ${accountId}::uuid and k.id = any(${sql.array([...ids], 'uuid')})
      and k.state not in ('redacted', 'retracted')`);
}

/**
 * Has statements that the transaction has written served as the holds in force say, and the messages that they were drawn from
 * now, which are known to be about somebody since. Nothing where nothing is held. The subjects are locked.
 */
export async function serveWritten(
  tx: Queryable,
  accountId: string,
  written: { readonly statementIds: readonly string[]; readonly messageIds: readonly string[] },
): Promise<void> {
  const { messageIds, statementIds } = written;
  if (statementIds.length === 0) return;
  const judge = await judgeIn(tx, accountId);
  if (judge.edition === 0) return;
  const rows = await readStatements(tx, accountId, statementIds, messageIds);
  const { masked } = await serveStatements(tx, accountId, judge, rows);
  if (masked.length === 0) return;
  await serveMessages(tx, accountId, judge, await readMessages(tx, accountId, messageIds));
}
