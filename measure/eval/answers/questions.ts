/** The questions that an answerer is asked about a conversation: some that it answers, and four kinds that it does not. */
import type { CorpusConversation } from '../rank/corpus.ts';

/**
 * `adversarial`: about the conversation, and nothing in it answers, mostly because another person did what is asked.
 * `foreign`: the answerable questions of the other conversations, as they are. `renamed`: these with the names of people
 * of this conversation, so that no name gives them away; only between people. `bereft`: its own answerable questions,
 * where what answers is kept back.
 */
export const UNANSWERABLE_KINDS = ['adversarial', 'foreign', 'renamed', 'bereft'] as const;
export type UnanswerableKind = (typeof UNANSWERABLE_KINDS)[number];

export interface Question {
  readonly kind: 'answerable' | UnanswerableKind;
  readonly text: string;
  /** Messages that hold the answer. */
  readonly gold: readonly string[];
  readonly answer: string | null;
  /** Messages of which nothing may be offered. */
  readonly without: readonly string[];
}

function speakersOf({ messages }: CorpusConversation): string[] {
  return [...new Set(messages.map(({ speaker }) => speaker))];
}

/** The text with each name of `from` replaced by that of `to` in the same place. */
export function renamed(text: string, from: readonly string[], to: readonly string[]): string {
  return text.replaceAll(/[\p{L}\p{N}\p{M}]+/gu, (word) => to[from.indexOf(word)] ?? word);
}

function unanswerable(
  kind: UnanswerableKind,
  text: string,
  without: readonly string[] = [],
): Question {
  return { kind, text, gold: [], answer: null, without };
}

/** All questions for one conversation of a set. */
export function questionsFor(
  conversation: CorpusConversation,
  set: readonly CorpusConversation[],
): Question[] {
  const others = set.filter((other) => other !== conversation);
  const isPeers = conversation.style === 'peers';
  return [
    ...conversation.questions.map(({ answer, gold, text }) => ({
      kind: 'answerable' as const,
      text,
      gold,
      answer,
      without: [],
    })),
    ...conversation.questions.map(({ gold, text }) => unanswerable('bereft', text, gold)),
    ...conversation.unanswerable.map((text) => unanswerable('adversarial', text)),
    ...others.flatMap(({ questions }) =>
      questions.map(({ text }) => unanswerable('foreign', text)),
    ),
    ...others.flatMap((other) =>
      isPeers
        ? other.questions.map(({ text }) =>
            unanswerable('renamed', renamed(text, speakersOf(other), speakersOf(conversation))),
          )
        : [],
    ),
  ];
}
