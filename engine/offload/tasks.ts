/** The heavy work on text, by the names that a thread is asked for. Arguments and results can be cloned. */
import type { Candidate, ExtractionRequest } from '../../domain/statements/candidate.ts';
import { planQuery } from '../text/query-plan.ts';
import {
  analyseMessage,
  createPassageReader,
  type AnalysedVector,
  type MessageAnalysis,
  type MessageText,
} from '../analysis/message.ts';
import {
  statementWithSources,
  type LendingSource,
  type StatementText,
} from '../analysis/statement.ts';
import type { Turn } from '../analysis/surroundings.ts';
import { holdsSecret, maskSecrets } from '../secrets/mask.ts';
import { contentTerms } from '../text/analyze.ts';
import { onlyAsks } from '../text/only-asks.ts';
import { embedDeterministic } from '../text/embedding/deterministic.ts';

/** A text that the operators of a query are checked on. */
export interface CheckedText {
  readonly query: string;
  readonly content: string;
  /** A text that only asks is not accepted. */
  readonly isQuestionLeftOut?: boolean;
}

export interface Tasks {
  maskSecrets(texts: readonly string[]): Promise<readonly string[]>;
  holdsSecret(texts: readonly string[]): Promise<readonly boolean[]>;
  analyseMessages(texts: readonly MessageText[]): Promise<readonly MessageAnalysis[]>;
  /** Null where the sources of the statement lend no words. */
  readStatements(texts: readonly StatementText[]): Promise<readonly (AnalysedVector | null)[]>;
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>;
  extract(requests: readonly ExtractionRequest[]): Promise<readonly (readonly Candidate[])[]>;
  /** Whether each text satisfies the operators of its query. */
  accept(texts: readonly CheckedText[]): Promise<readonly boolean[]>;
  /** The content terms of each text, once each. */
  stems(texts: readonly string[]): Promise<readonly (readonly string[])[]>;
}
export type TaskName = keyof Tasks;

const present = (turns: readonly (Turn | null)[]): string[] =>
  turns.flatMap((turn) => turn?.text ?? []);

const lentTexts = ({ text, before }: LendingSource): string[] => [text, ...present(before)];

/** The texts of a message or of a statement, with those of the turns around it or its sources. */
export function textsOf(item: MessageText | StatementText): string[] {
  if ('statement' in item) {
    return [item.statement, ...item.sources.flatMap(lentTexts)];
  }
  const { content, surroundings } = item;
  return [content, ...present(surroundings?.before ?? []), ...present(surroundings?.after ?? [])];
}

type MaskedOf = ReadonlyMap<string, string>;

async function maskedTexts(texts: readonly string[]): Promise<MaskedOf> {
  const all = [...new Set(texts)];
  const masked = await maskSecrets(all);
  return new Map(all.map((text, index) => [text, masked[index] ?? ''] as const));
}

function maskedTurns(turns: readonly (Turn | null)[], maskedOf: MaskedOf): (Turn | null)[] {
  return turns.map((turn) =>
    turn === null ? null : { ...turn, text: maskedOf.get(turn.text) ?? '' },
  );
}

const maskedSource =
  (maskedOf: MaskedOf) =>
  (source: LendingSource): LendingSource => ({
    ...source,
    text: maskedOf.get(source.text) ?? '',
    before: maskedTurns(source.before, maskedOf),
  });

function withoutSecrets(
  message: MessageText,
  maskedOf: MaskedOf,
): [message: MessageText, masked: string] {
  const masked = maskedOf.get(message.content) ?? '';
  const { surroundings } = message;
  if (surroundings === null) return [message, masked];
  const before = maskedTurns(surroundings.before, maskedOf);
  const after = maskedTurns(surroundings.after, maskedOf);
  return [{ ...message, surroundings: { ...surroundings, before, after } }, masked];
}

export const TASKS: Tasks = {
  maskSecrets,
  holdsSecret: (texts) => Promise.all(texts.map(holdsSecret)),
  analyseMessages: async (texts) => {
    const maskedOf = await maskedTexts(texts.flatMap(textsOf));
    const read = createPassageReader();
    return texts.map((text) => analyseMessage(...withoutSecrets(text, maskedOf), read));
  },
  readStatements: async (texts) => {
    const maskedOf = await maskedTexts(texts.flatMap(({ sources }) => sources.flatMap(lentTexts)));
    const read = createPassageReader();
    return texts.map((text) =>
      statementWithSources({ ...text, sources: text.sources.map(maskedSource(maskedOf)) }, read),
    );
  },
  embed: async (texts) => texts.map(embedDeterministic),
  extract: async (requests) => {
    // A process that draws no statements does not load what reads English.
    const { extractWithoutModel } = await import('../english-extractor/document.ts');
    return requests.map(extractWithoutModel);
  },
  accept: async (texts) => {
    const accepts = new Map<string, (text: string) => boolean>();
    return texts.map(({ content, isQuestionLeftOut, query }) => {
      const known = accepts.get(query) ?? planQuery(query, query).accepts;
      accepts.set(query, known);
      return known(content) && !(isQuestionLeftOut === true && onlyAsks(content));
    });
  },
  stems: async (texts) => texts.map((text) => [...new Set(contentTerms(text))]),
};
