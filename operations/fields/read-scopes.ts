/** The scopes that a read names: one path, or several that are read as one. */
import { z } from 'zod';
import { invalidField } from '../../domain/errors.ts';
import { parseScopePath, type ScopePath } from '../../domain/scopes/path.ts';
import { DEFAULT_READ_PATH } from './read.ts';

/** Paths that one read may name: each has a chain of 33 scopes at most. */
export const MOST_SCOPE_PATHS = 16;

const WRONG_PATH = 'must be a scope path';

/** What a read that may name several scopes takes to name them; `namedScopes` reads it. */
export const readScopesFields = {
  scope_path: z
    .string()
    .nullish()
    .transform((text, context): ScopePath | null => {
      if (text === null || text === undefined || text.trim() === '') return null;
      const path = parseScopePath(text);
      if (path === null) context.addIssue({ code: 'custom', message: WRONG_PATH });
      return path;
    })
    .meta({
      description:
        'The scope to read, together with its ancestors. The default, also for a blank value, is `/poc`. Give it or `scope_paths`, not both.',
      wire: { default: DEFAULT_READ_PATH, examples: ['/team/project'] },
    }),
  scope_paths: z
    .array(z.string())
    .min(1)
    .max(MOST_SCOPE_PATHS)
    .nullish()
    .transform((texts, context): readonly ScopePath[] | null => {
      if (texts === null || texts === undefined) return null;
      const paths = texts.map(parseScopePath);
      for (const [at, path] of paths.entries()) {
        if (path === null) context.addIssue({ code: 'custom', message: WRONG_PATH, path: [at] });
      }
      return [...new Set(paths.filter((path) => path !== null))];
    })
    .meta({
      description: `Up to ${MOST_SCOPE_PATHS} scopes to read as one, each together with its ancestors. The service authorises each path as if it were named alone. The first one decides the values of the profile. Give them or \`scope_path\`, not both.`,
      wire: { examples: [['/team/project', '/team/people']] },
    }),
};

/** How an answer names the scopes that were read. */
export const scopesOutput = {
  scope_path: z
    .string()
    .describe('The path that was read, normalised. The first one if the request names several.'),
  scope_paths: z
    .array(z.string())
    .optional()
    .describe('All paths that were read, normalised. Present if the request names `scope_paths`.'),
};

export interface NamedScopes {
  /** As an authorisation takes them. */
  readonly scopes: { readonly scopePath: ScopePath; readonly otherPaths: readonly ScopePath[] };
  /** As an answer names them. */
  readonly echo: { readonly scope_path: string; readonly scope_paths?: string[] };
}

/** Reads `readScopesFields`. Refuses with `invalid_request` a request that uses both ways to name scopes. */
export function namedScopes(asked: {
  readonly scope_path: ScopePath | null;
  readonly scope_paths: readonly ScopePath[] | null;
}): NamedScopes {
  const { scope_path: one, scope_paths: several } = asked;
  if (one !== null && several !== null) {
    throw invalidField('scope_paths', 'must not be given together with scope_path');
  }
  const [scopePath = DEFAULT_READ_PATH, ...otherPaths] = several ?? (one === null ? [] : [one]);
  const scopePaths = several === null ? {} : { scope_paths: [...several] };
  return {
    scopes: { scopePath, otherPaths },
    echo: { scope_path: scopePath, ...scopePaths },
  };
}
