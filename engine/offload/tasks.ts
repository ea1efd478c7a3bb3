/** The heavy work on text, by the names that a thread is asked for. Arguments and results can be cloned. */
import type { Candidate, ExtractionRequest } from '../../domain/extraction/candidate.ts';
import { extractWithoutModel } from '../english/extract/document.ts';
import { analyseMessage, type MessageAnalysis, type MessageText } from '../indexes/analysis.ts';
import { holdsSecret, maskSecrets } from '../secrets/mask.ts';
import { embedDeterministic } from '../text/embedding/deterministic.ts';

export interface Tasks {
  maskSecrets(texts: readonly string[]): Promise<readonly string[]>;
  holdsSecret(texts: readonly string[]): Promise<readonly boolean[]>;
  analyseMessages(texts: readonly MessageText[]): Promise<readonly MessageAnalysis[]>;
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>;
  extract(requests: readonly ExtractionRequest[]): Promise<readonly (readonly Candidate[])[]>;
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
};
