/**
 * One large account and several small ones, row by row as the service leaves them, made by the server itself: messages
 * with completed and waiting anchors, statements with their sources, submitters and beliefs, marks, ledger, documents.
 *
 * What makes look-ups slow is in it: one scope with half of everything, an agent that relayed every message, a person
 * who is the subject of a tenth of all statements, a session of ten thousandths of the messages, a frequent statement,
 * a scope whose statements only few may read, one whose statements have all run out.
 */
import type { Client } from 'pg';

export interface SeedSize {
  /** Messages and statements of the large account; there are a tenth as many scopes and peers. */
  readonly messages: number;
}

/** Places in the seed that queries ask for, by the number that `seed_id` makes an id of. */
export const KINDS = {
  scope: 1,
  peer: 2,
  session: 3,
  message: 4,
  statement: 5,
  credential: 6,
  document: 7,
  version: 8,
  run: 9,
  attempt: 10,
  other: 11,
  circle: 12,
} as const;

export type Kind = keyof typeof KINDS;

/** What the statistics of the tables speak of, however few rows are there. */
const FULL_SIZE = 1_000_000;

export const LARGE = 1;
const SMALL_ACCOUNTS = [2, 3, 4, 5, 6] as const;

/** The id that the seed gave the n-th row of a kind. */
export function seedId(kind: Kind | 'account', n: number, account = LARGE): string {
  const hex = (value: number, width: number) => value.toString(16).padStart(width, '0');
  const number = kind === 'account' ? 0 : KINDS[kind];
  return `${hex(account, 8)}-${hex(number, 4)}-7000-8000-${hex(n, 12)}`;
}

/** Scopes with a meaning; the others lie below `/wide`. */
export const SCOPES = { root: 0, hot: 1, secret: 2, expired: 3 } as const;
/** Peers with a meaning: the agent that relays everything, the subject of a tenth of all statements, somebody not in session 0. */
export const PEERS = { relay: 0, hot: 1, elsewhere: 200 } as const;

const FUNCTIONS = `
  create function seed_id(account integer, kind integer, n bigint) returns uuid language sql immutable
    return (lpad(to_hex(account), 8, '0') || lpad(to_hex(kind), 4, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid;
  -- Where a session stands: half of them in the hot scope, some in the secret and the expired one.
  create function seed_scope(session bigint, scopes bigint) returns bigint language sql immutable
    return case when session % 2 = 0 then 1 when session % 20 = 1 then 2 when session % 20 = 3 then 3
      else session % scopes end;
  create function seed_session(message bigint, sessions bigint) returns bigint language sql immutable
    return case when message % 100 = 0 then 0 else message % sessions end;
  create function seed_shard(session bigint) returns integer language sql immutable return (session % 8)::integer;`;

