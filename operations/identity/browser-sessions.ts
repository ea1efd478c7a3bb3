/** `session.start`, `session.end`: a browser that a person signs in, and signs out. */
import { z } from 'zod';
import { LONGEST_BROWSER_SESSION_MS } from '../../domain/identity/browser-session.ts';
import { auditActor } from '../audit-actor.ts';
import { defineOperation } from '../operation.ts';
import { issueFor, withCheckedLogin } from './checked-login.ts';
import { passwordFields } from './sign-in.ts';

/** Sessions that ended by themselves, of which one sign-in removes the rows: more than it adds. */
const MOST_REMOVED = 100;

/** Signs a browser in, by the check and within the limits of `identity.sign_in`. Ends no other session of the person. */
export const startBrowserSession = defineOperation({
  id: 'session.start',
  access: 'public',
  effect: 'write',
  summary: 'Sign a browser in with e-mail and password',
  refusals: ['unauthorized', 'rate_limited', 'unavailable'],
  input: z.object(passwordFields),
  output: z.object({
    token: z.string().describe('The value of the session cookie. It is no bearer token.'),
    expires_at: z.iso.datetime(),
  }),
  async run(context, input) {
    const { now, secrets } = context;
    const secret = secrets.browserSession();
    const expiresAt = new Date(now.getTime() + LONGEST_BROWSER_SESSION_MS);
    await withCheckedLogin(context, input, (login) =>
      issueFor(
        context,
        login,
        { secret, kind: 'browser_session', expiresAt },
        async ({ browserSessions }) => {
          await browserSessions.removeEnded(now, MOST_REMOVED);
          await browserSessions.begin(secret.id, now);
        },
      ),
    );
    return { token: secret.text, expires_at: expiresAt.toISOString() };
  },
});

/** Ends the session with which it is called; any other credential stays as it is. */
export const endBrowserSession = defineOperation({
  id: 'session.end',
  access: 'human',
  effect: 'destroy',
  endsCaller: true,
  summary: 'Sign the browser out',
  input: z.object({}),
  output: z.object({ ended: z.boolean() }),
  async run({ caller, inAccount, now }) {
    const { accountId, credentialId } = caller;
    return inAccount(accountId, async (stores) => {
      const ended = await stores.browserSessions.end(credentialId);
      if (ended) {
        await stores.credentials.revoke(credentialId, now);
        await stores.audit.record({
          category: 'access',
          action: 'login.signed_out',
          actor: auditActor(caller),
          resourceType: 'credential',
          resourceId: credentialId,
        });
      }
      return { ended };
    });
  },
});
