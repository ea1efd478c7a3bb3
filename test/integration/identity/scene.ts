/** A database of its own, the identity services on it, and operations called as a door calls them. */
import type { z } from 'zod';
import { buildIdentity } from '../../../runtime/container/identity.ts';
import type { Clock } from '../../../runtime/identity/authenticator.ts';
import { execute } from '../../../operations/execute.ts';
import { bootstrap } from '../../../operations/identity/bootstrap.ts';
import type { Access, Operation, RequestContext } from '../../../operations/operation.ts';
import type { Environment } from '../../../operations/environment/environment.ts';
import { Directory } from '../../../stores/postgres/identity/directory.ts';
import { PLANNING_REFERENCE } from '../../../domain/models/rates.ts';
import { createRefusingInAccount } from '../../../stores/postgres/in-account.ts';
import { openTestDatabase, type OpenDatabase } from '../../support/database.ts';

export const PASSWORD = 'correct horse battery';

type Members = Pick<
  Environment,
  | 'authenticate'
  | 'costProfile'
  | 'tokenLimits'
  | 'directory'
  | 'inAccount'
  | 'passwords'
  | 'secrets'
  | 'settings'
  | 'signInLimits'
>;

const MEMBERS: Readonly<Record<keyof Environment, true>> = {
  inAccount: true,
  directory: true,
  authenticate: true,
  authenticateErased: true,
  browserSessions: true,
  recordObservations: true,
  audienceDigest: true,
  promisedPathHash: true,
  holdKeysOf: true,
  isSettled: true,
  nextSettlement: true,
  verifyChain: true,
  blobs: true,
  compareBlobs: true,
  acceptIndexes: true,
  search: true,
  answer: true,
  recall: true,
  sourceSearch: true,
  questions: true,
  indexes: true,
  retention: true,
  vectorSpaces: true,
  models: true,
  doorbell: true,
  sweep: true,
  text: true,
  passwords: true,
  secrets: true,
  signInLimits: true,
  readiness: true,
  extraction: true,
  costProfile: true,
  tokenLimits: true,
  countRequest: true,
  settings: true,
};

/** Throws as soon as it is called, or anything of it is read. */
function untouchable(name: string): unknown {
  const touched = (): never => {
    throw new Error(`an operation of this test may not touch ${name}`);
  };
  return new Proxy(touched, { apply: touched, get: touched });
}

/** An environment of which only these members may be touched: any other one throws. Copies of it do the same. */
export function onlyThese(members: Partial<Environment>): Environment {
  const others = Object.keys(MEMBERS).map((name) => [name, untouchable(name)]);
  return { ...(Object.fromEntries(others) as Environment), ...members };
}

export interface Scene extends OpenDatabase {
  readonly environment: Members;
  /** Epoch milliseconds of the scene's clock, which stands still until moved. */
  clock: number;
  run<O extends Operation>(
    operation: O,
    input: unknown,
    context?: Partial<RequestContext>,
  ): Promise<z.output<O['output']>>;
  bootstrap(): Promise<{ accountId: string; token: string; peerId: string }>;
}

export async function createScene(options: { unattended?: boolean } = {}): Promise<Scene> {
  const database = await openTestDatabase();
  const { pool } = database;
  // Slonik tells the pool of a failed query before it throws; a listener is not needed.
  pool.on('error', () => undefined);
  const clock: Clock = { now: () => new Date(scene.clock), monotonicMs: () => scene.clock };
  const environment: Members = {
    ...buildIdentity({ db: pool, attemptHashKey: new Uint8Array(32).fill(7), clock }),
    costProfile: PLANNING_REFERENCE,
    tokenLimits: {},
    directory: new Directory(pool),
    inAccount: createRefusingInAccount(pool),
    settings: {
      answerContextLimit: 12,
      hasAnswerer: false,
      minimalRecall: false,
      passwordTokenTtlMs: 3_600_000,
      tokensKeptDays: 30,
      embedderSpace: 'none',
      temporalUi: null,
      unattended: options.unattended ?? false,
    },
  };
  const scene: Scene = {
    ...database,
    environment,
    clock: Date.now(),
    run: <O extends Operation>(operation: O, input: unknown, context?: Partial<RequestContext>) =>
      execute<Access, O['input'], O['output']>(
        operation,
        {
          ...onlyThese(environment),
          caller: null,
          traceId: '0'.repeat(32),
          now: new Date(scene.clock),
          signal: new AbortController().signal,
          clientAddress: null,
          idempotency: null,
          ...context,
        },
        input,
      ),
    bootstrap: async () => {
      const made = await scene.run(bootstrap, { email: 'admin@example.org', password: PASSWORD });
      if (made.account_id === null || made.token === null || made.peer_id === null) {
        throw new Error('bootstrap changed nothing');
      }
      return { accountId: made.account_id, token: made.token, peerId: made.peer_id };
    },
  };
  return scene;
}
