/** A password that is checked, within the limits of sign-ins: what every way to sign in does first. */
import { parseEmail } from '../../domain/identity/email.ts';
import { Refusal } from '../../domain/errors.ts';
import { tokenBounds } from '../../domain/identity/token-bounds.ts';
import type { NewToken } from '../../stores/postgres/identity/credentials.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import type { RequestContext } from '../operation.ts';
import type { IssuedSecret } from '../environment/secrets.ts';

const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000';

export interface CheckedLogin {
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

/**
 * Runs `enter` for the login whose e-mail and password these are. Refuses every wrong pair of strings with the one opaque
 * `unauthorized`, and attempts past the limits of `domain/identity/sign-in-limit.ts` with `rate_limited`.
 */
export async function withCheckedLogin<T>(
  context: RequestContext,
  input: { readonly email: string; readonly password: string },
  enter: (login: CheckedLogin) => Promise<T>,
): Promise<T> {
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
  const entered = await enter(login);
  await signInLimits.forgive(attemptId);
  return entered;
}

export interface Issued {
  readonly secret: IssuedSecret;
  readonly kind: NewToken['kind'];
  readonly expiresAt: Date;
}

/** Enters a credential for the login, with what `also` writes, in one transaction. Answers the peer of the login. */
export async function issueFor(
  { inAccount, now, settings }: RequestContext,
  { accountId, epoch, loginId }: CheckedLogin,
  { expiresAt, kind, secret }: Issued,
  also: (stores: Stores) => Promise<void>,
): Promise<string> {
  return inAccount(accountId, async (stores) => {
    const { hash: secretHash, id } = secret;
    const peer = await stores.credentials.insertToken({
      id,
      secretHash,
      kind,
      loginId,
      epoch,
      expiresAt,
    });
    // The login was closed, or its password changed, since the check: the same answer as to a wrong password.
    if (peer === null) throw new Refusal('unauthorized');
    await stores.credentials.tidyTokens(loginId, tokenBounds(now, settings.tokensKeptDays));
    await also(stores);
    await stores.audit.record({
      category: 'access',
      action: 'login.signed_in',
      actor: { kind: 'credential', credentialId: id, peerId: peer },
      resourceType: 'login',
      resourceId: loginId,
    });
    return peer;
  });
}
