/** Drives the erasure of a person who said canaries, from its request to its receipt. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { until } from '../fault/harness/until.ts';
import { headersWith } from './requests.ts';
import type { Scene } from './scene.ts';
import { HANGS_MS } from '../support/patience.ts';

const PASSWORD = 'correct horse battery';
const EMAIL = 'erased@people.example';
const ERASURE = '/api/v1/self/erasure';

const signedIn = z.object({ data: z.object({ token: z.string() }) });
const erasure = z.object({ data: z.object({ id: z.string(), state: z.string() }) });

/** The token of a further person. */
async function signUp({ callAsStranger, canaries, vouch }: Scene): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-password-'));
  try {
    const file = join(folder, 'password');
    writeFileSync(file, PASSWORD, { mode: 0o600 });
    const person = ['--email', EMAIL, '--name', canaries.peer_name, '--scope', '/canary'];
    await vouch('user', 'create', ...person, '--role', 'member', '--password-file', file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const json = { email: EMAIL, password: PASSWORD };
  const answer = await callAsStranger({ path: '/api/auth/password', json }, 200);
  return signedIn.parse(answer.json()).data.token;
}

export async function driveErasure(scene: Scene): Promise<void> {
  const { call, canaries } = scene;
  const token = await signUp(scene);
  const headers = headersWith(canaries);
  const said = {
    content: `I painted the last oar for ${canaries.content}.`,
    scope_path: `/canary/${canaries.scope_segment}`,
    session_id: `${canaries.session_id}-erased`,
  };
  await call({ path: '/api/v1/ingest', token, json: said, headers }, 202);
  const post = (json: object, status: number) =>
    call({ method: 'POST', path: ERASURE, token, json, headers }, status);
  await post({ mode: canaries.malformed_json }, 422);
  const { data } = erasure.parse(
    (await post({ mode: 'strict', [canaries.member_name]: canaries.content }, 202)).json(),
  );
  const path = `${ERASURE}/${data.id}`;
  const isOver = async (): Promise<boolean> =>
    erasure.parse((await call({ path, token, headers }, 200)).json()).data.state === 'completed';
  await until('the end of an erasure', HANGS_MS, isOver, 200);
  await call({ path: `${ERASURE}/${canaries.url_path}`, token, headers }, 404);
}
