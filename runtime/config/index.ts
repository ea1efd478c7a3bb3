/**
 * The settings of every process: parsed once at start, all problems reported together. No other module reads the
 * variables. Their names follow the contract and the ecosystem; the service's own begin with SERVICE_.
 */
import { readFileSync } from 'node:fs';
import type { CostProfile } from '../../domain/models/rates.ts';
import { readCostProfile } from './cost-rates.ts';
import { parseModelRoles } from './models.ts';
import type { Variables } from './model-settings.ts';
import { settingsNotBuilt } from './not-built.ts';
import { settings, type Settings } from './settings.ts';

export { RECEIPT_KEY_FILE, SETTING_NAMES, type Settings } from './settings.ts';

export interface Config {
  readonly production: boolean;
  readonly settings: Settings;
  readonly models: ReturnType<typeof parseModelRoles>['roles'];
  /** What tokens cost. */
  readonly costProfile: CostProfile;
}

/** Thrown by `loadConfig`; `problems` are complete sentences without secrets. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  override readonly name = 'ConfigError';

  constructor(problems: readonly string[]) {
    super(`The settings are not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Parses the environment. An empty value counts as unset.
 * Throws `ConfigError` with every problem at once.
 */
export function loadConfig(environment: Variables): Config {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const production = present['NODE_ENV'] === 'production';
  const parsed = settings.safeParse(present);
  const models = parseModelRoles(present, {
    production,
    readFile: (path) => readFileSync(path, 'utf8'),
  });
  const costs = readCostProfile(present['SERVICE_COST_RATES_FILE']);
  const problems = [
    ...(parsed.error?.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`) ?? []),
    ...models.problems,
    ...costs.problems,
    ...settingsNotBuilt(Object.keys(present)),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return {
    production,
    settings: parsed.data,
    models: models.roles,
    costProfile: costs.profile,
  };
}