/** The statements that fill one account; `$a` is its number, `$m` the messages, `$t` a tenth of them, `$s` a twentieth. */
const FILL = `
insert into accounts (id, key, name, gate_preset) values (seed_id($a, 0, 0), 'seed-$a', 'seed', 'assisted');
insert into scopes (account_id, id, path, parent_id)
  select seed_id($a, 0, 0), seed_id($a, 1, n),
    case n when 0 then '/' when 1 then '/hot' when 2 then '/secret' when 3 then '/expired' when 4 then '/wide'
      else case when n < 100 then '/wide/' || n else '/wide/' || (5 + n % 95) || '/' || n end end,
    case when n = 0 then null when n < 5 then seed_id($a, 1, 0) when n < 100 then seed_id($a, 1, 4)
      else seed_id($a, 1, 5 + n % 95) end
  from generate_series(0, $t) n;
-- Every scope has two links, and those of which everything is asked have as many as a scope may have.
insert into scope_links (account_id, low_scope_id, high_scope_id)
  select seed_id($a, 0, 0), seed_id($a, 1, n), seed_id($a, 1, n + 1) from generate_series(4, $t - 1) n union all
  select seed_id($a, 0, 0), seed_id($a, 1, hot), seed_id($a, 1, 10 + n)
  from generate_series(1, 32) n, (values (0), (1)) as of (hot);
insert into retrieval_profiles (account_id, id, profile, scope_id, strategies, deadline_ms)
  select seed_id($a, 0, 0), gen_random_uuid(), p, case when n > 0 then seed_id($a, 1, n) end, '{"semantic": 1}', 500
  from generate_series(0, 99) n, unnest(enum_range(null::overridable_profile)) p;
insert into peers (account_id, id, key, name, kind)
  select seed_id($a, 0, 0), seed_id($a, 2, n), 'person-' || n || '@seed.example',
    (array['Ana', 'Bo', 'Cleo', 'Dag', 'Eva'])[1 + n % 5] || ' Nr' || n || ' Seed',
    (case when n = 0 then 'agent' else 'human' end)::peer_kind
  from generate_series(0, $t) n;
-- Every scope has circles of a few members. Those of which everything is asked have as many as a scope may have, and the
-- subject of a tenth is a member of as many of them as a peer may be.
insert into circles (account_id, id, scope_id, name)
  select seed_id($a, 0, 0), seed_id($a, 12, n * 1000 + c), seed_id($a, 1, n), 'circle ' || c
  from generate_series(0, $t) n, generate_series(0, case when n < 2 then 999 else 2 end) c;
insert into circle_members (account_id, circle_id, scope_id, peer_id, added_by_peer_id)
  select seed_id($a, 0, 0), seed_id($a, 12, n * 1000 + c), seed_id($a, 1, n),
    seed_id($a, 2, 2 + (n * 7 + c * 3 + k) % ($t - 2)), seed_id($a, 2, 1)
  from generate_series(0, $t) n, generate_series(0, case when n < 2 then 999 else 2 end) c, generate_series(0, 4) k
  union all
  select seed_id($a, 0, 0), seed_id($a, 12, n * 1000 + c), seed_id($a, 1, n), seed_id($a, 2, 1), seed_id($a, 2, 1)
  from generate_series(0, 1) n, generate_series(0, 63) c;
insert into credentials (account_id, id, kind, secret_hash, peer_id)
  select seed_id($a, 0, 0), seed_id($a, 6, n), 'api_key', sha256(convert_to('$a/' || n, 'UTF8')), seed_id($a, 2, n)
  from generate_series(0, $t) n;
insert into logins (account_id, id, peer_id, email, password_hash)
  select seed_id($a, 0, 0), seed_id($a, 11, n), seed_id($a, 2, n), 'person-' || n || '@$a.example', 'x'
  from generate_series(1, $t) n;
insert into grants (account_id, id, peer_id, scope_path, role)
  select seed_id($a, 0, 0), seed_id($a, 11, n), seed_id($a, 2, n), '/', 'member' from generate_series(0, $t) n;
insert into gate_rules (account_id, id, target_level, sensitivity, gate_a, gate_b, minimum_evidence_level,
    minimum_corroboration)
  select seed_id($a, 0, 0), gen_random_uuid(), l, s, 'auto_keep', 'auto_place', 'direct', 1
  from unnest(enum_range(null::target_level)) l, unnest(enum_range(null::sensitivity)) s;
-- Most scopes have a rule of their own, and those of one were changed often.
insert into gate_rules (account_id, id, scope_id, target_level, sensitivity, gate_a, gate_b, minimum_evidence_level,
    minimum_corroboration, retired_at)
  select seed_id($a, 0, 0), gen_random_uuid(), seed_id($a, 1, scope), 'peer', 'internal', 'human', 'human', 'direct',
    1, ended
  from generate_series(4, $t) n, lateral (values (n, null), (1, now())) as of (scope, ended);
insert into sessions (account_id, id, external_id, shard)
  select seed_id($a, 0, 0), seed_id($a, 3, n), 'session-' || n, seed_shard(n) from generate_series(0, $s) n;
insert into session_scopes (account_id, session_id, scope_id)
  select seed_id($a, 0, 0), seed_id($a, 3, n), seed_id($a, 1, seed_scope(n, $t)) from generate_series(0, $s) n;
insert into session_participants (account_id, session_id, scope_id, peer_id, reads_whole_session, joined_at)
  select seed_id($a, 0, 0), seed_id($a, 3, n), seed_id($a, 1, seed_scope(n, $t)), seed_id($a, 2, p), p = 0,
    now() - interval '3 years'
  from generate_series(0, $s) n, lateral (values (0), (1 + n % ($t - 1))) as of (p) union all
  select seed_id($a, 0, 0), seed_id($a, 3, 0), seed_id($a, 1, 1), seed_id($a, 2, n), false, now() - interval '3 years'
  from generate_series(2, least(100, $t - 1)) n;
insert into messages (account_id, id, session_id, scope_id, speaker_peer_id, relay_peer_id, credential_id, role, content,
    content_hash, occurred_at, occurred_offset_minutes, recorded_at, trace_id)
  select seed_id($a, 0, 0), seed_id($a, 4, n), seed_id($a, 3, s), seed_id($a, 1, seed_scope(s, $t)),
    seed_id($a, 2, 1 + s % ($t - 1)), seed_id($a, 2, 0), seed_id($a, 6, 0), 'user',
    'I keep ' || n || ' boats in Bergen.', sha256(convert_to('m' || n, 'UTF8')),
    now() - make_interval(secs => ($m - n) * 60), 0, now() - make_interval(secs => ($m - n) * 60), repeat('ab', 16)
  from generate_series(0, $m - 1) n, lateral (select seed_session(n, $s) as s) of;
insert into extraction_anchors (account_id, message_id, session_id, scope_id, speaker_peer_id, shard, status,
    available_at, attempt_count, extracted_at, completed_at, last_error_class, candidate_count, failed_at)
  select seed_id($a, 0, 0), seed_id($a, 4, n), seed_id($a, 3, s), seed_id($a, 1, seed_scope(s, $t)),
    seed_id($a, 2, 1 + s % ($t - 1)), seed_shard(s), state::extraction_status, at, 1, case when state = 'completed' then at end,
    case when state = 'completed' then at end, (case when state = 'failed' then 'request_timeout' end)::error_class, 1,
    case when state = 'failed' then at end
  from generate_series(0, $m - 1) n,
    lateral (select seed_session(n, $s) as s, now() - make_interval(secs => ($m - n) * 60) as at,
      case when n < $m * 0.98 then 'completed' when n % 20 = 1 then 'failed' else 'pending' end as state) of;
insert into mailboxes (account_id, kind, shard)
  select seed_id($a, 0, 0), k, n from generate_series(0, 7) n, unnest(enum_range(null::mailbox_kind)) k;
insert into knowledge (account_id, id, scope_id, subject_peer_id, subject_scope_id, statement, statement_hash, kind,
    confidence, evidence_level, sensitivity, target_level, state, verification, corroboration_count, expires_at,
    text_occurred_at, text_source_hash, extracting_provider, pipeline_version, recorded_at, updated_at, claim_about,
    claim_value, claim_mode, source_count, submitter_count, first_attester_id, first_said_at, first_said_hash)
  select seed_id($a, 0, 0), seed_id($a, 5, n), seed_id($a, 1, scope),
    case when n % 50 <> 7 then seed_id($a, 2, case when n % 10 = 0 then 1 else 2 + n % ($t - 2) end) end,
    case when n % 50 = 7 then seed_id($a, 1, scope) end, 'Person ' || n || ' keeps boats in Bergen.',
    sha256(convert_to('k' || n, 'UTF8')), 'fact', 0.5 + (n % 50) / 100.0, 'direct',
    (case when scope = 2 and n % 50 <> 7 then 'personal' when n % 10 < 2 then 'public' when n % 10 < 7 then 'internal'
      else 'personal' end)::sensitivity,
    'peer', (case when n % 20 = 3 then 'superseded' when n % 20 = 5 then 'provisional' when n % 40 = 9 then 'held'
      when n % 40 = 29 then 'proposed' when n % 80 = 13 then 'rejected' else 'active' end)::knowledge_state, 'pending',
    1 + n % 3, case when scope = 3 then now() - interval '1 day' end, at, sha256(convert_to('m' || n, 'UTF8')),
    'deterministic', 'f5-1', at, at, case when n % 10 = 1 then 'home' end,
    case when n % 10 = 1 then encode(sha256(convert_to('v' || n, 'UTF8')), 'hex') end,
    (case when n % 10 = 1 then 'holds' end)::claim_mode, 1, 2, seed_id($a, 2, 1), at, sha256(convert_to('m' || n, 'UTF8'))
  from generate_series(0, $m - 1) n, lateral (select seed_scope(seed_session(n, $s), $t) as scope,
    now() - make_interval(secs => ($m - n) * 60) as at) of;
analyze messages, knowledge;
insert into knowledge_submitters (account_id, knowledge_id, peer_id, scope_id, state, confidence, recorded_at)
  select k.account_id, k.id, p.id, k.scope_id, k.state::text, k.confidence, k.recorded_at
  from messages m join knowledge k on k.account_id = m.account_id
      and k.id = seed_id($a, 5, ('x' || right(m.id::text, 12))::bit(48)::bigint),
    lateral (values (m.speaker_peer_id), (m.relay_peer_id)) as p (id)
  where m.account_id = seed_id($a, 0, 0);
insert into provenance (account_id, knowledge_id, message_id, speaker_peer_id, source_key)
  select seed_id($a, 0, 0), seed_id($a, 5, n), seed_id($a, 4, n), seed_id($a, 2, 1), gen_random_uuid()
  from generate_series(0, $m - 1) n
  union all
  select seed_id($a, 0, 0), seed_id($a, 5, 0), seed_id($a, 4, n), seed_id($a, 2, 1), gen_random_uuid()
  from generate_series(1, $m / 100) n;
insert into knowledge_attesters (account_id, knowledge_id, peer_id, source_count, last_said_at, last_said_hash)
  select account_id, id, seed_id($a, 2, 1), 1, text_occurred_at, text_source_hash from knowledge
  where account_id = seed_id($a, 0, 0);
insert into knowledge_source_scopes (account_id, knowledge_id, scope_id)
  select account_id, id, scope_id from knowledge where account_id = seed_id($a, 0, 0);
insert into run_outputs (account_id, id, message_id, knowledge_id, effect)
  select seed_id($a, 0, 0), seed_id($a, 11, n), seed_id($a, 4, n), seed_id($a, 5, n), 'created'
  from generate_series(0, $m - 1) n;
insert into belief_periods (account_id, id, knowledge_id, state, scope_id, target_level, sensitivity, confidence,
    believed_from, believed_until)
  select k.account_id, gen_random_uuid(), k.id,
    (case when until then 'active' else k.state::text end)::knowledge_state, k.scope_id, k.target_level,
    k.sensitivity, k.confidence, k.recorded_at + (case when until then interval '0' else interval '1 hour' end),
    case when until then k.recorded_at + interval '1 hour' end
  from knowledge k, (values (true), (false)) as of (until)
  where k.account_id = seed_id($a, 0, 0) and (not until or k.state = 'superseded');
insert into lifecycle_events (account_id, id, knowledge_id, scope_id, to_state, reason)
  select account_id, gen_random_uuid(), id, scope_id, state, 'extracted' from knowledge
  where account_id = seed_id($a, 0, 0);
insert into gate_decisions (account_id, id, knowledge_id, scope_id, gate, decision, reason, channel, verified, to_state,
    from_level, to_level, statement_hash)
  select account_id, gen_random_uuid(), id, scope_id, 'gate_a_b',
    (case when confidence > 0.95 then 'withhold' else 'place' end)::gate_decision, 'assisted', 'pipeline', false, state,
    target_level, target_level, statement_hash
  from knowledge where account_id = seed_id($a, 0, 0);
insert into review_items (has_audience, account_id, id, knowledge_id, scope_id, kind, state, reason, due_at)
  select audience_id is not null, account_id, gen_random_uuid(), id, scope_id, 'gate_a_b', 'pending', 'person_decides', now() + interval '7 days'
  from knowledge where account_id = seed_id($a, 0, 0) and state in ('proposed', 'held');
-- The first item has neither words nor a decision: the scenarios say and decide something about it.
insert into review_words (account_id, review_item_id, peer_id, reason)
  select account_id, id, seed_id($a, 2, 1), 'I sold the boats.' from review_items
  where account_id = seed_id($a, 0, 0) order by id offset 1;
insert into scheduled_decisions (account_id, review_item_id, run_id, action, version, decided_by, credential_id, due_at,
    state, ended_at, end_reason)
  select account_id, id, gen_random_uuid(), 'approve', 1, seed_id($a, 2, 1), seed_id($a, 6, 0), now(), 'void', now(),
    'item_changed'
  from review_items where account_id = seed_id($a, 0, 0) order by id offset 1;
-- Whoever is spoken of is asked about it. Half of the questions are over, and each was handed out once.
insert into questions (account_id, id, knowledge_id, scope_id, peer_id, kind, statement_hash, opened_at, deadline_at,
    last_delivered_at, ended_at, end_reason)
  select k.account_id, gen_random_uuid(), k.id, k.scope_id, k.subject_peer_id, 'confirm', k.statement_hash, now(),
    now() + interval '14 days', now() - interval '40 days', case when over then now() end,
    case when over then 'subject_confirmed' end
  from knowledge k, lateral (select get_byte(k.statement_hash, 0) % 2 = 0 as over) half
  where k.account_id = seed_id($a, 0, 0) and k.subject_peer_id is not null;
insert into question_deliveries (account_id, id, question_id, session_id, peer_id, credential_id, operation, delivered_at)
  select q.account_id, gen_random_uuid(), q.id, seed_id($a, 3, 1), q.peer_id, seed_id($a, 6, 0), 'memory.search',
    now() - interval '40 days'
  from questions q where q.account_id = seed_id($a, 0, 0);
insert into ask_preferences (account_id, peer_id, max_per_session, max_per_day)
  select seed_id($a, 0, 0), seed_id($a, 2, n), 3, 10 from generate_series(0, $t) n;
insert into audit_events (account_id, id, category, action, actor_kind, credential_id, resource_type, resource_id,
    chain_position, chain_hash)
  select account_id, gen_random_uuid(), 'observation', 'message.accepted', 'credential', credential_id, 'message', id,
    case when n > 1000 then n - 1000 end, case when n > 1000 then sha256('x') end
  from (select *, row_number() over (order by id) as n from messages where account_id = seed_id($a, 0, 0)) m;
insert into audit_chains (account_id, position, hash)
  select account_id, max(chain_position), sha256('x') from audit_events
  where account_id = seed_id($a, 0, 0) and chain_position is not null group by 1;
insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard, available_at, overdue)
  select a.account_id, e, 'message'::unit_kind, a.message_id, a.scope_id, a.shard, a.available_at, false
  from extraction_anchors a, unnest(enum_range(null::index_engine)) e
  where a.account_id = seed_id($a, 0, 0) and a.status <> 'completed'
  union all
  select account_id, e, 'statement'::unit_kind, id, scope_id, 1, now(), false
  from knowledge, unnest(enum_range(null::index_engine)) e
  where account_id = seed_id($a, 0, 0) and id > seed_id($a, 5, $m - $m / 100);
insert into indexed_units (account_id, unit, unit_id, scope_id, term_ids, analyzer_version)
  select account_id, 'statement'::unit_kind, id, scope_id, array[1, 2, 3, 4, 5]::bigint[], 'v1' from knowledge
  where account_id = seed_id($a, 0, 0);
insert into entity_mentions (account_id, scope_id, alias, is_public, statement_id, is_sure, is_of_subject)
  select k.account_id, k.scope_id, name.alias, k.sensitivity = 'public', k.id, true, name.alias = 'ana'
  from (select *, row_number() over (order by id) as n from knowledge where account_id = seed_id($a, 0, 0)) k,
    lateral (values ('ana'), ('acme rockets ' || k.n % greatest($t, 1)), ('person ' || k.n)) as name (alias);
insert into scope_names (account_id, scope_id, word, alias, statements, public_statements, sure_statements,
    sure_public_statements, subject_statements, subject_public_statements)
  select account_id, scope_id, word, alias, count(*), count(*) filter (where is_public), count(*),
    count(*) filter (where is_public), count(*) filter (where is_of_subject),
    count(*) filter (where is_of_subject and is_public)
  from entity_mentions, unnest(string_to_array(alias, ' ')) word
  where account_id = seed_id($a, 0, 0)
  group by 1, 2, 3, 4;
insert into scope_units (account_id, scope_id, unit, units)
  select seed_id($a, 0, 0), seed_id($a, 1, n), u, 10 from generate_series(0, $t) n, unnest(enum_range(null::unit_kind)) u;
insert into scope_terms (account_id, scope_id, unit, term_id, df)
  select seed_id($a, 0, 0), seed_id($a, 1, s), 'statement'::unit_kind, n, 1000
  from generate_series(1, $t) n, (values (0), (1), (2), (3)) as of (s);
insert into provider_attempts (account_id, id, role, provider, model, model_version, state, metered, scope_id,
    mailbox_shard, claim_epoch, reserved_at, dispatched_at, finished_at)
  select seed_id($a, 0, 0), seed_id($a, 10, n), 'ingest_extractor', 'p', 'm', '1',
    (case when n % 1000 = 0 then 'dispatched' else 'success' end)::attempt_state, true,
    seed_id($a, 1, seed_scope(n % $s, $t)), n % 8, 1, at, at, case when n % 1000 = 0 then null else at end
  from generate_series(0, $t * 2) n, lateral (select now() - make_interval(secs => ($t * 2 - n) * 300) as at) of;
insert into usage_days (account_id, day, role, provider, model, calls, errors, unmetered, input_tokens, output_tokens,
    embedding_tokens, reranker_tokens, duration_ms)
  select seed_id($a, 0, 0), current_date - n, role, 'p', 'm' || m, 10, 1, 1, 1000, 100, 0, 0, 500
  from generate_series(0, 399) n, unnest(enum_range(null::model_role)) role, generate_series(1, 2) m;
insert into usage_scope_days (account_id, day, scope_id, role, provider, model, calls, errors, unmetered, input_tokens,
    output_tokens, embedding_tokens, reranker_tokens)
  select seed_id($a, 0, 0), current_date - (n % 400)::integer, seed_id($a, 1, n % $t), 'ingest_extractor', 'p', 'm', 1, 0, 0,
    100, 10, 0, 0
  from generate_series(0, $t * 2) n on conflict do nothing;
insert into request_days (account_id, day, api_requests, ingests, recorded)
  select seed_id($a, 0, 0), current_date - n, 100, 10, 12 from generate_series(0, 399) n;
insert into usage_entries (account_id, day, role, provider, model, scope_id, ledger_rows, calls, errors, unmetered,
    input_tokens, output_tokens, embedding_tokens, reranker_tokens, duration_ms)
  select seed_id($a, 0, 0), current_date, 'ingest_extractor', 'p', 'm1', seed_id($a, 1, n % $t), 1, 1, 0, 0, 100, 10, 0, 0, 5
  from generate_series(0, 400) n;
insert into activity_entries (account_id, day, ingests, recorded, messages, message_bytes)
  select seed_id($a, 0, 0), current_date, 1, 1, 1, 100 from generate_series(0, 400) n;
insert into usage_totals (account_id, messages, message_bytes, statements, statement_bytes, version_bytes, ledger_rows)
  values (seed_id($a, 0, 0), $m, $m * 100, $m, $m * 50, 1000, $t * 2);
insert into idempotency_records (account_id, id, credential_id, method, path, key, request_hash, status, resource_id,
    created_at)
  select seed_id($a, 0, 0), gen_random_uuid(), seed_id($a, 6, 0), 'POST', '/api/v1/ingest', 'key-' || n,
    sha256('x'), 202, seed_id($a, 4, n), now() - interval '36 hours' + make_interval(secs => n * 86400.0 / $m)
  from generate_series(0, $m - 1) n;
insert into documents (account_id, id, scope_id, external_id)
  select seed_id($a, 0, 0), seed_id($a, 7, n), seed_id($a, 1, 1), 'document-' || n from generate_series(0, $t / 10) n;
insert into document_versions (account_id, id, document_id, version, sha256, byte_size, media_type, occurred_at,
    occurred_offset_minutes, uploader_peer_id, credential_id, trace_id, chunk_count, parsed_at, settled_at)
  select seed_id($a, 0, 0), seed_id($a, 8, n), seed_id($a, 7, n), 1, sha256(convert_to('d' || n, 'UTF8')), 100,
    'text/plain', now(), 0, seed_id($a, 2, 1), seed_id($a, 6, 0), repeat('ab', 16), 5, now(), now()
  from generate_series(0, $t / 10) n;
insert into sessions (account_id, id, document_id, shard)
  select seed_id($a, 0, 0), seed_id($a, 3, 1000000000 + n), seed_id($a, 7, n), n % 8 from generate_series(0, $t / 10) n;
insert into session_scopes (account_id, session_id, scope_id)
  select seed_id($a, 0, 0), seed_id($a, 3, 1000000000 + n), seed_id($a, 1, 1) from generate_series(0, $t / 10) n;
insert into messages (account_id, id, session_id, scope_id, speaker_peer_id, credential_id, role, content, content_hash,
    occurred_at, occurred_offset_minutes, trace_id, document_version_id, chunk_index)
  select seed_id($a, 0, 0), seed_id($a, 4, 1000000000 + n * 5 + c), seed_id($a, 3, 1000000000 + n), seed_id($a, 1, 1),
    seed_id($a, 2, 1), seed_id($a, 6, 0), 'document', 'Ana Nr' || n || ' Seed moved to Oslo.',
    sha256(convert_to('c' || n || c, 'UTF8')), now(), 0, repeat('ab', 16), seed_id($a, 8, n), c
  from generate_series(0, $t / 10) n, generate_series(0, 4) c;
insert into extraction_anchors (account_id, message_id, session_id, scope_id, speaker_peer_id, shard, status, completed_at,
    extracted_at)
  select account_id, id, session_id, scope_id, speaker_peer_id, 0, 'completed', now(), now() from messages
  where account_id = seed_id($a, 0, 0) and document_version_id is not null;
insert into pipeline_runs (account_id, id, kind, target_id, status, dispatched_at, processed_at)
  select seed_id($a, 0, 0), seed_id($a, 9, n), 'document', seed_id($a, 8, n), 'completed', now(), now()
  from generate_series(0, $t / 10) n;
insert into extraction_budgets (account_id, id, scope_root, request_cap, token_cap, usd_micros_cap, deadline_at,
    input_usd_micros_per_million, output_usd_micros_per_million)
  select seed_id($a, 0, 0), gen_random_uuid(), '/wide/' || n, 1e9, 1e12, 1e12, now() + interval '1 year', 1, 1
  from generate_series(5, least(99, $t)) n;
insert into sign_in_attempts (id, email_hash, address_hash, succeeded, attempted_at)
  select gen_random_uuid(), sha256(convert_to('e' || n, 'UTF8')), sha256(convert_to('a' || n % 100, 'UTF8')), false,
    now() - make_interval(secs => n)
  from generate_series(1, $t) n`;

/** Fills the database, as superuser: no trigger and no key check runs, which the rows above would pass. */
export async function seed(admin: Client, { messages }: SeedSize): Promise<void> {
  await admin.query('set session_replication_role = replica');
  await admin.query(FUNCTIONS);
  for (const account of [...SMALL_ACCOUNTS, LARGE]) {
    const size = account === LARGE ? messages : 2_000;
    const text = FILL.replaceAll('$a', String(account))
      .replaceAll('$m', String(size))
      .replaceAll('$t', String(Math.floor(size / 10)))
      .replaceAll('$s', String(Math.floor(size / 20)));
    for (const statement of text.split(/;\n/)) {
      await admin.query(statement);
    }
  }
  await admin.query('reset session_replication_role');
  await admin.query('vacuum analyze');
  // The planner is to choose as for the full size.
  await admin.query(
    `select pg_restore_relation_stats('schemaname', 'public', 'relname', c.relname::text,
       'reltuples', (c.reltuples * $1)::real)
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i') and c.reltuples > 1000`,
    [Math.max(1, FULL_SIZE / messages)],
  );
}
