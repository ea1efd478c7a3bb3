import { SETTING_NAMES } from './settings.ts';

/** Settings that the contract names and that nothing reads yet. To take one in silence would promise what is not kept. */
const NOT_BUILT: ReadonlyMap<string, string> = new Map([
  ['SERVICE_CONNECTOR_ROOTS', 'there are no connectors yet'],
  ['SERVICE_CONNECTOR_SECRETS', 'there are no connectors yet'],
  ['SERVICE_DREAM_AT', 'nothing is consolidated at night yet'],
  ['SERVICE_RETENTION_DELIVERIES_DAYS', 'there are no webhooks yet'],
  ['SERVICE_WEBHOOK_ALLOW', 'there are no webhooks yet'],
]);
const RETENTION = /^SERVICE_RETENTION_\w+_DAYS$/;
const BUILT: ReadonlySet<string> = new Set(SETTING_NAMES);

/** A problem for each setting that has no effect yet. */
export function settingsNotBuilt(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const isNeverPruned = RETENTION.test(name) && !BUILT.has(name);
    const why =
      NOT_BUILT.get(name) ??
      (isNeverPruned ? 'such rows are never removed by their age' : undefined);
    return why === undefined ? [] : [`${name} has no effect, ${why}: unset it`];
  });
}
