/**
 * Checks that need no I/O but the configuration: what each role is, and whether the configured vector space
 * has a collection.
 */
import {
  describeRole,
  type ModelRoleConfig,
  type ModelRoles,
} from '../../domain/models/role-config.ts';
import { MODEL_ROLES, type ModelRole } from '../../domain/models/roles.ts';
import type { ErrorClass } from '../../domain/error-class.ts';
import type { VectorSpace } from '../../domain/models/vector-space.ts';
import { statusOf, type Checked, type ComponentStatus } from './bounded.ts';
import type { InstalledVectorIndex } from '../environment/readiness-sources.ts';

export interface RoleView {
  readonly provider: string;
  readonly model: string | null;
  readonly version: string | null;
}

function roleView(config: ModelRoleConfig): RoleView {
  const { provider, model, version } = describeRole(config);
  return { provider, model, version };
}

/** Without an extractor nothing that is sent in ever becomes knowledge; every other role may be left out. */
export function modelRolesCheck(roles: ModelRoles): {
  readonly status: ComponentStatus;
  readonly error_class?: ErrorClass;
  readonly configured: Partial<Record<ModelRole, RoleView>>;
} {
  const configured = Object.fromEntries(MODEL_ROLES.map((role) => [role, roleView(roles[role])]));
  return roles.ingest_extractor.provider === 'none'
    ? { status: 'error', error_class: 'model_not_configured', configured }
    : { status: 'ok', configured };
}

export interface EmbeddingIndexCheck {
  readonly status: ComponentStatus;
  readonly error_class?: ErrorClass;
  readonly provider: string | null;
  readonly model: string | null;
  readonly version: string | null;
  readonly configured_dimensions: number | null;
  readonly indexed_dimensions: readonly number[];
  /** Of the collection of the configured embedder; null without one, or when Qdrant does not answer. */
  readonly index_state: IndexState | null;
  /** Width of the vectors that the embedder answered last, in this process; null before its first answer. */
  readonly answered_dimensions: number | null;
}

/** `building`: `embeddings migrate` fills it, or did not end; `missing`: nobody has begun to. */
export const INDEX_STATES = ['ready', 'building', 'missing'] as const;
type IndexState = (typeof INDEX_STATES)[number];

function stateOf(own: InstalledVectorIndex | undefined): IndexState {
  if (own === undefined) return 'missing';
  return own.ready === false ? 'building' : 'ready';
}

/** The space as it is configured. */
function shownSpace(space: VectorSpace | null) {
  return {
    provider: space?.provider ?? null,
    model: space?.model ?? null,
    version: space?.version ?? null,
    configured_dimensions: space?.dimensions ?? null,
  };
}

/**
 * `installed` are the collections that exist; their widths are shown once each, smallest first. `answered` is the width of
 * the embedder's last answer in this process, or null.
 */
export function embeddingIndexCheck(
  space: VectorSpace | null,
  installed: Checked<readonly InstalledVectorIndex[]>,
  answered: number | null = null,
): EmbeddingIndexCheck {
  const found = installed.ok ? installed.value : [];
  const widths = [...new Set(found.map(({ dimensions }) => dimensions))].sort((a, b) => a - b);
  const described = { ...shownSpace(space), indexed_dimensions: widths };
  if (space === null) {
    return { status: 'not_applicable', ...described, index_state: null, answered_dimensions: null };
  }
  const answering = { ...described, answered_dimensions: answered };
  if (!installed.ok) return { ...statusOf(installed), ...answering, index_state: null };
  const state = stateOf(
    found.find(({ configured, dimensions }) => configured && dimensions === space.dimensions),
  );
  return state === 'ready' && (answered ?? space.dimensions) === space.dimensions
    ? { status: 'ok', ...answering, index_state: state }
    : {
        status: 'error',
        error_class: 'embedding_width_mismatch',
        ...answering,
        index_state: state,
      };
}
