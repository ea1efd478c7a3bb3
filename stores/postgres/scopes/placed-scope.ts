/** A scope by its place in the tree, as JSON or as a row. */
import { z } from 'zod';
import type { PlacedScope } from '../../../domain/scopes/chain-ids.ts';

export const placedScope = z
  .object({ id: z.string(), parent_id: z.string().nullable() })
  .transform(({ id, parent_id: parentId }): PlacedScope => ({ id, parentId }));
