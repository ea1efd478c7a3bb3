/** Questions that were handed out: who may answer, what the session shows since, and what was answered. */
import { sql } from 'slonik';
import { z } from 'zod';
import { ANSWER_EFFECTS, type AnswerEffect } from '../../../domain/questions/answers.ts';
import type { TranscriptTurn } from '../../../domain/questions/transcript.ts';
import {
  ASKED_KINDS,
  VERDICTS,
  VERIFICATIONS,
  type AskedKind,
  type AnswerVerdict,
  type AnswerVerification,
} from '../../../domain/questions/words.ts';
import { AccountStore } from '../account-store.ts';
import { wasThere } from '../visibility/messages.ts';

const deliveryRow = z.object({
  id: z.string(),
  question_id: z.string(),
  knowledge_id: z.string(),
  session_id: z.string(),
  /** Who was asked. */
  peer_id: z.string(),
  kind: z.enum(ASKED_KINDS),
  target_scope_id: z.string().nullable(),
  statement_hash: z.string(),
  skips: z.number(),
  put_off: z.boolean(),
  /** Whether the question has an end, and this delivery no answer. */
  is_open: z.boolean(),
  statement: z.string().nullable(),
  verdict: z.enum(VERDICTS).nullable(),
  verification: z.enum(VERIFICATIONS).nullable(),
  effect: z.enum(ANSWER_EFFECTS).nullable(),
});
export type DeliveryRow = z.infer<typeof deliveryRow>;

const turnRow = z
  .object({ role: z.string(), by_subject: z.boolean(), text: z.string() })
  .transform(({ by_subject: bySubject, ...turn }): TranscriptTurn => ({ ...turn, bySubject }));

const ownQuestionRow = z.object({
  id: z.string(),
  kind: z.enum(ASKED_KINDS),
  knowledge_id: z.string(),
  deadline_at: z.string(),
});
export type OwnQuestionRow = z.infer<typeof ownQuestionRow>;

/** Open questions to a peer that a list looks at: those of its first scopes. */
const MOST_MET = 1_000;
/** Questions of these whose statements are looked at. */
const MOST_JOINED = 200;

/** The one who answers: a credential, and the peer that it stands for. */
export interface Answering {
  readonly credentialId: string;
  readonly peerId: string | null;
}

/** Turns of a session that a verification reads, counted from the delivery, and characters of each. */
const MOST_TURNS = 32;
const MOST_TURN_CHARACTERS = 4_000;
/** Turns of a scope of the session that it looks at to find them: those of the one who answers do not count. */
const MOST_TURNS_LOOKED_AT = 128;
/** How much earlier than the delivery the clock of a sender may say that a turn was said. */
const CLOCK_MINUTES = 5;

export interface WrittenAnswer {
  readonly verdict: AnswerVerdict;
  readonly verification: AnswerVerification;
  readonly effect: AnswerEffect;
  /** SHA-256 of the text that was shown, lower-case hex; null where the answer names none. */
  readonly shownTextHash: string | null;
  readonly shownTextDiffers: boolean | null;
}

/** Answers to questions, of one account. */
export class AnswersStore extends AccountStore {
  /** The delivery, if it was made to the credential or to another one of its peer. */
  async deliveredTo(id: string, { credentialId, peerId }: Answering): Promise<DeliveryRow | null> {
    return this.tx.maybeOne(sql.type(deliveryRow)`
      select d.id, d.question_id, q.knowledge_id, d.session_id, d.peer_id, q.kind, q.target_scope_id,
        encode(q.statement_hash, 'hex') as statement_hash, q.skips, q.put_off,
        q.ended_at is null and q.deadline_at > now() and d.verdict is null
          and k.statement_hash = q.statement_hash as is_open,
        k.statement, d.verdict, d.verification, d.effect
      from question_deliveries d
      join questions q on q.account_id = d.account_id and q.id = d.question_id
      join knowledge k on k.account_id = q.account_id and k.id = q.knowledge_id
      join credentials c on c.account_id = d.account_id and c.id = d.credential_id
      where d.account_id = ${this.accountId}::uuid and d.id = ${id}::uuid
        and (d.credential_id = ${credentialId}::uuid or c.peer_id = ${peerId}::uuid)`);
  }

