/**
 * Random histories of statements that people say in two sessions, and the truth about them: what each reader may be shown,
 * by rules of the test's own.
 */
import fc from 'fast-check';
import { ERASURE_SHARD } from '../../../domain/erasure/words.ts';
import { request, takeAll } from '../erasure/erase.ts';
import type { AccountScene } from '../search/account.ts';
import type { ContextScene } from './scene.ts';

export const PEOPLE = ['anna', 'bob', 'carl'] as const;
export const PATHS = ['/poc', '/poc/inner'] as const;
export const SESSIONS = ['standup', 'retro'] as const;
type Person = (typeof PEOPLE)[number];
type Session = (typeof SESSIONS)[number];

/** A message that says a statement, in words of its own. */
interface Said {
  readonly messageId: string;
  readonly by: Person;
  readonly session: Session;
  /** When, among all that happened. */
  readonly at: number;
  /** Stands in its wording and in no other text. */
  readonly word: string;
}

/** A statement as the test knows it. */
export interface Fact {
  readonly id: string;
  readonly path: string;
  readonly subject: Person | null;
  /** In the order in which they were said; the first one gives the statement its words. */
  said: Said[];
  state: string;
  sensitivity: string;
  level: string;
  /** Whom it is for; null: everybody. */
  audience: readonly Person[] | null;
}

const somebody = fc.constantFrom(...PEOPLE);
const inSession = { session: fc.constantFrom(...SESSIONS), by: somebody };

export const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      path: fc.constantFrom(...PATHS),
      subject: fc.option(somebody),
      sensitivity: fc.constantFrom('public', 'internal', 'internal', 'personal'),
      state: fc.constantFrom('active', 'active', 'active', 'provisional', 'held'),
      audience: fc.oneof(
        { weight: 3, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.subarray([...PEOPLE]) },
      ),
      ...inSession,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom(
        ...(['redact', 'contest', 'expire', 'supersede', 'delete', 'place', 'promote'] as const),
        ...(['hide', 'corroborate'] as const),
      ),
      which: fc.nat(40),
      ...inSession,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('join' as const, 'leave' as const),
      path: fc.constantFrom(...PATHS),
      ...inSession,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('erase' as const),
      by: somebody,
      mode: fc.constantFrom('proportionate' as const, 'strict' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
);
export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const told = (by: Person, audience: Person[] | null): Step => ({
  do: 'add',
  path: '/poc',
  subject: 'anna',
  sensitivity: 'internal',
  state: 'active',
  session: 'standup',
  audience,
  by,
});

/** A session with a summary, of which a part was for some, and an erasure. */
export const EVERY_PART: Step[] = [
  told('bob', null),
  told('carl', null),
  told('bob', null),
  told('anna', ['bob']),
  told('carl', []),
  { do: 'settle' },
  told('carl', null),
  { do: 'erase', by: 'bob', mode: 'proportionate' },
];

type Of<D extends Step['do']> = Extract<Step, { do: D }>;

const STATES: Readonly<Record<string, string>> = {
  redact: 'redacted',
  contest: 'contested',
  expire: 'expired',
  supersede: 'superseded',
  place: 'active',
};

/** What the readers of a scope share, as far as the audience lets them. */
const isOpen = (fact: Fact): boolean =>
  fact.state === 'active' &&
  (fact.sensitivity !== 'personal' || fact.subject === null || fact.level !== 'peer');

/** What all readers of a scope share, and cards are made of. */
export const isShared = (fact: Fact): boolean => isOpen(fact) && fact.audience === null;

/** Decisions 5: what is read of statements in scopes that the reader may read. */
export function mayRead(fact: Fact, reader: string, paths: readonly string[]): boolean {
  if (!paths.includes(fact.path)) return false;
  const isSubmitter = fact.said.some(({ by }) => by === reader);
  if (fact.state === 'provisional') return isSubmitter;
  if (isOpen(fact) && (fact.audience === null || fact.audience.some((one) => one === reader))) {
    return true;
  }
  return fact.state === 'active' && (fact.subject === reader || isSubmitter);
}

