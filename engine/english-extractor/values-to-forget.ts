import type { Withdrawal } from '../../domain/extraction/withdrawal.ts';
import { requestsToForget } from './meant.ts';

/** provisional */
export function valuesToForget(content: string): readonly Withdrawal[] {
  return requestsToForget(content).flatMap(([from, until]) =>
    [
      ...content
        .slice(from, until)
        .matchAll(/[\p{L}\d_@.+-]*\d[\p{L}\d_@+-]*(?: \d+)*|[“"'‘]([^“”"'‘’]+)[”"'’]/gu),
    ].map((m) => ({
      start: from + m.index,
      end: from + m.index + m[0].length,
      opensDoor: true,
    })),
  );
}
