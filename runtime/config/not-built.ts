/** Settings that the contract names and that nothing reads yet. To take one in silence would promise what is not kept. */
const NOT_BUILT: ReadonlyMap<string, string> = new Map([
  ['SERVICE_COST_RATES_FILE', 'costs are not computed yet'],
  ['SERVICE_CONNECTOR_ROOTS', 'there are no connectors yet'],
  ['SERVICE_CONNECTOR_SECRETS', 'there are no connectors yet'],
  ['SERVICE_DREAM_AT', 'nothing is consolidated at night yet'],
  ['SERVICE_WEBHOOK_ALLOW', 'there are no webhooks yet'],
]);
const RETENTION = /^SERVICE_RETENTION_\w+_DAYS$/;

/** A problem for each setting that has no effect yet. */
export function settingsNotBuilt(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const why = RETENTION.test(name) ? 'nothing is removed by its age yet' : NOT_BUILT.get(name);
    return why === undefined ? [] : [`${name} has no effect, ${why}: unset it`];
  });
}
