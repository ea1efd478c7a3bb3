/**
 * What holds leave of messages and statements. The columns that everybody reads have what is served; `unmasked` has what was
 * said. Each method takes what is to be served now, whatever was served before: the same again changes nothing, and what
 * was said comes back byte for byte. Indexes and cards follow by marks.
 */
import { sql } from 'slonik';
import { z } from 'zod';
import type { ServedMessage, ServedStatement } from '../../../domain/forgetting/judge.ts';
import { AccountStore } from '../account-store.ts';
import { takersOf } from '../indexes/neighbours.store.ts';
import { StatementSourcesStore } from '../indexes/statement-sources.store.ts';
import { markUnits } from '../indexes/mark-units.ts';
import { subjectLocks } from '../subject-locks.ts';

const idRow = z.object({ id: z.string() });
const subjectRow = z.object({ subject_id: z.string() });

export class ServedTextsStore extends AccountStore {
  /** Answers how many messages are served otherwise than before. */
  async messages(texts: readonly ServedMessage[]): Promise<number> {
    if (texts.length === 0) return 0;
    const ids = texts.map(({ id }) => id);
    const changed = await this.tx.oneFirst(sql.type(z.object({ changed: z.number() }))`
      select serve_messages(${this.accountId}::uuid, ${JSON.stringify(texts)}::jsonb) as changed`);
    if (changed === 0) return 0;
    await this.moveSpans(ids);
    const { all, after } = await takersOf(this.tx, this.accountId, ids);
    await this.mark('message', [...ids, ...all]);
    const drawn = await new StatementSourcesStore(this.tx, this.accountId).drawnFrom([
      ...ids,
      ...after,
    ]);
    await this.mark('statement', drawn);
    return changed;
  }

  /** Answers how many statements are served otherwise than before. Locks their subjects, as every change of a statement does. */
  async statements(texts: readonly ServedStatement[]): Promise<number> {
    if (texts.length === 0) return 0;
    const ids = texts.map(({ id }) => id);
    const subjects = await this.tx.anyFirst(sql.type(subjectRow)`
      select distinct coalesce(subject_peer_id, subject_scope_id) as subject_id from knowledge
      where account_id = ${this.accountId}::uuid and id = any(${sql.array(ids, 'uuid')})`);
    await this.tx.query(sql.unsafe`${subjectLocks(this.accountId, subjects)}`);
    const changed = await this.changeStatements(texts);
    await this.changeWordings(texts);
    await this.mark('statement', changed);
    return changed.length;
  }

  private async changeStatements(texts: readonly ServedStatement[]): Promise<readonly string[]> {
    const rows = texts.map(({ claim, id, text }) => ({
      id,
      text,
      claim_about: claim?.about ?? null,
      claim_value: claim?.value ?? null,
      claim_mode: claim?.mode ?? null,
    }));
    return this.tx.anyFirst(sql.type(idRow)`
      with said as materialized (
        select k.id, given.text, given.claim_about, given.claim_value, given.claim_mode,
          coalesce(k.unmasked, jsonb_build_object('statement', k.statement, 'claim_about', k.claim_about,
            'claim_value', k.claim_value, 'claim_mode', k.claim_mode)) as original
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as given (id uuid, text text, claim_about text, claim_value text, claim_mode claim_mode)
        join knowledge k on k.account_id = ${this.accountId}::uuid and k.id = given.id
        where k.state not in ('redacted', 'retracted')
        order by k.id for no key update of k
      ), served as (
        select said.*, said.text is not distinct from said.original ->> 'statement' as is_as_said from said
      )
      update knowledge k set
        statement = served.text, is_served = served.text is not null,
        unmasked = case when not served.is_as_said then served.original end,
        claim_about = case when served.is_as_said then served.original ->> 'claim_about' else served.claim_about end,
        claim_value = case when served.is_as_said then served.original ->> 'claim_value' else served.claim_value end,
        claim_mode = case when served.is_as_said then (served.original ->> 'claim_mode')::claim_mode
          else served.claim_mode end,
        row_version = k.row_version + 1
      from served
      where k.account_id = ${this.accountId}::uuid and k.id = served.id
        and (k.statement, k.is_served) is distinct from (served.text, served.text is not null)
      returning k.id`);
  }

  /** Wordings that sources gave to the statements, each with its own words left out. */
  private async changeWordings(texts: readonly ServedStatement[]): Promise<void> {
    const rows = texts.flatMap(({ id, wordings }) =>
      Object.entries(wordings).map(([messageId, text]) => ({
        knowledge_id: id,
        message_id: messageId,
        text,
      })),
    );
    if (rows.length === 0) return;
    await this.tx.query(sql.unsafe`
      update provenance p set
        wording = given.text,
        unmasked = nullif(coalesce(p.unmasked, '{}') - 'wording' || case
          when given.text is distinct from coalesce(p.unmasked ->> 'wording', p.wording)
          then jsonb_build_object('wording', coalesce(p.unmasked ->> 'wording', p.wording)) else '{}' end, '{}')
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (knowledge_id uuid, message_id uuid, text text)
      where p.account_id = ${this.accountId}::uuid and p.knowledge_id = given.knowledge_id
        and p.message_id = given.message_id and p.wording is distinct from given.text`);
  }

  /** Places within messages count characters of what was said: of what is served, those before the first change still hold. */
  private async moveSpans(messageIds: readonly string[]): Promise<void> {
    await this.tx.query(sql.unsafe`
      update provenance p set
        span_offset = case when holds.yes then (was.place ->> 'span_offset')::integer end,
        span_length = case when holds.yes then (was.place ->> 'span_length')::integer end,
        unmasked = nullif(coalesce(p.unmasked, '{}') - 'span_offset' - 'span_length'
          || case when holds.yes then '{}' else was.place end, '{}')
      from messages m
      cross join lateral (
        select cited.message_id, cited.knowledge_id, case
          when cited.unmasked ? 'span_offset'
            then jsonb_build_object('span_offset', cited.unmasked -> 'span_offset', 'span_length', cited.unmasked -> 'span_length')
          else jsonb_build_object('span_offset', cited.span_offset, 'span_length', cited.span_length) end as place
        from provenance cited where cited.account_id = m.account_id and cited.message_id = m.id
          and (cited.span_offset is not null or cited.unmasked ? 'span_offset')
      ) was
      cross join lateral (
        select m.unmasked is null or starts_with(m.content, left(m.unmasked,
          (was.place ->> 'span_offset')::integer + (was.place ->> 'span_length')::integer)) as yes
      ) holds
      where m.account_id = ${this.accountId}::uuid and m.id = any(${sql.array(messageIds, 'uuid')})
        and p.account_id = m.account_id and p.message_id = was.message_id and p.knowledge_id = was.knowledge_id`);
  }

  private async mark(unit: 'message' | 'statement', ids: readonly string[]): Promise<void> {
    await markUnits(this.tx, this.accountId, unit, ids);
  }
}
