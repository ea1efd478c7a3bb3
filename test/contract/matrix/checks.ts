/** What an answer shows, against the judge of reads. */
import type { HttpAnswer } from '../../support/http.ts';
import { dataOf, rowsOf, type Body } from '../../support/service.ts';
import { chainOf, documentOf, LINEAGE_TARGETS, namedKey, STATUS_TARGETS } from './aspects.ts';
import type { RouteCell } from './cells.ts';
import type { Fresh } from './fresh.ts';
import { someOf, STATEMENTS, type MessageFact, type StatementFact } from './plan.ts';
import type { Asked } from './asking.ts';
import {
  believedIn,
  isFoundIn,
  isNamedAsSource,
  ownOf,
  readinessOf,
  scopesOfStatus,
} from './shown.ts';
import type { Cell } from './table.ts';
import {
  CIRCLE_MEMBERS,
  CIRCLE_PATHS,
  holds,
  identityOf,
  mayNamePath,
  pathOf,
  SCOPES,
  type Identity,
} from './world.ts';

export interface Checks {
  /** All that was made for the requests. */
  readonly fresh: ReadonlyMap<RouteCell, Fresh>;
  /** What one of several entries is answered alone, at the route whose path ends so. */
  readonly alone: (end: string, cell: Cell) => readonly string[];
}

/** Faults of an answer, in words. */
export type Check = (answer: HttpAnswer, asked: Asked, checks: Checks) => readonly string[];

const listOf = (value: unknown): readonly Body[] =>
  Array.isArray(value) ? value.map((one): Body => Object(one)) : [];
const idsOf = (rows: readonly Body[], key = 'id'): string[] => rows.map((row) => String(row[key]));

/** Differences between what is shown and what should be. */
function differences(
  what: string,
  shown: readonly string[],
  expected: readonly string[],
): string[] {
  const wrong = shown.filter((id) => !expected.includes(id)).map((id) => `shows ${what} ${id}`);
  const missing = expected.filter((id) => !shown.includes(id)).map((id) => `hides ${what} ${id}`);
  return [...wrong, ...missing];
}

/** As whom the caller reads messages outside of the chain. */
function otherwise(cell: Cell): string | null {
  const who = identityOf(cell['identity']);
  return who.kind === 'machine' ? (namedKey(cell, who) ?? who.peer) : who.peer;
}

/** Each row lists its source exactly when the reader may read it. */
function sourceFaults(rows: readonly Body[], cell: Cell): string[] {
  const [chain, who] = [chainOf(cell), identityOf(cell['identity'])];
  return rows.flatMap((row) => {
    const fact = STATEMENTS.find(({ id }) => id === row['id']);
    const sources = row['source_message_ids'];
    if (fact === undefined || !Array.isArray(sources)) return [];
    const expected = isNamedAsSource(fact.message, chain, { who, otherwise: otherwise(cell) })
      ? [fact.message.id]
      : [];
    return differences('source', sources.map(String), expected);
  });
}

export function statementsShown(
  rows: readonly Body[],
  expected: readonly StatementFact[],
  { cell }: Asked,
): readonly string[] {
  return [
    ...differences(
      'statement',
      idsOf(rows),
      expected.map(({ id }) => id),
    ),
    ...sourceFaults(rows, cell),
  ];
}

/** Passages of documents that the readers of the chain uploaded; there were none yet at the instant in the past. */
function passagesShown(answer: HttpAnswer, { cell, scene }: Asked): readonly string[] {
  const chain = chainOf(cell);
  const found = scene.chunks.filter((chunk) => cell['at'] === 'now' && isFoundIn(chunk, chain));
  return differences(
    'passage',
    idsOf(listOf(dataOf(answer)['candidates'])),
    found.map(({ id }) => id),
  );
}

/** What a search or an answer says of the person it is for, where that is asked for. */
function identityShown(answer: HttpAnswer, cell: Cell): readonly string[] {
  const { items } = Object(dataOf(answer)['identity_profile'] ?? {});
  const allowed = believedIn(chainOf(cell)).map(({ id }) => id);
  return idsOf(listOf(items), 'knowledge_id')
    .filter((id) => !allowed.includes(id))
    .map((id) => `shows statement ${id}`);
}

