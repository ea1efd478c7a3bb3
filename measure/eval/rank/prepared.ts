/** A conversation, cut and analysed once for all variants. */
import { rankedPassages } from '../../../engine/text/passages.ts';
import type { KnownSpeaker } from '../../../engine/text/ranked-question.ts';
import {
  dateTerms,
  nameTerms,
  readUnit,
  type UnitReading,
} from '../../../engine/text/ranked-unit.ts';
import type { CorpusConversation, CorpusMessage } from './corpus.ts';
import { statementsOf } from './statements.ts';

export interface PreparedUnit extends UnitReading {
  readonly message: CorpusMessage;
  /** Place of the message in the conversation. */
  readonly order: number;
  readonly text: string;
  readonly saysSomething: boolean;
  /** Terms of the speaker's name and of the day. */
  readonly speaker: readonly string[];
  readonly date: readonly string[];
}

export interface Prepared {
  readonly conversation: CorpusConversation;
  readonly units: readonly PreparedUnit[];
  /** Those whom a question may name. */
  readonly speakers: readonly KnownSpeaker[];
}

/** `passageTerms` is the most content terms of a unit. */
export function prepare(conversation: CorpusConversation, passageTerms: number): Prepared {
  const isPeers = conversation.style === 'peers';
  const isDated = conversation.style !== 'passages';
  const sources = new Set(statementsOf(conversation).flatMap((one) => one.sources));
  const names = new Set(conversation.messages.map(({ speaker }) => speaker));
  return {
    conversation,
    units: conversation.messages.flatMap((message, order) =>
      rankedPassages(message.content, passageTerms).map((text) => ({
        ...readUnit(text),
        message,
        order,
        text,
        saysSomething: sources.has(message.id),
        speaker: isPeers ? nameTerms(message.speaker) : [],
        date: isDated ? dateTerms(message.at) : [],
      })),
    ),
    speakers: isPeers ? Array.from(names, (name) => ({ id: name, name })) : [],
  };
}
