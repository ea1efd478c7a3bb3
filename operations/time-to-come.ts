/** An instant of the future in a request. */
import { z } from 'zod';
import { invalidField } from '../domain/errors.ts';

/** Answers what the instant is as ISO 8601 UTC, null without one; refuses an instant that has passed by `now`. */
export const timeToCome = z.iso
  .datetime({ offset: true })
  .nullish()
  .transform((text) => (now: Date): string | null => {
    const instant = text == null ? null : new Date(text);
    if (instant !== null && instant <= now) throw invalidField('expires_at', 'must be to come');
    return instant?.toISOString() ?? null;
  });
