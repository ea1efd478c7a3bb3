/** Pipeline runs: one run is one row and one workflow. */
export const RUN_KINDS = [
  'extraction',
  'dream_time',
  'revalidation',
  'expiry',
  'projection_refresh',
  'connector_sync',
  'import_rebuild',
  'reconcile',
  'regate',
  'contest',
  'decision',
  'erasure',
  'document',
  'campaign',
  'portability',
  'forgetting',
] as const;
export type RunKind = (typeof RUN_KINDS)[number];

export interface RunRef {
  readonly accountId: string;
  readonly runId: string;
}
