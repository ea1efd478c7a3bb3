/**
 * The kept rule set: secretlint's recommended rules, run in process on text that has no file.
 *
 * They are run here and not by secretlint's own core, which registers every rule anew for every text, splits it
 * into lines and puts each finding into words: six times the work, and the words quote the secret.
 */
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretLintRuleContext, SecretLintSourceCode } from '@secretlint/types';

/** Half open, in UTF-16 code units. */
export type Range = readonly [start: number, end: number];

/**
 * The rule that lets a text switch other rules off by a comment, the rule that opens files, and two rules that patterns
 * of this service replace, because the patterns match more (`patterns.ts`).
 */
const LEFT_OUT = new Set(
  ['filter-comments', 'gcp', 'basicauth', 'database-connection-string'].map(
    (name) => `@secretlint/secretlint-rule-${name}`,
  ),
);
const RULES = rules.filter(({ meta }) => !LEFT_OUT.has(meta.id));

function noFile(): never {
  throw new TypeError('a text has neither file nor lines');
}

function sourceOf(content: string): SecretLintSourceCode {
  return {
    content,
    contentType: 'text',
    ext: '',
    filePath: 'text',
    physicalFilePath: undefined,
    hasBOM: false,
    getFilePath: () => undefined,
    getPhysicalFilePath: () => undefined,
    locationToRange: noFile,
    rangeToLocation: noFile,
    positionToIndex: noFile,
    indexToPosition: noFile,
  };
}

/** What the rules find. Characters outside ASCII count as spaces, because they would hide a token that follows them. */
export async function findByRuleSet(text: string): Promise<Range[]> {
  const found: Range[] = [];
  const context: SecretLintRuleContext = {
    sharedOptions: {},
    createTranslator: () => (messageId) => ({
      messageId: String(messageId),
      message: '',
      data: undefined,
    }),
    report: ({ range }) => void found.push(range),
    ignore: () => undefined,
  };
  const source = sourceOf(text.replaceAll(/[^\0-\x7f]+/g, (run) => ' '.repeat(run.length)));
  await Promise.all(RULES.map(async (rule) => rule.create(context, {}).file?.(source)));
  return found;
}
