/** Laws of an account's statements, each as a query for what breaks it, and an independent model of who reads what. */
import type { DatabasePool } from 'slonik';
import { visibleByDefault, type Reader } from '../../../domain/governance/visibility.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import type { Scene } from '../observations/scene.ts';

const OPEN = "('proposed', 'provisional', 'held', 'active', 'needs_revalidation', 'stale')";

/** Each answers the rows that break it. */
const LAWS: Readonly<Record<string, string>> = {
  'belief periods tile time': `
    select b.knowledge_id from belief_periods b
    left join belief_periods next on next.knowledge_id = b.knowledge_id and next.believed_from = b.believed_until
    where b.account_id = $1 and b.believed_until is not null and next.id is null`,
  'one period is open, and equals the statement': `
    select k.id from knowledge k where k.account_id = $1 and 1 <> (
      select count(*) from belief_periods b where b.knowledge_id = k.id and b.believed_until is null
        and (b.state, b.scope_id, b.target_level, b.sensitivity, b.confidence)
          = (k.state, k.scope_id, k.target_level, k.sensitivity, k.confidence)
        and (b.relevant_from, b.relevant_until, b.audience_id)
          is not distinct from (k.relevant_from, k.relevant_until, k.audience_id))`,
  'changes of state form one chain, which ends with the state': `
    select k.id from knowledge k cross join lateral (
      select array_agg(e.from_state order by e.occurred_at, e.id) as "from",
        array_agg(e.to_state order by e.occurred_at, e.id) as "to"
      from lifecycle_events e where e.knowledge_id = k.id) chain
    where k.account_id = $1 and (chain."from"[1] is not null or chain."from"[2:] is distinct from
        (case when cardinality(chain."to") > 1 then chain."to"[:cardinality(chain."to") - 1] else '{}' end)
      or chain."to"[cardinality(chain."to")] <> k.state)`,
  'changes of state are those of the tables': `
    select e.knowledge_id from lifecycle_events e where e.account_id = $1 and e.from_state is not null
      and (e.reason, e.from_state in ${OPEN}, e.to_state in ${OPEN}, e.from_state, e.to_state) is not null
      and not case e.reason
        when 'gates_rerun' then e.from_state in ('proposed', 'provisional', 'held', 'needs_revalidation', 'stale')
        when 'document_revised' then e.from_state in ${OPEN} and e.to_state = 'superseded'
        when 'updated' then e.from_state in ${OPEN} and e.to_state = 'superseded'
        when 'reinstated' then e.from_state = 'superseded'
        when 'subject_confirmed' then e.from_state <> 'active' and e.to_state in ${OPEN}
        when 'subject_contested' then e.from_state in ${OPEN} and e.to_state = 'contested'
        when 'subject_redacted' then e.to_state = 'redacted'
        when 'curator_approved' then e.to_state in ${OPEN}
        when 'curator_rejected' then e.to_state = 'rejected'
        when 'contest_unanswered' then e.from_state = 'contested' and e.to_state = 'rejected'
        when 'source_erased' then e.to_state = 'retracted'
        when 'evidence_lost' then e.from_state = 'active' and e.to_state = 'needs_revalidation'
        when 'expired' then e.from_state in ${OPEN} and e.to_state = 'expired'
        when 'revalidation_due' then e.from_state = 'active' and e.to_state = 'needs_revalidation'
        when 'revalidation_unanswered' then e.from_state = 'needs_revalidation' and e.to_state = 'stale'
        when 'consent_denied' then e.from_state in ('proposed', 'provisional', 'held')
        when 'withheld_by_curator' then e.from_state in ('active', 'needs_revalidation', 'stale') and e.to_state = 'held'
        when 'withdrawn_by_speaker' then e.from_state in ${OPEN} and e.from_state <> 'held' and e.to_state = 'held'
        when 'edited' then e.to_state in ('superseded', 'rejected')
        when 'merged' then e.to_state in ('superseded', 'rejected')
        else false end`,
  'nobody leaves a refusal but by dismissing a contest': `
    select e.knowledge_id from lifecycle_events e where e.account_id = $1
      and e.reason <> 'source_erased'
      and (e.from_state = 'redacted' or (e.from_state = 'rejected' and e.to_state <> 'redacted')
        or (e.from_state = 'contested' and e.reason not in
          ('subject_confirmed', 'subject_redacted', 'curator_approved', 'curator_rejected', 'contest_unanswered',
           'edited', 'merged')))`,
  'items ask what their statement waits for': `
    select i.id from review_items i join knowledge k on k.id = i.knowledge_id
    where i.account_id = $1 and i.decided_at is null and not case i.kind
      when 'gate_a_b' then k.state in ('proposed', 'provisional', 'held') and not k.is_withheld
      when 'gate_b' then k.state = 'active'
      when 'contest' then k.state = 'contested'
      when 'revalidation' then k.state in ('active', 'needs_revalidation', 'stale') or k.state = 'held' and k.is_withheld
      else k.state in ${OPEN} end`,
  'what is withheld is placed by the decision about its item alone': `
    select e.knowledge_id from lifecycle_events e
    where e.account_id = $1 and e.to_state in ('proposed', 'provisional', 'active', 'needs_revalidation', 'stale')
      and exists (
        select from lifecycle_events w
        where w.knowledge_id = e.knowledge_id and w.reason in ('withheld_by_curator', 'withdrawn_by_speaker')
          and (w.occurred_at, w.id) < (e.occurred_at, e.id)
          and not exists (
            select from lifecycle_events placed join gate_decisions d on d.knowledge_id = placed.knowledge_id
              and d.decided_at = placed.occurred_at and d.decision = 'approve'
            join review_items i on i.id = d.review_item_id and i.kind = 'revalidation'
            where placed.knowledge_id = e.knowledge_id and placed.reason = 'curator_approved'
              and (placed.occurred_at, placed.id) > (w.occurred_at, w.id)
              and (placed.occurred_at, placed.id) <= (e.occurred_at, e.id)))`,
  'what waits has an item': `
    select k.id from knowledge k where k.account_id = $1
      and k.state in ('provisional', 'held', 'contested', 'needs_revalidation')
      and not exists (select from review_items i where i.knowledge_id = k.id and i.decided_at is null)`,
  'questions ask the subject what its statement waits for': `
    select q.id from questions q join knowledge k on k.id = q.knowledge_id
    where q.account_id = $1 and q.ended_at is null and not (
      q.statement_hash = k.statement_hash and q.scope_id = k.scope_id and q.peer_id is not distinct from k.subject_peer_id
      and case q.kind
        when 'confirm' then k.state in ('provisional', 'held') and k.target_level = 'peer'
        when 'revalidate' then k.state = 'needs_revalidation'
        else exists (select from consents c where c.knowledge_id = k.id and c.target_scope_id = q.target_scope_id
          and c.status = 'pending') end)`,
  'who said what waits about itself was asked': `
    select k.id from knowledge k where k.account_id = $1 and k.state = 'provisional' and k.target_level = 'peer'
      and not k.previously_refused
      and exists (select from knowledge_submitters s where s.knowledge_id = k.id and s.peer_id = k.subject_peer_id)
      and not exists (select from questions q where q.knowledge_id = k.id and q.kind = 'confirm')`,
  'one decision ends an item': `
    select d.review_item_id from gate_decisions d join review_items i on i.id = d.review_item_id
    where d.account_id = $1 and d.channel <> 'pipeline' and d.decision <> 'await_consent'
      -- An edit ends no item that asks whether the placed statement still stands.
      and not (d.decision = 'edit' and d.from_state = d.to_state)
      and d.knowledge_id = i.knowledge_id
    group by d.review_item_id having count(*) > 1`,
  'what is said to some is in no statement for others, unless a person shared it': `
    select k.id from knowledge k
    join provenance p on p.knowledge_id = k.id join messages m on m.id = p.message_id
    where k.account_id = $1 and m.audience_id is not null and m.audience_id is distinct from k.audience_id
      and not (k.audience_id is null and exists (
        -- The statement itself, what its text was edited from, and what was merged into these.
        with recursive origin as (
          select k.id, k.replaces_id
          union
          select o.id, o.replaces_id from origin join knowledge o on o.id = origin.replaces_id or o.merged_into_id = origin.id
        )
        select from origin join gate_decisions d on d.knowledge_id = origin.id
        where d.gate = 'gate_b' and d.decision = 'approve' and d.channel <> 'pipeline'))`,
  'a statement for some is shared with its subject at most': `
    select id from knowledge where account_id = $1 and audience_id is not null and target_level <> 'peer'`,
  'whoever may read a statement for some is on the list of those whom it is addressed to': `
    select k.id from knowledge k join audience_members m on m.audience_id = k.audience_id
    where k.account_id = $1 and not exists (
      select from knowledge_addressees a where a.knowledge_id = k.id and a.principal = m.principal
        and (a.scope_id, a.state, a.confidence, a.recorded_at)
          = (k.scope_id, k.state::text, k.confidence, k.recorded_at))`,
  'one thing stands once at a place, for each audience': `
    select k.scope_id from knowledge k where k.account_id = $1 and k.state in ${OPEN} and not k.previously_refused
    group by k.scope_id, k.audience_id, k.subject_peer_id, k.statement_hash, k.relevant_from, k.relevant_until
    having count(*) > 1`,
  'restricted is never above peer level': `
    select id from knowledge where account_id = $1 and sensitivity = 'restricted' and target_level <> 'peer'`,
  'a personal statement stands wide by consent only': `
    select k.id from knowledge k where k.account_id = $1 and k.sensitivity = 'personal' and k.target_level <> 'peer'
      and k.state in ('active', 'needs_revalidation', 'stale') and k.subject_peer_id is not null
      and not exists (select from consents c where c.knowledge_id = k.id and c.status = 'granted' and c.verified)`,
};

