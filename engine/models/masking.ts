/**
 * No recognised secret passes the gateway, in either direction. A request is masked before any extractor sees it,
 * the built-in one included, so that spans and statements are judged on masked text. Every question to a model is
 * masked once more, because other roles bring texts of their own. Statements are masked too, because a model may
 * make them up.
 */
import type {
  Candidate,
  DocumentContext,
  ExtractionRequest,
  SourceMessage,
} from '../../domain/statements/candidate.ts';
import type { Behalf } from '../behalf.ts';
import { MASK } from '../secrets/mask-word.ts';
import { ownFailure } from './own-failure.ts';
import type { ChatMessage } from './provider.ts';

/** Texts with every recognised secret masked, in order. */
export type MaskTexts = (texts: readonly string[]) => Promise<readonly string[]>;

/** Makes the masking of one call, on behalf of the call's account. */
export type MaskFor = (call: Behalf) => MaskTexts;

/** Turns a failure to mask into a failure of the model: a text that cannot be masked is not sent. */
export function guarded(mask: MaskTexts): MaskTexts {
  return async (texts) => {
    try {
      return await mask(texts);
    } catch (cause) {
      throw ownFailure(cause);
    }
  };
}

export interface MaskedRequests {
  /** In the order given. */
  readonly requests: readonly ExtractionRequest[];
  /** Replaces the names of the call by the keys and paths that they stood for, by which the service finds its rows. */
  readonly restore: <T extends Pick<Candidate, 'subjectRef'>>(candidate: T) => T;
}

/**
 * The requests of one call with contents, names, titles and headings masked. A key or path that holds a secret
 * gets a name for the time of the call, the same in each request, so that an answer can refer to it.
 */
export async function maskRequests(
  requests: readonly ExtractionRequest[],
  mask: MaskTexts,
): Promise<MaskedRequests> {
  const messages = requests.flatMap(({ anchor, window }) => [anchor, ...window]);
  const participants = requests.flatMap((request) => request.participants);
  const references = new Set([
    ...requests.map(({ scopePath }) => scopePath),
    ...[...messages, ...participants].map(({ peerKey }) => peerKey),
  ]);
  const texts = new Set([
    ...references,
    ...messages.flatMap(({ content, peerName }) => [content, peerName]),
    ...participants.map(({ name }) => name),
    ...requests.flatMap(({ document }) => [document?.title ?? [], document?.headings ?? []].flat()),
  ]);
  const maskOf = await masksOf([...texts], mask);
  const originals = new Map<string, string>();
  const nameOf = new Map(
    [...references].map((reference, index) => {
      const masked = maskOf(reference);
      const name = masked === reference ? reference : `${masked}-${index}`;
      originals.set(name, reference);
      return [reference, name];
    }),
  );
  const refer = (reference: string): string => nameOf.get(reference) ?? maskOf(reference);
  return {
    requests: requests.map((request) => masked(request, maskOf, refer)),
    restore: (candidate) => {
      const { subjectRef } = candidate;
      return { ...candidate, subjectRef: originals.get(subjectRef) ?? subjectRef };
    },
  };
}

type Mask = (text: string) => string;

function masked(request: ExtractionRequest, maskOf: Mask, refer: Mask): ExtractionRequest {
  const message = (source: SourceMessage): SourceMessage => ({
    ...source,
    content: maskOf(source.content),
    peerKey: refer(source.peerKey),
    peerName: maskOf(source.peerName),
  });
  return {
    ...request,
    scopePath: refer(request.scopePath),
    anchor: message(request.anchor),
    window: request.window.map(message),
    participants: request.participants.map((peer) => ({
      ...peer,
      peerKey: refer(peer.peerKey),
      name: maskOf(peer.name),
    })),
    ...(request.document == null ? {} : { document: maskedContext(request.document, maskOf) }),
  };
}

function maskedContext({ title, headings }: DocumentContext, maskOf: Mask): DocumentContext {
  return { title: title === null ? null : maskOf(title), headings: headings.map(maskOf) };
}

async function masksOf(texts: readonly string[], mask: MaskTexts): Promise<Mask> {
  const masks = await mask(texts);
  const byText = new Map(texts.map((text, index) => [text, masks[index]]));
  return (text) => byText.get(text) ?? MASK;
}

/** The candidates with their statements masked: a model may make up what it was not shown. */
export async function maskCandidates(
  candidates: readonly Candidate[],
  mask: MaskTexts,
): Promise<readonly Candidate[]> {
  if (candidates.length === 0) return candidates;
  const maskOf = await masksOf(
    candidates.map(({ statement }) => statement),
    mask,
  );
  return candidates.map((candidate) => ({ ...candidate, statement: maskOf(candidate.statement) }));
}

/**
 * The messages of a question, masked. A message that is a JSON document is masked string by string, names of
 * members aside, so that no mask can reach over a quotation mark and change what the document says.
 */
export async function maskMessages(
  messages: readonly ChatMessage[],
  mask: MaskTexts,
): Promise<readonly ChatMessage[]> {
  const documents = messages.map(({ content }) => parsed(content));
  const texts = messages.flatMap(({ content }, index) => {
    const document = documents[index];
    return document === undefined ? [content] : stringsOf(document);
  });
  const masked = await mask(texts);
  if (masked.every((text, index) => text === texts[index])) return messages;
  const values = masked.values();
  const next = (): string => values.next().value ?? '';
  return messages.map((message, index) => {
    const document = documents[index];
    const content = document === undefined ? next() : JSON.stringify(withStrings(document, next));
    return { ...message, content };
  });
}

/** The text parsed as a JSON object or list, or undefined. */
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
