/**
 * The model provider of the fault tests: a stub whose answer is a pure function of the prompt, and that knows
 * which anchors reached it when.
 */
import {
  assertions,
  extractionMaterial,
  startStubOpenAi,
  type ExtractionDocument,
  type StubOpenAi,
  type StubOptions,
} from '../../support/stub-openai.ts';

export interface Provider {
  readonly stub: StubOpenAi;
  /** Settings that make a start extract through this provider. */
  readonly settings: Readonly<Record<string, string>>;
  /** The anchors of each request and when it came (milliseconds since 1970), in the order of arrival. */
  requests(): readonly { readonly anchorId: string; readonly receivedAt: number }[];
}

const NAMED = /^(?:Also )?(\p{L}+) /u;
const SINCE = /, since (\d{4}-\d{2}),/u;

interface Reading {
  readonly subject: { readonly type: 'peer' | 'scope'; readonly ref: string };
  readonly statement: string;
}

function read(document: ExtractionDocument, sentence: string): Reading {
  const { speaker_key: speaker, speaker_name: name } = document.anchor_message;
  const plain = sentence.replace(SINCE, '').replace(/^Also /, '');
  const who = NAMED.exec(sentence)?.[1] ?? '';
  if (who === 'I' && speaker !== undefined) {
    return { subject: { type: 'peer', ref: speaker }, statement: plain.replace(/^I /, `${name} `) };
  }
  const person = document.people.find((one) => one.name === who);
  return person === undefined
    ? { subject: { type: 'scope', ref: document.scope_path }, statement: plain }
    : { subject: { type: 'peer', ref: person.peer_key }, statement: plain };
}

/** Every sentence is a statement. Loud ones are personal and less sure; "Also" cites what was said before. */
export function extractSentences(document: ExtractionDocument): readonly unknown[] {
  const { id, text } = document.anchor_message;
  return assertions(text).map((sentence) => {
    const { subject, statement } = read(document, sentence);
    const loud = sentence.endsWith('!');
    const before = document.earlier_messages.findLast(({ evidence }) => evidence);
    const cites = sentence.startsWith('Also ') && before !== undefined;
    const scope = subject.type === 'scope';
    const quiet = scope ? 'public' : 'internal';
    return {
      supporting_span: sentence,
      statement,
      confidence_level: loud ? 'clearly_implied' : 'stated_explicitly',
      kind: 'fact',
      subject_type: subject.type,
      subject_ref: subject.ref,
      sensitivity: sentence.includes('clinic') ? 'restricted' : loud ? 'personal' : quiet,
      target_level: scope === loud ? 'account' : 'scope',
      source_message_ids: cites ? [id, before.id] : [id],
      relevant_from: SINCE.exec(sentence)?.[1] ?? null,
      relevant_until: null,
    };
  });
}

/** Starts a provider that takes `delayMs` milliseconds for an answer. */
export async function startProvider(
  delayMs: number,
  extract: NonNullable<StubOptions['extract']> = extractSentences,
): Promise<Provider> {
  const stub = await startStubOpenAi({ delayMs, extract });
  return {
    stub,
    settings: {
      SERVICE_MODEL_INGEST_EXTRACTOR: 'openai-compatible:stub',
      SERVICE_MODEL_INGEST_EXTRACTOR_BASE_URL: stub.baseUrl,
      SERVICE_MODEL_EMBEDDER: 'deterministic',
    },
    requests: () =>
      stub.requests.flatMap(({ body, receivedAt }) =>
        extractionMaterial(body).map(({ anchor_message: { id } }) => ({
          anchorId: id,
          receivedAt,
        })),
      ),
  };
}
