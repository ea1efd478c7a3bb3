/** What the address of the desk asks for. Pages that the desk leads to carry it on, so that the way back is the same. */
import type { ItemKind } from '../../../domain/governance/items.ts';
import type { ViewRequest } from '../../design/page.ts';

export const QUEUE_PATH = '/governance';
export const PAGE_SIZE = 25;

/** The tabs of the desk, in their order. */
export const TABS: readonly { readonly kind: ItemKind; readonly name: string }[] = [
  { kind: 'contest', name: 'Contests' },
  { kind: 'conflict', name: 'Conflicts' },
  { kind: 'gate_a_b', name: 'New' },
  { kind: 'gate_b', name: 'Sharing' },
  { kind: 'revalidation', name: 'Re-check' },
];

/** The tab whose items may be decided together: one look at each is enough, and nobody has disputed them. */
export const BULK_KIND = 'gate_a_b' satisfies ItemKind;

/** Parameters that say what is listed, and how. `keys=off` turns the shortcuts of the keyboard off. */
const KEPT = ['scope', 'kind', 'state', 'subject', 'order', 'keys'] as const;
/** Where in a list the viewer is: the page of the list, and how many items stand before it. */
const PLACE = ['cursor', 'before'] as const;

type Query = ViewRequest['query'];

/** A parameter without the space around it; null when it is absent or blank. */
export function given(query: Query, name: string): string | null {
  const text = (query.get(name) ?? '').trim();
  return text === '' ? null : text;
}

function carrying(
  query: Query,
  names: readonly string[],
  more: Readonly<Record<string, string | null>>,
): string {
  const kept = new URLSearchParams();
  for (const name of names) {
    const value = given(query, name);
    if (value !== null) kept.set(name, value);
  }
  for (const [name, value] of Object.entries(more)) {
    if (value === null) kept.delete(name);
    else kept.set(name, value);
  }
  const text = kept.toString();
  return text === '' ? '' : `?${text}`;
}

/** The parameters that go along to another list, with `more` beside them. */
export function carried(query: Query, more: Readonly<Record<string, string | null>> = {}): string {
  return carrying(query, KEPT, more);
}

/** The same within one list: the place in it goes along too. */
export function carriedHere(
  query: Query,
  more: Readonly<Record<string, string | null>> = {},
): string {
  return carrying(query, [...KEPT, ...PLACE], more);
}

/** The input of `reviews.list` that the address asks for. */
export function asked(query: Query) {
  return {
    scope_path: given(query, 'scope'),
    kind: given(query, 'kind'),
    state: given(query, 'state'),
    subject_key: given(query, 'subject'),
    order: given(query, 'order'),
  };
}

export const keysAreOn = (query: Query): boolean => query.get('keys') !== 'off';

/** A whole number of the address; 0 for whatever else stands there. */
export function numberOf(query: Query, name: string): number {
  const text = query.get(name) ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) : 0;
}

/** The place of an item in the walk through its list: the seventh of 278. */
export interface WalkPlace {
  readonly nth: number;
  /** Null where nobody counted. */
  readonly total: number | null;
}

/** The place as the address has it; null where it has none. */
export function placeIn(query: Query): WalkPlace | null {
  const [, nth, total] = /^(\d{1,6})-(\d{0,6})$/.exec(query.get('walk') ?? '') ?? [];
  if (nth === undefined || total === undefined) return null;
  return { nth: Number(nth), total: total === '' ? null : Number(total) };
}

/** The place in words: `7 of 278`. */
export function placeWords(place: WalkPlace | null): string {
  if (place === null) return '';
  const { nth, total } = place;
  return total === null ? `${nth}` : `${Math.min(nth, total)} of ${total}`;
}

/** The place as a parameter of an address, some steps on. */
export function walkAt({ nth, total }: WalkPlace, steps = 0): string {
  return `${Math.max(1, nth + steps)}-${total ?? ''}`;
}