/** An account with all that happened in it. */
export class History {
  readonly facts: Fact[] = [];
  readonly erased = new Set<Person>();
  readonly #scene: ContextScene;
  readonly #account: AccountScene;
  /** The messages of each session, oldest first. */
  readonly #messages: { id: string; session: Session; path: string; by: Person }[] = [];
  /** Since when somebody takes part in a session in a scope; 0 for all of it. */
  readonly #since = new Map<string, number>();
  #now = 0;

  constructor(scene: ContextScene, account: AccountScene) {
    this.#scene = scene;
    this.#account = account;
  }

  /** The words that nobody may find any more are those of no fact. */
  factOf(word: string): Fact | undefined {
    return this.facts.find(({ said: [first] }) => first?.word === word);
  }

  /** Since when the person takes part; null: not at all. */
  since(session: Session, path: string, person: string): number | null {
    return this.#since.get(`${session} ${path} ${person}`) ?? null;
  }

  /** When the fact was first said in the session. */
  saidAt(fact: Fact, session: Session): number {
    return Math.min(...fact.said.filter((one) => one.session === session).map(({ at }) => at));
  }

  /**
   * Takes one step. `look` is called while an erasure has been asked for and nothing of it was done: what is said about
   * the person is hidden at once.
   */
  async take(each: Step, look: () => Promise<void>): Promise<void> {
    this.#now += 1;
    if (each.do === 'settle') await this.#scene.settle();
    else if (each.do === 'add') await this.#add(each);
    else if (each.do === 'erase') await this.#erase(each, look);
    else if ('which' in each) await this.#change(each);
    else await this.#move(each);
  }

