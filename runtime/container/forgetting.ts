/** How a process knows what is to be forgotten. */
import { createHoldKeys, type HoldKeys } from '../../engine/forgetting/hold-keys.ts';
import { createJudges } from '../../engine/forgetting/judges.ts';
import { HoldsStore } from '../../stores/postgres/forgetting/holds.store.ts';
import { JUDGES_NOTHING } from '../../domain/forgetting/judge.ts';
import type { Judges } from '../../stores/postgres/judging.ts';
import type { Settings } from '../config/index.ts';
import { derivedKey } from './derived-key.ts';

/** The keys of holds, which only this deployment can open. */
export function holdKeysBy(secretKey: string): (accountId: string) => HoldKeys {
  const deploymentKey = derivedKey(secretKey, 'forgetting');
  return (accountId) => createHoldKeys(deploymentKey, accountId);
}

/** Judges of texts by holds whose keys are sealed with that of the deployment. */
export function judgesBy(secretKey: string): Judges {
  return createJudges(
    (tx, accountId) => new HoldsStore(tx, accountId).acting(),
    holdKeysBy(secretKey),
    JUDGES_NOTHING,
  );
}

/** The judges of the process; none without a secret key, where no account can have holds. */
export function buildJudges({ SERVICE_SECRET_KEY: secretKey }: Settings): Judges | undefined {
  return secretKey === undefined ? undefined : judgesBy(secretKey);
}