  /**
   * What was said in the session since the delivery, as far as the person who was asked was there, without what the one
   * who answers has recorded: nobody is a witness for himself. What a person recorded who signed in always counts.
   */
  async turnsSince(
    delivery: DeliveryRow,
    { credentialId, peerId }: Answering,
  ): Promise<readonly TranscriptTurn[]> {
    const account = sql.fragment`${this.accountId}::uuid`;
    const subject = sql.fragment`${delivery.peer_id}::uuid`;
    return this.tx.any(sql.type(turnRow)`
      with delivered as materialized (
        select d.session_id, d.delivered_at from question_deliveries d
        where d.account_id = ${account} and d.id = ${delivery.id}::uuid
      ), said as materialized (
        select m.* from delivered
        join session_participants there on there.account_id = ${account} and there.session_id = delivered.session_id
          and there.peer_id = ${subject}
        cross join lateral (
          select m.id, m.occurred_at, m.recorded_at from messages m
          where m.account_id = ${account} and m.session_id = there.session_id and m.scope_id = there.scope_id
            and m.occurred_at >= delivered.delivered_at - make_interval(mins => ${CLOCK_MINUTES})
          order by m.occurred_at, m.recorded_at, m.id limit ${MOST_TURNS_LOOKED_AT}
        ) m
        where m.recorded_at > delivered.delivered_at
      )
      select m.role, m.speaker_peer_id = ${subject} as by_subject, left(m.content, ${MOST_TURN_CHARACTERS}) as text
      from said
      join messages m on m.account_id = ${account} and m.id = said.id
      -- Only tokens of people are ever removed.
      left join credentials c on c.account_id = m.account_id and c.id = m.credential_id
      where ${wasThere(subject)} and not (c.id is not null and c.kind = 'api_key'
        and (c.id = ${credentialId}::uuid or c.peer_id is not distinct from ${peerId}::uuid))
      order by said.occurred_at, said.recorded_at, said.id limit ${MOST_TURNS}`);
  }

  /** Open questions to the peer whether a statement about it is true, handed out or not, what is over first before. */
  async askedOf(peerId: string, limit: number): Promise<readonly OwnQuestionRow[]> {
    const account = sql.fragment`${this.accountId}::uuid`;
    return this.tx.any(sql.type(ownQuestionRow)`
      with met as materialized (
        select q.id, q.kind, q.knowledge_id, q.statement_hash, q.deadline_at from questions q
        where q.account_id = ${account} and q.peer_id = ${peerId}::uuid and q.ended_at is null
        order by q.scope_id, q.deadline_at, q.id limit ${MOST_MET}
      ), first as materialized (
        select * from met where met.kind <> 'consent_upward' and met.deadline_at > now()
        order by met.deadline_at, met.id limit ${MOST_JOINED}
      )
      select first.id, first.kind, first.knowledge_id, first.deadline_at from first
      join knowledge k on k.account_id = ${account} and k.id = first.knowledge_id
        and k.statement_hash = first.statement_hash and k.statement is not null
        and k.subject_peer_id = ${peerId}::uuid
      order by first.deadline_at, first.id limit ${limit}`);
  }

  /** Whether the question is put to the peer, and open. */
  async isAskedOf(questionId: string, peerId: string): Promise<boolean> {
    return this.tx.oneFirst(sql.type(z.object({ is_asked: z.boolean() }))`
      select exists (select from questions q
        where q.account_id = ${this.accountId}::uuid and q.id = ${questionId}::uuid
          and q.peer_id = ${peerId}::uuid and q.ended_at is null and q.deadline_at > now()) as is_asked`);
  }

  /** Writes the answer to the delivery. */
  async write(id: string, answer: WrittenAnswer): Promise<void> {
    await this.tx.query(sql.unsafe`
      update question_deliveries set verdict = ${answer.verdict}::question_verdict,
        verification = ${answer.verification}::question_verification, effect = ${answer.effect},
        answered_at = clock_timestamp(), shown_text_hash = decode(${answer.shownTextHash}, 'hex'),
        shown_text_differs = ${answer.shownTextDiffers}
      where account_id = ${this.accountId}::uuid and id = ${id}::uuid and verdict is null`);
  }

  /** Ends the question if it is open. */
  async end(questionId: string, reason: string): Promise<void> {
    await this.tx.query(sql.unsafe`
      update questions set ended_at = clock_timestamp(), end_reason = ${reason}
      where account_id = ${this.accountId}::uuid and id = ${questionId}::uuid and ended_at is null`);
  }

  async countSkip(questionId: string): Promise<void> {
    await this.tx.query(sql.unsafe`
      update questions set skips = skips + 1
      where account_id = ${this.accountId}::uuid and id = ${questionId}::uuid`);
  }

  async notePutOff(questionId: string): Promise<void> {
    await this.tx.query(sql.unsafe`
      update questions set put_off = true
      where account_id = ${this.accountId}::uuid and id = ${questionId}::uuid`);
  }

  /** Ends open questions of the kind about a statement, for one place or for all. */
  async endOf(
    knowledgeId: string,
    kind: AskedKind,
    targetScopeId: string | null,
    reason: string,
  ): Promise<void> {
    await this.tx.query(sql.unsafe`
      update questions set ended_at = clock_timestamp(), end_reason = ${reason}
      where account_id = ${this.accountId}::uuid and knowledge_id = ${knowledgeId}::uuid and ended_at is null
        and kind = ${kind}::question_kind
        ${targetScopeId === null ? sql.fragment`` : sql.fragment`and target_scope_id = ${targetScopeId}::uuid`}`);
  }
}
