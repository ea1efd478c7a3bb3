/**
 * No recognised secret passes the gateway, in either direction. A request is masked before any extractor sees
 * it, the built-in one included, so that spans and statements are judged on masked text; whatever is asked of a
 * model is looked at once more, because later roles bring texts of their own; and so are statements, which a
 * model may make up.
 */
import type {
  Candidate,
  ExtractionRequest,
  SourceMessage,
} from '../../domain/extraction/candidate.ts';
import { maskSecrets } from '../secrets/mask.ts';
import type { ChatMessage } from './provider.ts';

/** The request with contents and names masked. Keys and paths stay: answers refer to them. */
export async function maskRequest(request: ExtractionRequest): Promise<ExtractionRequest> {
  const { anchor, participants, window } = request;
  const messages = [anchor, ...window];
  const masked = await maskSecrets([
    ...messages.flatMap(({ content, peerName }) => [content, peerName]),
    ...participants.map(({ name }) => name),
  ]);
  const texts = masked.values();
  const next = (unmasked: string): string => texts.next().value ?? unmasked;
  const message = (source: SourceMessage): SourceMessage => ({
    ...source,
    content: next(source.content),
    peerName: next(source.peerName),
  });
  return {
    ...request,
    anchor: message(anchor),
    window: window.map(message),
    participants: participants.map((peer) => ({ ...peer, name: next(peer.name) })),
  };
}

/** The candidates with their statements masked. */
export async function maskCandidates(
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  if (candidates.length === 0) return candidates;
  const statements = await maskSecrets(candidates.map(({ statement }) => statement));
  return candidates.map((candidate, index) => ({
    ...candidate,
    statement: statements[index] ?? candidate.statement,
  }));
}

/**
 * The messages of a question, masked. A message that is a JSON document is masked string by string, names of
 * members aside, so that no mask can reach over a quotation mark and change what the document says.
 */
export async function maskMessages(
  messages: readonly ChatMessage[],
): Promise<readonly ChatMessage[]> {
  const documents = messages.map(({ content }) => parsed(content));
  const texts = messages.flatMap(({ content }, index) => {
    const document = documents[index];
    return document === undefined ? [content] : stringsOf(document);
  });
  const masked = await maskSecrets(texts);
  if (masked.every((text, index) => text === texts[index])) return messages;
  const values = masked.values();
  const next = (): string => values.next().value ?? '';
  return messages.map((message, index) => {
    const document = documents[index];
    const content = document === undefined ? next() : JSON.stringify(withStrings(document, next));
    return { ...message, content };
  });
}

/** The object or list that the text is, or undefined. */
function parsed(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return Object(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

/** The same value with its strings, in the order of `stringsOf`, replaced. */
function withStrings(value: unknown, next: () => string): unknown {
  if (typeof value === 'string') return next();
  if (Array.isArray(value)) return value.map((item) => withStrings(item, next));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withStrings(item, next)]),
  );
}
