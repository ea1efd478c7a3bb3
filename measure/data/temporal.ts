/** Messages with the interval that they mean, and English date expressions from another project's specification. */
import { z } from 'zod';
import { readEach } from './folder.ts';

const dated = z.array(
  z.object({
    id: z.string(),
    reference: z.iso.datetime({ offset: true }),
    speaker: z.string(),
    content: z.string(),
    from: z.iso.date(),
    until: z.iso.date(),
    has_cue: z.boolean(),
  }),
);
export type DatedMessage = z.infer<typeof dated>[number];

export function readDatedMessages(dataFolder: string): DatedMessage[] | null {
  return readEach(dataFolder, 'locomo-temporal', dated)?.flat() ?? null;
}

const expressions = z.array(
  z.object({
    Input: z.string(),
    Context: z.object({ ReferenceDateTime: z.string() }).optional(),
  }),
);
export interface DateExpression {
  readonly text: string;
  /** ISO 8601 in UTC; null where the set names no reference time. */
  readonly reference: string | null;
}

/** The expressions of each file. */
export function readDateExpressions(dataFolder: string): DateExpression[][] | null {
  const files = readEach(dataFolder, 'recognizers-datetime', expressions);
  return (
    files?.map((file) =>
      file
        .filter(({ Input }) => Input.trim() !== '')
        .map(({ Input, Context }) => ({
          text: Input,
          reference: Context === undefined ? null : `${Context.ReferenceDateTime.slice(0, 19)}Z`,
        })),
    ) ?? null
  );
}
