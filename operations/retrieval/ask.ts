/** `ask`: a search, and an answer from what it found, with its evidence and no more. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { AdmittedEvidence } from '../../domain/answers/evidence.ts';
import { EFFORTS } from '../../domain/answers/planner/caps.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { PROFILES } from '../../domain/retrieval/strategies.ts';
import { callerNow } from '../caller-now.ts';
import { defineOperation, type RequestContext } from '../operation.ts';
import { withQuestion } from '../questions/pending.ts';
import { answerFields, answerFieldsOf } from './answer-output.ts';
import { evidenceView } from './evidence-output.ts';
import { flagField, questionField } from './fields.ts';
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
      'As for a search, which has another default. With an effort, and where operators have switched it on, the default is `minimal`.',
    wire: { default: 'thorough' },
  });

const effortField = z
  .enum(EFFORTS)
  .nullish()
  .transform((effort) => effort ?? null)
  .meta({
    description:
      'Looks for more than one search finds, within bounds of rounds, reads, items, tokens and time. Absent: the answer rests on the first candidates of the search alone. No effort reads other scopes, or for another reader, than the search.',
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
      'With an effort: also looks for messages by their words, as a source search does.',
    ),
    include_source_semantic_recall: sourceField(
      'With an effort: also looks for messages by their meaning, as a source search does.',
    ),
    include_source_recall: sourceField(
      'With an effort: also looks for messages, by their words and by their meaning, as a source search does.',
    ),
    include_stable_profile_recall: z
      .boolean()
      .nullish()
      .transform((value) => value !== false)
      .meta({
        description: 'With an effort: also looks into the stable profile of the reader.',
        wire: { default: true },
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
    'Searches the statements of a scope and its ancestors that the reader may see, and answers from the first of them, with citations. The answer holds what the search answers beside it. If the model that writes answers fails, the answer is `answer_degraded` instead of an error. With `Accept: text/event-stream` the evidence is sent before the answer.',
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
