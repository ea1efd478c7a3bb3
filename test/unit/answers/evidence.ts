/** Evidence for tests of the built-in answerer. */
import type { ExtractiveEvidence } from '../../../domain/answers/extractive/types.ts';

/** A statement about `about`, who also said it. */
export function said(
  id: string,
  about: string | null,
  text: string,
  more: Partial<ExtractiveEvidence> = {},
): ExtractiveEvidence {
  return {
    id,
    text,
    about,
    spokenBy: about,
    validity: null,
    saidAt: null,
    score: 0.5,
    disagreesWith: [],
    level: 'peer',
    isProvisional: false,
    ...more,
  };
}
