/**
 * How every call of every role is made. Its ledger row is filled from the role's configuration and the call's
 * context. A remote call passes the circuit of its provider and waits for a slot of the process-wide semaphore; a
 * call in process does neither.
 */
import type { AttemptReservation, ProviderLedger } from '../../domain/models/ledger.ts';
import { NOTHING_USED } from '../../domain/models/usage.ts';
import { PIPELINE_IDENTITY } from '../../domain/identities.ts';
import {
  isRemote,
  type DeterministicRoleConfig,
  type RemoteRoleConfig,
  type ModelRoles,
} from '../../domain/models/role-config.ts';
import { MODEL_ROLES, type ModelRole } from '../../domain/models/roles.ts';
import type { AttemptEnvironment, Performed, PriceMicros } from './attempt.ts';
import { runAttempt, runUnrecorded } from './attempt.ts';
import { NO_CIRCUITS, SharedCircuits, type CircuitOptions, type GuardedCall } from './circuit.ts';
import type { CallContext } from './extraction.ts';
import type { ModelObserver, UnrecordedCall } from './observer.ts';
import type { RemoteProvider } from './provider.ts';
import { createRemoteProvider } from './remote-provider.ts';
import { createSemaphore } from '../semaphore.ts';

/** Calls mostly wait for their provider. An operator whose provider takes fewer at a time sets another number. */
const DEFAULT_CONCURRENT_CALLS = 16;
/** The share of the slots that one role of one account may take, so that calls that hang leave slots for others. */
const MOST_OF_ONE_SHARE = 0.75;

export interface CallsOptions {
  readonly roles: ModelRoles;
  readonly ledger: ProviderLedger;
  /** Monotonic milliseconds, for durations. */
  readonly now: () => number;
  /** Concurrent remote calls of the process. */
  readonly concurrentCalls?: number;
  /** Whether the rows of a role are reserved and dispatched in two steps; by default those of no role. */
  readonly reservesFirst?: (role: ModelRole) => boolean;
  readonly priceMicros?: PriceMicros;
  /** Keeps calls back while their provider fails; without it none is. */
  readonly circuit?: CircuitOptions;
  readonly observer?: ModelObserver;
  /** Told of every call that has no row; see `runUnrecorded`. */
  readonly onUnrecorded?: (call: UnrecordedCall) => void;
  readonly createProvider?: (config: RemoteRoleConfig) => RemoteProvider;
}

/** What is asked of which model. */
export interface ModelCall {
  readonly role: ModelRole;
  readonly config: RemoteRoleConfig | DeterministicRoleConfig;
  readonly promptVersion: string | null;
  readonly repairIndex: number;
  readonly worstCase: AttemptReservation['worstCase'];
  /** Null for a call in process, which neither hangs nor takes a slot. */
  readonly timeoutMs: number | null;
}

export interface Calls {
  /** The client of a role; null when the role is not remote. */
  provider(role: ModelRole): RemoteProvider | null;
  /** Makes a call under its ledger row; throws as `runAttempt` does. */
  readonly run: <T>(
    asked: ModelCall,
    call: CallContext,
    perform: (signal: AbortSignal) => Promise<Performed<T>>,
  ) => Promise<Performed<T>>;
  /** Makes a call in process without a row; see `runUnrecorded`. */
  readonly runUnrecorded: Calls['run'];
}

/** Makes the clients of the remote roles and the semaphore they share. */
export function createCalls(options: CallsOptions): Calls {
  const { roles, ledger, now, observer, onUnrecorded, circuit } = options;
  const priceMicros = options.priceMicros ?? (() => null);
  const environment: AttemptEnvironment = { ledger, now, priceMicros, observer };
  const circuits = circuit === undefined ? NO_CIRCUITS : new SharedCircuits(circuit, now, observer);
  const slots = options.concurrentCalls ?? DEFAULT_CONCURRENT_CALLS;
  const semaphore = createSemaphore(slots, { mostOfOne: Math.ceil(slots * MOST_OF_ONE_SHARE) });
  const create = options.createProvider ?? createRemoteProvider;
  const providers = new Map<ModelRole, RemoteProvider>();
  for (const role of MODEL_ROLES) {
    const config = roles[role];
    if (isRemote(config)) providers.set(role, create(config));
  }
  return {
    provider: (role) => providers.get(role) ?? null,
    runUnrecorded: (asked, call, perform) =>
      runUnrecorded(
        { now, observer, onUnrecorded },
        reservation(asked, call),
        call.signal,
        perform,
      ),
    async run(asked, call, perform) {
      const { timeoutMs } = asked;
      const dispatch = options.reservesFirst?.(asked.role) !== true;
      const attempt = { ...reservation(asked, call), dispatch };
      const run = (): ReturnType<typeof perform> =>
        runAttempt(environment, attempt, call.signal, timeoutMs, perform);
      if (timeoutMs === null) return run();
      const guarded = guardedCall(asked, call, timeoutMs);
      // The circuit is asked before the queue, which moves slowly when a provider hangs, and again after it.
      await circuits.refuseIfOpen(guarded);
      const key = `${asked.role}/${call.accountId}`;
      return semaphore.run(call.signal, () => circuits.run(guarded, run), key);
    },
  };
}

/** A call of the built-in provider. */
export function inProcessCall(
  role: ModelRole,
  config: DeterministicRoleConfig,
  promptVersion: string | null,
): ModelCall {
  return { role, config, promptVersion, repairIndex: 0, worstCase: NOTHING_USED, timeoutMs: null };
}

function guardedCall(asked: ModelCall, call: CallContext, timeoutMs: number): GuardedCall {
  const { provider, model, modelVersion } = asked.config;
  const key = { accountId: call.accountId, role: asked.role, provider, model };
  return { key, modelVersion, timeoutMs };
}

function reservation(asked: ModelCall, call: CallContext): Omit<AttemptReservation, 'dispatch'> {
  const { signal: _signal, asker: _asker, purpose: _purpose, ...origin } = call;
  const { role, config, promptVersion, repairIndex, worstCase } = asked;
  const { provider, model, modelVersion } = config;
  return {
    ...origin,
    role,
    identity: { provider, model, modelVersion },
    promptVersion,
    pipelineVersion: role === 'ingest_extractor' ? PIPELINE_IDENTITY : null,
    repairIndex,
    worstCase,
  };
}
