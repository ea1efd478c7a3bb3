/** The heavy work on text, by the names that a thread is asked for. Arguments and results can be cloned. */
import type { Candidate, ExtractionRequest } from '../../domain/extraction/candidate.ts';
import { extractWithoutModel } from '../english/extract/document.ts';
import { planQuery } from '../retrieval/query-plan.ts';
import { analyseMessage, type MessageAnalysis, type MessageText } from '../indexes/analysis.ts';
import { holdsSecret, maskSecrets } from '../secrets/mask.ts';
import { embedDeterministic } from '../text/embedding/deterministic.ts';

/** A text that the operators of a query are checked on. */
export interface CheckedText {
  readonly query: string;
  readonly content: string;
}

export interface Tasks {
  maskSecrets(texts: readonly string[]): Promise<readonly string[]>;
  holdsSecret(texts: readonly string[]): Promise<readonly boolean[]>;
  analyseMessages(texts: readonly MessageText[]): Promise<readonly MessageAnalysis[]>;
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>;
  extract(requests: readonly ExtractionRequest[]): Promise<readonly (readonly Candidate[])[]>;
  /** Whether each text satisfies the operators of its query. */
  accept(texts: readonly CheckedText[]): Promise<readonly boolean[]>;
}
export type TaskName = keyof Tasks;

export const TASKS: Tasks = {
  maskSecrets,
  holdsSecret: (texts) => Promise.all(texts.map(holdsSecret)),
  analyseMessages: async (texts) => {
    const masked = await maskSecrets(texts.map(({ content }) => content));
    return texts.map((text, index) => analyseMessage(text, masked[index] ?? ''));
  },
  embed: async (texts) => texts.map(embedDeterministic),
  extract: async (requests) => requests.map(extractWithoutModel),
  accept: async (texts) => {
    const accepts = new Map<string, (text: string) => boolean>();
    return texts.map(({ content, query }) => {
      const known = accepts.get(query) ?? planQuery(query, query).accepts;
      accepts.set(query, known);
      return known(content);
    });
  },
};
