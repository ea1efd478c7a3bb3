/** `identity.sign_in`: a person's e-mail and password for a bearer token of bounded life. */
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { issueFor, withCheckedLogin } from './checked-login.ts';

export const passwordFields = {
  email: z.string().meta({ examples: ['ada@example.org'] }),
  password: z.string().meta({ format: 'password' }),
};

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
    'People sign in here. Agents use API keys instead. A wrong e-mail address and a wrong password get the same 401. In 15 minutes the service allows 10 failures of one e-mail address from one network address, 100 failures of one e-mail address, and 100 attempts from one network address.',
  refusals: ['unauthorized', 'rate_limited', 'unavailable'],
  input: z.object(passwordFields),
  output: z.object({
    data: z.object({
      token: z.string().describe('An opaque text. Send it as `Authorization: Bearer <token>`.'),
      token_type: z.literal('Bearer'),
      expires_at: z.iso.datetime(),
      peer_id: z.uuid(),
    }),
  }),
  async run(context, input) {
    const { now, secrets, settings } = context;
    const secret = secrets.token();
    const expiresAt = new Date(now.getTime() + settings.passwordTokenTtlMs);
    const issued = { secret, kind: 'password_token', expiresAt } as const;
    const peerId = await withCheckedLogin(context, input, (login) =>
      issueFor(context, login, issued, async () => {}),
    );
    return {
      data: {
        token: secret.text,
        token_type: 'Bearer' as const,
        expires_at: expiresAt.toISOString(),
        peer_id: peerId,
      },
    };
  },
});
