/**
 * `promises.repeat`: holds a database of an earlier day to what was promised since. Each promise is brought about in a
 * transaction of its own, and may be repeated any number of times, in any order: nothing here gives anybody anything.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { GivenPromise, PromiseKind } from '../../domain/promises/kinds.ts';
import { auditActor } from '../audit-actor.ts';
import { resolveAccount } from '../identity/account.ts';
import { accountInput } from '../identity/inputs.ts';
import { defineOperation, type RequestContext } from '../operation.ts';
import { bringAbout } from './bring-about.ts';
import type { Repeated } from './repeating.ts';
import { forEachKind, linesField, listFields, nothingRead, promisesOf } from './tally.ts';

/** Promises of which one query asks whether the database holds them. */
const PROMISES_PER_LOOK = 200;
/** Ids that the answer lists at most. */
const MOST_LISTED = 100;

const count = z.int().min(0);

const kindReport = z.object({ done: count, already: count, unknown: count });
const output = z.object({
  ...listFields,
  kinds: z
    .record(z.string(), kindReport)
    .describe(
      'For each kind: brought about now; already so; about something that this database does not hold.',
    ),
  other_accounts: count.describe('Promises to accounts that were not asked for, or are not here.'),
  before_since: count,
  denied_everywhere: z
    .array(z.uuid())
    .describe('Denials, the first hundred of them, whose place nobody knows: they hold at `/`.'),
  accounts_without_admin: z.array(z.uuid()),
});
type Report = z.infer<typeof output> & {
  readonly kinds: Record<PromiseKind, Record<Repeated, number>>;
};

/** The items in groups of at most `size`, each as soon as it is full. */
async function* grouped<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let group: T[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** The events of the promises that the accounts hold already. */
async function knownEvents(
  { inAccount }: RequestContext,
  group: readonly GivenPromise[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const accountId of new Set(group.map((given) => given.account_id))) {
    const ids = group.filter((given) => given.account_id === accountId).map((g) => g.event_id);
    const found = await inAccount(accountId, ({ audit }) => audit.known([...new Set(ids)]), {
      readOnly: true,
    });
    for (const id of found) known.add(id);
  }
  return known;
}

/** Repeats one promise and counts what came of it. */
function repeaterOf(context: RequestContext, report: Report) {
  const { caller, inAccount, now, passwords, promisedPathHash, signal, traceId } = context;
  let password: Promise<string> | null = null;
  const unknownPassword = (): Promise<string> =>
    (password ??= passwords.hash(randomBytes(32).toString('base64url'), signal));
  return async (given: GivenPromise): Promise<Repeated> => {
    let isEverywhere = false;
    const repeated = await inAccount(given.account_id, (stores) => {
      isEverywhere = false;
      const onDeniedEverywhere = (): void => {
        isEverywhere = true;
      };
      const tools = { unknownPassword, onDeniedEverywhere, pathHash: promisedPathHash };
      const { account_id: accountId } = given;
      return bringAbout(
        { ...tools, accountId, stores, actor: auditActor(caller), traceId, now },
        given,
      );
    });
    const isTold = isEverywhere && repeated === 'done' && given.kind === 'grant_denied';
    if (isTold && report.denied_everywhere.length < MOST_LISTED) {
      report.denied_everywhere.push(given.grant_id);
    }
    return repeated;
  };
}

async function withoutAdmin(
  { inAccount }: RequestContext,
  accountIds: Iterable<string>,
): Promise<readonly string[]> {
  const without = [];
  for (const id of accountIds) {
    if (without.length === MOST_LISTED) break;
    if (!(await inAccount(id, ({ admins }) => admins.exist()))) without.push(id);
  }
  return without;
}

async function accountsOf({ directory }: RequestContext, key: string | undefined) {
  if (key !== undefined) return new Set([await resolveAccount(directory, key)]);
  return new Set(await directory.accountIds());
}

export const repeatPromises = defineOperation({
  id: 'promises.repeat',
  access: 'operator',
  effect: 'destroy',
  input: z.object({
    /** All accounts, if none is named. */
    account: accountInput,
    /** Promises before it are passed over. Nothing needs it: what the database holds costs little. */
    since: z.iso.datetime().optional(),
    lines: linesField,
  }),
  output,
  async run(context, { account, lines, since }) {
    const { signal, sweep } = context;
    const accounts = await accountsOf(context, account);
    const report: Report = {
      ...nothingRead(),
      kinds: forEachKind(() => ({ done: 0, already: 0, unknown: 0 })),
      other_accounts: 0,
      before_since: 0,
      denied_everywhere: [],
      accounts_without_admin: [],
    };
    const repeat = repeaterOf(context, report);
    const touched = new Set<string>();
    const from = since === undefined ? null : new Date(since).toISOString();
    for await (const group of grouped(promisesOf(lines, report), PROMISES_PER_LOOK)) {
      const here = group.filter((given) => accounts.has(given.account_id));
      const asked = here.filter(({ given_at: at }) => from === null || at >= from);
      report.other_accounts += group.length - here.length;
      report.before_since += here.length - asked.length;
      const known = await knownEvents(context, asked);
      for (const given of asked) {
        signal.throwIfAborted();
        const isHeld = given.kind !== 'erasure' && known.has(given.event_id);
        const repeated = isHeld ? 'already' : await repeat(given);
        report.kinds[given.kind][repeated] += 1;
        if (repeated === 'done') touched.add(given.account_id);
      }
    }
    if (touched.size > 0) sweep.soon();
    return { ...report, accounts_without_admin: [...(await withoutAdmin(context, touched))] };
  },
});
