/**
 * Input fields of observations. `null` is absence, and so is a blank text where a field is optional. Messages
 * never quote the value.
 */
import { z } from 'zod';
import { parseLabel } from '../../domain/identity/label.ts';
import { parseOccurredAt, type OccurredAt } from '../../domain/observations/occurred-at.ts';
import { parseScopePath, type ScopePath } from '../../domain/scopes/path.ts';
import { LENIENT } from '../lenient.ts';

/** NUL and lone surrogates cannot be stored as they were sent. */
const UNSTORABLE = /\0|\p{Cs}/u;

function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** A session id, peer key, name or role: 1 to 256 characters, NFC, trimmed, no controls, nothing that nobody sees. */
export const labelField = z.string().transform((text, context): string => {
  const label = parseLabel(text);
  if (label !== null) return label;
  const message = isBlank(text)
    ? 'is required'
    : 'must have 1 to 256 characters, no controls and nothing invisible';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** The same where the field may be left out: null when absent or blank. */
export const optionalLabelField = z
  .string()
  .nullish()
  .transform((text) => (text === null || text === undefined || isBlank(text) ? null : text))
  .pipe(labelField.nullable());

/** The scope of a write. Blank is refused, never the root. */
export const scopePathField = z
  .string()
  .transform((text, context): ScopePath => {
    const path = parseScopePath(text);
    if (path !== null) return path;
    context.addIssue({ code: 'custom', message: 'must be a scope path' });
    return z.NEVER;
  })
  .meta({
    description:
      'The path of a scope: at most 32 segments of at most 128 characters. The service creates the scope if it does not exist. Its descendants inherit its statements.',
    wire: { minLength: 1, examples: ['/team/project'] },
  });

/** The text of an observation, kept as it was sent. `ingest` checks its size, which has a refusal of its own. */
export const contentField = z
  .string()
  .refine((text) => !isBlank(text), { message: 'must not be blank' })
  .refine((text) => !UNSTORABLE.test(text), {
    message: 'must have no NUL characters and no lone surrogates',
  });

/** When it was said. Lenient by contract: a value that names no instant means now. */
export const occurredAtField = z
  .unknown()
  .optional()
  .transform((value): OccurredAt | null =>
    typeof value === 'string' ? parseOccurredAt(value) : null,
  )
  .meta({
    description:
      'When the speaker said it: an ISO 8601 date or date-time. A time without an offset is UTC. The default is the time of the request. Any value that is no date also means the time of the request.',
    wire: { type: 'string', [LENIENT]: true, examples: ['2026-03-02T09:30:00+01:00'] },
  });
