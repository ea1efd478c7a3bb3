/** A search scene whose indexes and embedder stand behind servers that fail as a test says. */
import type { Caller } from '../../../domain/identity/caller.ts';
import type { ModelRoles } from '../../../domain/models/role-config.ts';
import type { ModelGateway } from '../../../engine/models/gateway.ts';
import { buildModelGateway } from '../../../runtime/container/models.ts';
import type { Retrieval } from '../../../runtime/container/retrieval.ts';
import { testServers } from '../../support/environment.ts';
import { startFaultProxy, type FaultProxy } from '../../support/fault-proxy.ts';
import { HANGS_MS } from '../../support/patience.ts';
import { startStubOpenAi } from '../../support/stub-openai.ts';
import { NO_ROLES, remoteRole } from '../../unit/models/fixtures.ts';
import { HIDDEN_STATEMENT, STATEMENTS, type Faults, type ServerName } from './fault-table.ts';
import { openSearchScene, type SearchScene } from './scene.ts';

const DIMENSIONS = 32;
const RECORDED_AT = '2025-03-01T00:00:00.000Z';
const SILENT = { info: () => {}, warn: () => {}, error: () => {} };

export interface FaultScene {
  readonly scene: SearchScene;
  readonly proxies: Readonly<Record<ServerName, FaultProxy>>;
  /** The roles with the stub as embedder, and a gateway to it. */
  readonly models: ModelRoles;
  gateway(circuitFailures?: number): ModelGateway;
  /** A search of a process that has just started: it remembers no failure and no vector. */
  fresh(options?: { readonly patienceMs?: number; readonly withoutEmbedder?: boolean }): Retrieval;
  /** Makes the servers fail so; the others pass everything on. */
  become(faults: Faults): Promise<void>;
  /** An account that holds the statements of the table, and one who reads it. */
  plant(): Promise<Caller>;
  close(): Promise<void>;
}

export async function openFaultScene(): Promise<FaultScene> {
  const servers = testServers();
  const scene = await openSearchScene();
  const stub = await startStubOpenAi({ dimensions: DIMENSIONS });
  const proxies = {
    qdrant: await startFaultProxy(servers.qdrant.url),
    meilisearch: await startFaultProxy(servers.meilisearch.url),
    embedder: await startFaultProxy(stub.baseUrl),
  };
  const embedder = remoteRole(proxies.embedder.url, { dimensions: DIMENSIONS });
  const models: ModelRoles = { ...NO_ROLES, embedder };
  const gateway = (circuitFailures = 1_000_000): ModelGateway =>
    buildModelGateway({
      db: scene.pool,
      roles: models,
      settings: {
        SERVICE_BUDGET_LIMITS_JSON: {},
        SERVICE_CIRCUIT_FAILURES: circuitFailures,
        SERVICE_CIRCUIT_OPEN_SECONDS: 600,
      },
      doorbell: { ring: () => undefined },
      log: SILENT,
    });
  const fresh: FaultScene['fresh'] = ({ patienceMs = HANGS_MS, withoutEmbedder = false } = {}) =>
    scene.rebuilt({
      models: withoutEmbedder ? NO_ROLES : models,
      gateway: gateway(),
      qdrant: { ...servers.qdrant, url: proxies.qdrant.url },
      meilisearch: { ...servers.meilisearch, url: proxies.meilisearch.url },
      patienceMs,
    });

  const become: FaultScene['become'] = async (faults) => {
    for (const name of ['qdrant', 'meilisearch', 'embedder'] as const) {
      await proxies[name].become(faults[name] ?? { kind: 'passes' });
    }
  };

  return {
    scene,
    proxies,
    models,
    gateway,
    fresh,
    become,
    async plant() {
      const account = await scene.account();
      const said = { recordedAt: RECORDED_AT };
      const { lake, painted, Lima, sold, rented, lent } = STATEMENTS;
      await account.statement({ ...said, text: lake, relevantFrom: '2025-01-01T00:00:00.000Z' });
      await account.statement({ ...said, text: painted });
      await account.statement({ ...said, text: Lima });
      await account.statement({
        ...said,
        text: HIDDEN_STATEMENT,
        state: 'provisional',
        sensitivity: 'internal',
      });
      await account.refresh();
      await account.index(await account.statement({ ...said, text: rented, path: '/poc/soon' }));
      await account.statement({ ...said, text: lent, path: '/poc/soon' });
      const late = await account.statement({ ...said, text: sold, path: '/poc/late' });
      await become({ qdrant: { kind: 'refuses' } });
      if ((await account.index(late)) !== 'overdue') throw new Error('Qdrant took the statement');
      await become({});
      return account.caller({ peer: 'carol' });
    },
    async close() {
      for (const proxy of Object.values(proxies)) await proxy.close();
      await stub.close();
      await scene.close();
    },
  };
}
