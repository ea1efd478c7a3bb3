/** Drives what people ask and decide: refusals first, then decisions that are carried out. */
import { z } from 'zod';
import type { HttpAnswer } from '../support/http.ts';
import { until } from '../fault/harness/until.ts';
import { deskRequests, headersWith, type SeenItem } from './requests.ts';
import type { Scene } from './scene.ts';
import { driveCircles } from './circles.ts';
import { driveHolds } from './holds.ts';
import { driveSkills } from './skills.ts';
import { HANGS_MS } from '../support/patience.ts';

const REVIEWS = '/api/v1/governance/reviews';
const OWN = '/api/v1/self/knowledge';

const queue = z.object({
  data: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        version: z.number(),
        knowledge: z.object({ id: z.string(), statement: z.string() }),
      }),
    ),
  }),
});
type Item = z.infer<typeof queue>['data']['items'][number];

const accepted = z.object({ data: z.object({ message_id: z.string() }) });
const settled = z.object({ data: z.object({ status: z.string() }) });

/** A person who is spoken of and curates everything. */
interface Person {
  readonly get: (path: string, status: number) => Promise<HttpAnswer>;
  /** With a canary in a further member, and as key of idempotency. */
  readonly post: (path: string, json: object, status?: number) => Promise<HttpAnswer>;
}

function personOf({ call, canaries, files }: Scene): Person {
  const { token } = files.credentials.admin;
  const headers = headersWith(canaries);
  let sent = 0;
  return {
    get: (path, status) => call({ path, token, headers }, status),
    post(path, json, status = 200) {
      const key = `${canaries.idempotency_key}-desk-${++sent}`;
      const body = { ...json, [canaries.member_name]: canaries.content };
      const request = { method: 'POST', path, token, json: body } as const;
      return call({ ...request, headers: { ...headers, 'idempotency-key': key } }, status);
    },
  };
}

async function openItems({ canaries }: Scene, { get }: Person, query: string): Promise<Item[]> {
  const scope = `/canary/${canaries.scope_segment}`;
  const answer = await get(`${REVIEWS}?scope_path=${scope}&kind=gate_a_b&${query}`, 200);
  return queue.parse(answer.json()).data.items;
}

/** The person says so many things about itself; the item of each, in the order of what was said. */
async function sayOfOneself(scene: Scene, person: Person, count: number): Promise<Item[]> {
  const { canaries } = scene;
  const things = Array.from({ length: count }, (_, at) => `oar number ${at + 1}0`);
  const content = things
    .map((thing) => `I painted the ${thing} for ${canaries.content}.`)
    .join(' ');
  const answer = await person.post(
    '/api/v1/ingest',
    {
      content,
      role: canaries.role,
      scope_path: `/canary/${canaries.scope_segment}`,
      session_id: `${canaries.session_id}-desk`,
    },
    202,
  );
  const { message_id: id } = accepted.parse(answer.json()).data;
  const isSettled = async (): Promise<boolean> => {
    const { data } = settled.parse((await person.get(`/api/v1/ingest/${id}`, 200)).json());
    return data.status === 'completed';
  };
  await until('the end of what a person said', HANGS_MS, isSettled, 200);
  const items = await openItems(scene, person, 'order=newest&limit=100');
  return things.map((thing) => {
    const item = items.find(({ knowledge }) => knowledge.statement.includes(thing));
    if (item === undefined) throw new Error(`nothing asks about the ${thing}`);
    return item;
  });
}

/** A consent that the person is asked for: what asks for one is tested where it happens. */
async function askForConsent({ rowsOf }: Scene, statementId: string): Promise<string> {
  const [row] = await rowsOf(
    `insert into consents (account_id, id, knowledge_id, subject_peer_id, target_scope_id, status, channel)
     select k.account_id, gen_random_uuid(), k.id, k.subject_peer_id, s.id, 'pending', 'pipeline'
     from knowledge k join scopes s on s.account_id = k.account_id and s.path = '/'
     where k.id = '${statementId}' returning id`,
  );
  return z.object({ id: z.string() }).parse(row).id;
}

async function driveRefusals(scene: Scene): Promise<void> {
  const { call, canaries, files } = scene;
  const [item] = await openItems(scene, personOf(scene), `subject_key=${canaries.peer_key}`);
  if (item === undefined) throw new Error('nothing waits for a curator');
  const { token } = files.credentials.admin;
  for (const { status, call: asked } of deskRequests(canaries, item)) {
    await call({ ...asked, token }, status);
  }
}

const opened = z.object({
  data: z.object({ review: z.object({ id: z.string(), version: z.number() }) }),
});

