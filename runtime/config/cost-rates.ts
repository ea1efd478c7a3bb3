/** What tokens cost, as the setting says: the shipped table, or an operator's in its place. */
import { readFileSync, statSync } from 'node:fs';
import {
  MOST_RATES_BYTES,
  parseCostRates,
  PLANNING_REFERENCE,
  RatesError,
  type CostProfile,
} from '../../domain/models/rates.ts';

const NAME = 'SERVICE_COST_RATES_FILE';

function readText(path: string): string {
  try {
    if (statSync(path).size <= MOST_RATES_BYTES) return readFileSync(path, 'utf8');
  } catch {
    throw new RatesError('names a file that cannot be read: check its path and who may read it');
  }
  throw new RatesError(`names a file of more than ${MOST_RATES_BYTES} bytes`);
}

/** The table, and the sentence that refuses the start when the operator's is not one. */
export function readCostProfile(path: string | undefined): {
  readonly profile: CostProfile;
  readonly problems: readonly string[];
} {
  if (path === undefined) return { profile: PLANNING_REFERENCE, problems: [] };
  try {
    return { profile: parseCostRates(readText(path)), problems: [] };
  } catch (error) {
    if (!(error instanceof RatesError)) throw error;
    return { profile: PLANNING_REFERENCE, problems: [`${NAME} ${error.message}`] };
  }
}
