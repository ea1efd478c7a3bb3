/**
 * The sources that a commit adds, and what is counted of them. Each source is a row in `provenance`. Beside them a
 * statement has one row for each scope, attester and submitter, however often they said it. Only sources that were not
 * there are counted, so that a source that is written twice counts once.
 */
import { sql } from 'slonik';

/** Whether the added source was said before all known ones; true as well where none is known. */
const isFirst = sql.fragment`(not added.is_context and ((added.said_at, added.hash, added.attester_id)
          < (k.first_said_at, k.first_said_hash, k.first_attester_id)) is not false)`;

/**
 * CTEs over `doc`; its `sources` are `{knowledge_id, message_id, wording, span_offset, span_length, is_context}`, and `inherited` are
 * `{knowledge_id, from_id, keeps_wordings}`: all sources of another statement. A statement that the same commit creates
 * brings its own counts, because an update does not see it yet; where its submissions stand is read from `created`.
 */
export const newSources = sql.fragment`
    sourced as (
      insert into provenance (account_id, knowledge_id, message_id, speaker_peer_id, source_key, wording, span_offset,
        span_length, is_context)
      select doc.account_id, r.knowledge_id, m.id, m.speaker_peer_id,
        source_key(m.session_id, m.speaker_peer_id, m.occurred_at, m.content_hash), r.wording, r.span_offset,
        r.span_length, r.is_context
      from doc, jsonb_to_recordset(doc.j -> 'sources') as r (
        knowledge_id uuid, message_id uuid, wording text, span_offset integer, span_length integer,
        is_context boolean)
      join messages m on m.id = r.message_id
      union all
      select p.account_id, r.knowledge_id, p.message_id, p.speaker_peer_id, p.source_key,
        case when r.keeps_wordings then p.wording end, p.span_offset, p.span_length, p.is_context
      from doc cross join jsonb_to_recordset(doc.j -> 'inherited') as r (
        knowledge_id uuid, from_id uuid, keeps_wordings boolean)
      join provenance p on p.account_id = doc.account_id and p.knowledge_id = r.from_id
      on conflict do nothing
      returning knowledge_id, message_id, is_context
    ), cited as materialized (
      select m.account_id, sourced.knowledge_id, sourced.is_context, m.scope_id, m.speaker_peer_id, m.relay_peer_id,
        said_at(m.occurred_at, m.recorded_at) as said_at, m.content_hash, v.document_id, v.version,
        coalesce(v.document_id, m.speaker_peer_id) as attester_id
      from sourced
      join messages m on m.id = sourced.message_id
      left join document_versions v on v.account_id = m.account_id and v.id = m.document_version_id
    ), attested as (
      insert into knowledge_attesters as known (account_id, knowledge_id, peer_id, document_id, source_count,
        last_said_at, last_said_hash, last_version)
      select account_id, knowledge_id, case when document_id is null then attester_id end, document_id, count(*),
        max(said_at), (array_agg(content_hash order by said_at desc, content_hash desc))[1], max(version)
      from cited where not is_context group by account_id, knowledge_id, attester_id, document_id
      order by knowledge_id, attester_id
      on conflict (account_id, knowledge_id, attester_id) do update set
        source_count = known.source_count + excluded.source_count,
        withdrawn = false,
        last_version = greatest(known.last_version, excluded.last_version),
        last_said_at = greatest(known.last_said_at, excluded.last_said_at),
        last_said_hash = case
          when (excluded.last_said_at, excluded.last_said_hash) > (known.last_said_at, known.last_said_hash)
          then excluded.last_said_hash else known.last_said_hash end
    ), scoped as (
      insert into knowledge_source_scopes (account_id, knowledge_id, scope_id)
      select distinct account_id, knowledge_id, scope_id from cited
      on conflict do nothing
    ), submitted as (
      insert into knowledge_submitters (account_id, knowledge_id, peer_id, scope_id, state, confidence, recorded_at)
      select distinct cited.account_id, cited.knowledge_id, peer.id, coalesce(c.scope_id, k.scope_id),
        coalesce(c.state, k.state)::text, coalesce(c.confidence, k.confidence), coalesce(c.recorded_at, k.recorded_at)
      from cited
      left join created c on c.id = cited.knowledge_id
      left join knowledge k on k.account_id = cited.account_id and k.id = cited.knowledge_id
      cross join lateral (values (cited.speaker_peer_id), (cited.relay_peer_id)) as peer (id)
      where peer.id is not null and not cited.is_context
      on conflict do nothing
      returning knowledge_id
    ), counted as (
      update knowledge k set
        source_count = k.source_count + added.sources,
        submitter_count = k.submitter_count + added.submitters,
        first_said_at = case when ${isFirst} then added.said_at else k.first_said_at end,
        first_said_hash = case when ${isFirst} then added.hash else k.first_said_hash end,
        first_attester_id = case when ${isFirst} then added.attester_id else k.first_attester_id end
      from (
        select distinct on (c.knowledge_id) c.account_id, c.knowledge_id, c.is_context, c.said_at,
          c.content_hash as hash, c.attester_id, count(*) over (partition by c.knowledge_id) as sources,
          coalesce(peers.n, 0) as submitters
        from cited c
        left join (select knowledge_id, count(*) as n from submitted group by knowledge_id) peers
          on peers.knowledge_id = c.knowledge_id
        order by c.knowledge_id, c.is_context, c.said_at, c.content_hash, c.attester_id
      ) added
      where k.account_id = added.account_id and k.id = added.knowledge_id
    )`;
