/** Lists in pages: an account may hold more keys, grants and people than one answer should. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { idInput } from './inputs.ts';

/** Rows of a page, at most. */
export const MOST_LISTED = 1_000;

export const limitInput = z.int().min(1).max(MOST_LISTED).default(MOST_LISTED);

/** The fields of a list whose pages follow each other by id. */
export const pageFields = { after: idInput('row').optional(), limit: limitInput };

export const nextOutput = z.uuid().nullable();

/** The id to ask the next page with, or null when there is none: the page is not full. */
export function nextOf(rows: readonly { readonly id: string }[], limit: number): string | null {
  return rows.length < limit ? null : (rows.at(-1)?.id ?? null);
}

/** The id of the peer that a list is narrowed to; null when it is not. Throws `unknown_peer`. */
export async function narrowedTo(
  { peers }: Pick<Stores, 'peers'>,
  key: string | undefined,
): Promise<string | null> {
  if (key === undefined) return null;
  const peer = await peers.findByKey(key);
  if (peer === null) throw new Refusal('unknown_peer');
  return peer.id;
}
