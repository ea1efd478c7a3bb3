/**
 * Who may read a statement may not for that read what it was drawn from. Two statements that all readers of a scope see: one
 * was said there, the other in a scope below, out of which it was promoted. Who spoke was there, and may be denied since.
 */
import { eventually } from '../../support/patience.ts';
import { dataOf, rowsOf, type Body } from '../../support/service.ts';
import { idAt, type StatementFact } from './plan.ts';
import { type Place, type Rows } from './row-set.ts';
import { addMessage, addPlaces, addStatement } from './rows.ts';
import type { MatrixScene } from './scene.ts';
import {
  emailOf,
  holds,
  IDENTITY_NAMES,
  identityOf,
  isInReachOfPin,
  mayNamePath,
  type IdentityName,
} from './world.ts';

const KIND = 33;
const OPEN = '/h700';
/** Denied to the member who spoke there. */
export const CLOSED = `${OPEN}/closed`;

function factAt(nth: number, source: string, speaker: string): StatementFact {
  return {
    id: idAt(KIND, nth),
    text: `Somebody polishes an astrolabe of number ${nth}.`,
    now: { state: 'active', path: OPEN, sensitivity: 'public', level: 'scope' },
    before: null,
    expiresAt: null,
    subject: emailOf('stranger'),
    message: {
      id: idAt(KIND + 1, nth),
      path: source,
      speaker: emailOf(speaker),
      relay: 'relay',
      recordedAt: '2026-01-05T00:00:00Z',
      isChunk: false,
    },
    isPlain: false,
  };
}

const FACTS = [
  factAt(1, OPEN, 'denied'),
  factAt(2, CLOSED, 'denied'),
  factAt(3, OPEN, 'member'),
  factAt(4, CLOSED, 'member'),
] as const;

/** Adds both scopes and what was said in them. */
export function addClosedSources(rows: Rows, place: Place): void {
  const there = addPlaces(rows, place, [OPEN, CLOSED], { kind: KIND + 2, name: 'closed' });
  for (const fact of FACTS) {
    addMessage(rows, there, fact.message, { content: `I said that: ${fact.text}` });
    addStatement(rows, there, fact);
  }
}

function mayReadAt(name: IdentityName, path: string): boolean {
  const who = identityOf(name);
  const isDenied = name === 'a denied member' && path === CLOSED;
  return !isDenied && holds(who, path, 'reader') && isInReachOfPin(who, path);
}

/** Whether the identity is shown what the statement was drawn from: it was there, and may read the place now. */
function isShown({ message }: StatementFact, name: IdentityName): boolean {
  const { peer } = identityOf(name);
  const wasThere = peer !== null && (peer === message.speaker || peer === message.relay);
  return wasThere && mayReadAt(name, message.path);
}

const mayRead = (name: IdentityName): boolean => {
  const who = identityOf(name);
  return (
    who.credential === 'valid' &&
    who.account === 'home' &&
    mayNamePath(who, OPEN) &&
    holds(who, OPEN, 'reader')
  );
};

/** What was answered with all the time there is: on a busy machine a search may drop a part, and says so. */
function inTime(scene: MatrixScene, token: string, path: string, json: Body): Promise<Body> {
  return eventually(async () => {
    const data = dataOf(await scene.service.call({ path: `/api/v1/${path}`, token, json }));
    return data['degraded'] !== true && data;
  });
}

/** The sources of each statement, as each route that lists statements shows them. */
async function shownBy(scene: MatrixScene, token: string): Promise<ReadonlyMap<string, unknown>> {
  const { service } = scene;
  const query = { scope_path: OPEN, query: 'astrolabe', limit: 100 };
  const listed = rowsOf(await service.knowledge(token, { scope_path: OPEN, limit: '100' }));
  const ask = (path: string, json: Body) =>
    inTime(scene, token, path, { scope_path: OPEN, ...json });
  const { candidates: found } = await ask('search', { ...query, profile: 'thorough' });
  const question = 'Who polishes an astrolabe?';
  const { candidates: asked } = await ask('ask', { question, limit: 100 });
  const { knowledge: known } = await ask('context', { limit: 100 });
  const rows = { listed, found, asked, known };
  return new Map(
    Object.entries(rows).flatMap(([route, all]) =>
      (Array.isArray(all) ? all : []).map(
        (row: Body) => [`${route} ${String(row['id'])}`, row['source_message_ids']] as const,
      ),
    ),
  );
}

/** How many statements the source, guessed by its id, leaves of a search. */
async function probed(scene: MatrixScene, token: string, fact: StatementFact): Promise<number> {
  const source_filters = { source_message_id: fact.message.id };
  const json = { scope_path: OPEN, query: 'astrolabe', source_filters };
  const { candidates: found } = await inTime(scene, token, 'search', json);
  return Array.isArray(found) ? found.length : -1;
}

export interface SourcesReport {
  readonly faults: readonly string[];
  /** How often a source was to be shown, and to be withheld. */
  readonly shown: number;
  readonly withheld: number;
}

/** Asks as everybody who may read the open scope. */
export async function askClosedSources(scene: MatrixScene): Promise<SourcesReport> {
  const faults: string[] = [];
  const counts = { shown: 0, withheld: 0 };
  for (const name of IDENTITY_NAMES.filter(mayRead)) {
    const token = scene.tokenOf(name) ?? '';
    const rows = await shownBy(scene, token);
    for (const fact of FACTS) {
      const shows = isShown(fact, name);
      counts[shows ? 'shown' : 'withheld'] += 1;
      const expected = JSON.stringify(shows ? [fact.message.id] : []);
      for (const route of ['listed', 'found', 'asked']) {
        const got = JSON.stringify(rows.get(`${route} ${fact.id}`));
        if (got !== expected) faults.push(`${name}, ${route}: ${fact.message.path}: ${got}`);
      }
      const known = rows.get(`known ${fact.id}`);
      if (known !== undefined && JSON.stringify(known) !== expected) {
        faults.push(`${name}, known: ${fact.message.path}: ${JSON.stringify(known)}`);
      }
      const left = await probed(scene, token, fact);
      if (left !== (shows ? 1 : 0)) faults.push(`${name}, probe: ${fact.message.path}: ${left}`);
      const path = `/api/v1/ingest/${fact.message.id}`;
      const { status } = await scene.service.call({ path, token });
      if (shows && status !== 200) faults.push(`${name}, status: ${fact.message.path}: ${status}`);
      if (!mayReadAt(name, fact.message.path) && status !== 404) {
        faults.push(`${name}, status: ${fact.message.path}: ${status}`);
      }
    }
  }
  return { faults, ...counts };
}
