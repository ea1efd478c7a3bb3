/** Requests about circles and audiences: names, scopes and members are canaries, in what succeeds and what is refused. */
import { headersWith, observation } from './requests.ts';
import type { Scene } from './scene.ts';

const CIRCLES = '/api/v1/governance/circles';

/** Something is said to a peer and a circle, and to those whom nobody knows. */
async function driveAudiences({ call, canaries }: Scene): Promise<void> {
  const say = (audience: unknown, status: number) => {
    const said = observation(canaries, `moved to Porto, as ${JSON.stringify(audience)} know`);
    return call({ ...said, json: { ...Object(said.json), audience } }, status);
  };
  await say({ peers: [canaries.peer_key], circles: [canaries.content] }, 202);
  await say({ circles: [`${canaries.content} x`] }, 422);
  await say({ roles: [canaries.role] }, 422);
  await say({ [canaries.member_name]: [] }, 422);
  await say(canaries.content, 422);
}

/** A circle is made, changed, listed, read and deleted, and every route refuses something. */
export async function driveCircles(scene: Scene): Promise<void> {
  const { call, canaries, files } = scene;
  const { token } = files.credentials.admin;
  const headers = headersWith(canaries);
  const send = (method: 'GET' | 'DELETE', path: string, status: number) =>
    call({ method, path, token, headers }, status);
  const put = (json: object, status: number) => {
    const body = { ...json, [canaries.member_name]: canaries.content };
    return call({ method: 'PUT', path: CIRCLES, token, json: body, headers }, status);
  };
  const scope_path = `/canary/${canaries.scope_segment}`;
  const circle = { scope_path, name: canaries.content };
  const members = [canaries.peer_key];
  const made = await put({ ...circle, members }, 200);
  const { id } = Object(Object(made.json()).data);
  await put({ ...circle, remove: members }, 200);
  await put({ ...circle, add: [`${canaries.peer_key}-nobody`] }, 422);
  await put({ ...circle, name: `${canaries.content} x`, add: members }, 404);
  await put(circle, 422);
  await send('GET', `${CIRCLES}?scope_path=${scope_path}&x=${canaries.query_string}`, 200);
  await send('GET', `${CIRCLES}?scope_path=/../${canaries.query_string}`, 422);
  await send('GET', `${CIRCLES}/${String(id)}`, 200);
  await send('GET', `${CIRCLES}/${canaries.url_path}`, 404);
  await driveAudiences(scene);
  const query = new URLSearchParams({ scope_path, name: canaries.content });
  await send('DELETE', `${CIRCLES}?${query.toString()}`, 200);
  await send('DELETE', `${CIRCLES}?${query.toString()}`, 404);
}
