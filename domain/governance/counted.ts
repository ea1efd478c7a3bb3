/**
 * Which statements the frequencies of words count. The weights of a query come from the frequencies, and scores show
 * the weights, so a word that only hidden statements hold must weigh like a word that none holds. Hence only
 * statements that every peer of the scope may read count, and a reader of public statements only gets no frequencies.
 */
import type { Sensitivity } from '../statements/candidate.ts';
import type { ChainReader } from './visibility.ts';
import type { KnowledgeState } from '../statements/states.ts';

/** Whether a statement's words are counted: active, public or internal, and for everybody of its scope. */
export function countsForRanking(statement: {
  readonly state: KnowledgeState;
  readonly sensitivity: Sensitivity;
  /** The principals that its audience names; null without an audience. */
  readonly audience: readonly string[] | null;
}): boolean {
  return (
    statement.state === 'active' &&
    statement.audience === null &&
    (statement.sensitivity === 'public' || statement.sensitivity === 'internal')
  );
}

/** Whether a reader's queries are weighed by the frequencies; otherwise all words weigh the same. */
export function mayUseFrequencies(reader: ChainReader): boolean {
  if (reader.posture !== 'named') return reader.posture !== 'public_only';
  return mayUseFrequencies(reader.named) && mayUseFrequencies(reader.otherwise);
}
