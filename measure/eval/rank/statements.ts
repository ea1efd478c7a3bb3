/** The statements that the service would draw from a conversation without a model. */
import { confidenceOf } from '../../../domain/statements/confidence.ts';
import { countsForRanking } from '../../../domain/governance/counted.ts';
import type { SourceMessage } from '../../../domain/statements/candidate.ts';
import { extractDeterministic } from '../../../engine/english-extractor/extract.ts';
import { analyze } from '../../../engine/text/analyze.ts';
import type { CorpusConversation, CorpusMessage } from './corpus.ts';

export interface ConversationStatement {
  readonly text: string;
  readonly sources: readonly string[];
  /** Whether the frequencies of its scope count its words. */
  readonly counts: boolean;
  /** 0 to 1. */
  readonly confidence: number;
  /** The person that it is about; null for a scope. */
  readonly subject: { readonly key: string; readonly name: string } | null;
  /** When it holds, ISO 8601. */
  readonly from: string | null;
  readonly until: string | null;
}

/** Earlier messages of the session that an extractor sees. */
const WINDOW = 5;

function extract({ messages, style }: CorpusConversation): ConversationStatement[] {
  const isAssistant = (speaker: string): boolean => style === 'assistant' && speaker !== 'user';
  const source = ({ id, content, speaker, at }: CorpusMessage): SourceMessage => ({
    id,
    content,
    role: isAssistant(speaker) ? 'assistant' : 'user',
    peerKey: speaker,
    peerName: speaker,
    occurredAt: new Date(at).toISOString(),
    occurredOffsetMinutes: 0,
  });
  const participants = Array.from(new Set(messages.map(({ speaker }) => speaker)), (name) => ({
    peerKey: name,
    name,
    kind: isAssistant(name) ? ('agent' as const) : ('human' as const),
  }));
  return messages
    .filter(({ speaker }) => !isAssistant(speaker))
    .flatMap((message) => {
      const at = messages.indexOf(message);
      const window = messages
        .slice(Math.max(0, at - WINDOW), at)
        .filter(({ session }) => session === message.session)
        .map(source);
      return extractDeterministic({
        scopePath: '/eval',
        anchor: source(message),
        window,
        participants,
      });
    })
    .map(({ statement, sourceMessageIds, sensitivity, ...about }) => ({
      from: about.relevantFrom?.at ?? null,
      until: about.relevantUntil?.at ?? null,
      text: statement,
      sources: sourceMessageIds,
      counts: countsForRanking({ state: 'active', sensitivity, audience: null }),
      confidence: confidenceOf(about, 'direct'),
      subject:
        about.subjectType === 'peer' && about.subjectRef !== null
          ? { key: about.subjectRef, name: about.subjectRef }
          : null,
    }));
}

const extracted = new WeakMap<CorpusConversation, readonly ConversationStatement[]>();

/** Made once for each conversation. */
export function statementsOf(conversation: CorpusConversation): readonly ConversationStatement[] {
  const known = extracted.get(conversation) ?? extract(conversation);
  extracted.set(conversation, known);
  return known;
}

/** In how many of some texts each term stands. */
export interface TextCounts {
  readonly texts: number;
  readonly frequencies: ReadonlyMap<string, number>;
}

export function countTexts(texts: readonly string[]): TextCounts {
  const frequencies = new Map<string, number>();
  for (const text of texts) {
    for (const term of analyze(text).terms.keys()) {
      frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    }
  }
  return { texts: texts.length, frequencies };
}

const counted = new WeakMap<CorpusConversation, TextCounts>();

/** Frequencies over the extracted statements that count for ranking; made once for each conversation. */
export function statementCounts(conversation: CorpusConversation): TextCounts {
  const texts = statementsOf(conversation).filter(({ counts }) => counts);
  const known = counted.get(conversation) ?? countTexts(texts.map(({ text }) => text));
  counted.set(conversation, known);
  return known;
}