export const search: Check = (answer, asked) => {
  if (asked.cell['sought'] === 'what was uploaded') return passagesShown(answer, asked);
  const at = asked.cell['at'] === 'then' ? 'then' : 'now';
  const expected = believedIn(chainOf(asked.cell), at).filter(({ isPlain }) => !isPlain);
  return [
    ...statementsShown(listOf(dataOf(answer)['candidates']), expected, asked),
    ...identityShown(answer, asked.cell),
  ];
};

/** An answer rests on what a search or a source search may show, and on nothing else. */
export const ask: Check = (answer, { cell, scene }) => {
  const chain = chainOf(cell);
  const data = dataOf(answer);
  const at = cell['at'] === 'then' ? 'then' : 'now';
  const statements = believedIn(chain, at).map(({ id }) => id);
  const messages = [...STATEMENTS.map(({ message }) => message), ...scene.chunks];
  const mayRest =
    cell['sources'] === 'with'
      ? [...statements, ...messages.filter((each) => isFoundIn(each, chain)).map(({ id }) => id)]
      : statements;
  const cited = Array.isArray(data['citations']) ? data['citations'].map(String) : [];
  return [
    ...idsOf(listOf(data['candidates']))
      .filter((id) => !statements.includes(id))
      .map((id) => `shows statement ${id}`),
    ...[...cited, ...idsOf(listOf(data['recall_evidence']))]
      .filter((id) => !mayRest.includes(id))
      .map((id) => `rests on ${id}`),
    ...identityShown(answer, cell),
  ];
};

export const sources: Check = (answer, { cell, scene }) => {
  const chain = chainOf(cell);
  const results = listOf(dataOf(answer)['results']);
  const shown = idsOf(results, 'message_id');
  const found = (messages: readonly MessageFact[]): string[] =>
    messages.filter((message) => isFoundIn(message, chain)).map(({ id }) => id);
  const withWord = STATEMENTS.filter(({ isPlain }) => !isPlain).map(({ message }) => message);
  const all = found([...STATEMENTS.map(({ message }) => message), ...scene.chunks]);
  const sides = results.flatMap(({ after, before }) => [before, after]);
  const turns = sides.flatMap((turn) => (turn == null ? [] : [Object(turn) as Body]));
  const wrong = [...shown, ...idsOf(turns, 'message_id')]
    .filter((id) => !all.includes(id))
    .map((id) => `shows message ${id}`);
  // They are null at the ends of a session, and absent where nobody asks for them.
  const isAsked = cell['neighbours'] === 'with';
  const unasked = sides.filter((turn) => (turn === undefined) === isAsked).map(() => 'shows turns');
  // What has the word is found by it. What stands beside such a message may be found as well.
  const having = cell['sought'] === 'what was uploaded' ? scene.chunks : withWord;
  const sought = cell['mode'] === 'exact' ? found(having) : [];
  const missing = sought.filter((id) => !shown.includes(id)).map((id) => `hides message ${id}`);
  return [...wrong, ...missing, ...unasked];
};

export const profile: Check = (answer, { cell }) => {
  const chain = chainOf(cell);
  const shown = idsOf(listOf(dataOf(answer)['items']), 'knowledge_id');
  const readers = new Set(chain.map(({ reader }) => reader));
  const allowed = believedIn(chain).filter(
    ({ subject }) => subject !== null && readers.has(subject),
  );
  const wrong = shown.filter((id) => !allowed.some((fact) => fact.id === id));
  const [first] = chain;
  const isOwn = cell['names'] === 'nobody' || cell['names'] === 'itself';
  const expected = isOwn && first?.path === '/' ? allowed.filter(({ isPlain }) => isPlain) : [];
  const missing = expected.filter(({ id }) => !shown.includes(id));
  return [
    ...wrong.map((id) => `shows statement ${id}`),
    ...missing.map(({ id }) => `hides statement ${id}`),
  ];
};

/** Its facts are of statements with and without the word; the statements after them all have it. */
export const context: Check = (answer, { cell }) => {
  const data = dataOf(answer);
  const parts = ['peer_profile', 'scope_cards', 'entity_cards'].flatMap((name) =>
    listOf(data[name]).flatMap((part) => idsOf(listOf(part['pinned_facts']))),
  );
  const shown = [...parts, ...idsOf(listOf(data['knowledge']))];
  const allowed = believedIn(chainOf(cell));
  const wrong = shown.filter((id) => !allowed.some((fact) => fact.id === id));
  const missing = allowed.filter(({ id, isPlain }) => !isPlain && !shown.includes(id));
  return [
    ...wrong.map((id) => `shows statement ${id}`),
    ...missing.map(({ id }) => `hides statement ${id}`),
  ];
};

