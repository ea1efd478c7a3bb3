/**
 * The only door to models. Every call passes here: its role decides the provider, a ledger row is written
 * before it, a process-wide semaphore bounds the concurrent requests, secrets are masked (`masking.ts`), and its
 * failure leaves as one class of the closed list. The built-in provider goes through the same ledger, but where it
 * embeds; a role set to `none` makes no row.
 *
 * How statements are asked for and how the built-in provider works are given to the gateway, so that it
 * knows providers and accounting only.
 */
import type { Candidate, ExtractionRequest } from '../../domain/statements/candidate.ts';
import { sensitivityRaiser } from '../../domain/sensitivity/raise.ts';
import { gradeCandidate, type GradedCandidate } from '../../domain/statements/confidence.ts';
import { ModelFailure } from '../../domain/error-class.ts';
import type { ExtractionIdentity, ModelDescription } from '../../domain/models/identity.ts';
import { PIPELINE_IDENTITY } from '../../domain/identities.ts';
import { NO_PROMPT } from '../../domain/models/identity.ts';
import type {
  DeterministicRoleConfig,
  ModelRoleConfig,
  RemoteRoleConfig,
} from '../../domain/models/role-config.ts';
import { describeRole, isRemote } from '../../domain/models/role-config.ts';
import type { ModelRole } from '../../domain/models/roles.ts';
import type { Calls, CallsOptions } from './calls.ts';
import { createCalls, inProcessCall } from './calls.ts';
import { NOTHING_USED } from '../../domain/models/usage.ts';
import { createEmbedder, type EmbeddingResult, type EmbedInProcess } from './embedding.ts';
import type {
  AnchorAnswer,
  BatchExtractionResult,
  CallContext,
  ExtractionResult,
  ExtractWithModel,
  ModelExtraction,
} from './extraction.ts';
import { judgedAnswer, performQuestion, worstCaseOf, type GenerationModel } from './generation.ts';
import {
  guarded,
  maskCandidates,
  maskMessages,
  maskRequests,
  type MaskedRequests,
  type MaskFor,
  type MaskTexts,
} from './masking.ts';
import { ownFailure } from './own-failure.ts';
import { createRerank, type Rerank } from './reranking.ts';
import type { Behalf } from '../behalf.ts';
import { maskSecrets } from '../secrets/mask.ts';

/** Roles that are asked questions; the other two have calls of their own. */
export type GenerationRole = Exclude<ModelRole, 'embedder' | 'reranker'>;

export interface ModelGatewayOptions extends CallsOptions {
  readonly extractWithModel: ExtractWithModel;
  readonly deterministicExtract: (
    request: ExtractionRequest,
    behalf: Behalf,
  ) => readonly Candidate[] | Promise<readonly Candidate[]>;
  readonly embedDeterministic: EmbedInProcess;
  /** Where texts are masked; on the event loop unless given. */
  readonly maskSecrets?: (texts: readonly string[], behalf: Behalf) => ReturnType<MaskTexts>;
}

export interface ModelGateway {
  /**
   * Proposes the statements of one anchor.
   * @throws ModelFailure; the signal's reason after a cancellation; whatever the ledger throws.
   */
  extract(request: ExtractionRequest, call: CallContext): Promise<ExtractionResult>;
  /**
   * Proposes the statements of several anchors of one session and scope in one call, answered separately.
   * For a model that is prompted: the built-in provider is asked about one anchor at a time.
   * @throws as `extract`, when the call fails as a whole.
   */
  extractBatch(
    requests: readonly ExtractionRequest[],
    call: CallContext,
  ): Promise<BatchExtractionResult>;
  /** Embeds texts in order, in one vector space. Throws like `extract`; no texts make no call. */
  embed(texts: readonly string[], call: CallContext): Promise<EmbeddingResult>;
  /** Has documents judged by how well they fit a query. Throws like `extract`; no documents make no call. */
  readonly rerank: Rerank;
  /** A model to ask in a role. Throws ModelFailure('model_not_configured') when the role has none. */
  generation(role: GenerationRole, call: CallContext): GenerationModel;
  /** Has the built-in provider of a role do its work, under a ledger row. Throws like `extract`. */
  inProcess<T>(role: GenerationRole, call: CallContext, work: () => T | Promise<T>): Promise<T>;
  /** Texts for the outside, with every recognised secret masked. Throws ModelFailure where that cannot be done. */
  mask(texts: readonly string[], call: CallContext): Promise<readonly string[]>;
  /** Width of the vectors that the embedder answered last; null before its first answer in this process. */
  answeredWidth(): number | null;
  /** Provider, model and version of each role, for readiness. */
  describe(): Readonly<Record<ModelRole, ModelDescription>>;
}

/** Builds the gateway; clients are made at once, no request is sent. */
export function createModelGateway(options: ModelGatewayOptions): ModelGateway {
  const { roles } = options;
  const calls = createCalls(options);
  const mask = options.maskSecrets ?? maskSecrets;
  const maskFor: MaskFor = ({ accountId, signal }) =>
    guarded((texts) => mask(texts, { accountId, signal }));
  const generation = (role: GenerationRole, call: CallContext): GenerationModel =>
    createGeneration(calls, role, roles[role], call, maskFor(call));
  const extractBatch = createExtractBatch(options, calls, generation, maskFor);
  let width: number | null = null;
  const onWidth = (answered: number): void => void (width = answered);
  return {
    extract: async (request, call) => only(await extractBatch([request], call)),
    extractBatch,
    embed: createEmbedder(roles.embedder, calls, options.embedDeterministic, maskFor, onWidth),
    rerank: createRerank(roles.reranker, calls, maskFor),
    generation,
    inProcess: (role, call, work) => runInProcess(calls, role, roles[role], call, work),
    mask: (texts, call) => maskFor(call)(texts),
    answeredWidth: () => width,
    describe: () => ({
      embedder: describeRole(roles.embedder),
      reranker: describeRole(roles.reranker),
      ingest_extractor: describeRole(roles.ingest_extractor),
      dream_reasoner: describeRole(roles.dream_reasoner),
      dialectic_agent: describeRole(roles.dialectic_agent),
    }),
  };
}

