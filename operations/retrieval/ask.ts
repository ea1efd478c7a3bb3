/** `ask`: a search, and an answer from what it found, with its evidence and no more. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { AdmittedEvidence } from '../../domain/answers/evidence.ts';
import { EFFORTS } from '../../domain/answers/recall/caps.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { PROFILES } from '../../domain/retrieval/strategies.ts';
import { callerNow } from '../caller-now.ts';
import { defineOperation, type RequestContext } from '../operation.ts';
import { withQuestion } from '../questions/pending.ts';
import { answerFields, answerFieldsOf } from './answer-output.ts';
import { evidenceView } from './evidence-output.ts';
import { flagField, includeQuestionsField, onFlagField, questionField } from '../fields/read.ts';
import { gatherEvidence } from './recall/gather.ts';
import { recallFields } from './recall/output.ts';
import { searchFields } from './search-fields.ts';
import { searchOutput } from './search-output.ts';
import { searchFor, type MadeSearch } from './searching.ts';
import { stillReadable } from './still-readable.ts';

/** Times that a question is answered for one request, when something of its answer is withdrawn meanwhile. */
const MOST_ANSWERS = 2;
/**
 * Milliseconds after which a question is not answered anew when something of its answer was withdrawn meanwhile: a silent
 * connection is given up, and an answer may take two minutes.
 */
const LONGEST_BEFORE_ANOTHER_MS = 20_000;

const profileField = z
  .enum(PROFILES)
  .nullish()
  .transform((profile) => profile ?? null)
  .meta({
    description:
      'The profile of the search that finds the evidence. With an `effort` the default is `minimal` if operators have switched that profile on.',
    wire: { default: 'thorough' },
  });

const effortField = z
  .enum(EFFORTS)
  .nullish()
  .transform((effort) => effort ?? null)
  .meta({
    description:
      'The service makes further searches and reads, within bounds of rounds, reads, items, tokens and time. Absent: the answer rests on the first candidates of one search alone. An effort never reads other scopes than the search, and never for another reader.',
  });

const sourceField = (what: string) =>
  flagField.meta({ description: what, wire: { default: false } });

const input = z
  .object({
    question: questionField,
    ...searchFields,
    profile: profileField,
    effort: effortField,
    include_source_exact_recall: sourceField(
      'Also looks for messages by their words, as a source search does. Only with an `effort`.',
    ),
    include_source_semantic_recall: sourceField(
      'Also looks for messages by their meaning, as a source search does. Only with an `effort`.',
    ),
    include_source_recall: sourceField(
      'Also looks for messages, by their words and by their meaning, as a source search does. Only with an `effort`.',
    ),
    include_questions: includeQuestionsField,
    include_stable_profile_recall: onFlagField.meta({
      description: 'Also looks into the stable profile of the reader. Only with an `effort`.',
    }),
  })
  .meta({
    wire: { examples: [{ question: 'Where does Ana live?', scope_path: '/team/project' }] },
  });

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

type Asked = z.output<typeof input>;

/** One answer; null when something that it shows was withdrawn while it was made. */
async function answered(
  context: RequestContext<Caller>,
  { effort, profile, question, ...asked }: Asked,
) {
  const { caller, now, settings, signal, traceId } = context;
  const begunAt = performance.now();
  const usual = effort !== null && settings.minimalRecall ? 'minimal' : 'thorough';
  const search = { ...asked, profile: profile ?? usual, query: question };
  const made = await searchFor(context, search, 'statements');
  const referenceTime = asked.as_of ?? now.toISOString();
  const { evidence, told } = await gatherEvidence(context, made, {
    question,
    referenceTime,
    effort,
    begunAt,
    sourceExact: asked.include_source_exact_recall || asked.include_source_recall,
    sourceSemantic: asked.include_source_semantic_recall || asked.include_source_recall,
    stableProfile: asked.include_stable_profile_recall,
    includesQuestions: asked.include_questions,
  });
  const isCurrent = (): Promise<boolean> => stillReadable(context, made, idsOf(made, evidence));
  if (effort !== null && !(await isCurrent())) return null;
  await announce(context, evidence);
  // The look begins when the reply is there, beside what the ledger writes of it.
  let looked: Promise<boolean> | null = null;
  const look = (): Promise<boolean> => {
    looked ??= isCurrent();
    // Who waits for it hears of an error.
    looked.catch(() => {});
    return looked;
  };
  const outcome = await context.answer({
    question,
    referenceTime,
    evidence,
    accountId: caller.accountId,
    traceId,
    signal,
    replied: () => void look(),
  });
  if (outcome.hasWaited && !(await look())) return null;
  return { answer: { ...made.output, ...answerFieldsOf(outcome), ...told }, read: made.read };
}

export const ask = defineOperation({
  id: 'memory.ask',
  access: 'any_identity',
  effect: 'read',
  summary: 'Ask memory a question',
  description:
    'Searches the statements of a scope and its ancestors that the reader may see, and answers from the best of them, with citations. The answer also holds the fields of a search answer. If the model that writes answers fails, the answer is `answer_degraded` instead of an error. With `Accept: text/event-stream` the service sends the evidence before the answer.',
  refusals: ['forbidden', 'unknown_peer'],
  input,
  output: searchOutput.extend({ ...answerFields, ...recallFields }),
  async run(context, asked) {
    const begunAt = performance.now();
    for (let answers = 1; answers <= MOST_ANSWERS; answers += 1) {
      const made = await answered(context, asked);
      if (made !== null) {
        const { as_of: asOf, question: query, session_id: sessionId } = asked;
        const question = { sessionId, asOf, query, operation: 'memory.ask' };
        return withQuestion(context, made.read, question, made.answer);
      }
      if (performance.now() - begunAt > LONGEST_BEFORE_ANOTHER_MS) break;
    }
    throw new Refusal('unavailable');
  },
});
