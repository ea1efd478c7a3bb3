/** What a restore is told of promises that were made since the backup. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import type { RequestContext } from '../operation.ts';

/** The lines of the lists, in order. */
export type PromiseLines = AsyncIterable<unknown>;

export const promisesOutput = z.object({
  repeated: z.int(),
  held_already: z.int(),
  unknown: z.int(),
});
export type RepeatedPromises = z.infer<typeof promisesOutput>;

export async function repeatLists(
  _context: RequestContext,
  _lines: PromiseLines,
): Promise<RepeatedPromises> {
  throw new Refusal('unavailable');
}
