/** States of sources in words. */
import type { ListedState } from '../../../domain/documents/listed.ts';
import type { AnchorStatus } from '../../../domain/observations/requeue.ts';
import { html, type Markup } from '../../design/markup.ts';
import { plainCode } from '../../design/words.ts';

type Kind = 'good' | 'wait' | 'bad' | 'plain';

export const DOCUMENT_WORDS: Readonly<Record<ListedState, { name: string; kind: Kind }>> = {
  at_work: { name: 'Being read', kind: 'wait' },
  in_force: { name: 'In force', kind: 'good' },
  replaced: { name: 'Replaced', kind: 'plain' },
  failed: { name: 'Could not be read', kind: 'bad' },
  withdrawn: { name: 'Withdrawn', kind: 'plain' },
};

export const STATUS_WORDS: Readonly<
  Record<AnchorStatus, { name: string; kind: Kind; means: string }>
> = {
  pending: {
    name: 'Waiting',
    kind: 'wait',
    means: 'The service has not extracted it yet.',
  },
  failed: {
    name: 'To be retried',
    kind: 'wait',
    means: 'The last attempt failed. The service tries again.',
  },
  completed: {
    name: 'Done',
    kind: 'good',
    means: 'The service extracted it. It may have led to no statement.',
  },
  repairable: {
    name: 'Needs repair',
    kind: 'bad',
    means: 'An administrator must repair the cause and then requeue it.',
  },
  terminal: {
    name: 'Given up',
    kind: 'bad',
    means: 'The service does not try again. An administrator can requeue it.',
  },
};

export function badge({ kind, name }: { readonly kind: Kind; readonly name: string }): Markup {
  return html`<span class="badge ${kind}">${name}</span>`;
}

/** Why something failed, behind its badge. */
export function because(errorClass: string | null): Markup | null {
  return errorClass === null ? null : html`<span>because of: ${plainCode(errorClass)}</span>`;
}

const UNITS = ['bytes', 'KiB', 'MiB'] as const;
const STEP = 1_024;

/** A number of bytes as people say it. */
export function sizeOf(bytes: number): string {
  let [amount, unit] = [bytes, 0];
  while (amount >= STEP && unit < UNITS.length - 1) [amount, unit] = [amount / STEP, unit + 1];
  const text = unit === 0 ? String(amount) : amount.toFixed(1);
  return `${text} ${UNITS[unit] ?? ''}`;
}
