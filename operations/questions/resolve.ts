/** `validation.resolve`: what a person answered to a question that came with a read. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { ESCALATION_HOURS } from '../../domain/governance/sweeps.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { daysAfter } from '../../domain/knowledge/placing.ts';
import { isLongerThan } from '../../domain/query/bounds.ts';
import {
  ANSWER_EFFECTS,
  effectOf,
  ENDS,
  type AnswerEffect,
} from '../../domain/questions/answers.ts';
import { isAnswered } from '../../domain/questions/transcript.ts';
import {
  PUT_OFF_DAYS,
  VERDICTS,
  VERIFICATIONS,
  type AnswerVerdict,
  type AnswerVerification,
} from '../../domain/questions/words.ts';
import { foldText } from '../../domain/text/fold.ts';
import { DESK_SHARD, puttingOffOf, ruleOn } from '../../engine/knowledge/ruling.ts';
import type { DeskState } from '../../stores/postgres/knowledge/desk.store.ts';
import type { DeliveryRow } from '../../stores/postgres/questions/answers.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { auditActor } from '../audit-actor.ts';
import { earlierAnswer } from '../idempotency.ts';
import { defineOperation, type RequestContext } from '../operation.ts';
import { settleConsent } from './settle-consent.ts';

/** Several times as long as the longest statement. */
const LONGEST_TEXT_BYTES = 16_384;
const UNSTORABLE = /\0|\p{Cs}/u;

const textField = z
  .string()
  .nullish()
  .transform((text) => text ?? null)
  .refine((text) => text === null || !isLongerThan(text, LONGEST_TEXT_BYTES), {
    message: `must have at most ${LONGEST_TEXT_BYTES} bytes`,
  })
  .refine((text) => text === null || !UNSTORABLE.test(text), {
    message: 'must have no NUL characters and no lone surrogates',
  });

const input = z.object({
  id: z.uuid().describe('The id of the question, from `pending_validation`.'),
  verdict: z
    .enum(VERDICTS)
    .describe(
      'What the person said. `unsure`: the person does not know. `skip`: the person does not want to answer now.',
    ),
  shown_text: textField.meta({
    description:
      'The statement as the agent showed it to the person. The service keeps only its hash.',
  }),
  correction_text: textField.meta({
    description:
      'What the person said instead. The service does not keep it: send it as an observation of the person.',
  }),
});

const output = z.object({
  id: z.uuid(),
  verdict: z.enum(VERDICTS),
  verification: z
    .enum(VERIFICATIONS)
    .describe(
      '`verified`: the person signed in and answered, or observations that other callers recorded in the session show that an agent quoted the statement and that the person answered.',
    ),
  effect: z.enum(ANSWER_EFFECTS),
});

/** Text as it is compared and hashed: case, signs and spaces do not count. */
function folded(text: string): string {
  return foldText(text).replace(/\s+/gu, ' ').trim();
}

const hashOf = (text: string): string => createHash('sha256').update(folded(text)).digest('hex');

interface Reported {
  readonly verdict: AnswerVerdict;
  readonly shownText: string | null;
}

/** Whether the person answered, as far as somebody else than the caller can say. */
async function verify(
  stores: Stores,
  caller: Caller,
  asked: DeliveryRow,
  { shownText, verdict }: Reported,
): Promise<AnswerVerification> {
  const { statement } = asked;
  if (statement === null) return 'unverified_channel';
  if (shownText !== null && hashOf(shownText) !== hashOf(statement)) return 'unverified_channel';
  if (caller.kind === 'human' && caller.peerId === asked.peer_id) return 'verified';
  if (verdict !== 'confirm' && verdict !== 'reject') return 'unverified_channel';
  const turns = await stores.answers.turnsSince(asked, caller);
  return isAnswered(turns, statement, verdict) ? 'verified' : 'unverified_channel';
}

/** A verified ruling of the subject: the same as on its own page, by the same rules. */
async function sayForSubject(
  { desk }: Stores,
  state: DeskState,
  { knowledge_id: id, peer_id: peerId }: DeliveryRow,
  action: 'confirm' | 'redact',
): Promise<void> {
  const ruling =
    action === 'redact'
      ? ({ action } as const)
      : ({ action, expiresAt: null, asked: true } as const);
  const { result, work } = ruleOn(state, id, ruling, { peerId, channel: 'api' });
  if (result.outcome !== 'ruled') throw new Refusal('conflict');
  await desk.write(work);
}

async function settle(
  stores: Stores,
  state: DeskState,
  { knowledge_id: id, target_scope_id: target }: DeliveryRow,
  decision: 'grant' | 'deny',
): Promise<void> {
  const consent = target === null ? null : await stores.consents.about(id, target);
  if (consent === null || consent.status !== 'pending') throw new Refusal('conflict');
  await settleConsent(stores, state, consent, decision);
}

