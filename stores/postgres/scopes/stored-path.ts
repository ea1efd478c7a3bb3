/** The path of a scope as a row has it. */
import { z } from 'zod';
import { parseScopePath, type ScopePath } from '../../../domain/scopes/path.ts';

export const storedScopePath = z.string().transform((text): ScopePath => {
  const path = parseScopePath(text);
  if (path === null) throw new TypeError('a stored scope path is malformed');
  return path;
});
