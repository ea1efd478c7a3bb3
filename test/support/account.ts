/** One account of a running service: who is in it and what they hold. */
import { z } from 'zod';
import { setPreset } from '../../operations/governance/preset.ts';
import { createAccount } from '../../operations/identity/accounts.ts';
import { addGrant } from '../../operations/identity/grants.ts';
import { createKey, revokeKey } from '../../operations/identity/keys.ts';
import { createUser } from '../../operations/identity/users.ts';
import type { Operation } from '../../operations/operation.ts';
import { rebuildIndex } from '../../operations/retrieval/index-admin.ts';
import type { HttpAnswer, HttpCall } from './http.ts';
import { eventually } from './patience.ts';

export const PASSWORD = 'correct horse battery';

export interface TestKey {
  readonly id: string;
  readonly token: string;
}

export interface TestAccount {
  readonly id: string;
  readonly key: string;
  readonly adminEmail: string;
  /** The address that `person` gives to somebody of that name, which is the key of their peer too. */
  emailOf(name: string): string;
  /** A key of `peer`, made when it is not known; null for a machine without a peer. Member at `/`. */
  agent(
    peer: string | null,
    options?: {
      readonly scope?: string;
      readonly role?: string;
      readonly pin?: string;
      readonly expires_in_seconds?: number;
    },
  ): Promise<TestKey>;
  /** A person's token after signing in; `peer` attaches the login to a known peer. Member at `/`. */
  person(
    name: string,
    options?: { readonly scope?: string; readonly role?: string; readonly peer?: string },
  ): Promise<string>;
  grant(
    peer: string,
    grant: {
      readonly scope: string;
      readonly role?: string;
      readonly effect?: 'allow' | 'deny';
      readonly propagate?: boolean;
    },
  ): Promise<void>;
  revoke(key: TestKey): Promise<void>;
  preset(preset: 'strict' | 'assisted' | 'unattended'): Promise<void>;
  /**
   * Puts a statement into a state, or gives it a sensitivity, that only a person could give it. What brings it
   * there is tested where it happens. The search indexes hear of it with `reindex`.
   */
  rewrite(
    knowledgeId: unknown,
    values: { readonly state?: string; readonly sensitivity?: string },
  ): Promise<void>;
  reindex(): Promise<void>;
}

export interface AccountTools {
  readonly operate: <O extends Operation>(
    operation: O,
    input: unknown,
  ) => Promise<z.output<O['output']>>;
  readonly call: Call;
  /** As superuser. */
  readonly rows: (query: string, values: readonly unknown[]) => Promise<unknown>;
  /** Returns once no search index waits for anything any more. */
  readonly quiet: () => Promise<void>;
}

type Call = (call: HttpCall) => Promise<HttpAnswer>;

function tokenOf(answer: HttpAnswer): string {
  const body = Object(answer.json());
  const { token } = Object(body.data);
  if (typeof token !== 'string') throw new Error(`no token in ${answer.status} ${answer.text}`);
  return token;
}

/** Signs in and answers the token. */
export async function signIn(call: Call, email: string): Promise<string> {
  return tokenOf(await call({ path: '/api/auth/password', json: { email, password: PASSWORD } }));
}

export function adminEmailOf(key: string): string {
  return `admin@${key}.example`;
}

/** A further account with its administrator. */
export async function createTestAccount(key: string, tools: AccountTools): Promise<TestAccount> {
  const email = adminEmailOf(key);
  const { id } = await tools.operate(createAccount, {
    key,
    email,
    name: 'Admin',
    password: PASSWORD,
  });
  return openTestAccount(key, id, tools);
}

/** What a test does in an account that exists. */
export function openTestAccount(
  key: string,
  id: string,
  { operate, call, rows, quiet }: AccountTools,
): TestAccount {
  const emailOf = (name: string): string => `${name}@${key}.example`;
  return {
    id,
    key,
    adminEmail: adminEmailOf(key),
    emailOf,
    async agent(peer, options = {}) {
      const made = await operate(createKey, {
        account: key,
        peer,
        scope: '/',
        role: 'member',
        ...options,
      });
      return { id: made.id, token: made.api_key };
    },
    async person(name, options = {}) {
      const email = emailOf(name);
      await operate(createUser, {
        account: key,
        email,
        name,
        role: 'member',
        scope: '/',
        password: PASSWORD,
        ...options,
      });
      return signIn(call, email);
    },
    async grant(peer, grant) {
      await operate(addGrant, { account: key, peer, role: 'reader', ...grant });
    },
    async revoke({ id: keyId }) {
      await operate(revokeKey, { account: key, id: keyId });
    },
    async preset(preset) {
      const answer = await operate(setPreset, { account: key, preset });
      const { run_id: runId } = z.object({ run_id: z.uuid().nullable() }).parse(answer);
      // The gates run again over what waits; a test that goes on before would race with them.
      const isOpen = async (): Promise<boolean> => {
        const open = await rows(
          `select id from pipeline_runs where account_id = $1 and id = $2 and status <> 'completed'`,
          [id, runId],
        );
        return z.array(z.unknown()).parse(open).length > 0;
      };
      if (runId === null) return;
      await eventually(async () => !(await isOpen()));
    },
    async rewrite(knowledgeId, { state = null, sensitivity = null }) {
      const values = [id, knowledgeId, state, sensitivity];
      await rows(
        `update knowledge set row_version = row_version + 1, state = coalesce($3::knowledge_state, state),
           sensitivity = coalesce($4::sensitivity, sensitivity)
         where account_id = $1 and id = $2`,
        values,
      );
      await rows(
        `update belief_periods set state = coalesce($3::knowledge_state, state),
           sensitivity = coalesce($4::sensitivity, sensitivity)
         where account_id = $1 and knowledge_id = $2 and believed_until is null`,
        values,
      );
    },
    async reindex() {
      await operate(rebuildIndex, { account: key });
      // A drain of the worker may have taken some of the marks, and still be writing.
      await quiet();
    },
  };
}
