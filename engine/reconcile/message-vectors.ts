/**
 * Finds messages that the collection in use does not show as they are, and marks them, so that the projection writes
 * them again: points that lack their vector, and, in a stretch of all messages, missing points and points that do not
 * name who reads the message by now. Each pass takes the stretch from another place, so that every message has its turn,
 * and the cost of a pass does not grow with the account.
 */
import { validate as isUuid } from 'uuid';
import type { Mailbox } from '../../domain/actors/names.ts';
import { MOST_OF_A_KIND, STALE_AFTER_MS } from '../../domain/pipeline/reconcile.ts';
import { IndexFailure } from '../../domain/retrieval/index-failure.ts';
import { listed } from '../../domain/retrieval/listed.ts';
import type { InAccount } from '../../stores/postgres/in-account.ts';
import type { ComparedMessage } from '../../stores/postgres/units.store.ts';
import type { IndexedMessage, MessagePoints } from '../../stores/qdrant/message-points.ts';

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
  readonly points: Pick<MessagePoints, 'indexed' | 'withoutVector'>;
  /** Whether passages are to have vectors. */
  readonly hasEmbedder: boolean;
  /** 0 or more, less than 1. */
  readonly random: () => number;
  readonly report: (event: string, fields: Readonly<Record<string, string>>) => void;
}

/** Messages of the stretch that one pass compares. */
const STRETCH = 2_000;
const PAGE = 500;
/** A long message has hundreds of passages. */
const MOST_PASSAGES = 1_000;
/** Hexadecimal digits of the time that an id begins with. */
const TIME_DIGITS = 12;

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
  const readers = new Set(listed(message.reader_peer_ids));
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
    const settled = page.filter((message) => message.is_settled);
    const shown = await points.indexed(
      accountId,
      settled.map(({ id }) => id),
    );
    found.push(...settled.filter((each) => differs(each, shown.get(each.id))).map(({ id }) => id));
    compared += PAGE;
    afterId = page.at(-1)?.id ?? null;
    if (afterId !== null && afterId < range.last) continue;
    if (wrapped) break;
    wrapped = true;
    afterId = null;
  }
  return found;
}

async function lacking(
  { hasEmbedder, inAccount, points }: MessageVectorDeps,
  accountId: string,
): Promise<readonly string[]> {
  if (!hasEmbedder) return [];
  const ids = (await points.withoutVector(accountId, MOST_PASSAGES)).filter(isUuid);
  if (ids.length === 0) return [];
  const compared = await inAccount(accountId, ({ units }) =>
    units.comparedMessages({ ids }, STALE_AFTER_MS),
  );
  return compared.filter((message) => message.is_settled).map(({ id }) => id);
}

export function createMessageMarker(deps: MessageVectorDeps): MarkMessages {
  const { inAccount, report } = deps;
  return async (accountId, signal) => {
    try {
      const ids = new Set([
        ...(await lacking(deps, accountId)),
        ...(await differing(deps, accountId, signal)),
      ]);
      const taken = [...ids].slice(0, MOST_OF_A_KIND);
      const units = await inAccount(accountId, async (stores) => {
        const placed = await stores.units.place('message', taken);
        await stores.dirtyMarks.add(placed, ['qdrant']);
        return placed;
      });
      const shards = new Set(units.map(({ shard }) => shard));
      return {
        messages: units.length,
        mailboxes: [...shards].map((shard) => ({ accountId, kind: 'projection', shard })),
      };
    } catch (error) {
      if (!(error instanceof IndexFailure)) throw error;
      report('projection.engine_failed', {
        engine: error.index,
        reason: error.reason,
        code: error.code ?? '',
      });
      return { messages: 0, mailboxes: [] };
    }
  };
}
