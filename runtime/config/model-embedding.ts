/**
 * Parses the form of requests to an embedder: prefixes, the size of a request, and whether a request names the width.
 */
import { USUAL_EMBEDDING, type EmbeddingHabits } from '../../domain/models/role-config.ts';
import type { ModelSettings, SettingSuffix } from './model-settings.ts';

/** An answer has at most 32 MiB (`MOST_EMBEDDING_BYTES`): so many of the widest vectors that are common, as text. */
const MOST_BATCH_TEXTS = 256;
const MOST_BATCH_TOKENS = 1_000_000;
/** A prefix is sent, and paid for, with every text. */
const MOST_PREFIX_CHARS = 500;

/** The settings of the role; each problem leaves the usual value in place. */
export function parseEmbedding(settings: ModelSettings): EmbeddingHabits {
  return {
    queryPrefix: prefix(settings, '_QUERY_PREFIX'),
    documentPrefix: prefix(settings, '_DOCUMENT_PREFIX'),
    batchTexts: upTo(settings, '_BATCH_TEXTS', MOST_BATCH_TEXTS) ?? USUAL_EMBEDDING.batchTexts,
    batchTokens: upTo(settings, '_BATCH_TOKENS', MOST_BATCH_TOKENS) ?? USUAL_EMBEDDING.batchTokens,
    sendsDimensions: flag(settings, '_SEND_DIMENSIONS'),
  };
}

/** Blanks at its ends count. `\n` stands for a line break, which an environment file cannot hold. */
function prefix(settings: ModelSettings, suffix: SettingSuffix): string {
  const value = settings.verbatim(suffix)?.replaceAll(String.raw`\n`, '\n') ?? '';
  if (value.length <= MOST_PREFIX_CHARS && !/[^\P{C}\n]/u.test(value)) return value;
  settings.problem(
    suffix,
    `must be at most ${MOST_PREFIX_CHARS} characters, with \\n for a line break and no other control character`,
  );
  return '';
}

function upTo(settings: ModelSettings, suffix: SettingSuffix, most: number): number | null {
  const value = settings.integer(suffix);
  if (value === null || value <= most) return value;
  settings.problem(suffix, `must be at most ${most}`);
  return null;
}

function flag(settings: ModelSettings, suffix: SettingSuffix): boolean {
  const value = settings.text(suffix) ?? 'false';
  if (value !== 'true' && value !== 'false') settings.problem(suffix, 'must be true or false');
  return value === 'true';
}
