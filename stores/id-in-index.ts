/**
 * Ids of points and records. A unit's own id is unique within its account only (an archive may be loaded
 * beside its original), so the account is part of the name it is known by in an index.
 */
import { v5 as uuidv5 } from 'uuid';

/** The id of a unit, or of one passage of it. Stable. */
export function idInIndex(
  accountId: string,
  unit: 'statement' | 'message',
  unitId: string,
  passage = 0,
): string {
  return uuidv5(`${unit}/${unitId}/${passage}`, accountId);
}
