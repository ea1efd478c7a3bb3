/** The model gateway of a process: roles from the configuration, ledger in Postgres, our own engines inside. */
import { extractDeterministic } from '../../engine/extraction/deterministic/extract.ts';
import { extractWithModel } from '../../engine/extraction/model/extract.ts';
import { createModelGateway, type ModelGateway } from '../../engine/models/gateway.ts';
import { embedDeterministic } from '../../engine/text/embedding/deterministic.ts';
import type { ModelRoles } from '../../domain/models/role-config.ts';
import { createProviderLedger } from '../../stores/postgres/provider-attempts.store.ts';
import type { Queryable } from '../../stores/postgres/pool.ts';

export function buildModelGateway(dependencies: {
  readonly db: Queryable;
  readonly roles: ModelRoles;
}): ModelGateway {
  return createModelGateway({
    roles: dependencies.roles,
    ledger: createProviderLedger(dependencies.db),
    now: () => performance.now(),
    extractWithModel,
    deterministicExtract: extractDeterministic,
    embedDeterministic,
  });
}
