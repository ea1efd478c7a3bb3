/** An observation scene with mailboxes and an extraction pipeline whose indexes answer at once. */
import { TEST_SECRET_KEY } from '../../support/database.ts';
import { holdKeysBy } from '../../../runtime/container/forgetting.ts';
import { v7 as uuidv7 } from 'uuid';
import type { GatePreset } from '../../../domain/governance/presets.ts';
import type { Candidate, ExtractionRequest } from '../../../domain/statements/candidate.ts';
import { presetRules } from '../../../domain/governance/presets.ts';
import type { TokenLimits } from '../../../domain/models/token-limits.ts';
import { NO_BATCHING, type BatchingParameters } from '../../../domain/extraction/batching.ts';
import type { ModelRoles } from '../../../domain/models/role-config.ts';
import { extractDeterministic } from '../../../engine/english-extractor/extract.ts';
import { extractWithModel } from '../../../engine/extraction/model/extract.ts';
import {
  createExtractionPipeline,
  type BatchProcessor,
  type ExtractionPipelineDeps,
} from '../../../engine/extraction/pipeline.ts';
import type { UnitCounts } from '../../../domain/actors/unit-counts.ts';
import { createModelGateway } from '../../../engine/models/gateway.ts';
import { AnchorsStore } from '../../../stores/postgres/observations/anchors.store.ts';
import { GateRulesStore } from '../../../stores/postgres/governance/gate-rules.store.ts';
import { isDatabaseGone } from '../../../stores/postgres/errors.ts';
import { KnowledgeCommitStore } from '../../../stores/postgres/knowledge/commit.store.ts';
import { MailboxesStore } from '../../../stores/postgres/actors/mailboxes.store.ts';
import { withAccount } from '../../../stores/postgres/pool.ts';
import { ProviderAttemptsStore } from '../../../stores/postgres/models/provider-attempts.store.ts';
import { NO_ROLES, remoteRole } from '../../unit/models/fixtures.ts';
import type { Scene } from '../observations/scene.ts';

export const SHARDS = [0, 1, 2, 3, 4, 5, 6, 7] as const;

const BUILT_IN: ModelRoles = {
  ...NO_ROLES,
  ingest_extractor: {
    provider: 'deterministic',
    model: 'built-in',
    modelVersion: '1',
    dimensions: null,
  },
};

export interface PipelineOptions {
  readonly extract?: (request: ExtractionRequest) => readonly Candidate[];
  /** Address of a model endpoint that extracts in place of the built-in extractor. */
  readonly endpoint?: string;
  readonly batching?: BatchingParameters;
  /** Daily token limits. */
  readonly limits?: TokenLimits;
  readonly index?: () => Promise<'acknowledged' | 'overdue'>;
  /** Puts a test between the pipeline and what it works with. */
  readonly around?: (parts: ExtractionPipelineDeps) => ExtractionPipelineDeps;
}

/** The pipeline on the scene's database, with the built-in extractor unless a test brings its own. */
export function pipeline(
  scene: Pick<Scene, 'pool' | 'rung'>,
  options: PipelineOptions = {},
): BatchProcessor {
  const around = options.around ?? ((parts) => parts);
  const parts: ExtractionPipelineDeps = {
    anchors: new AnchorsStore(scene.pool),
    store: new KnowledgeCommitStore(scene.pool),
    gateway: createModelGateway({
      roles:
        options.endpoint === undefined
          ? BUILT_IN
          : { ...NO_ROLES, ingest_extractor: remoteRole(options.endpoint) },
      ledger: new ProviderAttemptsStore(scene.pool, options.limits),
      now: () => performance.now(),
      extractWithModel,
      deterministicExtract: options.extract ?? extractDeterministic,
      embedDeterministic: () => [],
    }),
    indexer: { indexStatements: options.index ?? (() => Promise.resolve('acknowledged')) },
    ring: (mailbox) => void scene.rung.push(mailbox),
    isDatabaseGone,
    report: () => {},
    newId: () => uuidv7(),
    holdKeysOf: holdKeysBy(TEST_SECRET_KEY),
    batching: options.batching ?? NO_BATCHING,
    extractsInProcess: options.endpoint === undefined,
  };
  return createExtractionPipeline(around(parts));
}

type Anchors = ExtractionPipelineDeps['anchors'];

/** The anchors with some of their methods replaced. */
export function anchorsWith(anchors: Anchors, replaced: Partial<Anchors>): Anchors {
  return {
    load: (...given) => anchors.load(...given),
    complete: (...given) => anchors.complete(...given),
    fail: (...given) => anchors.fail(...given),
    ...replaced,
  };
}

