/** Conversations with questions whose answers stand in known messages, in one form for all sets. */
import { z } from 'zod';
import { readEach } from '../../data/folder.ts';

export interface CorpusMessage {
  readonly id: string;
  readonly session: string;
  readonly speaker: string;
  /** Milliseconds. */
  readonly at: number;
  readonly content: string;
}

export interface CorpusQuestion {
  readonly text: string;
  readonly gold: readonly string[];
  /** The set's own name of the kind of question. */
  readonly kind: string;
  /** The answer in the words of who asked; null where the set has none. */
  readonly answer: string | null;
}

export interface CorpusFact {
  readonly speaker: string;
  readonly text: string;
  readonly evidence: readonly string[];
}

export interface CorpusConversation {
  readonly name: string;
  readonly style: 'peers' | 'assistant' | 'passages';
  /** In the order of their writing. */
  readonly messages: readonly CorpusMessage[];
  readonly questions: readonly CorpusQuestion[];
  /** Questions about the conversation that nothing in it answers. */
  readonly unanswerable: readonly string[];
  readonly facts: readonly CorpusFact[];
}

export interface Corpus {
  readonly name: string;
  readonly conversations: readonly CorpusConversation[];
}

const chat = z.object({
  conversation_id: z.string(),
  messages: z.array(
    z.object({
      dia_id: z.string(),
      session_id: z.string(),
      speaker: z.string(),
      occurred_at: z.iso.datetime({ offset: true }),
      content: z.string(),
    }),
  ),
  questions: z.array(
    z.object({
      question: z.string(),
      category: z.union([z.string(), z.number()]),
      category_name: z.string(),
      evidence: z.array(z.string()),
      answer: z.union([z.string(), z.number()]).nullish(),
    }),
  ),
  observations: z
    .array(z.object({ speaker: z.string(), text: z.string(), evidence: z.array(z.string()) }))
    .optional(),
});

const paragraphs = z.object({
  language: z.string(),
  paragraphs: z.array(z.object({ id: z.string(), text: z.string() })),
  questions: z.array(z.object({ question: z.string(), evidence: z.array(z.string()) })),
});

/** Questions of these categories have no answer in the conversation. */
const UNANSWERABLE: ReadonlySet<string | number> = new Set([5, 'abstention']);

function conversationOf(
  file: z.output<typeof chat>,
  style: CorpusConversation['style'],
): CorpusConversation {
  return {
    name: file.conversation_id,
    style,
    messages: file.messages.map((message) => ({
      id: message.dia_id,
      session: message.session_id,
      speaker: message.speaker,
      at: Date.parse(message.occurred_at),
      content: message.content,
    })),
    questions: file.questions
      .filter(({ category, evidence }) => !UNANSWERABLE.has(category) && evidence.length > 0)
      .map(({ answer, ...asked }) => ({
        text: asked.question,
        gold: asked.evidence,
        kind: asked.category_name,
        answer: answer === null || answer === undefined ? null : String(answer),
      })),
    unanswerable: file.questions
      .filter(({ category }) => UNANSWERABLE.has(category))
      .map(({ question }) => question),
    facts: file.observations ?? [],
  };
}

function chats(folder: string, set: string, style: CorpusConversation['style']): Corpus | null {
  const files = readEach(folder, set, chat);
  return files && { name: set, conversations: files.map((file) => conversationOf(file, style)) };
}

function languages(folder: string): Corpus[] | null {
  const files = readEach(folder, 'xquad', paragraphs);
  return (
    files?.map((file) => ({
      name: `xquad ${file.language}`,
      conversations: [
        {
          name: file.language,
          style: 'passages',
          messages: file.paragraphs.map(({ id, text }) => ({
            id,
            session: id,
            speaker: '',
            at: 0,
            content: text,
          })),
          questions: file.questions.map(({ question, evidence }) => ({
            text: question,
            gold: evidence,
            kind: file.language,
            answer: null,
          })),
          unanswerable: [],
          facts: [],
        },
      ],
    })) ?? null
  );
}

/** The sets that can be scored; null for one whose data is missing. */
export function readCorpora(folder: string): {
  readonly locomo: Corpus | null;
  readonly beam: Corpus | null;
  readonly xquad: readonly Corpus[] | null;
} {
  return {
    locomo: chats(folder, 'locomo', 'peers'),
    beam: chats(folder, 'beam', 'assistant'),
    xquad: languages(folder),
  };
}

/** Names ids after their conversation. */
function own(conversation: string): (id: string) => string {
  return (id) => `${conversation}/${id}`;
}

/** All conversations of a corpus as one, as if they stood in one scope: ids and sessions stay apart. */
export function together({ conversations, name }: Corpus): Corpus {
  const [first] = conversations;
  if (first === undefined) return { conversations, name };
  const all: CorpusConversation = {
    name,
    style: first.style,
    messages: conversations.flatMap(({ messages, name: of }) =>
      messages.map((message) => ({
        ...message,
        id: own(of)(message.id),
        session: own(of)(message.session),
      })),
    ),
    questions: conversations.flatMap(({ name: of, questions }) =>
      questions.map((question) => ({ ...question, gold: question.gold.map(own(of)) })),
    ),
    unanswerable: conversations.flatMap(({ unanswerable }) => unanswerable),
    facts: conversations.flatMap(({ facts, name: of }) =>
      facts.map((fact) => ({ ...fact, evidence: fact.evidence.map(own(of)) })),
    ),
  };
  return { name, conversations: [all] };
}
