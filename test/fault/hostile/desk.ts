/** People: what a curator, a subject and an administrator can ask and decide again and again, on a long queue. */
import { Client } from 'pg';
import { z } from 'zod';
import { fillQueue } from '../../../measure/bench/desk/queue.ts';
import { until } from '../harness/until.ts';
import { send, type Target } from './requests.ts';
import type { Attack, AttackContext, Prepare } from './scene.ts';

const REVIEWS = '/api/v1/governance/reviews';
const RULES = '/api/v1/governance/rules';
const OWN = '/api/v1/self/knowledge';
/** The scope of the long queue, and the person whom all of it is about. */
const SCOPE = '/hostile/desk';
const PERSON = 'mallory';
/** The scope of what the person who sends the requests has said about itself. */
const OWN_SCOPE = '/hostile/own';

/** Refused because another request was first, or told to come again later: both are answers. */
const ANSWERS = [200, 409, 429, 503];
const SIDE_BY_SIDE = 8;
const SAID_WITHIN_MS = 120_000;

const item = z.object({ id: z.uuid(), version: z.int() });
const queue = z.object({
  data: z.object({ items: z.array(item), next_cursor: z.uuid().nullable() }),
});
type Queue = z.infer<typeof queue>['data'];
const accepted = z.object({ data: z.object({ message_id: z.uuid() }) });
const settled = z.object({ data: z.object({ status: z.string() }) });
const own = z.object({ data: z.array(z.object({ id: z.uuid() })) });
const rules = z.object({ data: z.object({ version: z.int() }) });

/** The body of an answer, or null where the service asked to come again later. */
function bodyOf<T>(
  shape: z.ZodType<T>,
  { status, text }: { status: number; text: string },
): T | null {
  return status === 200 || status === 202 ? shape.parse(JSON.parse(text)) : null;
}

async function said(target: Target, body: object): Promise<void> {
  const answer = await send(target, '/api/v1/ingest', { body: JSON.stringify(body) });
  const id = bodyOf(accepted, answer)?.data.message_id;
  await until('the end of what was said', SAID_WITHIN_MS, async () => {
    const status = await send(target, `/api/v1/ingest/${id}?wait_ms=5000`);
    return bodyOf(settled, status)?.data.status === 'completed';
  });
}

/** Makes the queue before anything is measured. */
export const fillDesk: Prepare = async ({ databaseUrl, person, settings, target }) => {
  const content = 'I keep the lathe with number 1 in the yard of Ghent.';
  await said(target, { scope_path: SCOPE, session_id: 'desk', peer_key: PERSON, content });
  await said(person, { scope_path: OWN_SCOPE, session_id: 'own', content });
  const admin = new Client({ connectionString: databaseUrl });
  await admin.connect();
  try {
    await fillQueue(admin, SCOPE, settings.queue);
    await fillQueue(admin, OWN_SCOPE, settings.queue);
  } finally {
    await admin.end();
  }
};

async function listOf({ asPerson }: AttackContext, query: string): Promise<Queue | null> {
  return bodyOf(queue, await asPerson(`${REVIEWS}?${query}`))?.data ?? null;
}

/** Something that the person has said about itself; the id of the statement. */
async function ownStatement({ asPerson, person, round }: AttackContext): Promise<string> {
  const content = `I painted the oar with number ${round}7 in Bergen.`;
  await said(person, { scope_path: OWN_SCOPE, session_id: `own-${round}`, content });
  const id = bodyOf(own, await asPerson(`${OWN}?limit=1`))?.data[0]?.id;
  if (id === undefined) throw new Error('the person is not spoken of');
  return id;
}

/** The newest hundred of the person's own statements. */
async function own100({ asPerson }: AttackContext): Promise<readonly string[]> {
  const answer = bodyOf(own, await asPerson(`${OWN}?limit=100`));
  return answer?.data.map(({ id }) => id) ?? [];
}

const post = (json: object) => ({ body: JSON.stringify(json) });

/** Every order and filter; of some there is hardly any item in the queue. */
const LISTS = [
  'order=due',
  'order=newest',
  `scope_path=${SCOPE}`,
  `scope_path=${SCOPE}/7&order=newest`,
  `subject_key=${PERSON}`,
  'kind=contest',
  'kind=revalidation&order=newest',
  'state=escalated',
  `scope_path=${SCOPE}&kind=contest`,
  'subject_key=ringleader',
] as const;

const RULE = {
  target_level: 'peer',
  sensitivity: 'public',
  gate_a: 'human',
  gate_b: 'human',
  minimum_evidence_level: 'direct',
  minimum_corroboration: 1,
  requires_consent: false,
  automatic_consent: false,
  pending_max_age_hours: 24,
} as const;

/** Every list of statements that the person can page through. */
const STATEMENTS = [
  OWN,
  `/api/v1/knowledge?scope_path=${SCOPE}&state=provisional`,
  `/api/v1/knowledge?scope_path=${SCOPE}/7&state=held`,
  `/api/v1/knowledge?scope_path=${OWN_SCOPE}&state=proposed`,
  `/api/v1/knowledge?scope_path=${OWN_SCOPE}`,
] as const;

