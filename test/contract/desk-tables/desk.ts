/** Puts statements into situations, lets somebody act, and says in words what changed. */
import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { questionAt, type Action, type Question } from './actions.ts';
import type { Situation } from './situations.ts';

type Row = Readonly<Record<string, unknown>>;
type Rows = (query: string, values?: readonly unknown[]) => Promise<Row[]>;

/** What an action names. */
export interface Target {
  readonly statementId: string;
  readonly itemId: string;
  readonly consentId: string;
  /** A statement that another one may be merged into. */
  readonly intoId: string;
  /** A text that no statement has yet. */
  readonly newText: string;
}

export interface Door {
  /** As superuser. */
  readonly rows: Rows;
  /** A statement about the person who acts as subject: its rows are what all others are made of. */
  readonly templateId: string;
  /** Whether the marks of a statement stay where nobody takes them off. */
  readonly keepsMarks: boolean;
  /** `ok`, or the code of the refusal. */
  act(action: Action, target: Target): Promise<string>;
}

/** Each table that a statement has rows in, and the column that names the statement. */
const COPIED = [
  ['knowledge', 'id'],
  ['belief_periods', 'knowledge_id'],
  ['lifecycle_events', 'knowledge_id'],
  ['provenance', 'knowledge_id'],
  ['knowledge_attesters', 'knowledge_id'],
  ['knowledge_source_scopes', 'knowledge_id'],
  ['knowledge_submitters', 'knowledge_id'],
] as const;

const HOUR_MS = 3_600_000;
/** Below 1, so that the tables see what makes a statement certain. */
const UNSURE = 0.8;

/** Statements of one account, each made for one cell of the tables. */
export class DeskTables {
  readonly #door: Door;
  readonly #columns = new Map<string, string>();
  #template: Row = {};
  #rootId = '';
  #rivalId = '';
  #made = 0;

  private constructor(door: Door) {
    this.#door = door;
  }

  static async open(door: Door): Promise<DeskTables> {
    const desk = new DeskTables(door);
    for (const [table] of COPIED) {
      const columns = await door.rows(
        `select column_name from information_schema.columns
         where table_name = $1 and table_schema = 'public' and is_generated = 'NEVER'`,
        [table],
      );
      desk.#columns.set(table, columns.map(({ column_name: name }) => String(name)).join(', '));
    }
    const template = 'select * from knowledge where id = $1';
    desk.#template = (await door.rows(template, [door.templateId]))[0] ?? {};
    const root = "select id from scopes where account_id = $1 and path = '/'";
    desk.#rootId = String((await door.rows(root, [desk.#template['account_id']]))[0]?.['id']);
    desk.#rivalId = await desk.#statement({ state: 'active' });
    return desk;
  }

