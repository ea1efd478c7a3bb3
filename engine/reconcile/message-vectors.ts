/**
 * Finds messages that the collection in use does not show as they are, and marks them, so that the projection writes
 * them again: points that await a vector and have no mark, and, in a stretch of all messages, missing points and points
 * that do not name who reads the message by now. Each pass begins at another place, so that every message has its turn, and
 * the cost of a pass does not grow with the account.
 */
import { validate as isUuid } from 'uuid';
import type { Mailbox } from '../../domain/actors/names.ts';
import { MOST_OF_A_KIND, STALE_AFTER_MS } from '../../domain/pipeline/reconcile.ts';
import { IndexFailure } from '../../domain/retrieval/index-failure.ts';
import { listed } from '../../domain/retrieval/listed.ts';
import type { InAccount } from '../../stores/postgres/in-account.ts';
import type { ComparedMessage } from '../../stores/postgres/indexes/units.store.ts';
import type {
  AwaitingMessages,
  IndexedMessage,
  MessagePoints,
} from '../../stores/qdrant/message-points.ts';

export interface MarkedMessages {
  /** At most a hundred. */
  readonly messages: number;
  /** Where their marks wait. */
  readonly mailboxes: readonly Mailbox[];
}

/** Throws when Postgres is away or the signal fires; an index that is away only means that nothing is marked. */
export type MarkMessages = (accountId: string, signal: AbortSignal) => Promise<MarkedMessages>;

export interface MessageVectorDeps {
  readonly inAccount: InAccount;
  readonly points: Pick<MessagePoints, 'awaitingVector' | 'indexed'>;
  /** Whether passages are to have vectors of this process's embedder. */
  readonly hasEmbedder: () => boolean;
  /** 0 or more, less than 1. */
  readonly random: () => number;
  readonly report: (event: string, fields: Readonly<Record<string, string>>) => void;
}

/** Messages of the stretch that one pass compares. */
const STRETCH = 2_000;
const PAGE = 500;
/** Passages that await a vector are looked at in pages: a long message has hundreds. */
const PASSAGE_PAGE = 1_000;
const MOST_PASSAGE_PAGES = 5;
/** Hexadecimal digits of the time that an id begins with. */
const TIME_DIGITS = 12;
/** Ids of points have no time: they lie anywhere between these. */
const FIRST_POINT = '00000000-0000-0000-0000-000000000000';
const LAST_POINT = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The beginning of ids at a random place between two ids, or what comes after none. */
export function placeBetween(first: string, last: string, random: number): string {
  const timeOf = (id: string): number =>
    Number.parseInt(id.replaceAll('-', '').slice(0, TIME_DIGITS), 16);
  const from = timeOf(first);
  const time = Math.floor(from + random * (timeOf(last) - from));
  const digits = time.toString(16).padStart(TIME_DIGITS, '0').padEnd(32, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Whether the point does not show the message as it is. */
function differs(message: ComparedMessage, point: IndexedMessage | undefined): boolean {
  if (point === undefined) return true;
  const readers = new Set(listed(message.readers));
  return readers.size !== point.readers.length || point.readers.some((id) => !readers.has(id));
}

/** Messages of the stretch that are to be marked. */
async function differing(
  { inAccount, points, random }: MessageVectorDeps,
  accountId: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const range = await inAccount(accountId, ({ units }) => units.messageRange());
  if (range === null) return [];
  const found: string[] = [];
  let afterId: string | null = placeBetween(range.first, range.last, random());
  let compared = 0;
  let wrapped = false;
  while (compared < STRETCH && found.length < MOST_OF_A_KIND) {
    signal.throwIfAborted();
    const stretch: { afterId: string | null; limit: number } = { afterId, limit: PAGE };
    const page: readonly ComparedMessage[] = await inAccount(accountId, ({ units }) =>
      units.comparedMessages(stretch, STALE_AFTER_MS),
    );
    const old = page.filter((message) => message.is_settled);
    const shown = await points.indexed(
      accountId,
      old.map(({ id }) => id),
    );
    found.push(...old.filter((each) => differs(each, shown.get(each.id))).map(({ id }) => id));
    compared += PAGE;
    afterId = page.at(-1)?.id ?? null;
    if (afterId !== null && afterId < range.last) continue;
    if (wrapped) break;
    wrapped = true;
    afterId = null;
  }
  return found;
}

/** Those of the messages that nothing is on its way for. */
async function settled(
  inAccount: InAccount,
  accountId: string,
  messageIds: readonly string[],
): Promise<readonly string[]> {
  const ids = messageIds.filter(isUuid);
  if (ids.length === 0) return [];
  return inAccount(accountId, async ({ dirtyMarks, units }) => {
    const marked = new Set(await dirtyMarks.marked('qdrant', 'message', ids));
    const unmarked = ids.filter((id) => !marked.has(id));
    if (unmarked.length === 0) return [];
    const compared = await units.comparedMessages({ ids: unmarked }, STALE_AFTER_MS);
    return compared.filter((message) => message.is_settled).map(({ id }) => id);
  });
}

/** Messages with a passage that awaits a vector although no mark says so. While the embedder fails, most have a mark. */
async function forgotten(
  { hasEmbedder, inAccount, points, random }: MessageVectorDeps,
  accountId: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!hasEmbedder()) return [];
  const found = new Set<string>();
  let from: string | null = placeBetween(FIRST_POINT, LAST_POINT, random());
  let wrapped = false;
  for (let pages = 0; pages < MOST_PASSAGE_PAGES && found.size < MOST_OF_A_KIND; pages += 1) {
    signal.throwIfAborted();
    const page: AwaitingMessages = await points.awaitingVector(accountId, from, PASSAGE_PAGE);
    for (const id of await settled(inAccount, accountId, page.messageIds)) found.add(id);
    if (page.next === null && wrapped) break;
    wrapped ||= page.next === null;
    from = page.next;
  }
  return [...found];
}

export function createMessageMarker(deps: MessageVectorDeps): MarkMessages {
  const { inAccount, report } = deps;
  /** A look that the index does not answer finds nothing, and keeps no other look from being taken. */
  const answered = async (look: Promise<readonly string[]>): Promise<readonly string[]> => {
    try {
      return await look;
    } catch (error) {
      if (!(error instanceof IndexFailure)) throw error;
      report('projection.engine_failed', {
        engine: error.index,
        reason: error.reason,
        code: error.code ?? '',
      });
      return [];
    }
  };
  return async (accountId, signal) => {
    const awaiting = await answered(forgotten(deps, accountId, signal));
    const other = new Set(await answered(differing(deps, accountId, signal)));
    const taken = [...new Set([...awaiting, ...other])].slice(0, MOST_OF_A_KIND);
    const units = await inAccount(accountId, async (stores) => {
      const placed = await stores.units.place('message', taken);
      for (const differs of [true, false]) {
        const alike = placed.filter(({ unitId }) => other.has(unitId) === differs);
        await stores.dirtyMarks.add(alike, ['qdrant'], differs);
      }
      return placed;
    });
    const shards = new Set(units.map(({ shard }) => shard));
    return {
      messages: units.length,
      mailboxes: [...shards].map((shard) => ({ accountId, kind: 'projection', shard })),
    };
  };
}
