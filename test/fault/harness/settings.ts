/** How long and how hard the kill test runs. */
import { sized } from '../../support/run.ts';
import { PROCESSES, type ProcessName } from './children.ts';

export interface KillSettings {
  readonly messages: number;
  readonly perSecond: number;
  /** Kills of each process. */
  readonly rounds: number;
  readonly acceptedBetweenKills: number;
  readonly victims: readonly ProcessName[];
}

const SIZE = sized({
  short: { messages: 120, rounds: 1, acceptedBetweenKills: 15 },
  long: { messages: 2_000, rounds: 2, acceptedBetweenKills: 100 },
});

/** Those of this run. */
export const KILL_SETTINGS: KillSettings = {
  ...SIZE,
  perSecond: 20,
  victims: Array.from({ length: SIZE.rounds }, () => PROCESSES).flat(),
};