export const DESK_ATTACKS: readonly Attack[] = [
  {
    title: 'decisions about many items at once, again and again, do not disturb other accounts',
    answers: ANSWERS,
    run: (context) =>
      context.keepUp(SIDE_BY_SIDE, async (at) => {
        const items = (await listOf(context, `limit=${context.settings.decisions}`))?.items ?? [];
        const action = ['defer', 'reject', 'approve'][at % 3] ?? 'defer';
        const decisions = items.map(({ id, version }) => ({ id, version, action }));
        if (decisions.length > 0) await context.asPerson(`${REVIEWS}/bulk`, post({ decisions }));
      }),
  },
  {
    title: 'contests and confirmations of one statement in turns do not disturb other accounts',
    answers: [...ANSWERS, 202],
    async run(context) {
      const id = await ownStatement(context);
      await context.keepUp(SIDE_BY_SIDE, (at) =>
        context.asPerson(`${OWN}/${id}/${at % 2 === 0 ? 'contest' : 'confirm'}`, post({})),
      );
    },
  },
  {
    title:
      'lists of a long queue with every filter, page after page, do not disturb other accounts',
    answers: ANSWERS,
    async run(context) {
      const cursors = new Map<string, string>();
      await context.keepUp(SIDE_BY_SIDE, async (at) => {
        const list = LISTS[at % LISTS.length] ?? LISTS[0];
        const cursor = cursors.get(list);
        const after = cursor === undefined ? '' : `&cursor=${cursor}`;
        const next = (await listOf(context, `${list}&limit=100${after}`))?.next_cursor;
        if (next) cursors.set(list, next);
        else cursors.delete(list);
      });
    },
  },
  {
    title: 'lists of all statements, page after page, do not disturb other accounts',
    answers: ANSWERS,
    async run(context) {
      const cursors = new Map<string, string>();
      await context.keepUp(SIDE_BY_SIDE, async (at) => {
        const list = STATEMENTS[at % STATEMENTS.length] ?? OWN;
        const query = new URLSearchParams({ limit: '100' });
        const cursor = cursors.get(list);
        if (cursor !== undefined) query.set('cursor', cursor);
        const path = `${list}${list.includes('?') ? '&' : '?'}${query.toString()}`;
        const { nextCursor } = await context.asPerson(path);
        if (nextCursor === undefined) cursors.delete(list);
        else cursors.set(list, nextCursor);
      });
    },
  },
  {
    title: 'promotions of the same statements do not disturb other accounts',
    answers: [...ANSWERS, 422],
    async run(context) {
      const ids = await own100(context);
      for (const id of ids.slice(0, 4)) await context.asPerson(`${OWN}/${id}/confirm`, post({}));
      await context.keepUp(SIDE_BY_SIDE, (at) => {
        const path = `/api/v1/governance/knowledge/${ids[at % Math.max(1, ids.length)]}/promote`;
        return context.asPerson(path, post({ target_scope_path: '/hostile' }));
      });
    },
  },
  {
    title: 'merges of thousands of sources into one statement do not disturb other accounts',
    answers: ANSWERS,
    async run(context) {
      const into = (await own100(context)).at(-1);
      await context.keepUp(2, async () => {
        const items =
          (await listOf(context, `scope_path=${OWN_SCOPE}&limit=${context.settings.decisions}`))
            ?.items ?? [];
        for (const { id, version } of items) {
          await context.asPerson(`${REVIEWS}/${id}/merge`, post({ version, into }));
        }
      });
    },
  },
  {
    title: 'looks at items with all that belongs to them do not disturb other accounts',
    answers: ANSWERS,
    async run(context) {
      const items = (await listOf(context, 'limit=100'))?.items ?? [];
      await context.keepUp(SIDE_BY_SIDE, (at) =>
        context.asPerson(`${REVIEWS}/${items[at % Math.max(1, items.length)]?.id}`),
      );
    },
  },
  {
    title: 'edits of the same statement, one after the other, do not disturb other accounts',
    answers: [...ANSWERS, 404, 422],
    run: (context) =>
      context.keepUp(2, async (at) => {
        const [newest] = (await listOf(context, 'order=newest&limit=1'))?.items ?? [];
        if (newest === undefined) return;
        const statement = `Mallory keeps the lathe with number ${context.round}${at} in the yard.`;
        const { id, version } = newest;
        await context.asPerson(`${REVIEWS}/${id}/edit`, post({ version, statement }));
      }),
  },
  {
    title: 'changes of gate rules, one after the other, do not disturb other accounts',
    answers: ANSWERS,
    run: (context) =>
      context.keepUp(SIDE_BY_SIDE, async (at) => {
        const seen = await context.asPerson(`${RULES}?scope_path=${SCOPE}`);
        const version = bodyOf(rules, seen)?.data.version;
        if (version === undefined) return;
        const rule = { ...RULE, minimum_confidence: (at % 100) / 100 };
        const body = post({ scope_path: SCOPE, version, rules: [rule] });
        await context.asPerson(RULES, { ...body, method: 'PUT' });
      }),
  },
];
