/** How the values of settings are written. */
import { z } from 'zod';
import { parseDurationSeconds } from '../../domain/duration.ts';
import { MOST_KEPT_DAYS } from '../../domain/retention/policy.ts';
import { parseTrustedProxies } from './trusted-proxies.ts';

export const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((text) => text === 'true' || text === '1');

export const port = z.coerce.number('must be a port').int().min(1).max(65_535);

/** A port, or 0 for none. */
export const portOrNone = z.coerce.number('must be a port').int().min(0).max(65_535);

/** An address with one of these protocols, each with its colon. */
export const url = (...protocols: string[]) =>
  z.string().refine(
    (text) => {
      const parsed = URL.parse(text);
      return parsed !== null && protocols.includes(parsed.protocol);
    },
    `must be an address of the form ${protocols.join(' or ')}//host:port`,
  );

/** Seconds, written as a number or as `12h`. */
export const duration = z.string().transform((text, context) => {
  const seconds = parseDurationSeconds(text);
  if (seconds !== null) return seconds;
  context.addIssue({ code: 'custom', message: 'must be a duration such as 90d, 12h, 30m or 45s' });
  return z.NEVER;
});

/** Days that something is kept; `off` keeps it for ever. */
export const daysKept = z.string().transform((text, context): number | null => {
  if (text === 'off') return null;
  const days = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= MOST_KEPT_DAYS) return days;
  context.addIssue({
    code: 'custom',
    message: `must be a number of days from 1 to ${MOST_KEPT_DAYS}, or off to keep for ever`,
  });
  return z.NEVER;
});

export const trustedProxies = z.string().transform((text, context) => {
  const trusted = parseTrustedProxies(text);
  if (trusted !== null) return trusted;
  context.addIssue({
    code: 'custom',
    message: 'must be addresses or networks such as 10.0.0.0/8, separated by commas',
  });
  return z.NEVER;
});

export const origins = z.string().transform((text, context): readonly string[] => {
  const found = text.split(',').map((one) => URL.parse(one.trim()));
  if (found.every((one) => one !== null && /^https?:$/.test(one.protocol))) {
    return found.flatMap((one) => (one === null ? [] : [one.origin]));
  }
  context.addIssue({
    code: 'custom',
    message: 'must be origins such as https://app.example, separated by commas',
  });
  return z.NEVER;
});
