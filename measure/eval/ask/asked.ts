/** Asks loaded conversations their questions over HTTP, in each of the ways in which `ask` can be used. */
import { forEachOf, timed } from '../../bench/timing.ts';
import type { GoldAnswered } from '../metrics/answers.ts';
import type { AskedRecall } from '../recall/figures.ts';
import type { Loaded } from '../retrieval/loaded.ts';
import type { Bench } from '../service/conversation.ts';
import { EFFORTS, type AskOptions } from '../service/retrieval.ts';

const CONCURRENCY = 4;
/** Room for as many first candidates as any recall offers; an answer rests on the first twelve all the same. */
const PAGE = 50;

/** A question of a conversation; `gold` is empty for one that nothing answers. */
export interface AskedQuestion {
  readonly text: string;
  readonly gold: readonly string[];
  readonly answer: string | null;
}

/** What came of a question, in the set's ids. `recall` is null without an effort. */
export interface AskedAnswer {
  readonly answered: GoldAnswered;
  readonly recall: AskedRecall | null;
  readonly isComplete: boolean;
}

export interface Way extends AskOptions {
  readonly name: string;
}

/** The first candidates alone. */
export const FIXED: Way = { name: 'fixed' };

export const WAYS: readonly Way[] = [
  FIXED,
  ...EFFORTS.map((effort) => ({ name: effort, effort })),
  { name: 'high, with sources', effort: 'high', sources: true },
];

/** `place` is that of the conversation in its set. */
export async function askAll(
  { retrieval }: Bench,
  { ids, place: { scopePath } }: Loaded,
  place: number,
  questions: readonly AskedQuestion[],
  way: AskOptions,
): Promise<AskedAnswer[]> {
  const answers: AskedAnswer[] = [];
  await forEachOf(questions, CONCURRENCY, async ({ answer, gold, text }, at) => {
    const { ms, value } = await timed(() =>
      retrieval.ask(text, { scopePath, limit: PAGE, ...way }),
    );
    const { candidates, recall_evidence: evidence, recall_diagnostics: told } = value;
    const sourcesOf = ({ source_message_ids: own }: (typeof candidates)[number]): string[] =>
      own.flatMap((id) => ids.get(id) ?? []);
    const cited = new Set(value.citations);
    answers[at] = {
      isComplete: !value.degraded,
      answered: {
        confidence: value.answer_confidence,
        abstained: value.abstained,
        text: value.answer,
        citedMessages: (evidence ?? candidates)
          .filter(({ id }) => cited.has(id))
          .flatMap(sourcesOf),
        gold,
        answer,
      },
      recall:
        evidence === undefined
          ? null
          : {
              conversation: place,
              gold,
              offered: evidence.map(sourcesOf),
              candidates: candidates.map(sourcesOf),
              calls: told?.retrieval_calls ?? 0,
              durationMs: ms,
            },
    };
  });
  return answers;
}
