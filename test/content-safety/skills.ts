/** Requests about skill cards: each that is refused holds a canary, and one card has them in every text. */
import { headersWith } from './requests.ts';
import type { Scene } from './scene.ts';

const SKILLS = '/api/v1/governance/skills';
const UNKNOWN = '01990000-0000-7000-8000-000000000000';

/** A card is published, read, checked and retired, and every route refuses something. */
export async function driveSkills({ call, canaries, files }: Scene): Promise<void> {
  const { token } = files.credentials.admin;
  const headers = headersWith(canaries);
  const get = (path: string, status: number) => call({ path, token, headers }, status);
  const post = (path: string, json: object, status: number) => {
    const body = { ...json, [canaries.member_name]: canaries.content };
    return call({ method: 'POST', path, token, json: body, headers }, status);
  };
  const scope_path = `/canary/${canaries.scope_segment}`;
  const requirement = {
    key: canaries.content,
    description: canaries.content,
    level: 'required',
    source_policy: 'either',
    selector: { topic: [canaries.content.slice(0, 90)] },
    prompt: `Whose is the boat of ${canaries.content}?`,
  };
  // A canary is a name that a skill may have.
  const skill = canaries.content;
  const card = { skill, scope_path, description: canaries.content };
  const published = await post(SKILLS, { ...card, requirements: [requirement] }, 201);
  const { id } = Object(Object(published.json()).data.card);
  const wrong = { ...requirement, key: `${canaries.content} x` };
  await post(SKILLS, { ...card, requirements: [wrong] }, 422);
  await post(SKILLS, { ...card, skill: `${skill} x`, requirements: [] }, 422);
  await post(SKILLS, { ...card, scope_path: `${scope_path}/early`, requirements: [] }, 201);
  await get(`${SKILLS}?scope_path=${scope_path}&x=${canaries.query_string}`, 200);
  await get(`${SKILLS}?skill=${canaries.query_string}`, 200);
  await get(`${SKILLS}?skill=${canaries.query_string}%20x`, 422);
  await get(`${SKILLS}/${String(id)}`, 200);
  await get(`${SKILLS}/${canaries.url_path}`, 404);
  await post('/api/v1/readiness', { skill, scope_path }, 200);
  await post('/api/v1/readiness', { skill: `${skill} x`, scope_path }, 422);
  await post(
    '/api/v1/readiness',
    { skill, scope_path, peer_key: `${canaries.peer_key}-nobody` },
    422,
  );
  await post(`${SKILLS}/${UNKNOWN}/retire`, {}, 404);
  await post(`${SKILLS}/${String(id)}/retire`, {}, 200);
}