/** The laws that are broken, with how often. */
export async function brokenLaws(
  scene: Pick<Scene, 'rows'>,
  accountId: string,
): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const [law, query] of Object.entries(LAWS)) {
    const rows = await scene.rows(query, [accountId]);
    if (rows.length > 0) broken.push(`${law}: ${rows.length}`);
  }
  return broken;
}

/** Of a statement what decides who reads it. */
export interface Row {
  readonly id: string;
  readonly state: string;
  readonly sensitivity: string;
  readonly target_level: string;
  readonly subject_peer_id: string | null;
  readonly submitters: readonly string[];
  /** Peers whom its audience names, in whatever way; null without an audience. */
  readonly addressees?: readonly string[] | null;
}

/** Decisions 5 in plain words: who reads a statement that retrieval shows by default. */
export function mayRead(row: Omit<Row, 'id'>, peerId: string | null): boolean {
  const isSubmitter = peerId !== null && row.submitters.includes(peerId);
  if (row.state === 'provisional') return isSubmitter;
  if (row.state !== 'active') return false;
  const { addressees = null } = row;
  if (addressees === null && row.sensitivity === 'public') return true;
  if (peerId === null) return false;
  if (isSubmitter || row.subject_peer_id === peerId) return true;
  if (addressees !== null && !addressees.includes(peerId)) return false;
  return ['public', 'internal'].includes(row.sensitivity) || row.target_level !== 'peer';
}

