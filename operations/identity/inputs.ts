/** Input fields that several identity operations share. Messages never quote the value. */
import { z } from 'zod';
import { parseEmail } from '../../domain/identity/email.ts';
import { parseLabel } from '../../domain/identity/label.ts';
import { isAcceptablePassword } from '../../domain/identity/password.ts';
import { parseRole, ROLE_WORDS } from '../../domain/identity/roles.ts';
import { parseScopePath } from '../../domain/scopes/path.ts';

function parsed<T extends string>(parse: (text: string) => T | null, message: string) {
  return z.string().transform((text, context): T => {
    const value = parse(text);
    if (value !== null) return value;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}

export const emailInput = parsed(parseEmail, 'must be an e-mail address');
export const labelInput = parsed(
  parseLabel,
  'must have 1 to 256 characters, no controls and nothing invisible',
);
export const scopePathInput = parsed(parseScopePath, 'must be a scope path');
export const roleInput = parsed(parseRole, `must be one of ${ROLE_WORDS.join(', ')}`);
export const roleOutput = z.enum(ROLE_WORDS);
export const newPasswordInput = z
  .string()
  .refine(isAcceptablePassword, 'must have 12 to 1024 characters');
/** The id of one `what`. */
export const idInput = (what: string) =>
  parsed((text) => (z.uuid().safeParse(text).success ? text : null), `must be the id of a ${what}`);
/** Names the account; needed only where several exist. */
export const accountInput = labelInput.optional();