  /** Lets somebody do it in the situation, and says what became of the statement, in words. */
  async play(situation: Situation, action: Action): Promise<string> {
    const question = questionAt(action, situation.state);
    const statementId = await this.#statement(situation);
    const target: Target = {
      statementId,
      itemId:
        question === null ? uuidv7() : await this.#item(statementId, situation, action, question),
      consentId:
        'consent' in action ? await this.#consent(statementId, situation, action) : uuidv7(),
      intoId:
        action.does === 'merge'
          ? await this.#statement({
              state: 'active',
              sensitivity: situation.sensitivity ?? 'internal',
            })
          : uuidv7(),
      newText: `Alice keeps ${this.#made} boats.`,
    };
    const before = await this.#look(statementId);
    const answer = await this.#door.act(action, target);
    const after = await this.#look(statementId);
    const changes = changesOf(before, after, {
      question,
      before: situation.before,
      keepsMarks: this.#door.keepsMarks,
    });
    return [answer, ...changes].join('; ');
  }

  async #statement(situation: Situation, text?: string): Promise<string> {
    this.#made += 1;
    const id = uuidv7();
    const {
      before = null,
      isOver,
      isTaken,
      level = 'peer',
      sensitivity = 'internal',
      state,
      wasRefused = false,
    } = situation;
    const statement = text ?? `Alice keeps boat number ${this.#made}.`;
    const hash = createHash('sha256').update(statement.toLowerCase()).digest('hex');
    const expiresAt = isOver === undefined ? null : new Date(Date.now() - HOUR_MS).toISOString();
    const scopeId = String(this.#template['scope_id']);
    const heldAt = level === 'account' ? this.#rootId : scopeId;
    const inPeriod = { id: uuidv7(), state, target_level: level, sensitivity };
    await this.#copy(id, {
      knowledge: {
        statement: state === 'redacted' || state === 'retracted' ? null : statement,
        statement_hash: `\\x${hash}`,
        state,
        state_before_contest: before,
        target_level: level,
        sensitivity,
        confidence: UNSURE,
        held_scope_id: state === 'held' ? heldAt : null,
        previously_refused: wasRefused,
        expires_at: expiresAt,
        revalidate_after: null,
      },
      belief_periods: inPeriod,
      lifecycle_events: { id: uuidv7(), to_state: state },
    });
    if (isTaken) await this.#statement({ state: 'active' }, statement);
    return id;
  }

  /** Copies all rows of the template, with these values changed, by table. */
  async #copy(id: string, changed: Readonly<Record<string, Row>>): Promise<void> {
    const inserts = COPIED.map(([table, key]) => {
      const columns = this.#columns.get(table) ?? '';
      return `in_${table} as (insert into ${table} (${columns}) select ${columns} from (
        select (jsonb_populate_record(t, $2::jsonb -> '${table}')).* from ${table} t where t.${key} = $1) copied)`;
    });
    const values = COPIED.map(([table, key]) => [table, { ...changed[table], [key]: id }]);
    await this.#door.rows(`with ${inserts.join(', ')} select`, [
      this.#door.templateId,
      JSON.stringify(Object.fromEntries(values)),
    ]);
  }

  async #item(
    statementId: string,
    { level = 'peer' }: Situation,
    action: Action,
    question: Question,
  ): Promise<string> {
    const id = uuidv7();
    const waitsForConsent = 'consent' in action && action.consent === 'pending';
    const isWide = question === 'gate_b' || level === 'account';
    await this.#door.rows(
      `insert into review_items (has_audience, account_id, id, knowledge_id, scope_id, subject_peer_id, kind, state, reason, due_at,
         target_scope_id, target_level, conflict_knowledge_id, proposed_sensitivity)
       select k.audience_id is not null, k.account_id, $2, k.id, k.scope_id, k.subject_peer_id, $3::review_kind, $4::review_state, 'person_decides',
         now() + interval '2 days', $5, $6::target_level, $7, $8::sensitivity from knowledge k where k.id = $1`,
      [
        statementId,
        id,
        question === 'sensitivity' ? 'conflict' : question,
        waitsForConsent ? 'awaiting_consent' : 'pending',
        isWide ? this.#rootId : level === 'scope' ? this.#template['scope_id'] : null,
        question === 'gate_b' ? 'account' : level,
        question === 'conflict' ? this.#rivalId : null,
        question === 'sensitivity' ? 'personal' : null,
      ],
    );
    return id;
  }

  async #consent(
    statementId: string,
    { level = 'peer', state }: Situation,
    { consent }: Extract<Action, { consent: string }>,
  ): Promise<string> {
    const id = uuidv7();
    // A placed statement waits to be moved; what was granted is where it stands.
    const isToMove = state === 'active' && (level === 'peer' || consent === 'pending');
    const isHere = level !== 'account' && !isToMove;
    await this.#door.rows(
      `insert into consents (account_id, id, knowledge_id, subject_peer_id, target_scope_id, status, channel, verified,
         decided_at)
       select k.account_id, $2, k.id, k.subject_peer_id, $3, $4::consent_status, 'api', $4 <> 'pending',
         case when $4 <> 'pending' then now() end from knowledge k where k.id = $1`,
      [statementId, id, isHere ? this.#template['scope_id'] : this.#rootId, consent],
    );
    return id;
  }

  async #look(statementId: string): Promise<Look> {
    const [row] = await this.#door.rows(LOOK, [statementId]);
    if (row === undefined) throw new Error('the statement is gone');
    return row as unknown as Look;
  }
}

