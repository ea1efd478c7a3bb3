/** Input fields that reads share. `null` and blank are absence; messages never quote the value. */
import { z } from 'zod';
import { parseLabel } from '../../domain/identity/label.ts';
import {
  LONGEST_QUERY_BYTES,
  MOST_QUERY_BRANCHES,
  MOST_QUERY_OPERATORS,
  queryProblem,
} from '../../domain/query/bounds.ts';
import { parseScopePath, ROOT_PATH, type ScopePath } from '../../domain/scopes/path.ts';
import { LENIENT } from '../lenient.ts';

const UNSTORABLE = /\0|\p{Cs}/u;
/** The scope that a read without one reads. */
export const DEFAULT_READ_PATH = parseScopePath('/poc') ?? ROOT_PATH;
const DEFAULT_LIMIT = 12;
const MAX_LIMIT = 100;

/** The scope of a read; absent or blank is the contract's default. */
export const readScopeField = z
  .string()
  .nullish()
  .transform((text, context): ScopePath => {
    const path =
      text === null || text === undefined || text.trim() === ''
        ? DEFAULT_READ_PATH
        : parseScopePath(text);
    if (path !== null) return path;
    context.addIssue({ code: 'custom', message: 'must be a scope path' });
    return z.NEVER;
  })
  .meta({
    description:
      'The scope to read, together with its ancestors. The default, also for a blank value, is `/poc`.',
    wire: { default: DEFAULT_READ_PATH, examples: ['/team/project'] },
  });

/** The peer a read is made for, or null. */
export const readerField = z
  .string()
  .nullish()
  .transform((text, context): string | null => {
    if (text === null || text === undefined || text.trim() === '') return null;
    const key = parseLabel(text);
    if (key !== null) return key;
    context.addIssue({
      code: 'custom',
      message: 'must have 1 to 256 characters and no control characters',
    });
    return z.NEVER;
  })
  .meta({
    description:
      'The peer on whose behalf to read. A machine credential may name any peer; a person may name another peer only as a curator. The default, also for a blank value, is the peer of the caller. A caller without a peer reads public statements only. The scopes are always those that the caller may read.',
  });

/** A query as typed; absent is the empty one. */
export const queryField = z
  .string()
  .nullish()
  .transform((text) => text ?? '')
  .refine((text) => !UNSTORABLE.test(text), {
    message: 'must have no NUL characters and no lone surrogates',
  })
  .superRefine((query, context) => {
    const message = queryProblem(query);
    if (message !== null) context.addIssue({ code: 'custom', message });
  })
  .meta({
    description: `What to look for. Words match one by one. Every candidate contains a "quoted phrase", and no candidate contains the term of \`-term\`. \`or\` joins alternatives. At most ${LONGEST_QUERY_BYTES} bytes, ${MOST_QUERY_BRANCHES} alternatives, and ${MOST_QUERY_OPERATORS} phrases and exclusions.`,
    wire: { default: '', examples: ['where does Ana live'] },
  });

/** A question: a query that is not blank. */
export const questionField = z
  .string()
  .refine((text) => text.trim() !== '', { message: 'must not be blank' })
  .refine((text) => !UNSTORABLE.test(text), {
    message: 'must have no NUL characters and no lone surrogates',
  })
  .superRefine((query, context) => {
    const message = queryProblem(query);
    if (message !== null) context.addIssue({ code: 'custom', message });
  })
  .meta({
    description: `The question to answer. The service searches for it as for the query of a search: phrases and exclusions limit the evidence of the answer. At most ${LONGEST_QUERY_BYTES} bytes.`,
    wire: { examples: ['Where does Ana live?'] },
  });

interface Bounds {
  readonly least: number;
  readonly most: number;
  /** The default. */
  readonly unless: number;
  /** A sentence that says what the number counts. */
  readonly what: string;
}

/** Lenient, as the contract wants it: a number is clamped to the bounds, any other value means the default. */
export function boundedField({ least, most, unless, what }: Bounds) {
  return z
    .unknown()
    .optional()
    .transform((value): number => {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      if (typeof number !== 'number' || Number.isNaN(number)) return unless;
      return Math.min(most, Math.max(least, Math.trunc(number)));
    })
    .meta({
      description: `${what} The service clamps the number to ${least}..${most}. A value that is not a number means the default.`,
      wire: { type: 'integer', [LENIENT]: true, default: unless, examples: [unless] },
    });
}

/** How many results. */
export const limitField = boundedField({
  least: 1,
  most: MAX_LIMIT,
  unless: DEFAULT_LIMIT,
  what: 'The most results to return.',
});

const INSTANT =
  /^(?<day>\d{4}-\d{2}-\d{2})(?:[T ](?<time>\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?<offset>Z|[+-]\d{2}:?\d{2})?)?$/iu;

/** Postgres knows no year 0, and years have four digits here. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** An ISO date or date-time as ISO UTC; without an offset it is UTC. Null when it is no such instant. */
export function parseInstant(text: string): string | null {
  const { day, time = '00:00', offset = 'Z' } = INSTANT.exec(text.trim())?.groups ?? {};
  if (day === undefined) return null;
  const colon = /^[+-]\d{4}$/.test(offset) ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset;
  const instant = Date.parse(`${day}T${time}${colon.toUpperCase()}`);
  const midnight = Date.parse(`${day}T00:00Z`);
  if (Number.isNaN(instant) || Number.isNaN(midnight)) return null;
  if (instant < EARLIEST_MS || instant > LATEST_MS) return null;
  // `Date` rolls 30 February over to March.
  return new Date(midnight).toISOString().startsWith(day) ? new Date(instant).toISOString() : null;
}

/** An instant of the past, or null. */
export const instantField = z
  .string()
  .nullish()
  .transform((text, context): string | null => {
    if (text === null || text === undefined || text.trim() === '') return null;
    const instant = parseInstant(text);
    if (instant !== null) return instant;
    context.addIssue({ code: 'custom', message: 'must be an ISO 8601 date or date-time' });
    return z.NEVER;
  })
  .meta({
    description:
      'Reads memory as it was at this time: an ISO 8601 date or date-time. A time without an offset is UTC. The default, also for a blank value, is now.',
    wire: { examples: ['2026-03-02T09:30:00Z'] },
  });

/** A flag that is off unless it is true. */
export const flagField = z
  .boolean()
  .nullish()
  .transform((value) => value === true)
  .meta({ wire: { default: false } });

/** A flag that is on unless it is false. */
export const onFlagField = z
  .boolean()
  .nullish()
  .transform((value) => value !== false)
  .meta({ wire: { default: true } });

/** Messages that only ask repeat what somebody wants to know; they are no evidence of it. */
export const includeQuestionsField = onFlagField.meta({
  description:
    'Also finds messages that only ask something. False leaves them out: they repeat what somebody wants to know, and say nothing of it.',
});
