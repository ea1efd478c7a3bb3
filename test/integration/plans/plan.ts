/** What the database itself says of a query it ran: which rows it read, and how many of them were of use. */
import { Client } from 'pg';
import { z } from 'zod';

const node: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Actual Rows': z.number().default(0),
    'Actual Loops': z.number().default(0),
    'Rows Removed by Filter': z.number().default(0),
    'Rows Removed by Index Recheck': z.number().default(0),
    'Rows Removed by Join Filter': z.number().default(0),
    'Relation Name': z.string().optional(),
    'Index Name': z.string().optional(),
    Plans: z.array(node).default([]),
  }),
);

export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter': number;
  readonly 'Rows Removed by Index Recheck': number;
  readonly 'Rows Removed by Join Filter': number;
  readonly 'Relation Name'?: string | undefined;
  readonly 'Index Name'?: string | undefined;
  readonly Plans: readonly PlanNode[];
}

const explained = z.object({ 'Query Text': z.string(), Plan: node });

export interface RecordedPlan {
  /** What was asked when the server ran it. */
  readonly asked: string;
  readonly query: string;
  readonly plan: PlanNode;
}

export interface PlanRecorder {
  readonly plans: readonly RecordedPlan[];
  /** From here on plans are of this. */
  ask(name: string | null): void;
  /** Hears nothing more. */
  stop(): void;
}

/** What makes the server tell a session of every statement it runs, those inside of functions included. */
export const TELL_PLANS = [
  `session_preload_libraries = 'auto_explain'`,
  `auto_explain.log_min_duration = 0`,
  `auto_explain.log_analyze = on`,
  `auto_explain.log_buffers = on`,
  `auto_explain.log_timing = off`,
  `auto_explain.log_nested_statements = on`,
  `auto_explain.log_format = 'json'`,
  `auto_explain.log_level = 'notice'`,
] as const;

/**
 * Keeps the plans that the server tells the sessions of this process. It tells the plan of a statement when its portal is
 * closed, which for the last statement of a transaction is at the commit: so every notice of a client counts, whichever
 * query it comes with.
 */
export function recordPlans(): PlanRecorder {
  const plans: RecordedPlan[] = [];
  let asked: string | null = null;
  const hear = (message: string): void => {
    const json = message.indexOf('plan:\n');
    if (asked === null || json === -1) return;
    const { 'Query Text': query, Plan: plan } = explained.parse(
      JSON.parse(message.slice(json + 'plan:\n'.length)),
    );
    plans.push({ asked, query, plan });
  };
  const emit: unknown = Reflect.get(Client.prototype, 'emit');
  if (typeof emit !== 'function') throw new TypeError('a client emits what it hears');
  Reflect.set(
    Client.prototype,
    'emit',
    function (this: Client, event: string, ...given: unknown[]) {
      if (event === 'notice') hear(z.object({ message: z.string() }).parse(given[0]).message);
      return Boolean(Reflect.apply(emit, this, [event, ...given]));
    },
  );
  return {
    plans,
    ask(name) {
      asked = name;
    },
    stop() {
      Reflect.set(Client.prototype, 'emit', emit);
    },
  };
}

/** The node and all below it that ran. */
export function nodesOf(plan: PlanNode): readonly PlanNode[] {
  return plan['Actual Loops'] === 0 ? [] : [plan, ...plan.Plans.flatMap(nodesOf)];
}

function rowsOut(one: PlanNode): number {
  return one['Actual Rows'] * one['Actual Loops'];
}

/** Rows that a node took from a table or an index, whether it kept them or not. */
export function rowsRead(one: PlanNode): number {
  const type = one['Node Type'];
  if (!type.endsWith('Scan') || !(one['Relation Name'] || type === 'Bitmap Index Scan')) return 0;
  const removed = one['Rows Removed by Filter'] + one['Rows Removed by Index Recheck'];
  return rowsOut(one) + removed * one['Actual Loops'];
}

const TAKES_ALL = ['Aggregate', 'WindowAgg', 'ModifyTable', 'LockRows'];

/** Rows that a query answers, counts, changes or locks. */
export function rowsUsed(plan: PlanNode): number {
  const taken = nodesOf(plan)
    .filter((one) => TAKES_ALL.includes(one['Node Type']))
    .flatMap((one) => one.Plans.map(rowsOut));
  return rowsOut(plan) + taken.reduce((sum, rows) => sum + rows, 0);
}

export interface Measured extends RecordedPlan {
  readonly read: number;
  readonly used: number;
  /** Tables of many rows that were read from one end to the other. */
  readonly scanned: readonly string[];
}

export function measure(recorded: RecordedPlan, largeTables: ReadonlySet<string>): Measured {
  const nodes = nodesOf(recorded.plan);
  const whole = nodes.filter((one) => one['Node Type'] === 'Seq Scan');
  return {
    ...recorded,
    read: Math.round(nodes.reduce((sum, one) => sum + rowsRead(one), 0)),
    used: Math.round(rowsUsed(recorded.plan)),
    scanned: whole
      .map((one) => one['Relation Name'] ?? '')
      .filter((table) => largeTables.has(table)),
  };
}
