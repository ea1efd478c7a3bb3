/** What extractors propose is at least as sensitive as its words, and personal where its speaker asks for discretion. */
import type { Candidate, ExtractionRequest } from '../statements/candidate.ts';
import { asksForDiscretion } from './marks.ts';
import { moreSensitive, sensitivityOf } from './sensitivity-of.ts';

/** In UTF-16 code units: of a longer message the beginning and the end are read for what it asks. */
const READ_AT_EACH_END = 4_000;

/** Raises the sensitivity of candidates of a request, never lowers it. A document asks nothing of its readers. */
export function sensitivityRaiser(
  request: ExtractionRequest,
): <Proposed extends Pick<Candidate, 'sensitivity' | 'statement' | 'supportingSpan'>>(
  candidate: Proposed,
) => Proposed {
  const { content } = request.anchor;
  const ends = [
    content.slice(0, READ_AT_EACH_END),
    content.slice(READ_AT_EACH_END).slice(-READ_AT_EACH_END),
  ];
  const isDiscreet = request.document == null && ends.some(asksForDiscretion);
  return (candidate) => {
    const words = moreSensitive(
      sensitivityOf(candidate.supportingSpan),
      sensitivityOf(candidate.statement),
    );
    const found = isDiscreet ? moreSensitive(words, 'personal') : words;
    // Words that tell nothing sensitive say nothing against "public".
    if (found === 'internal') return candidate;
    return { ...candidate, sensitivity: moreSensitive(candidate.sensitivity, found) };
  };
}
