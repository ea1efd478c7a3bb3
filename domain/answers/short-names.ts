/**
 * Short names for the ids of evidence, for one question to a model: `S1` for the first statement, `M1` for the first
 * message. A model copies a short name without a slip, and learns no id.
 */
import type { EvidenceItem } from './evidence.ts';

export interface ShortNames {
  /** The short name of an item of the list. Throws for an id that has none: a defect of the caller. */
  readonly shortNameOf: (id: string) => string;
  /** The id that a short name stands for, in any case and with signs around it; null for any other text. */
  readonly idOf: (shortName: string) => string | null;
}

const LETTERS = { knowledge: 'S', source_message: 'M' } as const;
/** The first short name in a text such as `[S3]` or `s3.`; numbers of more digits name nothing. */
const SHORT_NAME = /^[^\p{L}\p{N}]{0,3}(?<letter>[SM])(?<number>\d{1,4})[^\p{L}\p{N}]{0,3}$/iu;

/** Names for the items, counted from 1 by type, in their order. */
export function shortNamesOf(evidence: readonly Pick<EvidenceItem, 'id' | 'type'>[]): ShortNames {
  const counts = { knowledge: 0, source_message: 0 };
  const named = evidence.map(({ id, type }) => {
    counts[type] += 1;
    return [id, `${LETTERS[type]}${counts[type]}`] as const;
  });
  const shortNames = new Map(named);
  const ids = new Map<string, string>(named.map(([id, shortName]) => [shortName, id]));
  return {
    shortNameOf(id) {
      const shortName = shortNames.get(id);
      if (shortName === undefined) throw new TypeError('the id is of no evidence');
      return shortName;
    },
    idOf(shortName) {
      const { letter, number } = SHORT_NAME.exec(shortName.trim())?.groups ?? {};
      if (letter === undefined || number === undefined) return null;
      return ids.get(`${letter.toUpperCase()}${Number(number)}`) ?? null;
    },
  };
}
