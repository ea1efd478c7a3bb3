/** A curator at the desk, without servers: items, and a door that answers what the pages ask for. */
import type { ViewerRequest } from '../../../console/design/page.ts';
import { showItem, showQueue } from '../../../console/pages/governance/desk.ts';
import { showPreview } from '../../../console/pages/governance/preview.ts';
import { audiencesOf } from '../../../domain/governance/audience.ts';
import { ITEM_KINDS, type ItemKind } from '../../../domain/governance/items.ts';
import { planProposals } from '../../../domain/knowledge/planning.ts';
import { rowOf } from '../../../domain/statements/statement-row.ts';
import type { OperationName, OutputOf } from '../../../operations/registry.ts';
import { readPage, type Page } from '../../console/browser.ts';
import { context, proposal } from '../knowledge/fixtures.ts';

export type Item = OutputOf<'listReviews'>['items'][number];
type Review = OutputOf<'readReview'>;
type Source = Review['sources'][number];

export const NOW = new Date('2026-12-01T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const ago = (hours: number): string => new Date(NOW.getTime() - hours * HOUR_MS).toISOString();

export const idOf = (n: number): string => `0192f0c4-7d1e-7cc0-8a5b-${String(n).padStart(12, '0')}`;
const ADA = { key: 'ada', name: 'Ada' };
const CORA = { key: 'cora', name: 'Cora' };

function statement(n: number, text: string): Item['knowledge'] {
  const [made] = planProposals([proposal()], [], context()).changes;
  if (made === undefined) throw new Error('a proposal makes a statement');
  return {
    // Whatever columns a statement has.
    ...rowOf(made.after),
    id: idOf(5_000 + n),
    scope_id: idOf(1),
    scope_path: '/team',
    statement: text,
    confidence_level: 'stated_explicitly',
    subject_peer_id: idOf(2),
    recorded_at: ago(50),
    source_count: 1,
    embedding_provider: null,
    embedding_model: null,
    embedding_version: null,
    embedding_dimensions: null,
    has_audience: false,
    source_message_ids: [],
  };
}

const STATE_OF: Readonly<Record<ItemKind, Item['knowledge']['state']>> = {
  gate_a_b: 'provisional',
  gate_b: 'active',
  revalidation: 'needs_revalidation',
  contest: 'contested',
  conflict: 'held',
};

/** An item of the kind; `n` tells it from the others. */
export function itemOf(n: number, kind: ItemKind, more: Partial<Item> = {}): Item {
  const knowledge = { ...statement(n, `Ada owns ${n} stamps of lot ${n}.`), state: STATE_OF[kind] };
  return {
    id: idOf(n),
    version: 1,
    kind,
    state: 'pending',
    reason: 'person_decides',
    knowledge,
    conflict_knowledge_id: kind === 'conflict' ? idOf(8_000 + n) : null,
    target_scope_path: kind === 'gate_b' ? '/' : null,
    target_level: 'scope',
    proposed_sensitivity: null,
    restored_state: kind === 'contest' ? 'active' : null,
    due_at: ago(-5 * n),
    escalated_at: null,
    opened_at: ago(n),
    subject: ADA,
    session_id: null,
    scheduled: null,
    voided: null,
    ...more,
  };
}

export function sourceOf(n: number, text: string): Source {
  const turn = (at: number, excerpt: string, speaker = CORA) => ({
    message_id: idOf(6_000 + n * 10 + at),
    excerpt,
    occurred_at: ago(n + 1),
    speaker,
  });
  return {
    ...turn(0, text, ADA),
    relay: { key: 'helper', name: 'Helper' },
    session_id: 'club',
    document: null,
    before: [turn(1, 'What do you collect?'), turn(2, 'Or did you, once?')],
    after: [turn(3, 'How many?'), turn(4, 'Show me.')],
  };
}

export interface Door {
  readonly items: readonly Item[];
  readonly review?: Partial<Review>;
  readonly preview?: OutputOf<'previewReviews'>;
  /** Of a tab: counted beyond what is listed. */
  readonly count?: number;
}

function reviewOf(item: Item, more: Partial<Review>): Review {
  const { after, before } = audiencesOf(item);
  const people = { count: 12, is_capped: false };
  return {
    ...item,
    sources: [sourceOf(1, 'I collect stamps.')],
    conflicts: [],
    audience: { before: { ...before, people }, after: { ...after, people } },
    consent: null,
    decisions: [],
    words: null,
    ...more,
  };
}

/** What the operations answer of these items. */
function answerOf(door: Door, name: string, input: unknown): unknown {
  const { items } = door;
  const of: Record<string, unknown> = Object(input);
  switch (name) {
    case 'summarizeReviews':
      return {
        kinds: ITEM_KINDS.map((kind) => {
          const mine = items.filter((item) => item.kind === kind);
          const count = mine.length === 0 ? 0 : (door.count ?? mine.length);
          return { kind, count, is_capped: false, oldest_at: mine.at(-1)?.opened_at ?? null };
        }),
      };
    case 'listReviews': {
      const mine = items.filter((item) => item.kind === of['kind']);
      const from = mine.findIndex((item) => item.id === of['cursor']) + 1;
      const page = mine.slice(from, from + Number(of['limit']));
      const isMore = mine.length > from + page.length;
      return { items: page, next_cursor: isMore ? page.at(-1)?.id : null };
    }
    case 'readReview': {
      const item = items.find(({ id }) => id === of['review_id']);
      if (item === undefined) throw new TypeError('no such item');
      return reviewOf(item, door.review ?? {});
    }
    case 'readOutcomes':
      return { items: items.filter(({ id }) => JSON.stringify(of).includes(id)) };
    case 'previewReviews':
      return door.preview;
    default:
      throw new TypeError(`nothing answers ${name}`);
  }
}

const GRANT = { scopePath: '/team', role: 'curator', effect: 'allow', propagate: true } as const;

/** A request of the curator Cora for the address. */
export function requestAt(address: string, door: Door, more: Partial<ViewerRequest> = {}) {
  const url = new URL(address, 'http://vouch.example');
  const caller = { peerKey: 'cora', peerId: idOf(3), grants: [GRANT] };
  return {
    viewer: { caller },
    path: url.pathname,
    params: { id: url.pathname.split('/')[2] ?? '' },
    query: url.searchParams,
    form: {},
    file: null,
    csrf: 'token',
    now: NOW,
    problem: null,
    call: (name: OperationName, input: unknown) => Promise.resolve(answerOf(door, name, input)),
    ...more,
  } as unknown as ViewerRequest;
}

/** What the desk shows at the address. */
export async function deskAt(
  address: string,
  door: Door,
  more: Partial<ViewerRequest> = {},
): Promise<Page> {
  const request = requestAt(address, door, more);
  const isItem = /^\/governance\/[0-9a-f-]{36}/.test(request.path);
  const isBulk = request.path === '/governance/bulk';
  const { main } = await (isBulk ? showPreview : isItem ? showItem : showQueue)(request);
  const text = `<body>${main.toString()}</body>`;
  return readPage(
    { status: 200, headers: {}, text, bytes: Buffer.from(text), json: () => null },
    address,
  );
}
