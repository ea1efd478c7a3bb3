/** People of a running start: the first administrator, and others who sign in with a password. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { StackDirectory } from '../../../measure/stack.ts';
import { send } from '../../support/http.ts';
import { vouch } from './command-line.ts';

const PASSWORD = 'correct horse battery';

const firstPerson = z.object({ admin: z.object({ token: z.string() }) });
const signedIn = z.object({ data: z.object({ token: z.string() }) });

/** The token of the first administrator. */
export function adminToken(directory: StackDirectory): string {
  const text = readFileSync(join(directory.path, '.vouch', 'credentials.json'), 'utf8');
  return firstPerson.parse(JSON.parse(text)).admin.token;
}

/** A file with the password of everybody, for the command line. */
export function passwordFile(directory: StackDirectory): string {
  const path = join(directory.path, 'password');
  writeFileSync(path, PASSWORD, { mode: 0o600 });
  return path;
}

/** Gives a known peer of the first account a login, as reader of everything, and answers its token. */
export async function signUp(
  directory: StackDirectory,
  baseUrl: string,
  peer: string,
): Promise<string> {
  const email = `${peer}@people.example`;
  const login = ['--email', email, '--name', peer, '--peer', peer];
  const role = ['--scope', '/', '--role', 'reader', '--password-file', passwordFile(directory)];
  const { exitCode } = await vouch(directory, ['user', 'create', ...login, ...role]);
  if (exitCode !== 0) throw new Error('vouch user create failed');
  const json = { email, password: PASSWORD };
  const answer = await send(baseUrl, { path: '/api/auth/password', json });
  return signedIn.parse(answer.json()).data.token;
}

/** An API key of a known peer, which may write everywhere. */
export async function agentKey(directory: StackDirectory, peer: string): Promise<string> {
  const place = ['--scope', '/', '--role', 'member'];
  const { value } = await vouch(directory, ['key', 'create', '--peer', peer, ...place]);
  return z.object({ api_key: z.string() }).parse(value).api_key;
}
