/**
 * The kept rule set: secretlint's recommended rules, run in process on text that has no file.
 *
 * Left out are the rule that lets a text switch others off by a comment, the one that opens files, and two whose
 * places patterns of our own take (`patterns.ts`). The profiler keeps an entry for every run, for ever.
 */
import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';

/** Half open, in UTF-16 code units. */
export type Range = readonly [start: number, end: number];

const LEFT_OUT = new Set(
  ['filter-comments', 'gcp', 'basicauth', 'database-connection-string'].map(
    (name) => `@secretlint/secretlint-rule-${name}`,
  ),
);

const OPTIONS = {
  noPhysicFilePath: true,
  config: {
    rules: rules
      .filter(({ meta }) => !LEFT_OUT.has(meta.id))
      .map((rule) => ({ id: rule.meta.id, rule, options: {} })),
  },
};

secretLintProfiler.setEnabled(false);

/** What the rules find. Letters of other scripts count as spaces: they would hide a token that follows them. */
export async function findByRuleSet(text: string): Promise<Range[]> {
  const content = text.replaceAll(/[^\0-\x7f]+/g, (run) => ' '.repeat(run.length));
  const source = { content, filePath: 'text', ext: '', contentType: 'text' } as const;
  const { messages } = await lintSource({ source, options: OPTIONS });
  return messages.map(({ range }) => [range[0], range[1]]);
}
