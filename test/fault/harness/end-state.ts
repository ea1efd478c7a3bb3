/**
 * What a run came to, in a form that two runs of one input share: messages by their number in the input, peers
 * and scopes by name, no ids and no times of processing. Equal runs give equal lists.
 */
import { z } from 'zod';
import type { Watch } from './database.ts';

export interface EndState {
  readonly messages: readonly string[];
  readonly statements: readonly string[];
}

const messageRow = z.object({
  id: z.string(),
  said: z.unknown(),
  statements: z.array(z.string()),
});
const statementRow = z.object({
  id: z.string(),
  content: z.unknown(),
  sources: z.array(z.string()),
});

const MESSAGES = `
  select m.id, jsonb_build_object(
      'session', s.external_id, 'scope', c.path, 'speaker', p.key, 'role', m.role, 'content', m.content,
      'occurred_at', m.occurred_at at time zone 'UTC', 'status', a.status, 'candidates', a.candidate_count) as said,
    (select coalesce(array_agg(distinct o.knowledge_id::text), '{}') from run_outputs o
      where o.account_id = m.account_id and o.message_id = m.id) as statements
  from messages m
  join sessions s on s.account_id = m.account_id and s.id = m.session_id
  join scopes c on c.account_id = m.account_id and c.id = m.scope_id
  join peers p on p.account_id = m.account_id and p.id = m.speaker_peer_id
  left join extraction_anchors a on a.account_id = m.account_id and a.message_id = m.id`;

const STATEMENTS = `
  select k.id, jsonb_build_object(
      'scope', c.path, 'subject', coalesce(p.key, about.path), 'hash', encode(k.statement_hash, 'hex'),
      'text', k.statement, 'kind', k.kind, 'confidence', k.confidence, 'evidence', k.evidence_level,
      'sensitivity', k.sensitivity, 'level', k.target_level, 'state', k.state, 'verification', k.verification,
      'corroboration', k.corroboration_count, 'refused_before', k.previously_refused, 'held', held.path,
      'window', jsonb_build_array(k.relevant_from at time zone 'UTC', k.relevant_from_precision,
        k.relevant_until at time zone 'UTC', k.relevant_until_precision),
      'text_from', jsonb_build_array(k.text_occurred_at at time zone 'UTC', encode(k.text_source_hash, 'hex')),
      'submitters', (select coalesce(jsonb_agg(w.key order by w.key), '[]') from knowledge_submitters u
        join peers w on w.account_id = u.account_id and w.id = u.peer_id
        where u.account_id = k.account_id and u.knowledge_id = k.id),
      'believed', (select coalesce(jsonb_agg(jsonb_build_array(b.state, at.path, b.target_level, b.sensitivity,
          b.confidence, b.relevant_from at time zone 'UTC', b.relevant_until at time zone 'UTC')), '[]')
        from belief_periods b join scopes at on at.account_id = b.account_id and at.id = b.scope_id
        where b.account_id = k.account_id and b.knowledge_id = k.id and b.believed_until is null),
      'reviews', (select coalesce(jsonb_agg(jsonb_build_array(r.kind, r.state) order by r.kind, r.state), '[]')
        from review_items r where r.account_id = k.account_id and r.knowledge_id = k.id)) as content,
    (select coalesce(array_agg(v.message_id::text), '{}') from provenance v
      where v.account_id = k.account_id and v.knowledge_id = k.id) as sources
  from knowledge k
  join scopes c on c.account_id = k.account_id and c.id = k.scope_id
  left join scopes held on held.account_id = k.account_id and held.id = k.held_scope_id
  left join scopes about on about.account_id = k.account_id and about.id = k.subject_scope_id
  left join peers p on p.account_id = k.account_id and p.id = k.subject_peer_id`;

/**
 * Reads the end state. `numbers` holds the message ids by number, as they were answered; a message that no sender
 * was told of shows as `unknown`.
 */
export async function readEndState(
  watch: Watch,
  numbers: ReadonlyMap<number, string>,
): Promise<EndState> {
  const byId = new Map([...numbers].map(([number, id]) => [id, number]));
  const numberOf = (id: string): number | 'unknown' => byId.get(id) ?? 'unknown';
  const messages = await watch.ask(messageRow, MESSAGES);
  const statements = await watch.ask(statementRow, STATEMENTS);
  if (messages === null || statements === null) throw new Error('Postgres does not answer');

  const statementsById = new Map(
    statements.map(({ id, content, sources }) => {
      const cited = sources.map(numberOf).toSorted((a, b) => Number(a) - Number(b));
      return [id, JSON.stringify({ content, sources: cited })];
    }),
  );
  return {
    messages: messages
      .map(({ id, said, statements: made }) => {
        const outputs = made
          .map((statementId) => statementsById.get(statementId) ?? 'gone')
          .toSorted();
        return JSON.stringify({ number: numberOf(id), said, outputs });
      })
      .toSorted(),
    statements: [...statementsById.values()].toSorted(),
  };
}

export interface Difference {
  /** In the expected list only. */
  readonly missing: readonly string[];
  /** In the actual list only. */
  readonly unexpected: readonly string[];
}

/** How two lists differ, multiplicity counted; at most a few of each side, to be read by a person. */
export function differenceOf(
  expected: readonly string[],
  actual: readonly string[],
  atMost = 5,
): Difference {
  const left = (of: readonly string[], without: readonly string[]): string[] => {
    const counts = new Map<string, number>();
    for (const one of without) counts.set(one, (counts.get(one) ?? 0) + 1);
    return of.filter((one) => {
      const count = counts.get(one) ?? 0;
      counts.set(one, count - 1);
      return count <= 0;
    });
  };
  return {
    missing: left(expected, actual).slice(0, atMost),
    unexpected: left(actual, expected).slice(0, atMost),
  };
}
