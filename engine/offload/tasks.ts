/** The heavy work on text, by the names that a thread is asked for. Arguments and results can be cloned. */
import type { Candidate, ExtractionRequest } from '../../domain/extraction/candidate.ts';
import { extractWithoutModel } from '../english/extract/document.ts';
import { planQuery } from '../retrieval/query-plan.ts';
import { analyseMessage, type MessageAnalysis, type MessageText } from '../indexes/analysis.ts';
import type { Turn } from '../indexes/surroundings.ts';
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

/** The message and the turns around it. */
export function textsOf({ content, surroundings }: MessageText): string[] {
  const turns = [...(surroundings?.before ?? []), ...(surroundings?.after ?? [])];
  return [content, ...turns.flatMap((turn) => turn?.text ?? [])];
}

function withoutSecrets(
  message: MessageText,
  maskedOf: ReadonlyMap<string, string>,
): [message: MessageText, masked: string] {
  const masked = maskedOf.get(message.content) ?? '';
  const { surroundings } = message;
  if (surroundings === null) return [message, masked];
  const mask = (turn: Turn | null): Turn | null =>
    turn === null ? null : { ...turn, text: maskedOf.get(turn.text) ?? '' };
  const { after, before } = surroundings;
  return [
    {
      ...message,
      surroundings: { ...surroundings, before: before.map(mask), after: after.map(mask) },
    },
    masked,
  ];
}

export const TASKS: Tasks = {
  maskSecrets,
  holdsSecret: (texts) => Promise.all(texts.map(holdsSecret)),
  analyseMessages: async (texts) => {
    const all = [...new Set(texts.flatMap(textsOf))];
    const masked = await maskSecrets(all);
    const maskedOf = new Map(all.map((text, index) => [text, masked[index] ?? ''] as const));
    return texts.map((text) => analyseMessage(...withoutSecrets(text, maskedOf)));
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
