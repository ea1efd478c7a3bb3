/** The model gateway of a process: roles from the configuration, ledger in Postgres, and the built-in providers. */
import { extractWithModel } from '../../engine/extraction/model/extract.ts';
import { checkRoles } from '../../engine/models/check.ts';
import { callAside } from '../../engine/models/extraction.ts';
import { createModelGateway, type ModelGateway } from '../../engine/models/gateway.ts';
import type { ModelObserver } from '../../engine/models/observer.ts';
import { ON_THE_LOOP, type TextWork } from '../../engine/offload/text-work.ts';
import type { ModelRoles } from '../../domain/models/role-config.ts';
import type { Environment } from '../../operations/environment/environment.ts';
import { CircuitsStore } from '../../stores/postgres/models/circuits.store.ts';
import { ProviderAttemptsStore } from '../../stores/postgres/models/provider-attempts.store.ts';
import type { Queryable } from '../../stores/postgres/pool.ts';
import type { Doorbell } from '../actors/doorbell.ts';
import type { Settings } from '../config/index.ts';
import type { Log } from '../../engine/logging/logger.ts';

export interface ModelGatewayDependencies {
  readonly db: Queryable;
  readonly roles: ModelRoles;
  /** Where texts are masked, embedded and read by the built-in extractor; on the event loop unless given. */
  readonly text?: TextWork;
  readonly settings: Pick<
    Settings,
    | 'SERVICE_BUDGET_LIMITS_JSON'
    | 'SERVICE_CIRCUIT_FAILURES'
    | 'SERVICE_CIRCUIT_OPEN_SECONDS'
    | 'SERVICE_CONCURRENT_MODEL_CALLS'
  >;
  /** Rung for work that becomes due when a circuit closes. */
  readonly doorbell: Pick<Doorbell, 'ring'>;
  readonly log: Log;
  /** Told of calls and circuits in addition to the log. */
  readonly observers?: readonly ModelObserver[];
}

export function buildModelGateway(dependencies: ModelGatewayDependencies): ModelGateway {
  const { db, roles, settings, doorbell, log, text = ON_THE_LOOP, observers = [] } = dependencies;
  const { SERVICE_CONCURRENT_MODEL_CALLS: concurrentCalls } = settings;
  return createModelGateway({
    roles,
    ledger: new ProviderAttemptsStore(db, settings.SERVICE_BUDGET_LIMITS_JSON),
    now: () => performance.now(),
    ...(concurrentCalls === undefined ? {} : { concurrentCalls }),
    extractWithModel,
    maskSecrets: text.maskSecrets,
    deterministicExtract: text.extract,
    embedDeterministic: text.embed,
    circuit: {
      store: new CircuitsStore(db),
      rules: {
        failures: settings.SERVICE_CIRCUIT_FAILURES,
        openMs: settings.SERVICE_CIRCUIT_OPEN_SECONDS * 1000,
      },
      ring: (mailbox) => doorbell.ring(mailbox),
    },
    observer: observedByAll([modelLog(log), ...observers]),
  });
}

/** The calls to models that operations may make. */
export function modelsForOperations(gateway: ModelGateway): Environment['models'] {
  return {
    check(accountId, traceId, signal) {
      const call = { ...callAside({ accountId, traceId, signal }), isCheck: true };
      return checkRoles(gateway, call, () => performance.now());
    },
  };
}

/** A refusal of a role is written to the log at most so often; each is counted in the metrics. */
const REFUSALS_TOLD_EACH_MS = 60_000;

/** Writes that calls are refused, once a minute for each role, to the log. */
export function refusalLog(
  log: Log,
  now: () => number = () => performance.now(),
): ModelObserver['refused'] {
  const toldAt = new Map<string, number>();
  return ({ accountId, role, errorClass }) => {
    const key = `${role} ${errorClass}`;
    const last = toldAt.get(key);
    if (last !== undefined && now() - last < REFUSALS_TOLD_EACH_MS) return;
    toldAt.set(key, now());
    log.warn('service.model.call_refused', { account_id: accountId, role, class: errorClass });
  };
}

/** Writes every transition of a circuit, and every call that one kept back, to the log. */
export function modelLog(log: Log): ModelObserver {
  return {
    attempt() {},
    refused: refusalLog(log),
    circuit(event) {
      const fields = {
        account_id: event.accountId,
        role: event.role,
        provider: event.provider,
        model: event.model,
        model_version: event.modelVersion,
        transition: event.event,
        consecutive_failures: event.consecutiveFailures,
      };
      if (event.event === 'opened') log.warn('service.model.provider_circuit', fields);
      else log.info('service.model.provider_circuit', fields);
    },
  };
}

function observedByAll(observers: readonly ModelObserver[]): ModelObserver {
  return {
    attempt: (event) => observers.forEach((observer) => observer.attempt(event)),
    circuit: (event) => observers.forEach((observer) => observer.circuit(event)),
    refused: (event) => observers.forEach((observer) => observer.refused(event)),
  };
}