export interface Sight {
  /** Where the predicate and the plain words differ. */
  readonly wrong: readonly string[];
  /** `reader statement`, for everything that somebody reads. */
  readonly seen: ReadonlySet<string>;
}

/** By the id of each audience of an account: the peers whom it names today, in whatever way. */
export async function addresseesOf(
  scene: Pick<Scene, 'rows'>,
  accountId: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await scene.rows(
    `select a.id, array(
       select p.id::text from peers p where p.account_id = a.account_id and (
         exists (select from audience_members m where m.audience_id = a.id and m.principal = p.id::text)
         or exists (select from audience_members m join circle_members c on c.circle_id::text = m.principal
           where m.audience_id = a.id and c.peer_id = p.id)
         -- Of the people of these histories one is a curator, everywhere.
         or p.key = 'cura' and exists (select from audience_members m
           where m.audience_id = a.id and m.principal like '%/curator'))) as peers
     from audiences a where a.account_id = $1`,
    [accountId],
  );
  return new Map(rows.map((row) => [String(row['id']), row['peers'] as readonly string[]]));
}

/** What each peer of the account, and nobody in particular, is shown. */
export async function sightOf(scene: Scene, pool: DatabasePool, accountId: string): Promise<Sight> {
  const peers = await scene.rows('select id from peers where account_id = $1', [accountId]);
  const scopes = await scene.rows('select id from scopes where account_id = $1', [accountId]);
  const rows = await scene.rows(
    `select k.id, k.state::text, k.sensitivity::text, k.target_level::text, k.subject_peer_id,
       array(select s.peer_id::text from knowledge_submitters s where s.knowledge_id = k.id) as submitters,
       k.audience_id
     from knowledge k where k.account_id = $1`,
    [accountId],
  );
  const addressees = await addresseesOf(scene, accountId);
  const statements = rows.map((row) => ({
    ...(row as unknown as Row),
    addressees: addressees.get(String(row['audience_id'])) ?? null,
  }));
  const wrong: string[] = [];
  const seen = new Set<string>();
  for (const peerId of [null, ...peers.map(({ id }) => String(id))]) {
    const reader: Reader =
      peerId === null ? { posture: 'public_only' } : { posture: 'peer', peerId };
    const scopeIds = scopes.map(({ id }) => String(id));
    const at = new Date().toISOString();
    const shown = await createInAccount(pool)(accountId, (stores) =>
      stores.knowledge.read({
        selection: { by: 'ids', ids: statements.map(({ id }) => id) },
        visible: visibleByDefault({ scopeIds, reader, at }),
        reader: { reader, scopeIds },
      }),
    );
    const ids = new Set(shown.map(({ id }) => id));
    for (const row of statements) {
      if (ids.has(row.id) !== mayRead(row, peerId)) wrong.push(`${row.state} ${row.sensitivity}`);
      if (ids.has(row.id)) seen.add(`${peerId ?? 'nobody'} ${row.id}`);
    }
  }
  return { wrong, seen };
}

/** How often something was decided or changed, or a submitter was added, by statement. */
export async function recordsOf(
  scene: Scene,
  accountId: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await scene.rows(
    `select k.id, (select count(*)::int from gate_decisions d where d.knowledge_id = k.id)
       + (select count(*)::int from lifecycle_events e where e.knowledge_id = k.id)
       + (select count(*)::int from knowledge_submitters s where s.knowledge_id = k.id) as n
     from knowledge k where k.account_id = $1`,
    [accountId],
  );
  return new Map(rows.map(({ id, n }) => [String(id), Number(n)]));
}