/** A report names what its peer may be told of, and counts all of it. */
export const readiness: Check = (answer, { cell, scene }) => {
  const who = identityOf(cell['identity']);
  const peer = namedKey(cell, who) ?? who.peer ?? '';
  const chain = chainOf(cell);
  const data = dataOf(answer);
  const items = listOf(data['requirements']);
  const reads = chain.some(({ path }) => path === '/' || path === SCOPES.own);
  if (!reads) {
    const keys = listOf(data['blockers']).map(({ key }) => String(key));
    return differences('blocker', [...idsOf(items, 'key'), ...keys], ['__skill_card__']);
  }
  const expected = readinessOf(chain, peer).map(({ id }) => id);
  const [item = {}] = items;
  const named = [item['matched_knowledge_ids'], item['stale_knowledge_ids']].flatMap((ids) =>
    Array.isArray(ids) ? ids.map(String) : [],
  );
  const counted = Number(item['matched_count']) + Number(item['stale_count']);
  const isCounted = counted === Math.min(100, expected.length);
  const id = scene.place.peerIds.get(peer);
  return [
    ...named.filter((one) => !expected.includes(one)).map((one) => `shows statement ${one}`),
    ...(isCounted ? [] : [`counts ${counted} of ${expected.length}`]),
    ...(who.account !== 'home' || data['peer_id'] === id ? [] : ['is about another peer']),
  ];
};

/** Cards of the scopes that the caller reads, and of no others. */
export const cards: Check = (answer, { cell }) => {
  const shown = idsOf(listOf(dataOf(answer)['items']), 'scope_path');
  const having = ['/', SCOPES.own] as readonly string[];
  const expected = chainOf(cell).map(({ path }) => path);
  return differences(
    'cards of',
    [...new Set(shown)],
    expected.filter((path) => having.includes(path)),
  );
};

/** Circles of the scopes that the caller reads: all where it is curator, elsewhere those of which it is a member. */
export const circles: Check = (answer, { cell }) => {
  const shown = idsOf(listOf(dataOf(answer)['items']), 'scope_path');
  const isMember = CIRCLE_MEMBERS.includes(identityOf(cell['identity']).peer ?? '');
  const expected = chainOf(cell).filter(({ isCurated }) => isCurated || isMember);
  return differences(
    'circles of',
    [...new Set(shown)],
    expected.map(({ path }) => path).filter((path) => CIRCLE_PATHS.includes(path)),
  );
};

/** Requests to forget of scopes that the caller curates, and of no others. */
export const forgetHolds: Check = (answer, { cell }) => {
  const who = identityOf(cell['identity']);
  const shown = new Set(idsOf(listOf(dataOf(answer)['items']), 'scope_path'));
  return [...shown]
    .filter((path) => !mayNamePath(who, path) || !holds(who, path, 'curator'))
    .map((path) => `shows holds of ${path}`);
};

export const lineage: Check = (answer, { cell }) => {
  const fact = someOf(STATEMENTS, cell['nth'], LINEAGE_TARGETS);
  const nodes = listOf(dataOf(answer)['nodes']);
  const references = nodes.flatMap((node) => listOf(node['source_references']));
  const isSeen = isFoundIn(fact.message, chainOf(cell));
  const expected = cell['type'] === 'message' ? [] : [isSeen ? 'visible' : 'authorization_hidden'];
  const shown = references.map(({ visibility }) => String(visibility));
  const ids = references.map(({ id }) => id).filter((id) => typeof id === 'string');
  const named = cell['type'] !== 'message' && isSeen ? [fact.message.id] : [];
  return [...differences('reference', shown, expected), ...differences('source', ids, named)];
};

/** The statements that a status lists: those the caller may read, of the scopes above the source. */
function statusStatements(
  rows: readonly Body[],
  who: Identity,
  path: string,
  facts: readonly StatementFact[],
) {
  const chain = scopesOfStatus(who, path);
  const expected = believedIn(chain).filter((fact) => facts.includes(fact));
  return differences(
    'statement',
    idsOf(rows),
    expected.map(({ id }) => id),
  );
}