  #living(person: Person): Person {
    const all = PEOPLE.filter((one) => !this.erased.has(one));
    return all.includes(person) ? person : (all[0] ?? person);
  }

  /** Somebody says something in a session, and takes part in all of it from then on. */
  async #say(session: Session, by: Person, path: string, text: string): Promise<string> {
    const before = this.#messages.findLast((one) => one.session === session);
    const id = await this.#account.message({
      speaker: by,
      text,
      path,
      ...(before === undefined ? { session } : { after: before.id }),
    });
    this.#messages.push({ id, session, path, by });
    if (this.since(session, path, by) === null) {
      await this.#account.attend(by, id);
      this.#since.set(`${session} ${path} ${by}`, 0);
    }
    return id;
  }

  /** A message in words of its own becomes a source of the fact. */
  async #cite(fact: Fact, { session, by }: { session: Session; by: Person }): Promise<void> {
    const word = `canary${this.#now}x`;
    const text = `In Lillehammer ${word} is told.`;
    const messageId = await this.#say(session, by, fact.path, text);
    await this.#scene.sql(
      `insert into provenance (account_id, knowledge_id, message_id, speaker_peer_id, source_key, wording)
       select account_id, $2, id, speaker_peer_id, id, $4 from messages where account_id = $1 and id = $3`,
      [this.#account.id, fact.id, messageId, text],
    );
    await this.#scene.sql('select recount_evidence($1, array[$2]::uuid[])', [
      this.#account.id,
      fact.id,
    ]);
    fact.said.push({ messageId, by, session, at: this.#now, word });
  }

  async #add({ path, session, state, ...each }: Of<'add'>): Promise<void> {
    const audience = each.audience?.filter((person) => !this.erased.has(person)) ?? null;
    const subject = each.subject === null ? null : this.#living(each.subject);
    const sensitivity =
      subject === null && each.sensitivity === 'personal' ? 'internal' : each.sensitivity;
    const id = await this.#account.statement({
      text: `In Lillehammer canary${this.#now}x is told.`,
      path,
      subject,
      sensitivity,
      state,
      submitters: [],
      audience,
    });
    const fact: Fact = {
      id,
      subject,
      sensitivity,
      state,
      path,
      level: 'peer',
      audience,
      said: [],
    };
    this.facts.push(fact);
    await this.#cite(fact, { session, by: this.#living(each.by) });
    await this.#scene.sql(
      `update knowledge k set text_source_hash = m.content_hash, text_occurred_at = m.occurred_at from messages m
       where k.account_id = $1 and k.id = $2 and m.account_id = $1 and m.id = $3`,
      [this.#account.id, id, fact.said[0]?.messageId],
    );
  }

  async #change(each: Extract<Step, { which: number }>): Promise<void> {
    const fact = this.facts[each.which % Math.max(1, this.facts.length)];
    if (fact === undefined || fact.state === 'redacted') return;
    const set = (columns: string, ...values: unknown[]) =>
      this.#scene.sql(
        `update knowledge set ${columns}, row_version = row_version + 1, updated_at = clock_timestamp() where id = $1`,
        [fact.id, ...values],
      );
    if (each.do === 'delete') {
      for (const table of ['belief_periods', 'provenance', 'knowledge_attesters'])
        await this.#scene.sql(`delete from ${table} where knowledge_id = $1`, [fact.id]);
      await this.#scene.sql('delete from knowledge_source_scopes where knowledge_id = $1', [
        fact.id,
      ]);
      await this.#scene.sql('delete from knowledge where id = $1', [fact.id]);
      this.facts.splice(this.facts.indexOf(fact), 1);
    } else if (each.do === 'promote') {
      await set(`target_level = 'scope', audience_id = null`);
      fact.level = 'scope';
      fact.audience = null;
    } else if (each.do === 'hide') {
      if (fact.subject === null) return;
      await set(`sensitivity = 'personal'`);
      fact.sensitivity = 'personal';
    } else if (each.do === 'corroborate') {
      await this.#cite(fact, { session: each.session, by: this.#living(each.by) });
      await set('confidence = confidence');
    } else {
      const state = STATES[each.do] ?? '';
      await (state === 'redacted'
        ? set(`state = 'redacted', statement = null`)
        : set('state = $2::knowledge_state', state));
      fact.state = state;
    }
  }

  /** Who joins reads what is said from then on. Nobody joins a session in a scope where nothing was said. */
  async #move({ path, session, ...each }: Of<'join' | 'leave'>): Promise<void> {
    const by = this.#living(each.by);
    const key = `${session} ${path} ${by}`;
    const message = this.#messages.find((one) => one.session === session && one.path === path);
    if (message === undefined || this.#since.has(key) === (each.do === 'join')) return;
    if (each.do === 'join') {
      await this.#account.join(by, message.id);
      this.#since.set(key, this.#now);
      return;
    }
    await this.#scene.sql(
      `delete from session_participants a using messages m
       where m.account_id = $1 and m.id = $2 and a.account_id = m.account_id and a.session_id = m.session_id
         and a.scope_id = m.scope_id and a.peer_id = $3`,
      [this.#account.id, message.id, await this.#account.peer(by)],
    );
    this.#since.delete(key);
  }

  /** Erases a person as the workflow does, the rows of the database; somebody is left. */
  async #erase({ mode, ...each }: Of<'erase'>, look: () => Promise<void>): Promise<void> {
    if (this.erased.size === PEOPLE.length - 1) return;
    const person = this.#living(each.by);
    const accountId = this.#account.id;
    const runId = await request(this.#scene, accountId, await this.#account.peer(person), mode);
    this.erased.add(person);
    this.#keep((fact) => fact.subject !== person);
    await look();
    await takeAll(this.#scene, { accountId, runId });
    for (const fact of this.facts) fact.said = fact.said.filter(({ by }) => by !== person);
    this.#keep((fact) => fact.said.length > 0);
    const attended = new Set(
      [...this.#since.keys()].flatMap((key) => {
        const [session, , who] = key.split(' ');
        return who === person ? [session] : [];
      }),
    );
    const left = this.#messages.filter(({ by }) => by !== person);
    this.#messages.splice(0, Infinity, ...left);
    for (const key of this.#since.keys()) {
      const [session, , who] = key.split(' ');
      // A session in which nothing is left that was said has lost its name: the next one of this name is another one.
      const isOver = attended.has(session) && !left.some((one) => one.session === session);
      if (who === person || isOver) this.#since.delete(key);
    }
    const { signal } = new AbortController();
    await this.#scene.retrieval.indexer.refresh({
      accountId,
      shard: ERASURE_SHARD,
      limit: 1_000,
      signal,
    });
  }

  #keep(isKept: (fact: Fact) => boolean): void {
    this.facts.splice(0, Infinity, ...this.facts.filter(isKept));
  }
}