/** A statement that is asked about again, reworded, taken back, and reworded by the run of the decision. */
async function driveReopening({ canaries, rowsOf }: Scene, person: Person, statementId: string) {
  const answer = await person.post(REVIEWS, {
    knowledge_id: statementId,
    reason: `It was never ${canaries.content}.`,
    withhold: true,
  });
  const { id, version } = opened.parse(answer.json()).data.review;
  const edit = (seconds: number) =>
    person.post(`${REVIEWS}/${id}/edit`, {
      version,
      statement: `The oar of ${canaries.content} is blue.`,
      undo_seconds: seconds,
    });
  await edit(60);
  await person.post(`${REVIEWS}/${id}/undo`, {});
  await edit(1);
  await until('the decision is carried out', HANGS_MS, async () => {
    const [row] = await rowsOf(
      `select from scheduled_decisions where review_item_id = '${id}' and state = 'carried_out'`,
    );
    return row !== undefined;
  });
}

/** Each decision is carried out once: its run, its audit event and its answer may let content out as well. */
async function driveDecisions(scene: Scene): Promise<void> {
  const person = personOf(scene);
  // Nobody decides about the last one.
  const said = await sayOfOneself(scene, person, 8);
  const [stays, promoted, contested, rejected, merged, redacted, ofMany] = said;
  if (!stays || !promoted || !contested || !rejected || !merged || !redacted || !ofMany) {
    throw new Error('seven things were said');
  }
  const decide = ({ id, version }: SeenItem, action: string, more: object = {}) =>
    person.post(`${REVIEWS}/${id}/${action}`, { version, ...more });
  for (const item of [stays, promoted, contested]) await decide(item, 'approve');
  await decide(rejected, 'reject');
  await decide(merged, 'merge', { into: stays.knowledge.id });
  await person.post(`${REVIEWS}/bulk`, {
    decisions: [{ id: ofMany.id, version: ofMany.version, action: 'reject' }],
  });
  await person.post(`/api/v1/governance/knowledge/${promoted.knowledge.id}/promote`, {
    target_scope_path: '/canary',
  });
  await person.post(`${OWN}/${stays.knowledge.id}/confirm`, {});
  const { content } = scene.canaries;
  await person.post(`${OWN}/${contested.knowledge.id}/contest`, {
    reason: `Nobody painted ${content}.`,
    correction: `The boat of ${content} is green.`,
  });
  await driveReopening(scene, person, promoted.knowledge.id);
  await person.post(`${OWN}/${redacted.knowledge.id}/redact`, {});
  const consent = await askForConsent(scene, stays.knowledge.id);
  await person.post(`/api/v1/self/consents/${consent}`, { decision: 'deny' });
  await person.post(`${OWN}/${stays.knowledge.id}/withdraw`, {});
}

const questioned = z.object({
  pending_validation: z.object({ id: z.string(), statement: z.string() }),
});

/** A question that comes with a read, and an answer that says more than is kept. */
async function driveQuestion(scene: Scene): Promise<void> {
  const { canaries } = scene;
  const person = personOf(scene);
  const read = {
    query: 'oar',
    scope_path: `/canary/${canaries.scope_segment}`,
    session_id: `${canaries.session_id}-desk`,
  };
  // A read whose question was late has none: the next one has it.
  let asked: z.infer<typeof questioned>['pending_validation'] | undefined;
  await until('a question to the person', HANGS_MS, async () => {
    const answer = questioned.safeParse((await person.post('/api/v1/search', read)).json());
    asked = answer.data?.pending_validation;
    return asked !== undefined;
  });
  await person.post(`/api/v1/validations/${asked?.id ?? ''}`, {
    verdict: 'reject',
    shown_text: asked?.statement,
    correction_text: `It was the boat of ${canaries.content}.`,
  });
  const { token } = scene.files.credentials.admin;
  const wish = { max_per_day: 5, [canaries.member_name]: canaries.content };
  const preference = {
    path: '/api/v1/self/ask-preference',
    method: 'PUT',
    token,
    json: wish,
  } as const;
  await scene.call({ ...preference, headers: headersWith(canaries) }, 200);
  await scene.call({ ...preference, json: { max_per_day: canaries.content } }, 422);
}

/** What a curator and a subject ask and decide. */
export async function driveDesk(scene: Scene): Promise<void> {
  const { email, password } = scene.files.credentials.admin;
  const signIn = { path: '/api/auth/password', headers: headersWith(scene.canaries) };
  await scene.callAsStranger({ ...signIn, json: { email, password } }, 200);
  await driveRefusals(scene);
  await driveDecisions(scene);
  await driveQuestion(scene);
  await driveSkills(scene);
  await driveCircles(scene);
  await driveHolds(scene);
}
