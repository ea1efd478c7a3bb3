-- An account may come out of an archive. `imported_at`: its scopes of that time came with it, and the ledger of their
-- extraction did not. `is_rebuilding`: its indexes are not written yet, and the account answers nobody.
alter table accounts
  add column imported_at timestamptz,
  add column is_rebuilding boolean not null default false,
  add constraint only_an_imported_account_is_rebuilt check (not is_rebuilding or imported_at is not null);

-- An import writes rows page by page, and a row may name one of a later page. Everybody else is told at once, as before.
alter table scopes alter constraint scope_parent_is_in_same_account deferrable initially immediate;
alter table knowledge alter constraint merged_knowledge_is_in_same_account deferrable initially immediate;
alter table knowledge alter constraint replaced_knowledge_is_in_same_account deferrable initially immediate;

-- Brings the audit log of an account along, with the places and hashes that its events have. It admits only an account
-- that the same transaction made and that has no chain yet: no log that stands in the database can be added to or
-- written again with it. It proves nothing: the caller has followed the chain, and `vouch audit verify` does.
create function import_audit_events(p_events jsonb) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_written integer;
begin
  if not exists (
    select from accounts a where a.id = current_account() and a.xmin = pg_current_xact_id()::xid
      and a.imported_at is not null)
  or exists (select from audit_chains c where c.account_id = current_account()) then
    raise exception 'an audit log comes with the account that the same transaction imports';
  end if;
  insert into audit_events (account_id, id, category, action, actor_kind, actor_peer_id, credential_id, resource_type,
    resource_id, metadata, content_hash, occurred_at, chain_position, chain_hash)
  select current_account(), e.id, e.category, e.action, e.actor_kind, e.actor_peer_id, e.credential_id, e.resource_type,
    e.resource_id, e.metadata, e.content_hash, e.occurred_at, e.chain_position, e.chain_hash
  from jsonb_populate_recordset(null::audit_events, p_events) e;
  get diagnostics v_written = row_count;
  return v_written;
end $$;

-- Ends the log that came along: its chain goes on from this place. The same account is admitted, once.
create function import_audit_chain(p_chain jsonb) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_written integer;
begin
  if not exists (
    select from accounts a where a.id = current_account() and a.xmin = pg_current_xact_id()::xid
      and a.imported_at is not null) then
    raise exception 'an audit log comes with the account that the same transaction imports';
  end if;
  insert into audit_chains (account_id, position, hash, sealed_at, sealed_until)
  select current_account(), c.position, c.hash, c.sealed_at, c.sealed_until
  from jsonb_populate_record(null::audit_chains, p_chain) c;
  get diagnostics v_written = row_count;
  return v_written;
end $$;

-- Counts a table for the planner while an import fills it. Nobody else sees the rows yet: a vacuum that comes by writes down that
-- there are none, and every key that is checked then walks over the whole account.
create function count_imported(p_table text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (
    select from accounts a where a.id = current_account() and a.xmin = pg_current_xact_id()::xid
      and a.imported_at is not null) then
    raise exception 'tables are counted by the transaction that imports an account';
  end if;
  execute format('analyze %I', p_table);
  return true;
end $$;

do $$
declare
  target text;
begin
  grant create on schema public to vouch_eraser;
  foreach target in array array['import_audit_events(jsonb)', 'import_audit_chain(jsonb)', 'count_imported(text)'] loop
    execute format('revoke all on function %s from public', target);
    execute format('grant execute on function %s to vouch_app', target);
    execute format('alter function %s owner to vouch_eraser', target);
  end loop;
  revoke create on schema public from vouch_eraser;
end $$;
grant select (id, imported_at, xmin) on accounts to vouch_eraser;
grant insert on audit_events to vouch_eraser;
grant maintain on
  accounts, scopes, scope_links, peers, grants, circles, circle_members, audiences, audience_members,
  gate_rules, skill_cards, retrieval_profiles, extraction_budgets, documents, document_versions, sessions,
  session_scopes, session_participants, messages, extraction_anchors, knowledge, belief_periods, provenance,
  knowledge_submitters, knowledge_attesters, knowledge_paraphrases, knowledge_source_scopes, review_items,
  review_words, scheduled_decisions, consents, gate_decisions, lifecycle_events, questions, question_deliveries,
  ask_preferences, erasure_requests, audit_events, audit_chains
  to vouch_eraser;
