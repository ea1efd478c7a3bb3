/** When a provider asks to be tried again: `Retry-After` as RFC 9110 spells it, seconds or a date. */
import { APICallError } from 'ai';

/** Milliseconds from now, never negative; null when the provider named no time, or none that can be read. */
export function retryAfterMs(error: unknown): number | null {
  if (!APICallError.isInstance(error)) return null;
  const value = error.responseHeaders?.['retry-after']?.trim() ?? '';
  if (/^\d{1,9}(?:\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  // A date begins with the name of its day; Date.parse alone would also take "-1" for one.
  const at = /^[A-Z][a-z]{2},? /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
