/** What a filter of Qdrant means for the payload of one point. */
import type { PointCondition } from '../../../stores/qdrant/filter.ts';

export type Payload = Readonly<Record<string, unknown>>;

/** Qdrant's reading of a filter, as far as it is used. */
export function passes(filter: PointCondition, payload: Payload): boolean {
  if ('has_id' in filter) return filter.has_id.includes('the point');
  if ('is_empty' in filter) return payload[filter.is_empty.key] === undefined;
  if ('has_vector' in filter) return true;
  if ('key' in filter) {
    const value = payload[filter.key];
    const present = Array.isArray(value) ? value : [value];
    if ('range' in filter) {
      const { gt = -Infinity, lte = Infinity } = filter.range;
      return Number(value) > gt && Number(value) <= lte;
    }
    const wanted: readonly string[] =
      'any' in filter.match ? filter.match.any : [filter.match.value];
    return present.some((one) => wanted.includes(String(one)));
  }
  return (
    (filter.must ?? []).every((part) => passes(part, payload)) &&
    (filter.should === undefined ||
      filter.should.length === 0 ||
      filter.should.some((part) => passes(part, payload))) &&
    !(filter.must_not ?? []).some((part) => passes(part, payload))
  );
}
