/** An account whose gate rules are kept in memory, for tests of the operations that read and change them. */
import type { PlacedRule } from '../../../domain/governance/gates.ts';
import { presetRules } from '../../../domain/governance/presets.ts';
import { ruleRowOf, type GateRule } from '../../../domain/governance/rule-columns.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { parseScopePath, type ScopePath } from '../../../domain/scopes/path.ts';
import type { Environment } from '../../../operations/environment/environment.ts';
import type { AuditEvent } from '../../../stores/postgres/audit/audit.store.ts';

const ACCOUNT = '01890000-0000-7000-8000-000000000001';
export const uuid = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`;
export const path = (text: string): ScopePath => {
  const parsed = parseScopePath(text);
  if (parsed === null) throw new Error(`no path: ${text}`);
  return parsed;
};

/** An account with the scopes `/` and `/team`, and the rules of `assisted`. */
export class RulesAccount {
  rules: PlacedRule[] = [];
  readonly audited: AuditEvent[] = [];
  readonly runs: string[] = [];
  waiting: string | null = null;
  woken = 0;
  #next = 100;

  readonly #scopes = new Map([
    ['/', uuid(10)],
    ['/team', uuid(11)],
  ]);

  constructor() {
    this.enter(null, presetRules('assisted'));
  }

  enter(scopeId: string | null, rules: readonly GateRule[]): void {
    for (const rule of rules) {
      this.#next += 1;
      this.rules.push({ ...rule, id: uuid(this.#next), scopeId });
    }
  }

  get #stores() {
    return {
      accounts: {
        lockPreset: async () => 'assisted',
        get: async () => ({ gate_preset: 'assisted' }),
      },
      scopes: {
        find: async (paths: readonly string[]) =>
          [...this.#scopes]
            .filter(([each]) => paths.includes(each))
            .map(([each, id]) => ({ path: each, id })),
        ensureChain: async (scope: string) => {
          this.#scopes.set(scope, this.#scopes.get(scope) ?? uuid(10 + this.#scopes.size));
          return this.#scopes.get(scope);
        },
      },
      gateRules: {
        ofPlaces: async (ids: readonly string[]) =>
          this.rules.filter(({ scopeId }) => scopeId === null || ids.includes(scopeId)),
        inForce: async () =>
          this.rules.map((rule) => ({ ...ruleRowOf(rule), id: rule.id, scope_path: null })),
        replace: async (scopeId: string | null, retired: readonly string[], rules: GateRule[]) => {
          this.rules = this.rules.filter(({ id }) => !retired.includes(id ?? ''));
          this.enter(scopeId, rules);
        },
      },
      audit: { record: async (...events: AuditEvent[]) => void this.audited.push(...events) },
      runs: {
        lockWaiting: async () => this.waiting,
        enter: async () => {
          const id = uuid(900 + this.runs.length);
          this.runs.push(id);
          return id;
        },
      },
    };
  }

  get environment(): Environment {
    const inAccount = (_id: string, work: (stores: unknown) => unknown) => work(this.#stores);
    const directory = { accountIds: async () => [ACCOUNT] };
    const sweep = { soon: () => void (this.woken += 1) };
    return { inAccount, directory, sweep } as unknown as Environment;
  }
}

export const person = (
  scope: string,
  role: Caller['grants'][number]['role'] = 'account_admin',
): Caller => ({
  accountId: ACCOUNT,
  credentialId: uuid(2),
  kind: 'human',
  peerId: uuid(3),
  peerKey: 'ada',
  pinPath: null,
  secretPolicy: 'keep',
  grants: [{ scopePath: path(scope), role, effect: 'allow', propagate: true }],
});
export const ADMIN = person('/');
