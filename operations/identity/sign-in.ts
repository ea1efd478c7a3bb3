/** `identity.sign_in`: a person's e-mail and password for a bearer token of bounded life. */
import { z } from 'zod';
import { parseEmail } from '../../domain/identity/email.ts';
import { Refusal } from '../../domain/errors.ts';
import { defineOperation, type RequestContext } from '../operation.ts';

const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000';

interface CheckedLogin {
  readonly accountId: string;
  readonly loginId: string;
  /** In which the password was checked. */
  readonly epoch: number;
}

/**
 * The open login of that e-mail if the password is its own. Takes the same steps for an e-mail that no login
 * has: a look-up, a read under an account, and the full cost of one password hash.
 */
async function checkPassword(
  { directory, inAccount, passwords, signal }: RequestContext,
  email: string | null,
  password: string,
): Promise<CheckedLogin | null> {
  const found = await directory.loginByEmail(email ?? '');
  const { accountId, loginId } = found ?? { accountId: NO_ACCOUNT, loginId: NO_ACCOUNT };
  const login = await inAccount(accountId, ({ logins }) => logins.findOpen(loginId));
  const matches = await passwords.verify(login?.password_hash ?? null, password, signal);
  return matches && login !== null ? { accountId, loginId, epoch: login.epoch } : null;
}

async function issueToken(
  { accountId, loginId, epoch }: CheckedLogin,
  { inAccount, now, secrets, settings }: RequestContext,
): Promise<{ token: string; expiresAt: Date; peerId: string }> {
  const token = secrets.token();
  const expiresAt = new Date(now.getTime() + settings.passwordTokenTtlMs);
  const peerId = await inAccount(accountId, async (stores) => {
    const peer = await stores.credentials.insertToken({
      id: token.id,
      secretHash: token.hash,
      kind: 'password_token',
      loginId,
      epoch,
      expiresAt,
    });
    // The login was closed, or its password changed, since the check: the same answer as to a wrong password.
    if (peer === null) throw new Refusal('unauthorized');
    await stores.audit.record({
      category: 'access',
      action: 'login.signed_in',
      actor: { kind: 'credential', credentialId: token.id, peerId: peer },
      resourceType: 'login',
      resourceId: loginId,
    });
    return peer;
  });
  return { token: token.text, expiresAt, peerId };
}

/**
 * Answers a token, or the one opaque `unauthorized` for every wrong pair of strings.
 * `rate_limited` past the limits of `domain/identity/sign-in-limit.ts`.
 */
export const signIn = defineOperation({
  id: 'identity.sign_in',
  access: 'public',
  effect: 'write',
  summary: 'Sign in with e-mail and password',
  description:
    'For people. A wrong e-mail address and a wrong password get the same 401. In 15 minutes the service allows 10 failures of one e-mail address from one network address, 100 failures of one e-mail address, and 100 attempts from one network address.',
  refusals: ['unauthorized', 'rate_limited', 'unavailable'],
  input: z.object({
    email: z.string().meta({ examples: ['ada@example.org'] }),
    password: z.string().meta({ format: 'password' }),
  }),
  output: z.object({
    data: z.object({
      token: z.string().describe('An opaque text. Send it as `Authorization: Bearer <token>`.'),
      token_type: z.literal('Bearer'),
      expires_at: z.iso.datetime(),
      peer_id: z.uuid(),
    }),
  }),
  async run(context, input) {
    const { signInLimits } = context;
    const email = parseEmail(input.email);
    const admission = await signInLimits.admit({
      email: email ?? input.email,
      address: context.clientAddress,
      now: context.now,
    });
    if (!admission.admitted) {
      throw new Refusal('rate_limited', { retryAfterSeconds: admission.retryAfterSeconds });
    }
    const { attemptId } = admission;
    const login = await checkPassword(context, email, input.password).catch(
      async (error: unknown) => {
        // The queue of hashes was full, or the caller left it: no password was checked, so no failure counts.
        await signInLimits.forgive(attemptId);
        throw error;
      },
    );
    if (login === null) throw new Refusal('unauthorized');
    const { token, expiresAt, peerId } = await issueToken(login, context);
    await signInLimits.forgive(attemptId);
    return {
      data: {
        token,
        token_type: 'Bearer' as const,
        expires_at: expiresAt.toISOString(),
        peer_id: peerId,
      },
    };
  },
});
