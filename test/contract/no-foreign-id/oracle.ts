/**
 * What an answer may name, in plain SQL and without the predicate of the service: everything belongs to the account, the
 * scopes and the reader of the request.
 *
 * Other requests change the rows meanwhile. A statement may be shown in a form that it had at some moment of the request;
 * a change is dated by the begin of its transaction, so forms of the last moments before the request count as well.
 */
import type { Service } from '../../support/service.ts';
import type { SeededAccount } from './seed.ts';
import type { ReadableScope } from './people.ts';

/** Longer than a transaction of the service takes from its begin to its end. */
const LAST_MOMENTS_MS = 3_000;

/** How a statement came into an answer. */
export type Shown =
  | { readonly as: 'believed'; readonly asOf: string | null }
  | { readonly as: 'listed'; readonly state: string }
  | { readonly as: 'source' };

export interface Question {
  readonly account: SeededAccount;
  readonly chain: readonly ReadableScope[];
  /** As whom messages outside of the chain are read. */
  readonly otherwise: string | null;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
}

/** A form of the statement at the time of the request (`t`), its form at the instant read (`p`), and who reads there. */
const FORMS = `
  from knowledge k
  join belief_periods t on t.account_id = k.account_id and t.knowledge_id = k.id
    and t.believed_from <= $5 and coalesce(t.believed_until, 'infinity') >= $4
  join belief_periods p on p.account_id = k.account_id and p.knowledge_id = k.id
    and case when $6::timestamptz is null then p.id = t.id
      else p.believed_from <= $6 and coalesce(p.believed_until, 'infinity') > $6 end
  join scopes s on s.account_id = k.account_id and s.id = p.scope_id
  join jsonb_to_recordset($3) as c (path text, reader uuid, curated boolean) on c.path = s.path
  cross join lateral (select greatest(p.sensitivity, t.sensitivity) as sensitivity,
    coalesce((select true from knowledge_submitters m where m.account_id = k.account_id and m.knowledge_id = k.id
      and m.peer_id = c.reader), false) as submitted,
    exists (select from belief_periods e where e.account_id = k.account_id and e.knowledge_id = k.id
      and e.state in ('active', 'needs_revalidation', 'stale')) as was_placed) w
  cross join lateral (select w.sensitivity = 'public' or (c.reader is not null and (w.submitted
      or w.sensitivity = 'internal' or p.target_level in ('scope', 'account') or k.subject_peer_id is null
      or k.subject_peer_id = c.reader)) as in_audience) a
  where k.account_id = $1 and k.id = asked.id and t.state not in ('redacted', 'retracted')`;

const UNEXPIRED = `(k.expires_at is null or k.expires_at > coalesce($6::timestamptz, $4))`;

const BELIEVED = `${UNEXPIRED} and (p.state = 'active' and a.in_audience or p.state = 'provisional' and w.submitted)`;

const LISTED = `p.state = $7::knowledge_state and case
  when p.state = 'active' then ${UNEXPIRED} and a.in_audience
  when p.state = 'provisional' then w.submitted
  when p.state in ('proposed', 'held', 'rejected', 'contested')
    then w.submitted or (c.curated and w.sensitivity <> 'restricted')
  when p.state in ('needs_revalidation', 'stale') then a.in_audience
  when p.state in ('superseded', 'expired') then w.submitted or (a.in_audience and w.was_placed)
  else false end`;

const SOURCE = `(w.submitted or (a.in_audience and w.was_placed))
  and (p.state = 'superseded' or (p.state in ('active', 'needs_revalidation', 'stale') and ${UNEXPIRED})
    or (p.state = 'provisional' and w.submitted and ${UNEXPIRED}))`;

function conditionOf(shown: Shown): string {
  if (shown.as === 'source') return SOURCE;
  if (shown.as === 'believed') return BELIEVED;
  // The default view has the reader's own provisional statements as well.
  return shown.state === 'active' ? BELIEVED : LISTED;
}

const peerId = ({ account }: Question, key: string | null): string | null =>
  key === null ? null : (account.peerIds.get(key) ?? null);

const chainRows = (question: Question) =>
  question.chain.map(({ curated, path, reader }) => ({
    path,
    curated,
    reader: peerId(question, reader),
  }));

/** Those of the statements that the answer must not have shown. */
export async function wrongStatements(
  service: Service,
  question: Question,
  ids: readonly string[],
  shown: Shown,
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const values = [
    question.account.id,
    ids,
    JSON.stringify(chainRows(question)),
    new Date(question.from - LAST_MOMENTS_MS),
    new Date(question.until),
    shown.as === 'believed' ? shown.asOf : null,
    shown.as === 'listed' ? shown.state : 'active',
  ];
  const rows = await service.rows(
    `select asked.id from unnest($2::uuid[]) as asked (id)
     where $7::text is not null and not exists (select ${FORMS} and ${conditionOf(shown)})`,
    values,
  );
  return rows.map(({ id }) => `statement ${String(id)}`);
}

/** Those of the messages that the reader of the request was not there for. */
export async function wrongMessages(
  service: Service,
  question: Question,
  ids: readonly string[],
  { within }: { readonly within: 'chain' | 'account' },
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const rows = await service.rows(
    `select asked.id from unnest($2::uuid[]) as asked (id)
     where not exists (
       select from messages m join scopes s on s.account_id = m.account_id and s.id = m.scope_id
       left join jsonb_to_recordset($3) as c (path text, reader uuid) on c.path = s.path
       cross join lateral (select case when c.path is null then $4::uuid else c.reader end as id) r
       where m.account_id = $1 and m.id = asked.id and (c.path is not null or $5)
         and (m.speaker_peer_id = r.id or m.relay_peer_id = r.id or exists (
           select from session_participants a where a.account_id = m.account_id and a.session_id = m.session_id
             and a.scope_id = m.scope_id and a.peer_id = r.id
             and (a.reads_whole_session or a.joined_at <= m.recorded_at))))`,
    [
      question.account.id,
      ids,
      JSON.stringify(chainRows(question)),
      peerId(question, question.otherwise),
      within === 'account',
    ],
  );
  return rows.map(({ id }) => `message ${String(id)}`);
}

const OWNERS = [
  'knowledge',
  'messages',
  'scopes',
  'peers',
  'sessions',
  'credentials',
  'review_items',
]
  .map((table) => `select id, account_id from ${table} where id = any($1)`)
  .join(' union all ');

/** Ids in a text that belong to another account, whatever they are ids of. */
export async function foreignIds(
  service: Service,
  { account }: Question,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const rows = await service.rows(`select id from (${OWNERS}) owned where account_id <> $2`, [
    ids,
    account.id,
  ]);
  return rows.map(({ id }) => `foreign ${String(id)}`);
}
