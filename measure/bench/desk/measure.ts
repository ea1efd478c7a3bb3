/** Lists and decisions of a curator over HTTP, in turns with the SQL statements that they cannot do without. */
import type { Client } from 'pg';
import { z } from 'zod';
import type { LoadedStack } from '../load/stack.ts';
import { median, timed } from '../timing.ts';

const REVIEWS = '/api/v1/governance/reviews';
/** Each figure is the median of so many rounds, without the first ones. */
const ROUNDS = 30;
const WARM_UP = 5;
const BULK_ROUNDS = 7;
const MOST_DECISIONS = 100;

export interface Figure {
  readonly what: string;
  /** Medians in milliseconds. */
  readonly service: number;
  readonly bare: number;
  readonly ratio: number;
}

const page = z.object({
  data: z.object({
    items: z.array(z.object({ id: z.uuid(), version: z.int() })),
    next_cursor: z.uuid().nullable(),
  }),
});
type Page = z.infer<typeof page>['data'];
const bulk = z.object({ data: z.object({ results: z.array(z.object({ status: z.string() })) }) });

async function ask<T>(
  { personToken, url }: LoadedStack,
  shape: z.ZodType<T>,
  path: string,
  json?: unknown,
): Promise<T> {
  const body = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) };
  const headers = { authorization: `Bearer ${personToken}`, 'content-type': 'application/json' };
  const answer = await fetch(`${url}${path}`, { ...body, headers });
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  return shape.parse(await answer.json());
}

async function listOf(stack: LoadedStack, query: Readonly<Record<string, string>>): Promise<Page> {
  return (await ask(stack, page, `${REVIEWS}?${new URLSearchParams(query).toString()}`)).data;
}

async function inTurns(
  what: string,
  rounds: number,
  service: () => Promise<unknown>,
  bare: () => Promise<unknown>,
): Promise<Figure> {
  const [ofService, ofBare]: [number[], number[]] = [[], []];
  for (let round = -WARM_UP; round < rounds; round += 1) {
    const [one, other] = [(await timed(service)).ms, (await timed(bare)).ms];
    if (round < 0) continue;
    ofService.push(one);
    ofBare.push(other);
  }
  const [a, b] = [median(ofService), median(ofBare)];
  return { what, service: a, bare: b, ratio: a / b };
}

/** The rows of a page with their statements and scopes, by an index in order. */
function bareList(
  admin: Client,
  { deep, limit, order, scope }: ListCase & { readonly deep: DeepPlace | null },
): () => Promise<unknown> {
  const by = order === 'due' ? 'i.due_at, i.id' : 'i.id desc';
  const after =
    order === 'due'
      ? '(i.due_at, i.id) > ($3, $2::uuid)'
      : 'i.id < $2::uuid and $3::timestamptz is not null';
  const place = deep ?? { id: null, due_at: null };
  const text = `select i.*, k.*, s.path from review_items i
    join knowledge k on k.account_id = i.account_id and k.id = i.knowledge_id
    join scopes s on s.account_id = k.account_id and s.id = k.scope_id
    where i.account_id = $1 and i.state in ('pending', 'escalated', 'awaiting_consent', 'deferred')
      and ${deep === null ? '$2::uuid is null and $3::timestamptz is null' : after}
      and ${scope === null ? '$4::text is null' : 'i.scope_id = (select id from scopes p where p.account_id = $1 and p.path = $4)'}
    order by ${by} limit ${limit + 1}`;
  const name = `bare-${order}-${limit}-${scope === null ? 'account' : 'scope'}-${deep === null ? 'first' : 'deep'}`;
  return async () => {
    const { rows } = await admin.query({
      name,
      text,
      values: [await accountOf(admin), place.id, place.due_at, scope],
    });
    if (rows.length !== limit + 1) throw new Error('the bare statement found less');
  };
}

let account: string | null = null;
async function accountOf(admin: Client): Promise<string> {
  if (account !== null) return account;
  const { rows } = await admin.query(`select account_id as id from review_items limit 1`);
  account = z.object({ id: z.uuid() }).parse(rows[0]).id;
  return account;
}

interface ListCase {
  readonly limit: 25 | 100;
  readonly order: 'due' | 'newest';
  /** Null: the whole account. */
  readonly scope: string | null;
}

interface DeepPlace {
  readonly id: string;
  readonly due_at: string;
}
const deepPlace = z.object({ id: z.uuid(), due_at: z.string() });

