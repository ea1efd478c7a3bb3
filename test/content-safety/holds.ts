/** Requests to forget: what is to be forgotten is a canary, in what is opened, read, decided and refused. */
import { z } from 'zod';
import { until } from '../fault/harness/until.ts';
import { HANGS_MS } from '../support/patience.ts';
import { headersWith, observation } from './requests.ts';
import type { Scene } from './scene.ts';

const HOLDS = '/api/v1/governance/holds';

const list = z.object({
  data: z.object({ items: z.array(z.object({ id: z.string(), version: z.number() })) }),
});

/** Somebody asks that a canary be forgotten, a curator reads the request, upholds it and lifts it, and every route refuses something. */
export async function driveHolds(scene: Scene): Promise<void> {
  const { call, canaries, files, vouch } = scene;
  await vouch('governance', 'forgetting', 'all');
  const { token } = files.credentials.admin;
  const headers = headersWith(canaries);
  const get = (path: string, status: number) => call({ path, token, headers }, status);
  const post = (path: string, version: number, status: number) => {
    const json = { version, [canaries.member_name]: canaries.content };
    return call({ method: 'POST', path, token, json, headers }, status);
  };
  const said = observation(canaries, 'asks');
  const content = `Please delete the note "${canaries.content}" and the code 4471 from memory.`;
  await call({ ...said, json: { ...Object(said.json), content } }, 202);
  const scope = `/canary/${canaries.scope_segment}`;
  const query = new URLSearchParams({
    scope_path: scope,
    [canaries.member_name]: canaries.content,
  });
  const found = async () => {
    const answer = await get(`${HOLDS}?${query.toString()}`, 200);
    return list.parse(answer.json()).data.items;
  };
  await until('a request to forget', HANGS_MS, async () => (await found()).length > 0);
  await get(`${HOLDS}?scope_path=/../${canaries.query_string}`, 422);
  const [hold] = await found();
  const path = `${HOLDS}/${hold?.id ?? ''}`;
  await get(path, 200);
  await get(`${HOLDS}/${canaries.url_path}`, 404);
  await post(`${path}/uphold`, 1, 200);
  await post(`${path}/uphold`, 1, 409);
  await post(`${path}/lift`, 2, 200);
  await post(`${path}/lift`, 2, 409);
}