export const status: Check = (answer, { cell }) => {
  const fact = someOf(STATEMENTS, cell['nth'], STATUS_TARGETS);
  const rows = listOf(dataOf(answer)['knowledge']);
  return statusStatements(rows, identityOf(cell['identity']), fact.message.path, [fact]);
};

export const documentStatus: Check = (answer, { cell }) =>
  statusStatements(
    listOf(dataOf(answer)['knowledge']),
    identityOf(cell['identity']),
    documentOf(cell).path,
    [],
  );

export const own: Check = (answer, { cell }) =>
  differences(
    'statement',
    idsOf(rowsOf(answer)),
    ownOf(identityOf(cell['identity'])).map(({ id }) => id),
  );

/** Consents are of the caller, and about statements that are. */
export const consents: Check = (answer, { cell, scene }) => {
  const who = identityOf(cell['identity']);
  const mine = who.peer === null ? undefined : scene.place.peerIds.get(who.peer);
  return rowsOf(answer).flatMap(({ id, knowledge }) =>
    who.account === 'home' && Object(knowledge)['subject_peer_id'] === mine
      ? []
      : [`shows consent ${String(id)}`],
  );
};

const isCurated = (who: Identity, path: string): boolean =>
  who.account === 'home' && mayNamePath(who, path) && holds(who, path, 'curator');

export function reviews(
  answer: HttpAnswer,
  { cell }: Asked,
  made: Iterable<Fresh>,
): readonly string[] {
  const who = identityOf(cell['identity']);
  const asked = pathOf(cell['place'] ?? '');
  const byItem = new Map([...made].map((each) => [each.itemId, each]));
  const isBelow = (path: string): boolean =>
    asked === '/' || path === asked || path.startsWith(`${asked}/`);
  const shown = idsOf(listOf(dataOf(answer)['items']));
  const wrong = shown.filter((id) => {
    const fresh = byItem.get(id);
    return (
      fresh === undefined || !fresh.isOpen || !isBelow(fresh.path) || !isCurated(who, fresh.path)
    );
  });
  const some = [...byItem.values()].some(
    ({ isOpen, path }) => isOpen && isBelow(path) && isCurated(who, path),
  );
  const none = some && shown.length === 0 ? ['hides all items'] : [];
  return [...wrong.map((id) => `shows item ${id}`), ...none];
}

/** Counts no items where the caller curates none, and some where it curates some. */
export function reviewCounts(
  answer: HttpAnswer,
  { cell }: Asked,
  made: Iterable<Fresh>,
): readonly string[] {
  const who = identityOf(cell['identity']);
  const asked = pathOf(cell['place'] ?? '');
  const some = [...made].some(
    ({ isOpen, path }) =>
      isOpen &&
      (asked === '/' || path === asked || path.startsWith(`${asked}/`)) &&
      isCurated(who, path),
  );
  const counts = listOf(dataOf(answer)['kinds']).map(({ count }) => Number(count));
  const total = counts.reduce((sum, count) => sum + count, 0);
  return total > 0 === some ? [] : [`counts ${total} items`];
}

/** A decision is refused before it is made as it would be when it is made by itself. */
export const asRefusedAlone =
  (end: string): Check =>
  (answer, { cell }, { alone }) => {
    const [refused] = listOf(dataOf(answer)['refused']);
    const expected = alone(end, cell).map((each) => each.split(' ')[1] ?? 'null');
    const code = refused === undefined ? 'null' : String(refused['code']);
    return expected.includes(code)
      ? []
      : [`refuses with ${code} instead of ${expected.join(' or ')}`];
  };

/** One entry of a list is answered as it would be by itself at the route whose path ends in `end`. */
export const asAlone =
  (end: string): Check =>
  (answer, { cell }, { alone }) => {
    const [result] = listOf(dataOf(answer)['results']);
    const expected = alone(end, cell).map((each) => each.split(' ')[1] ?? 'null');
    const code = String(result?.['code']);
    return expected.includes(code)
      ? []
      : [`answered with ${code} instead of ${expected.join(' or ')}`];
  };
