/**
 * The law of `as_of`: what is readable at an instant is what was readable then, without rows that were redacted or
 * erased since or that became too sensitive for the reader, and with rows that the reader has submitted since. An audience
 * means those whom it names today. Written down without the predicate, from what was recorded at the instant and from the rows of today.
 */
import { SENSITIVITIES } from '../../../domain/statements/candidate.ts';
import { visibleByDefault, type ChainReader } from '../../../domain/governance/visibility.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import type { KnowledgeRow } from '../../../stores/postgres/knowledge/rows.store.ts';
import { addresseesOf, mayRead } from '../governance/laws.ts';
import type { Scene } from '../observations/scene.ts';
import type { Watcher } from './readers.ts';

const SHOWN = [
  'state',
  'scope_id',
  'target_level',
  'sensitivity',
  'confidence',
  'relevant_from',
  'relevant_from_precision',
  'relevant_until',
  'relevant_until_precision',
] as const satisfies readonly (keyof KnowledgeRow)[];

/** The values that belong to the instant. */
export type Shown = Pick<KnowledgeRow, (typeof SHOWN)[number]>;

export function shownOf(row: Shown): Shown {
  return Object.fromEntries(SHOWN.map((name) => [name, row[name]])) as Shown;
}

/** What everybody read at an instant. */
export interface Instant {
  /** ISO 8601. */
  readonly at: string;
  /** By the name of the watcher. */
  readonly seen: ReadonlyMap<string, ReadonlySet<string>>;
  /** Everything that was believed then, by id. */
  readonly believed: ReadonlyMap<string, Shown>;
  /** `statement peer`. */
  readonly submissions: ReadonlySet<string>;
  /** The audience of each statement that had one then, by id. */
  readonly audiences: ReadonlyMap<string, string>;
}

/** A statement as it stands at the end. */
interface Today {
  readonly state: string;
  readonly sensitivity: Shown['sensitivity'];
  readonly subject_peer_id: string | null;
  readonly submitters: readonly string[];
  readonly is_erasing: boolean;
  readonly audience_id: string | null;
}

/** The statements and the audiences at the end, each by id. */
export interface End {
  readonly statements: ReadonlyMap<string, Today>;
  /** The peers whom each audience names. */
  readonly addressees: ReadonlyMap<string, readonly string[]>;
}

const SUBMITTERS = `array(select s.peer_id::text from knowledge_submitters s
  where s.account_id = k.account_id and s.knowledge_id = k.id)`;

export async function endOf(scene: Scene, accountId: string): Promise<End> {
  const rows = await scene.rows(
    `select k.id, k.state::text, k.sensitivity::text, k.subject_peer_id, k.audience_id, ${SUBMITTERS} as submitters,
       exists (select from peers p where p.account_id = k.account_id and p.id = k.subject_peer_id
         and p.erasing_at is not null) as is_erasing
     from knowledge k where k.account_id = $1`,
    [accountId],
  );
  return {
    statements: new Map(rows.map((row) => [String(row['id']), row as unknown as Today])),
    addressees: await addresseesOf(scene, accountId),
  };
}

async function readNow(
  scene: Scene,
  accountId: string,
  read: { readonly scopeIds: readonly string[]; readonly reader: ChainReader; readonly at: string },
): Promise<ReadonlyMap<string, Shown>> {
  const found = await scene.rows('select id from knowledge where account_id = $1', [accountId]);
  const rows = await createInAccount(scene.pool)(accountId, ({ knowledge }) =>
    knowledge.read({
      selection: { by: 'ids', ids: found.map(({ id }) => String(id)) },
      visible: visibleByDefault(read),
      reader: read,
    }),
  );
  return new Map(rows.map((row) => [row.id, shownOf(row)]));
}

