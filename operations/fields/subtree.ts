/** The field that narrows a list to a scope and all below it. */
import { z } from 'zod';
import { parseScopePath, ROOT_PATH, type ScopePath } from '../../domain/scopes/path.ts';

export const subtreeField = z
  .string()
  .nullish()
  .transform((text, context): ScopePath => {
    const path = text == null || text.trim() === '' ? ROOT_PATH : parseScopePath(text);
    if (path !== null) return path;
    context.addIssue({ code: 'custom', message: 'must be a scope path' });
    return z.NEVER;
  });