function createGeneration(
  calls: Calls,
  role: GenerationRole,
  config: ModelRoleConfig,
  call: CallContext,
  mask: MaskTexts,
): GenerationModel {
  const provider = calls.provider(role);
  if (provider === null || !isRemote(config)) throw new ModelFailure('model_not_configured');
  const { contextTokens, maxOutputTokens, timeoutMs } = config;
  return {
    contextTokens,
    maxOutputTokens,
    ask: async (asking, judge) => {
      const question = { ...asking, messages: await maskMessages(asking.messages, mask) };
      const { promptVersion, repairIndex } = question;
      const worstCase = worstCaseOf(question, maxOutputTokens);
      const asked = { role, config, promptVersion, repairIndex, worstCase, timeoutMs };
      const performed = await calls.run(asked, call, (signal) =>
        performQuestion(provider, question, maxOutputTokens, signal, judge),
      );
      return judgedAnswer(performed);
    },
  };
}

async function runInProcess<T>(
  calls: Calls,
  role: GenerationRole,
  config: ModelRoleConfig,
  call: CallContext,
  work: () => T | Promise<T>,
): Promise<T> {
  if (config.provider !== 'deterministic') throw new ModelFailure('model_not_configured');
  const asked = inProcessCall(role, config, NO_PROMPT);
  const { value } = await calls.run(asked, call, async () => ({
    value: await work(),
    usage: NOTHING_USED,
    metered: true,
    errorClass: null,
  }));
  return value;
}

function createExtractBatch(
  options: ModelGatewayOptions,
  calls: Calls,
  generation: ModelGateway['generation'],
  maskFor: MaskFor,
): ModelGateway['extractBatch'] {
  const config = options.roles.ingest_extractor;
  return async (received, call) => {
    if (config.provider === 'none') throw new ModelFailure('model_not_configured');
    const mask = maskFor(call);
    const { requests, restore } = await maskRequests(received, mask);
    const extraction =
      config.provider === 'deterministic'
        ? await extractInProcess(options, calls, config, requests, call)
        : await options.extractWithModel(generation('ingest_extractor', call), requests);
    const { answers, promptVersion, ...rest } = extraction;
    const graded = await Promise.all(
      requests.map((request, index) => gradeSafely(answers[index], request, restore, mask)),
    );
    return { ...rest, answers: graded, identity: identityOf(config, promptVersion) };
  };
}

/** The result for a batch of one; throws its failure. */
function only({ answers: [answer], ...rest }: BatchExtractionResult): ExtractionResult {
  if (answer === undefined) throw new TypeError('every request has an answer');
  if (answer.failure !== null) throw answer.failure;
  const { candidates, rejected } = answer;
  return { ...rest, candidates, rejected };
}

/** An answer that cannot be graded is a defect of this service. It fails its own anchor, not others of the call. */
async function gradeSafely(
  ...given: Parameters<typeof gradeAnswer>
): Promise<AnchorAnswer<GradedCandidate>> {
  try {
    return await gradeAnswer(...given);
  } catch (error) {
    return { failure: ownFailure(error) };
  }
}

async function gradeAnswer(
  answer: AnchorAnswer<Candidate> | undefined,
  request: ExtractionRequest,
  restore: MaskedRequests['restore'],
  mask: MaskTexts,
): Promise<AnchorAnswer<GradedCandidate>> {
  if (answer === undefined) throw new TypeError('every request has an answer');
  if (answer.failure !== null) return answer;
  const masked = await maskCandidates(answer.candidates, mask);
  const raise = sensitivityRaiser(request);
  const candidates = masked.map((candidate) => restore(raise(gradeCandidate(candidate, request))));
  return { ...answer, candidates };
}

function identityOf(
  { provider, model, modelVersion }: RemoteRoleConfig | DeterministicRoleConfig,
  promptVersion: string,
): ExtractionIdentity {
  return { provider, model, modelVersion, promptVersion, pipelineVersion: PIPELINE_IDENTITY };
}

async function extractInProcess(
  options: ModelGatewayOptions,
  calls: Calls,
  config: DeterministicRoleConfig,
  [request, ...others]: readonly ExtractionRequest[],
  call: CallContext,
): Promise<ModelExtraction> {
  if (request === undefined || others.length > 0) throw new ModelFailure('model_not_configured');
  const asked = inProcessCall('ingest_extractor', config, NO_PROMPT);
  const { value, usage } = await calls.run(asked, call, async (signal) => ({
    value: await options.deterministicExtract(request, { accountId: call.accountId, signal }),
    usage: NOTHING_USED,
    metered: true,
    errorClass: null,
  }));
  const answer = { candidates: value, rejected: 0, failure: null };
  return { answers: [answer], promptVersion: NO_PROMPT, usage, attempts: 1 };
}
