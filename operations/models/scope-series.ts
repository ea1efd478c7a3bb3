/** Calls by scope. There may be many scopes, so the database adds them up, at rates that it is given. */
import type { DayUsage, SeriesRange, SeriesRow } from '../../domain/models/pricing.ts';
import type { CostProfile } from '../../domain/models/rates.ts';
import type { CostsStore } from '../../stores/postgres/models/costs.store.ts';

export async function scopeSeries(
  costs: CostsStore,
  days: readonly DayUsage[],
  range: SeriesRange,
  profile: CostProfile,
  most: number,
): Promise<{ readonly rows: readonly SeriesRow[]; readonly isCut: boolean }> {
  const models = new Map(
    days.map(({ model, provider }) => [`${provider}:${model}`, { provider, model }]),
  );
  const rates = [...models.values()].flatMap(({ model, provider }) => {
    const rate = profile.rateOf(provider, model);
    return rate === null ? [] : [{ provider, model, ...rate }];
  });
  const { isCut, rows } = await costs.byScope(range, rates, most + 1);
  return {
    rows: rows.map(({ path, rows_read: _read, ...row }) => ({ key: path, ...row })),
    isCut,
  };
}