/** Records what each watcher reads now. */
export async function recordInstant(
  scene: Scene,
  accountId: string,
  watchers: readonly Watcher[],
  scopeIds: readonly string[],
): Promise<Instant> {
  const at = new Date().toISOString();
  const seen = new Map<string, ReadonlySet<string>>();
  for (const { name, reader } of watchers) {
    const rows = await readNow(scene, accountId, { scopeIds, reader, at });
    seen.set(name, new Set(rows.keys()));
  }
  const reader = { posture: 'internal' } as const;
  const rows = await scene.rows(
    'select knowledge_id, peer_id from knowledge_submitters where account_id = $1',
    [accountId],
  );
  const addressed = await scene.rows(
    'select id, audience_id from knowledge where account_id = $1 and audience_id is not null',
    [accountId],
  );
  return {
    at,
    seen,
    audiences: new Map(addressed.map((row) => [String(row['id']), String(row['audience_id'])])),
    believed: await readNow(scene, accountId, { scopeIds, reader, at }),
    submissions: new Set(
      rows.map((row) => `${String(row['knowledge_id'])} ${String(row['peer_id'])}`),
    ),
  };
}

const rank = (sensitivity: Shown['sensitivity']): number => SENSITIVITIES.indexOf(sensitivity);

function stricter(then: Shown['sensitivity'], now: Shown['sensitivity']): Shown['sensitivity'] {
  return rank(now) > rank(then) ? now : then;
}

/** Why a statement is readable at an instant, or is not any more. */
export type Reason =
  | 'as then'
  | 'gone'
  | 'too sensitive'
  | 'submitted since'
  | 'named since'
  | 'named no more'
  | 'never';

const READABLE: readonly Reason[] = ['as then', 'submitted since', 'named since'];

/** Whom both the audience of then and that of today name; null where there is none. */
function addresseesNow(audiences: readonly (string | null | undefined)[], { addressees }: End) {
  const named = audiences.flatMap((id) => (id == null ? [] : [addressees.get(id) ?? []]));
  const [first] = named;
  return first?.filter((peerId) => named.every((peers) => peers.includes(peerId))) ?? null;
}

function judge(
  instant: Instant,
  { name, peerIn }: Watcher,
  end: End,
  [id, then]: readonly [string, Shown],
): Reason {
  const today = end.statements.get(id);
  // Redacted, retracted, deleted, or about a person who is being erased.
  if (today === undefined || ['redacted', 'retracted'].includes(today.state)) return 'gone';
  if (today.is_erasing) return 'gone';
  const peerId = peerIn(then.scope_id);
  const submits = peerId !== null && today.submitters.includes(peerId);
  if (submits && !instant.submissions.has(`${id} ${peerId}`)) return 'submitted since';
  const addressees = addresseesNow([today.audience_id, instant.audiences.get(id)], end);
  const mayReadAs = (sensitivity: Shown['sensitivity']) =>
    mayRead({ ...today, ...then, sensitivity, addressees }, peerId);
  const sensitivity = stricter(then.sensitivity, today.sensitivity);
  if (instant.seen.get(name)?.has(id) !== true) {
    return addressees !== null && mayReadAs(sensitivity) ? 'named since' : 'never';
  }
  if (addressees !== null && !mayReadAs(then.sensitivity)) return 'named no more';
  if (sensitivity === then.sensitivity) return 'as then';
  return mayReadAs(sensitivity) ? 'as then' : 'too sensitive';
}

export interface Expected {
  readonly rows: ReadonlyMap<string, Shown>;
  readonly reasons: readonly Reason[];
}

/** What the watcher is to read today of the instant. */
export function expectedAt(instant: Instant, watcher: Watcher, end: End): Expected {
  const rows = new Map<string, Shown>();
  const reasons: Reason[] = [];
  for (const [id, then] of instant.believed) {
    const now = end.statements.get(id);
    const reason = judge(instant, watcher, end, [id, then]);
    reasons.push(reason);
    if (now === undefined || !READABLE.includes(reason)) continue;
    rows.set(id, { ...then, sensitivity: stricter(then.sensitivity, now.sensitivity) });
  }
  return { rows, reasons };
}
