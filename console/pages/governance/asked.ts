/** What the address of the queue asks for. Pages that the queue leads to carry it on, so that the way back is the same. */
import type { ViewRequest } from '../../design/page.ts';

export const QUEUE_PATH = '/governance';
export const PAGE_SIZE = 25;

/** Parameters that say what is listed, and how. `keys=off` turns the shortcuts of the keyboard off. */
const KEPT = ['scope', 'kind', 'state', 'subject', 'order', 'keys'] as const;

/** What a decision has done. */
export const DONE = {
  approved: 'You approved it.',
  rejected: 'You rejected it.',
  deferred: 'You deferred it until tomorrow.',
  edited: 'You proposed the new wording. It keeps the sources of the old one.',
  merged: 'You merged the two. The statement that stays has the sources of both.',
} as const;

type Query = ViewRequest['query'];

/** A parameter without the space around it; null when it is absent or blank. */
export function given(query: Query, name: string): string | null {
  const text = (query.get(name) ?? '').trim();
  return text === '' ? null : text;
}

/** The parameters that go along, with `more` beside them. */
export function carried(query: Query, more: Readonly<Record<string, string>> = {}): string {
  const kept = new URLSearchParams();
  for (const name of KEPT) {
    const value = given(query, name);
    if (value !== null) kept.set(name, value);
  }
  for (const [name, value] of Object.entries(more)) kept.set(name, value);
  const text = kept.toString();
  return text === '' ? '' : `?${text}`;
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
