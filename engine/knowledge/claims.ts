/** What a statement is compared by: the digest of its folded text, and what it says of an attribute of a person. */
import { createHash } from 'node:crypto';
import { foldStatement } from '../../domain/extraction/fold.ts';
import {
  attributeOf,
  MANY_VALUED,
  type AttributeClaim,
} from '../../domain/statements/attributes.ts';

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** SHA-256 of the folded text, lower-case hex; null for a text without a word. */
export function statementHashOf(text: string): string | null {
  const folded = foldStatement(text);
  return folded === '' ? null : digest(folded);
}

/** What the statement says of an attribute of the person with these names; null where it says nothing of one. */
export function claimOf(statement: string, names: readonly string[]): AttributeClaim | null {
  const found = attributeOf(statement, names);
  if (found === null) return null;
  const { attribute, isWide = false, mode } = found;
  const value = found.value === null ? null : digest(found.value);
  if (isWide) return { about: `${attribute}:wide`, value, mode };
  const about = MANY_VALUED.has(attribute) && value !== null ? `${attribute}:${value}` : attribute;
  return { about, value, mode };
}
