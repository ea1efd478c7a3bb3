/** How long and how hard the kill test runs: short beside the other tests, in full when it is asked for. */
import { z } from 'zod';
import { PROCESSES, type ProcessName } from './children.ts';

export interface KillSettings {
  readonly messages: number;
  readonly perSecond: number;
  /** Kills of each process. */
  readonly rounds: number;
  readonly acceptedBetweenKills: number;
  readonly victims: readonly ProcessName[];
}

const environment = z.object({
  VOUCH_FAULT_MESSAGES: z.coerce.number().int().min(100).default(300),
  VOUCH_FAULT_PER_SECOND: z.coerce.number().positive().default(20),
  VOUCH_FAULT_ROUNDS: z.coerce.number().int().min(1).default(1),
  VOUCH_FAULT_BETWEEN_KILLS: z.coerce.number().int().min(1).default(30),
});

/** Settings from the environment. Throws on values that mean nothing. */
export function killSettings(env: Readonly<Record<string, string | undefined>>): KillSettings {
  const given = environment.parse(env);
  const rounds = given.VOUCH_FAULT_ROUNDS;
  return {
    messages: given.VOUCH_FAULT_MESSAGES,
    perSecond: given.VOUCH_FAULT_PER_SECOND,
    rounds,
    acceptedBetweenKills: given.VOUCH_FAULT_BETWEEN_KILLS,
    victims: Array.from({ length: rounds }, () => PROCESSES).flat(),
  };
}