/** One batch of each mailbox: what is to be tried again in a second is not found a second time. */
export async function drainOnce(
  scene: Scene,
  accountId: string,
  processor: BatchProcessor,
): Promise<UnitCounts> {
  return sumOf(
    await Promise.all(
      SHARDS.map((shard) => drainShard(scene, accountId, shard, processor, { batches: 1 })),
    ),
  );
}

/** Works through one mailbox until nothing is due, as a drain does. */
export async function drainShard(
  scene: Scene,
  accountId: string,
  shard: number,
  processor: BatchProcessor = pipeline(scene),
  { batches } = { batches: Number.POSITIVE_INFINITY },
): Promise<UnitCounts> {
  const mailboxes = new MailboxesStore(scene.pool);
  const mailbox = { accountId, kind: 'ingest', shard } as const;
  const total = { ok: 0, retry: 0, failed: 0, fenced: 0 };
  const { epoch } = await mailboxes.openDrain(mailbox);
  for (let n = 0; n < batches; n += 1) {
    const anchors = await mailboxes.takeAnchors(mailbox, epoch, 50);
    if (anchors.length === 0) break;
    const batch = { accountId, shard, epoch, anchors };
    const report = await processor.process(batch, new AbortController().signal);
    for (const key of ['ok', 'retry', 'failed', 'fenced'] as const) total[key] += report[key];
  }
  return total;
}

/** Works through all mailboxes of the account, side by side. */
export async function drain(
  scene: Scene,
  accountId: string,
  processor: BatchProcessor = pipeline(scene),
): Promise<UnitCounts> {
  return sumOf(
    await Promise.all(SHARDS.map((shard) => drainShard(scene, accountId, shard, processor))),
  );
}

function sumOf(reports: readonly UnitCounts[]): UnitCounts {
  const sum = (key: keyof UnitCounts): number => reports.reduce((n, report) => n + report[key], 0);
  return { ok: sum('ok'), retry: sum('retry'), failed: sum('failed'), fenced: sum('fenced') };
}

export async function usePreset(
  scene: Scene,
  accountId: string,
  preset: GatePreset,
): Promise<void> {
  await withAccount(scene.pool, accountId, (tx) =>
    new GateRulesStore(tx, accountId).replaceAccountWide(presetRules(preset), new Date()),
  );
}

/** What the account holds, without ids and times of recording. */
export function statements(scene: Scene, accountId: string): Promise<Record<string, unknown>[]> {
  return scene.rows(
    `select p.key as subject, k.statement, k.state, k.target_level, k.sensitivity, k.corroboration_count,
       k.confidence, k.evidence_level, k.relevant_from, k.relevant_until,
       (select count(*)::integer from provenance s where s.knowledge_id = k.id) as sources
     from knowledge k left join peers p on p.account_id = k.account_id and p.id = k.subject_peer_id
     where k.account_id = $1 order by 1, 2, k.relevant_from nulls first`,
    [accountId],
  );
}

/** A candidate of which a test names only what it is about. */
export function candidate(
  request: ExtractionRequest,
  values: Partial<Candidate> & Pick<Candidate, 'statement'>,
): Candidate {
  return {
    supportingSpan: request.anchor.content,
    confidence_level: 'stated_explicitly',
    kind: 'fact',
    subjectType: 'peer',
    subjectRef: request.anchor.peerKey,
    sensitivity: 'internal',
    targetLevel: 'peer',
    sourceMessageIds: [request.anchor.id],
    relevantFrom: null,
    relevantUntil: null,
    ...values,
  };
}

/** Takes the message's text for the statement, with values written before it: `level=scope from=2024-03-01 I like tea.` */
export function literalExtractor(request: ExtractionRequest): readonly Candidate[] {
  const words = request.anchor.content.split(' ');
  const settings = new Map(words.filter((word) => word.includes('=')).map(pair));
  const statement = words.filter((word) => !word.includes('=')).join(' ');
  const level = settings.get('level');
  const sensitivity = settings.get('as');
  const about = settings.get('about');
  const from = settings.get('from');
  return [
    candidate(request, {
      statement,
      ...(about === undefined ? {} : { subjectRef: about }),
      ...(from === undefined
        ? {}
        : { relevantFrom: { at: `${from}T00:00:00.000Z`, precision: 'day' } }),
      ...(level === 'scope' || level === 'account' ? { targetLevel: level } : {}),
      ...(sensitivity === 'public' || sensitivity === 'personal' || sensitivity === 'restricted'
        ? { sensitivity }
        : {}),
    }),
  ];
}

function pair(word: string): [string, string] {
  const [name = '', value = ''] = word.split('=');
  return [name, value];
}
