/** `ask`: a search, and an answer from what it found, with its evidence and no more. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { AdmittedEvidence } from '../../domain/answers/evidence.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { PROFILES } from '../../domain/retrieval/strategies.ts';
import { readEvidence, statementsOf } from '../../engine/answers/evidence.ts';
import { callerNow } from '../caller-now.ts';
import { defineOperation, type RequestContext } from '../operation.ts';
import { answerFields, answerFieldsOf } from './answer-output.ts';
import { evidenceView } from './evidence-output.ts';
import { questionField } from './fields.ts';
import { searchFields } from './search-fields.ts';
import { searchOutput } from './search-output.ts';
import { searchFor, type MadeSearch } from './searching.ts';
import { stillReadable } from './still-readable.ts';

/** Times that a question is answered for one request, when what it rests on is withdrawn meanwhile. */
const MOST_ANSWERS = 2;
/** Milliseconds for what is told of the evidence; the wait for a connection counts. */
const LONGEST_EVIDENCE_READ_MS = 5_000;

const profileField = z
  .enum(PROFILES)
  .nullish()
  .transform((profile) => profile ?? 'thorough')
  .meta({
    description: 'As for a search, which has another default.',
    wire: { default: 'thorough' },
  });

const input = z.object({ question: questionField, ...searchFields, profile: profileField }).meta({
  wire: { examples: [{ question: 'Where does Ana live?', scope_path: '/team/project' }] },
});

/** The first candidates of the search. */
async function fixedRecall(
  { caller, inAccount, settings, signal }: RequestContext<Caller>,
  { candidates, request: { reader, scopeIds } }: MadeSearch,
): Promise<readonly AdmittedEvidence[]> {
  const head = statementsOf(candidates).slice(0, settings.answerContextLimit);
  const evidence = await inAccount(
    caller.accountId,
    (stores) => readEvidence(stores, head, { reader, scopeIds }),
    { statementTimeoutMs: LONGEST_EVIDENCE_READ_MS, signal, readOnly: true },
  );
  return evidence.map((item) => ({ ...item, origin: 'head' }));
}

/** Sends the evidence before the answer, where the door does that. Not to a caller whose rights changed meanwhile. */
async function announce(
  context: RequestContext<Caller>,
  evidence: readonly AdmittedEvidence[],
): Promise<void> {
  const { caller, emit } = context;
  if (emit === undefined || !isDeepStrictEqual(await callerNow(context), caller)) return;
  emit('evidence', { data: { evidence: evidence.map(evidenceView) } });
}

/** The ids of all that an answer shows or rests on. */
function idsOf({ candidates, output }: MadeSearch, evidence: readonly AdmittedEvidence[]) {
  const ofType = (wanted: AdmittedEvidence['type']): string[] =>
    evidence.filter(({ type }) => type === wanted).map(({ id }) => id);
  const profile = output.identity_profile?.items ?? [];
  return {
    statements: [
      ...candidates.map(({ row }) => row.id),
      ...ofType('knowledge'),
      ...profile.map(({ knowledge_id: id }) => id),
    ],
    messages: ofType('source_message'),
  };
}

export const ask = defineOperation({
  id: 'memory.ask',
  access: 'any_identity',
  effect: 'read',
  summary: 'Ask memory a question',
  description:
    'Searches the statements of a scope and its ancestors that the reader may see, and answers from the first of them, with citations. The answer holds what the search answers beside it. If the model that writes answers fails, the answer is `answer_degraded` instead of an error. With `Accept: text/event-stream` the evidence is sent before the answer.',
  refusals: ['forbidden', 'unknown_peer'],
  input,
  output: searchOutput.extend(answerFields),
  async run(context, { question, ...asked }) {
    const { caller, now, signal, traceId } = context;
    for (let answers = 1; answers <= MOST_ANSWERS; answers += 1) {
      const made = await searchFor(context, { ...asked, query: question }, 'statements');
      const evidence = await fixedRecall(context, made);
      await announce(context, evidence);
      const outcome = await context.answer({
        question,
        referenceTime: asked.as_of ?? now.toISOString(),
        evidence,
        accountId: caller.accountId,
        traceId,
        signal,
      });
      const isCurrent =
        !outcome.hasWaited || (await stillReadable(context, made, idsOf(made, evidence)));
      if (isCurrent) return { ...made.output, ...answerFieldsOf(outcome) };
    }
    throw new Refusal('unavailable');
  },
});