async function putOff(stores: Stores, state: DeskState, asked: DeliveryRow): Promise<void> {
  const until = daysAfter(state.now, PUT_OFF_DAYS);
  if (asked.put_off || until === null) return;
  await stores.answers.notePutOff(asked.question_id);
  await stores.desk.write(puttingOffOf(state, asked.knowledge_id, until));
}

async function escalate({ reviews }: Stores, { knowledge_id: id }: DeliveryRow): Promise<void> {
  const item = await reviews.openOf(id, ['gate_a_b', 'revalidation']);
  if (item !== null) await reviews.escalate(item.id, ESCALATION_HOURS);
}

type CarryOut = (stores: Stores, state: DeskState, asked: DeliveryRow) => Promise<void>;

const CARRY_OUT: Readonly<Record<AnswerEffect, CarryOut>> = {
  knowledge_confirmed: (stores, state, asked) => sayForSubject(stores, state, asked, 'confirm'),
  knowledge_retracted: (stores, state, asked) => sayForSubject(stores, state, asked, 'redact'),
  consent_granted: (stores, state, asked) => settle(stores, state, asked, 'grant'),
  consent_denied: (stores, state, asked) => settle(stores, state, asked, 'deny'),
  timer_deferred_only: putOff,
  unsure_closed: () => Promise.resolve(),
  pending_after_skip: ({ answers }, _state, asked) => answers.countSkip(asked.question_id),
  escalated_to_curator: (stores, _state, asked) => escalate(stores, asked),
};

/** The delivery under the lock of the statement's subject, and the statement. Whatever has changed ended the question. */
async function lockAsked(stores: Stores, caller: Caller, seen: DeliveryRow) {
  const found = await stores.desk.find(seen.knowledge_id);
  const state = found === null ? null : await stores.desk.lock(found);
  const asked = await stores.answers.deliveredTo(seen.id, caller);
  if (state === null || asked === null || !asked.is_open) throw new Refusal('not_found');
  return { asked, state };
}

async function answer(
  { caller }: RequestContext<Caller>,
  stores: Stores,
  seen: DeliveryRow,
  reported: Reported,
): Promise<void> {
  if (!seen.is_open) throw new Refusal('not_found');
  // What the session shows can only grow, and reading it needs no lock.
  const verification = await verify(stores, caller, seen, reported);
  const { asked, state } = await lockAsked(stores, caller, seen);
  const { shownText, verdict } = reported;
  const effect = effectOf(asked, verdict, verification);
  if (ENDS[effect]) await stores.answers.end(asked.question_id, effect);
  await CARRY_OUT[effect](stores, state, asked);
  const { statement } = asked;
  await stores.answers.write(asked.id, {
    verdict,
    verification,
    effect,
    shownTextHash: shownText === null ? null : hashOf(shownText),
    shownTextDiffers:
      shownText === null || statement === null ? null : hashOf(shownText) !== hashOf(statement),
  });
  await stores.audit.record({
    category: 'governance',
    action: 'question.answered',
    actor: auditActor(caller),
    resourceType: 'question',
    resourceId: asked.question_id,
    metadata: { verdict, verification, effect },
  });
}

export const resolveValidation = defineOperation({
  id: 'validation.resolve',
  access: 'any_identity',
  effect: 'write',
  summary: 'Report the answer of a person to a question',
  description:
    'The caller that received a `pending_validation` reports the answer to it. A verified yes makes the statement active or grants the consent. A verified no withdraws the statement or denies the consent. An answer that nobody else can verify, or an `unsure`, changes neither and ends no question. It puts off the next revalidation of a placed statement by a week at most. A question that has ended or was answered gets 404.',
  refusals: ['not_found', 'conflict'],
  input,
  output,
  async run(context, { id, shown_text: shownText, correction_text: _unused, verdict }) {
    const { caller, doorbell, inAccount } = context;
    const { accountId } = caller;
    const answered = await inAccount(accountId, async (stores) => {
      const seen = await stores.answers.deliveredTo(id, caller);
      if (seen === null) throw new Refusal('not_found');
      const fields = [verdict, shownText === null ? null : hashOf(shownText)];
      const earlier = await earlierAnswer(context, stores, fields, { status: 200, resourceId: id });
      if (earlier === null) await answer(context, stores, seen, { verdict, shownText });
      return stores.answers.deliveredTo(id, caller);
    });
    if (answered?.verdict == null || answered.verification === null || answered.effect === null) {
      throw new Refusal('not_found');
    }
    doorbell.ring({ accountId, kind: 'projection', shard: DESK_SHARD });
    const { effect, verification } = answered;
    return { id, verdict: answered.verdict, verification, effect };
  },
});
