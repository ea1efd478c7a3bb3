/** The gate rules of one place as every door reads and changes them. A place is a scope; null is the whole account. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import type { PlacedRule } from '../../domain/governance/gates.ts';
import { ruleRowOf } from '../../domain/governance/rule-columns.ts';
import { planRules, rulesInForce, type RuleChange } from '../../domain/governance/rule-sets.ts';
import { compareWords } from '../../domain/statements/source.ts';
import { scopeChain, type ScopePath } from '../../domain/scopes/path.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { auditActor } from '../audit-actor.ts';
import type { RequestContext } from '../operation.ts';
import { ruleOutput } from './rule-fields.ts';

export const RULE_SOURCES = ['scope', 'account', 'built_in'] as const;

export interface RuleInForce {
  readonly rule: PlacedRule;
  readonly source: (typeof RULE_SOURCES)[number];
  /** The scope that it was written for. */
  readonly scopePath: string | null;
}

export interface RuleSet {
  readonly scopePath: ScopePath | null;
  /** Null for the account; undefined for a scope that nothing was written to yet. */
  readonly scopeId: string | null | undefined;
  /** Equal for equal rules of the place, and another after every change of them; 0 while none is written. */
  readonly version: number;
  readonly written: readonly PlacedRule[];
  /** One for each cell. */
  readonly inForce: readonly RuleInForce[];
}

/** Bytes of a version: as many as a JSON number holds exactly. */
const VERSION_SIZE = 6;

/** Rules are never edited, so their ids tell their values. */
function versionOf(written: readonly PlacedRule[]): number {
  if (written.length === 0) return 0;
  const ids = written.map(({ id }) => id ?? '').toSorted(compareWords);
  return createHash('sha256').update(ids.join()).digest().readUIntBE(0, VERSION_SIZE);
}

function sourceOf({ id, scopeId }: PlacedRule): RuleInForce['source'] {
  if (id === null) return 'built_in';
  return scopeId === null ? 'account' : 'scope';
}

/** A scope that nothing was written to yet has no rules of its own; those above it are in force there. */
export async function readRuleSet(stores: Stores, scopePath: ScopePath | null): Promise<RuleSet> {
  const chain = scopePath === null ? [] : await stores.scopes.find(scopeChain(scopePath));
  const place = scopePath === null ? null : chain.find(({ path }) => path === scopePath);
  const ids = chain.map(({ id }) => id);
  const rules = await stores.gateRules.ofPlaces(ids);
  const scopeId = place === null ? null : place?.id;
  const written = rules.filter((rule) => rule.scopeId === scopeId);
  const pathOf = (rule: PlacedRule) => chain.find(({ id }) => id === rule.scopeId)?.path ?? null;
  return {
    scopePath,
    scopeId,
    version: versionOf(written),
    written,
    inForce: rulesInForce(rules, ids).map((rule) => ({
      rule,
      source: sourceOf(rule),
      scopePath: pathOf(rule),
    })),
  };
}

export interface ChangedRuleSet {
  readonly set: RuleSet;
  /** The run of the gates over what waits; null when nothing changed. */
  readonly runId: string | null;
}

/**
 * Changes the rules of the place to what `decide` says of those that are written, and has the gates look again at what
 * waits. What is as asked already changes nothing. `version` is that of the rules the change was made for; null where
 * `decide` has just read them. Rules that are others by now are a `conflict`.
 */
export async function changeRuleSet(
  { caller, inAccount, now, traceId }: RequestContext,
  accountId: string,
  scopePath: ScopePath | null,
  version: number | null,
  decide: (current: RuleSet) => RuleChange,
): Promise<ChangedRuleSet> {
  return inAccount(accountId, async (stores) => {
    // Decisions hold the row too: the change waits for those by the rules until now, and every later one sees it.
    await stores.accounts.lockPreset();
    const current = await readRuleSet(stores, scopePath);
    const { entered, retired } = planRules(current.written, decide(current));
    if (entered.length + retired.length === 0) return { set: current, runId: null };
    if (version !== null && version !== current.version) throw new Refusal('conflict');
    const scopeId =
      scopePath === null ? null : (current.scopeId ?? (await stores.scopes.ensureChain(scopePath)));
    await stores.gateRules.replace(scopeId, retired, entered, now);
    await stores.audit.record({
      category: 'governance',
      action: 'gate_rules.changed',
      actor: auditActor(caller),
      resourceType: scopeId === null ? 'account' : 'scope',
      resourceId: scopeId ?? accountId,
      metadata: { entered: entered.length, retired: retired.length },
    });
    // A run that has not begun walks over everything by the rules of this transaction too.
    const waiting = await stores.runs.lockWaiting('regate');
    const runId = waiting ?? (await stores.runs.enter({ kind: 'regate', traceId }));
    return { set: await readRuleSet(stores, scopePath), runId };
  });
}

const ruleInForce = ruleOutput
  .extend({
    source: z
      .enum(RULE_SOURCES)
      .describe('What it was written for: a scope, the account, or nothing.'),
    source_scope_path: z
      .string()
      .nullable()
      .describe(
        'That scope: the place itself or the nearest one above it with a rule of the cell.',
      ),
  })
  .meta({ id: 'GateRuleInForce' });

export const ruleSetOutput = z.object({
  scope_path: z.string().nullable().describe('Null for the whole account.'),
  version: z
    .int()
    .describe('Another one after every change of these rules; a change has to name it.'),
  rules: z.array(ruleOutput).describe('The rules that are written for this place.'),
  in_force: z
    .array(ruleInForce)
    .describe('The rule of each of the 12 cells that decides here, and where it comes from.'),
});

/** The rules as a caller is shown them. */
export function shownRuleSet(set: RuleSet): z.input<typeof ruleSetOutput> {
  return {
    scope_path: set.scopePath,
    version: set.version,
    rules: set.inForce
      .filter(({ rule }) => rule.id !== null && rule.scopeId === set.scopeId)
      .map(({ rule }) => ruleRowOf(rule)),
    in_force: set.inForce.map(({ rule, scopePath, source }) => ({
      ...ruleRowOf(rule),
      source,
      source_scope_path: scopePath,
    })),
  };
}