interface Look {
  readonly statement: Row;
  readonly scope: string;
  readonly items: readonly Row[];
  readonly decisions: readonly string[];
  readonly events: readonly string[];
  readonly periods: number;
  readonly marks: number;
  readonly consents: readonly string[];
  readonly edits: readonly string[];
}

const LOOK = `
  select to_jsonb(k) as statement, s.path as scope,
    array(select to_jsonb(i) from review_items i where i.knowledge_id = k.id order by i.id) as items,
    array(select concat_ws(' ', d.gate, d.decision, d.reason) from gate_decisions d where d.knowledge_id = k.id
      order by d.id) as decisions,
    array(select e.reason from lifecycle_events e where e.knowledge_id = k.id order by e.occurred_at, e.id) as events,
    (select count(*)::int from belief_periods b where b.knowledge_id = k.id) as periods,
    (select coalesce(sum(m.generation), 0)::int from dirty_marks m where m.unit_id = k.id) as marks,
    array(select concat_ws(' ', c.status, 'for', t.path) from consents c join scopes t on t.id = c.target_scope_id
      where c.knowledge_id = k.id order by c.id) as consents,
    array(select concat_ws(' ', n.state, n.target_level, 'at', (select path from scopes where id = n.scope_id),
        (select 'asks ' || string_agg(i.kind::text || ' ' || i.state, ', ') from review_items i
          where i.knowledge_id = n.id and i.decided_at is null))
      from knowledge n where n.replaces_id = k.id) as edits
  from knowledge k join scopes s on s.id = k.scope_id where k.id = $1`;

const SHOWN = ['state', 'target_level', 'sensitivity', 'confidence', 'verification'] as const;

function newAmong(before: readonly string[], after: readonly string[]): readonly string[] {
  return before.every((each, index) => after[index] === each)
    ? after.slice(before.length)
    : after.map((each) => `now ${each}`);
}

function itemChanges(before: Look, after: Look, question: Question | null): string[] {
  const known = new Map(before.items.map((item) => [item['id'], item]));
  return after.items.flatMap((item) => {
    const earlier = known.get(item['id']);
    if (earlier === undefined) return [`asks ${String(item['kind'])}`];
    if (JSON.stringify(earlier) === JSON.stringify(item)) return [];
    const name = question === null ? 'other item' : 'item';
    const state = `${name} ${String(item['state'])}`;
    const { end_reason: reason } = item;
    return typeof reason === 'string' ? [`${state} as ${reason}`] : [state];
  });
}

interface Known {
  readonly question: Question | null;
  readonly before: string | undefined;
  readonly keepsMarks: boolean;
}

/** In words, in a fixed order. Empty where nothing changed. */
function changesOf(
  before: Look,
  after: Look,
  { before: earlier, keepsMarks, question }: Known,
): string[] {
  const changed = SHOWN.flatMap((name) => {
    const value = String(after.statement[name]);
    if (value === String(before.statement[name])) return [];
    return [`${name} ${name === 'state' && value === earlier ? 'as before' : value}`];
  });
  const dated = before.statement['revalidate_after'] !== after.statement['revalidate_after'];
  const periods = after.periods - before.periods;
  return [
    ...changed,
    ...(after.scope === before.scope ? [] : [`at ${after.scope}`]),
    ...(dated ? ['dated'] : []),
    ...itemChanges(before, after, question),
    ...newAmong(before.decisions, after.decisions).map((each) => `decision ${each}`),
    ...newAmong(before.events, after.events).map((each) => `event ${each}`),
    ...(periods === 0 ? [] : [`${periods} more period`]),
    ...newAmong(before.consents, after.consents).map((each) => `consent ${each}`),
    ...after.edits.map((each) => `new text ${each}`),
    ...(keepsMarks && after.marks !== before.marks ? ['marked'] : []),
  ];
}
