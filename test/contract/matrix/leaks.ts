/**
 * What no answer may say, whatever was asked: an id, a name or a word of another account, of a scope that its caller may not
 * read, or of a statement or message that the caller may read nowhere. What the request said itself does not count.
 */
import { KNOWLEDGE_STATES } from '../../../domain/statements/states.ts';
import type { HttpAnswer, HttpCall } from '../../support/http.ts';
import { namedKey } from './aspects.ts';
import { FOREIGN_WORD } from './borrowed.ts';
import { STATEMENTS, type MessageFact, type StatementFact } from './plan.ts';
import type { MatrixScene } from './scene.ts';
import { aspectsFor, isFoundIn, ownOf, wasThere } from './shown.ts';
import { inLineage, isBelieved, isInReadiness, isListed } from './statements/judge.ts';
import type { Cell } from './table.ts';
import { holds, identityOf, readScopes, SCOPES, type Identity, type ReadScope } from './world.ts';

const IDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** The words that each statement and its message have for themselves. */
const NUMBERS = /jar number (\d+)/g;
/** Shorter texts of a request may stand anywhere. */
const LEAST_SAID = 4;

const BY_NUMBER = new Map(
  STATEMENTS.flatMap((fact) => {
    const [, number] = [...fact.text.matchAll(NUMBERS)][0] ?? [];
    return number === undefined ? [] : [[number, fact] as const];
  }),
);

/** Every text that the request says, also those of its query and of what a cursor holds. */
function saidIn({ json, path }: Pick<HttpCall, 'json' | 'path'>): string[] {
  const url = new URL(path, 'http://localhost');
  const texts = [...url.pathname.split('/'), ...url.searchParams.values()];
  JSON.stringify(json ?? null, (_, value: unknown) => {
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  return texts.toSorted((a, b) => b.length - a.length);
}

interface Readable {
  readonly statements: ReadonlySet<string>;
  readonly messages: ReadonlySet<string>;
}

function isReadable(fact: StatementFact, chain: readonly ReadScope[]): boolean {
  return (['now', 'then'] as const).some((at) => {
    const found = aspectsFor(fact, chain, at);
    if (found === null) return false;
    return (
      isBelieved(found) ||
      isInReadiness(found) ||
      inLineage(found) === 'visible' ||
      KNOWLEDGE_STATES.some((state) => isListed(found, state))
    );
  });
}

/** All scopes that the caller reads, as itself or as whom it names. */
function everywhere(who: Identity, named: string | null): readonly ReadScope[] {
  const all = Object.values(SCOPES).flatMap((path) => readScopes(who, path, { named }));
  return [...new Map(all.map((scope) => [scope.path, scope])).values()];
}

function readableBy(who: Identity, named: string | null, all: readonly MessageFact[]): Readable {
  const chains = [everywhere(who, null), everywhere(who, named)];
  const own = ownOf(who);
  const statements = STATEMENTS.filter(
    (fact) => own.includes(fact) || chains.some((chain) => isReadable(fact, chain)),
  );
  const peers = who.kind === 'machine' ? [who.peer, named] : [who.peer];
  const messages = all.filter(
    (message) =>
      (who.account === 'home' && peers.some((peer) => wasThere(message, peer))) ||
      chains.some((chain) => isFoundIn(message, chain)),
  );
  const idsOf = (facts: readonly { readonly id: string }[]) => new Set(facts.map(({ id }) => id));
  return { statements: idsOf(statements), messages: idsOf(messages) };
}

/** Reads every answer of a run. */
export class Leaks {
  readonly #readable = new Map<string, Readable>();
  /** Ids that answers named, with the account that was answered and where that was first. */
  readonly #named = new Map<string, Map<string, string>>();
  readonly #messages: readonly MessageFact[];

  /** `chunks` are the passages of documents. */
  constructor(chunks: readonly MessageFact[]) {
    this.#messages = [...STATEMENTS.map(({ message }) => message), ...chunks];
  }

  #readableIn(cell: Cell): Readable {
    const who = identityOf(cell['identity']);
    const named = namedKey(cell, who);
    const key = `${cell['identity']}, ${String(named)}`;
    const found = this.#readable.get(key) ?? readableBy(who, named, this.#messages);
    this.#readable.set(key, found);
    return found;
  }

  /**
   * What the answer says that it must not. Ids of other accounts are told at the end. `turnsOf` is a scope whose messages the
   * caller is shown as its curator.
   */
  faultsOf(
    where: string,
    cell: Cell,
    sent: Pick<HttpCall, 'json' | 'path'>,
    answer: HttpAnswer,
    turnsOf?: string,
  ) {
    const own = saidIn(sent);
    const text = own
      .filter(({ length }) => length >= LEAST_SAID)
      // Answers are JSON: what has quotes is repeated with their escapes.
      .flatMap((one) => [JSON.stringify(one).slice(1, -1), one])
      .reduce((rest, one) => rest.replaceAll(one, ''), answer.text);
    const who = identityOf(cell['identity']);
    const { messages, statements } = this.#readableIn(cell);
    const isShown = ({ id, path }: MessageFact): boolean => messages.has(id) || path === turnsOf;
    const ids = new Set(text.match(IDS));
    const named = this.#named.get(who.account) ?? new Map<string, string>();
    this.#named.set(who.account, named);
    for (const id of ids) {
      if (!named.has(id)) named.set(id, where);
    }
    const facts = STATEMENTS.filter(({ id }) => ids.has(id) && !statements.has(id));
    const said = [...text.matchAll(NUMBERS)].flatMap(
      ([, number = '']) => BY_NUMBER.get(number) ?? [],
    );
    return [
      ...facts.map(({ id }) => `names statement ${id}`),
      ...this.#messages
        .filter((message) => ids.has(message.id) && !isShown(message))
        .map(({ id }) => `names message ${id}`),
      ...said
        .filter(({ id, message }) => !statements.has(id) && !isShown(message))
        .map((fact) => `says "${fact.text}"`),
      ...Object.values(SCOPES)
        .filter((path) => text.includes(`"${path}"`) && !own.includes(path))
        .filter((path) => !holds(who, path, 'reader'))
        .map((path) => `names scope ${path}`),
      ...(text.toLowerCase().includes(FOREIGN_WORD) ? ['says words of another account'] : []),
      ...(answer.status === 401 && ids.size > 0 ? ['names something to nobody'] : []),
    ];
  }

  /** Ids that answers named and that are another account's, whatever they are ids of. */
  async foreignIds({ place, service }: MatrixScene): Promise<readonly string[]> {
    const tables = await service.rows(
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and data_type = 'uuid' and column_name in ('id', 'account_id')
       group by 1 having count(*) = 2`,
    );
    const owners = tables
      .map(({ name }) => `select id, account_id from ${String(name)} where id = any($1)`)
      .join(' union all ');
    const faults: string[] = [];
    for (const [account, named] of this.#named) {
      const own = account === 'home' ? place.accountId : service.other.id;
      const rows = await service.rows(`select id from (${owners}) owned where account_id <> $2`, [
        [...named.keys()],
        own,
      ]);
      faults.push(...rows.map(({ id }) => `${named.get(String(id))}: names foreign ${String(id)}`));
    }
    return faults;
  }

  /** How many ids answers named. */
  get size(): number {
    return [...this.#named.values()].reduce((all, { size }) => all + size, 0);
  }
}