/** The item in the middle of the queue. */
async function middleOf(admin: Client, { order, scope }: ListCase): Promise<DeepPlace> {
  const { rows } = await admin.query(
    `with queue as (
       select i.id, i.due_at from review_items i join scopes s on s.account_id = i.account_id and s.id = i.scope_id
       where i.decided_at is null and ($1::text is null or s.path = $1))
     select id, due_at::text from queue order by ${order === 'due' ? 'due_at, id' : 'id desc'}
     offset (select count(*) / 2 from queue) limit 1`,
    [scope],
  );
  return deepPlace.parse(rows[0]);
}

/** Lists of 25 and 100 items in both orders, of the account and of one scope, at the beginning and in the middle. */
export async function measureLists(stack: LoadedStack, scope: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const limit of [25, 100] as const) {
    for (const order of ['due', 'newest'] as const) {
      for (const place of [null, scope]) {
        const one: ListCase = { limit, order, scope: place };
        for (const deep of [null, await middleOf(stack.admin, one)]) {
          const query = {
            limit: String(limit),
            order,
            ...(place === null ? {} : { scope_path: place }),
            ...(deep === null ? {} : { cursor: deep.id }),
          };
          const where = `${place === null ? 'account' : 'scope'}, ${deep === null ? 'first page' : 'page in the middle'}`;
          const what = `list of ${limit} by ${order}, ${where}`;
          const service = async () => {
            if ((await listOf(stack, query)).items.length !== limit)
              throw new Error('a short page');
          };
          figures.push(
            await inTurns(what, ROUNDS, service, bareList(stack.admin, { ...one, deep })),
          );
        }
      }
    }
  }
  return figures;
}

/** Lists that filter: of what no item is, and of a person whom one item is about. */
export async function measureFilters(stack: LoadedStack, person: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, value] of [
    ['kind', 'contest'],
    ['state', 'escalated'],
    ['subject_key', person],
  ] as const) {
    const query = { limit: '25', [name]: value };
    const bare = bareList(stack.admin, { limit: 25, order: 'due', scope: null, deep: null });
    figures.push(
      await inTurns(
        `list by ${name}, of which there is hardly any`,
        ROUNDS,
        () => listOf(stack, query),
        bare,
      ),
    );
  }
  return figures;
}

const bareItem = z.object({ id: z.uuid(), knowledge_id: z.uuid() });

/** Each in a transaction of its own, as the service decides: the item, the statement and what says why. */
async function bareDecisions(admin: Client, action: Action): Promise<void> {
  const { rows } = await admin.query(
    `select id, knowledge_id from review_items where decided_at is null order by id desc limit ${MOST_DECISIONS}`,
  );
  for (const row of rows) {
    const { id, knowledge_id: statement } = bareItem.parse(row);
    await admin.query('begin');
    if (action === 'defer') {
      await admin.query({
        name: 'bare-defer',
        text: `update review_items set state = 'deferred', version = version + 1 where id = $1`,
        values: [id],
      });
    } else {
      const [item, state] =
        action === 'approve' ? ['approved', 'active'] : ['rejected', 'rejected'];
      await admin.query({
        name: `bare-item-${action}`,
        text: `update review_items set state = '${item}', decided_at = now() where id = $1`,
        values: [id],
      });
      await admin.query({
        name: `bare-statement-${action}`,
        text: `update knowledge set state = '${state}', updated_at = now() where id = $1`,
        values: [statement],
      });
    }
    await admin.query('commit');
  }
}

type Action = 'approve' | 'reject' | 'defer';

/** Bulk requests of a hundred decisions. */
export async function measureBulk(stack: LoadedStack): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const action of ['defer', 'reject', 'approve'] as const) {
    let next: Page['items'] = [];
    const decide = async () => {
      const decisions = next.map(({ id, version }) => ({ id, version, action }));
      const { results } = (await ask(stack, bulk, `${REVIEWS}/bulk`, { decisions })).data;
      const refused = results.filter(({ status }) => status !== 'decided').length;
      if (results.length !== MOST_DECISIONS || refused > 0) throw new Error(`${refused} refused`);
    };
    const [ofService, ofBare]: [number[], number[]] = [[], []];
    for (let round = -1; round < BULK_ROUNDS; round += 1) {
      next = (await listOf(stack, { limit: String(MOST_DECISIONS) })).items;
      const [one, other] = [
        (await timed(decide)).ms,
        (await timed(() => bareDecisions(stack.admin, action))).ms,
      ];
      if (round < 0) continue;
      ofService.push(one);
      ofBare.push(other);
    }
    const [a, b] = [median(ofService), median(ofBare)];
    figures.push({
      what: `bulk: ${MOST_DECISIONS} x ${action}`,
      service: a,
      bare: b,
      ratio: a / b,
    });
  }
  return figures;
}
