/** How an answer names the override of its retrieval profile: by a digest of the values, which says nothing of the place. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  isOverridable,
  overrideText,
  type ProfileOverride,
} from '../../domain/retrieval/profile-override.ts';
import type { ProfileName } from '../../domain/retrieval/strategies.ts';

const DIGEST_LENGTH = 10;

export const profileOverrideField = z
  .string()
  .regex(/^[0-9a-f]{10}$/)
  .nullable()
  .describe(
    'A digest of the values that an operator set in place of those of the profile. The same values have the same digest. Null if an operator set none.',
  );

/** The digest of the override, 10 hex digits; null without one. */
export function profileOverrideOf(
  profile: ProfileName,
  override: ProfileOverride | null,
): string | null {
  if (override === null || !isOverridable(profile)) return null;
  return createHash('sha256')
    .update(overrideText(profile, override))
    .digest('hex')
    .slice(0, DIGEST_LENGTH);
}
