/**
 * The account, the administrator and the agent key of a first start. A start that was cut short leaves the generated
 * password in a file, so that the next start can finish instead of locking the operator out.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { execute } from '../../operations/execute.ts';
import { bootstrap } from '../../operations/identity/bootstrap.ts';
import { createKey } from '../../operations/identity/keys.ts';
import { signIn } from '../../operations/identity/sign-in.ts';
import type { RequestContext } from '../../operations/operation.ts';
import { readIfPresent, writePrivateFile } from '../../embedded/private-files.ts';
import { readCredentials, writeCredentials, type Credentials } from './credentials.ts';

const ADMIN_EMAIL = 'admin@vouch.localhost';
const AGENT_PEER = 'first-agent';

type Addresses = Pick<Credentials, 'base_url' | 'console_url' | 'temporal_ui_url'>;

export interface AccountFiles {
  readonly credentials: string;
  /** Holds the administrator's password from its generation until the credentials are written. */
  readonly pendingPassword: string;
}

function pendingPassword(file: string): string {
  const earlier = readIfPresent(file);
  if (earlier !== undefined && earlier !== '') return earlier;
  const password = randomBytes(18).toString('base64url');
  writePrivateFile(file, password);
  return password;
}

async function adminToken(
  context: RequestContext,
  password: string,
): Promise<{ readonly token: string } | null> {
  const made = await execute(bootstrap, context, { email: ADMIN_EMAIL, password });
  if (made.token !== null) return { token: made.token };
  // The account was made earlier: by a start that was cut short, or from another directory.
  try {
    const signedIn = await execute(signIn, context, { email: ADMIN_EMAIL, password });
    return signedIn.data;
  } catch {
    return null;
  }
}

async function makeCredentials(
  context: RequestContext,
  files: AccountFiles,
  addresses: Addresses,
): Promise<Credentials | null> {
  const password = pendingPassword(files.pendingPassword);
  const admin = await adminToken(context, password);
  if (admin === null) {
    rmSync(files.pendingPassword, { force: true });
    return null;
  }
  const key = await execute(createKey, context, { peer: AGENT_PEER, scope: '/', role: 'member' });
  return {
    ...addresses,
    admin: { email: ADMIN_EMAIL, password, token: admin.token },
    agent: { peer_key: AGENT_PEER, api_key: key.api_key },
  };
}

/**
 * The credentials of this start: those of an earlier start with the present addresses, or new ones. Null when the
 * database has an account already and this directory does not hold its password.
 */
export async function ensureCredentials(
  context: RequestContext,
  files: AccountFiles,
  addresses: Addresses,
): Promise<Credentials | null> {
  const earlier = readCredentials(files.credentials);
  const value =
    earlier === null
      ? await makeCredentials(context, files, addresses)
      : { ...earlier, ...addresses };
  if (value === null) return null;
  writeCredentials(files.credentials, value);
  rmSync(files.pendingPassword, { force: true });
  return value;
}
