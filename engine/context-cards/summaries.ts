/**
 * Has summaries written, one context card at a time and outside of any transaction. What a summary is written from is read
 * once more as whom it is for; a source that has gone or changed leaves it to the next build.
 */
import { randomBytes } from 'node:crypto';
import { BOUNDS, LEAST_SUMMARISED, MOST_SUMMARISED_CHARS } from '../../domain/context/kinds.ts';
import { visibleByDefault, type Reader } from '../../domain/governance/visibility.ts';
import { MOST_REPAIRS } from '../../domain/extraction/effort.ts';
import { ModelFailure } from '../../domain/error-class.ts';
import { isKeptBack } from '../../domain/observations/settlement.ts';
import { shortened } from '../../domain/text/excerpt.ts';
import type {
  WaitingSummary,
  WrittenSummary,
} from '../../stores/postgres/context-cards/context-cards.store.ts';
import type { InAccount } from '../../stores/postgres/in-account.ts';
import { callAside, type CallContext } from '../models/extraction.ts';
import type { ModelGateway } from '../models/gateway.ts';
import type { ChatMessage } from '../models/provider.ts';
import type { SummaryEnd } from './observer.ts';
import {
  INSTRUCTIONS,
  readSummary,
  renderMaterial,
  REPLY_SCHEMA,
  SUMMARY_PROMPT_VERSION,
} from './prompt.ts';

export type SummaryGateway = Pick<ModelGateway, 'describe' | 'generation' | 'inProcess' | 'mask'>;

export interface SummaryDependencies {
  readonly inAccount: InAccount;
  readonly gateway: SummaryGateway;
  readonly now: () => Date;
}

/** A peer that wrote nothing, and about whom nothing is said. */
const NOBODY = '00000000-0000-0000-0000-000000000000';
const ROLE = 'dream_reasoner';
/** Characters of its own answer that a model is shown again. */
const MOST_REPEATED_CHARS = 8_192;
const REPAIR =
  'That was not one JSON object {"summary": "..."} with a text. Answer again with nothing else.';

/** As many of the texts, the first ones, as have `MOST_SUMMARISED_CHARS` code units. */
function fitting(texts: readonly string[]): readonly string[] {
  let left = MOST_SUMMARISED_CHARS;
  const taken: string[] = [];
  for (const text of texts) {
    const piece = text.slice(0, left).toWellFormed();
    if (piece === '') break;
    taken.push(piece);
    left -= piece.length;
  }
  return taken;
}

/** The built-in provider: the first statements as they are, whole, as many as fit. */
export function extractOf(texts: readonly string[], clusters: number): string {
  let summary = '';
  for (const text of texts) {
    const longer = summary === '' ? text : `${summary} ${text}`;
    if (shortened(longer, clusters) !== longer) break;
    summary = longer;
  }
  return summary === '' ? shortened(texts[0] ?? '', clusters) : summary;
}

/** Asks until a summary can be read. @throws ModelFailure; the signal's reason after a cancellation. */
async function fromModel(
  gateway: SummaryGateway,
  texts: readonly string[],
  clusters: number,
  call: CallContext,
): Promise<string> {
  const model = gateway.generation(ROLE, call);
  const messages: ChatMessage[] = [{ role: 'user', content: renderMaterial(texts, clusters) }];
  for (let repairIndex = 0; ; repairIndex += 1) {
    const asked = await model.ask(
      {
        instructions: INSTRUCTIONS,
        messages: [...messages],
        object: REPLY_SCHEMA,
        promptVersion: SUMMARY_PROMPT_VERSION,
        repairIndex,
      },
      (text) => {
        const read = readSummary(text);
        const errorClass =
          read.fault === null
            ? null
            : read.fault === 'no_object'
              ? 'missing_structured_object'
              : 'structured_validation_failed';
        return { value: { read, text }, errorClass };
      },
    );
    const { read, text } = asked.value;
    if (read.text !== null) {
      // A model may make up what it was not shown.
      const [masked = ''] = await gateway.mask([read.text], call);
      return shortened(masked, clusters);
    }
    if (repairIndex === MOST_REPAIRS) throw new ModelFailure('structured_validation_failed');
    messages.push(
      { role: 'assistant', content: text.slice(0, MOST_REPEATED_CHARS) },
      { role: 'user', content: REPAIR },
    );
  }
}

/** Whose reading the sources have to pass: the person's for a profile, that of everybody who is a peer otherwise. */
function readerOf({ kind, targetId }: WaitingSummary): Reader {
  return kind === 'peer_profile'
    ? { posture: 'peer', peerId: targetId }
    : // A statement of a shared card is read by each peer of the scope, whoever it is.
      { posture: 'peer', peerId: NOBODY };
}

async function write(
  { gateway }: SummaryDependencies,
  accountId: string,
  waiting: WaitingSummary,
  statements: readonly string[],
  signal: AbortSignal,
): Promise<WrittenSummary> {
  const traceId = randomBytes(16).toString('hex');
  const call = callAside({ accountId, traceId, signal });
  const { summary: clusters } = BOUNDS[waiting.kind];
  const { provider, model, version: modelVersion } = gateway.describe()[ROLE];
  const texts = fitting(statements);
  if (provider === 'deterministic') {
    const text = await gateway.inProcess(ROLE, call, () => extractOf(texts, clusters));
    const provenance = { provider, model, modelVersion, promptVersion: null };
    return { text, mode: 'source_extract', provenance };
  }
  const text = await fromModel(gateway, texts, clusters, call);
  const provenance = { provider, model, modelVersion, promptVersion: SUMMARY_PROMPT_VERSION };
  return { text, mode: 'model', provenance };
}

/**
 * Has the summary written and keeps it, if the context card is still made of the same sources. `failed`: the provider did
 * not write one; it is put off, and without an attempt where a circuit or a daily limit kept the call back. Throws what is no failure of a provider.
 */
export async function summarise(
  dependencies: SummaryDependencies,
  accountId: string,
  waiting: WaitingSummary,
  signal: AbortSignal,
): Promise<SummaryEnd> {
  const { inAccount, now } = dependencies;
  const visible = visibleByDefault({
    scopeIds: [waiting.scopeId],
    reader: readerOf(waiting),
    at: now().toISOString(),
  });
  const readable = await inAccount(
    accountId,
    ({ contextCardSources }) => contextCardSources.readable(waiting.sourceIds, visible),
    { readOnly: true },
  );
  const statements = waiting.sourceIds.flatMap((id) => readable.get(id)?.statement ?? []);
  if (statements.length < Math.max(LEAST_SUMMARISED, waiting.sourceIds.length)) return 'left';
  try {
    const summary = await write(dependencies, accountId, waiting, statements, signal);
    await inAccount(accountId, ({ contextCards }) => contextCards.keepSummary(waiting, summary));
    return 'kept';
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    const { errorClass, retryAfterMs } = error;
    await inAccount(accountId, ({ contextCards }) =>
      isKeptBack(errorClass) && retryAfterMs !== null
        ? contextCards.holdSummary(waiting, retryAfterMs)
        : contextCards.postponeSummary(waiting),
    );
    return 'failed';
  }
}
