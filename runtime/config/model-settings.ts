/** Reads the variables of one model role and collects the problems with them, without their values. */
import type { ModelRole } from '../../domain/models/roles.ts';
import { Secret } from '../../domain/models/secret.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Suffixes of `SERVICE_MODEL_<ROLE>`; the empty one is the selection itself. */
export const SETTING_SUFFIXES = [
  '',
  '_VERSION',
  '_BASE_URL',
  '_API_KEY',
  '_API_KEY_FILE',
  '_DIMENSIONS',
  '_CONTEXT_TOKENS',
  '_MAX_OUTPUT_TOKENS',
  '_TIMEOUT_MS',
  '_QUERY_PREFIX',
  '_DOCUMENT_PREFIX',
  '_BATCH_TEXTS',
  '_BATCH_TOKENS',
  '_SEND_DIMENSIONS',
] as const;
export type SettingSuffix = (typeof SETTING_SUFFIXES)[number];

export const KEY_RULE = 'must hold one key in printable ASCII without spaces';

const LARGEST_INTEGER = 2_147_483_647;

export type ModelSettings = ReturnType<typeof createModelSettings>;

/** Settings of a role over an environment; problems are appended to the given list. */
export function createModelSettings(
  role: ModelRole,
  env: Variables,
  readFile: (path: string) => string,
  problems: string[],
) {
  /** The variable's full name. */
  const name = (suffix: SettingSuffix): string => `SERVICE_MODEL_${role.toUpperCase()}${suffix}`;
  /** The trimmed value; null when absent or blank. */
  const text = (suffix: SettingSuffix): string | null => blankAsNull(env[name(suffix)]);
  /** The value as it is, blanks at its ends included; null when absent or blank. */
  const verbatim = (suffix: SettingSuffix): string | null =>
    text(suffix) === null ? null : (env[name(suffix)] ?? null);
  const problem = (suffix: SettingSuffix, rule: string): void => {
    problems.push(`${name(suffix)} ${rule}`);
  };

  /** A positive integer; null when absent, null with a problem when it is something else. */
  const integer = (suffix: SettingSuffix): number | null => {
    const value = text(suffix);
    if (value === null) return null;
    const number = /^\d{1,10}$/.test(value) ? Number(value) : 0;
    if (number >= 1 && number <= LARGEST_INTEGER) return number;
    problem(suffix, 'must be a positive integer');
    return null;
  };

  const secretFromFile = (path: string): Secret | null => {
    let content: string;
    try {
      content = readFile(path).trim();
    } catch {
      problem('_API_KEY_FILE', 'names a file that cannot be read');
      return null;
    }
    return secretFrom(content, '_API_KEY_FILE');
  };

  const secretFrom = (value: string, suffix: SettingSuffix): Secret | null => {
    if (isKey(value)) return new Secret(value);
    problem(suffix, KEY_RULE);
    return null;
  };

  /** The role's own key, from its variable or file; null when it has none. */
  const secret = (): Secret | null => {
    const value = text('_API_KEY');
    const path = text('_API_KEY_FILE');
    if (value !== null && path !== null) {
      problem('_API_KEY', `must not be set together with ${name('_API_KEY_FILE')}`);
      return null;
    }
    if (value !== null) return secretFrom(value, '_API_KEY');
    return path === null ? null : secretFromFile(path);
  };

  return { name, text, verbatim, integer, secret, problem };
}

/** A variable that is absent, empty or only blanks counts as absent. */
export function blankAsNull(value: string | undefined): string | null {
  const trimmed = value?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

/** Whether a text can travel in an Authorization header. */
export function isKey(value: string): boolean {
  return /^[\u0021-\u007e]+$/.test(value);
}
