/**
 * The first commit of a batch: statements, provenance, decisions, beliefs, marks and the outcomes of the anchors, in
 * one transaction under the fence of the drain's epoch.
 */
import type { GradedCandidate } from '../../domain/statements/confidence.ts';
import type { Plan } from '../../domain/knowledge/plan.ts';
import { planProposals } from '../../domain/knowledge/planning.ts';
import { refusedAmong, repeatsByWords } from '../../domain/knowledge/refusal.ts';
import { attestedBy, attests, submittersOf } from '../../domain/statements/source.ts';
import type { Proposal } from '../../domain/statements/statement.ts';
import type { ErrorClass } from '../../domain/error-class.ts';
import type { ExtractionIdentity } from '../../domain/models/identity.ts';
import { chainIds, type PlacedScope } from '../../domain/scopes/chain-ids.ts';
import { settleFailure } from '../../domain/observations/settlement.ts';
import type {
  CommitRequest,
  CommitState,
  CommitWork,
  KnowledgeCommitStore,
} from '../../stores/postgres/knowledge/commit.store.ts';
import type {
  AskedSources,
  AskedText,
  ClaimedAttribute,
} from '../../stores/postgres/knowledge/state.ts';
import type { ComparedStatement, Unshown } from '../../stores/postgres/knowledge/compared.ts';
import type { AnchorRecord } from '../../stores/postgres/knowledge/writes.ts';
import type { ExtractionBatch } from './batch.ts';
import type { HoldKeys } from '../forgetting/hold-keys.ts';
import { openHoldsOf } from '../forgetting/open.ts';
import { requestOf } from './requests.ts';
import { planContext } from '../knowledge/context.ts';
import { commitRows } from '../knowledge/rows.ts';
import {
  UnknownVectors,
  type Neighbourhood,
  type ParaphraseFinder,
} from '../knowledge/paraphrases.ts';
import { proposalsOf } from './proposals.ts';
import type { LoadedAnchor } from './window.ts';

/** The result of extraction for one anchor. */
export type ExtractionOutcome =
  | {
      readonly anchor: LoadedAnchor;
      readonly result: 'extracted';
      readonly batchId: string | null;
      readonly candidates: readonly GradedCandidate[];
      /** Null when no extractor was asked, because the turn is no evidence. */
      readonly identity: ExtractionIdentity | null;
    }
  | {
      readonly anchor: LoadedAnchor;
      readonly result: 'failed';
      readonly batchId: string | null;
      readonly errorClass: ErrorClass;
      /** Whether this service failed and not the provider. */
      readonly isOurs: boolean;
      /** Milliseconds until an attempt makes sense; null when unknown. */
      readonly retryAfterMs: number | null;
    };

/** An outcome with the batch that holds its anchor. */
export interface Member {
  readonly outcome: ExtractionOutcome;
  readonly batch: ExtractionBatch;
}

/** Where a commit writes. */
export interface CommitPlace {
  readonly accountId: string;
  /** The mailbox that marks are left in. */
  readonly shard: number;
}

export interface CommitDeps {
  readonly store: Pick<KnowledgeCommitStore, 'commit' | 'unshown'>;
  readonly newId: () => string;
  /** Opens the keys of an account's holds. */
  readonly holdKeysOf: (accountId: string) => HoldKeys;
  /** Starts the workflows of entered runs now, and not with the next sweep. Never awaited, never throws. */
  readonly startRuns?: (() => void) | undefined;
  /** Finds statements that say the same in other words; absent where only equal words count as the same. */
  readonly paraphrases?: ParaphraseFinder | undefined;
}

/** The result of a commit. The drain no longer held the messages that are in none of the lists. */
export interface Committed {
  /** Waiting to be completed. */
  readonly extracted: readonly string[];
  /** Completed at once: nothing to index. */
  readonly completed: readonly string[];
  readonly retry: readonly string[];
  readonly failed: readonly string[];
  /** Statements to index before the extracted anchors complete. */
  readonly knowledgeIds: readonly string[];
}

const NOTHING: Committed = {
  extracted: [],
  completed: [],
  retry: [],
  failed: [],
  knowledgeIds: [],
};

function anchorRecord(outcome: ExtractionOutcome, puts: number): AnchorRecord {
  const { anchor, batchId } = outcome;
  const common = { message_id: anchor.messageId, batch_id: batchId };
  if (outcome.result === 'failed') {
    const { errorClass, isOurs, retryAfterMs } = outcome;
    const settlement = settleFailure(errorClass, anchor.attemptCount, {
      retryAfterMs,
      isOurs,
      ownFailures: anchor.internalErrors,
    });
    return {
      ...common,
      status: settlement.status,
      delay_ms: settlement.delayMs,
      attempts: settlement.countsAttempt ? 1 : 0,
      error_class: settlement.errorClass,
      own_failures: isOurs ? 1 : 0,
      candidate_count: null,
      extracted: false,
    };
  }
  return {
    ...common,
    status: puts > 0 ? 'pending' : 'completed',
    delay_ms: 0,
    attempts: outcome.identity === null ? 0 : 1,
    error_class: null,
    own_failures: 0,
    candidate_count: outcome.candidates.length,
    extracted: true,
  };
}

/** Statements of the anchors, changed by this commit or not: those of another commit may not be indexed yet. */
function producedIds(plan: Plan): readonly string[] {
  const produced = plan.outputs.filter(({ effect }) => effect !== 'refused');
  return [...new Set(produced.map(({ statementId }) => statementId))];
}

type Proposals = ReadonlyMap<string, readonly Proposal[]>;

function proposalsByAnchor(outcomes: readonly ExtractionOutcome[]): Proposals {
  return new Map(
    outcomes.map((outcome) => [
      outcome.anchor.messageId,
      outcome.result === 'extracted' && outcome.identity !== null
        ? proposalsOf(outcome.anchor, outcome.candidates, outcome.identity)
        : [],
    ]),
  );
}

/** The subjects and attributes that the proposals claim. */
function claimedOf(proposals: readonly Proposal[]): readonly ClaimedAttribute[] {
  return proposals.flatMap(({ audience, subject, wording: { claim } }) => {
    const audienceId = audience?.id ?? null;
    return claim === null ? [] : [{ subjectId: subject.id, about: claim.about, audienceId }];
  });
}

/** Each text once. */
function textsOf(
  proposals: readonly Proposal[],
  scopes: readonly PlacedScope[],
): readonly AskedText[] {
  const chainOf = chainIds(scopes);
  const texts = proposals.map(
    ({ audience, scopeId, statementHash, subject, wording }): AskedText => ({
      hash: statementHash,
      subjectId: subject.id,
      audienceId: audience?.id ?? null,
      scopeIds: chainOf(scopeId),
      relevantFrom: wording.relevantFrom?.at ?? null,
      relevantUntil: wording.relevantUntil?.at ?? null,
    }),
  );
  return [...new Map(texts.map((text) => [JSON.stringify(text), text])).values()];
}

function sourcesOf(proposals: readonly Proposal[]): AskedSources {
  const sources = proposals.flatMap((proposal) => proposal.sources);
  return {
    attesterIds: distinct(sources.filter(attests).map(attestedBy)),
    peerIds: submittersOf(sources),
    scopeIds: distinct(sources.map(({ scopeId }) => scopeId)),
    messageIds: distinct(proposals.map(({ anchorId }) => anchorId)),
  };
}

/** Every scope of the chains of the batches. */
function scopesOf(members: readonly Member[]): readonly PlacedScope[] {
  const batches = new Set(members.map(({ batch }) => batch));
  const scopes = [...batches].flatMap(({ facts }) => facts.scopes);
  return [...new Map(scopes.map((scope) => [scope.id, scope])).values()];
}

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)];

function reportOf(records: readonly AnchorRecord[], plan: Plan): Committed {
  const idsWith = (status: AnchorRecord['status']): string[] =>
    records.flatMap((record) => (record.status === status ? [record.message_id] : []));
  return {
    extracted: idsWith('pending'),
    completed: idsWith('completed'),
    retry: idsWith('failed'),
    failed: [...idsWith('repairable'), ...idsWith('terminal')],
    knowledgeIds: producedIds(plan),
  };
}

/**
 * The most candidates, and anchors, that one transaction decides on: it compares the statements with each other without a
 * pause, under the locks of their subjects. An anchor is never divided; one with more candidates is committed alone.
 */
const MOST_OF_A_COMMIT = 128;

/** Candidates that the outcome brings to a commit. */
export function candidatesIn({ outcome }: Member): number {
  return outcome.result === 'extracted' ? outcome.candidates.length : 0;
}

/** The outcomes in their order, in parts that are committed one after the other. */
export function slicesOf(members: readonly Member[]): readonly (readonly Member[])[] {
  const slices: Member[][] = [];
  let room = 0;
  for (const member of members) {
    const size = Math.max(1, candidatesIn(member));
    if (slices.length === 0 || size > room) {
      slices.push([]);
      room = MOST_OF_A_COMMIT;
    }
    slices.at(-1)?.push(member);
    room -= size;
  }
  return slices;
}

/**
 * Most attempts while other processes write about the same subjects. The last one does not look for paraphrases among
 * the statements that they wrote meanwhile, so those stay apart.
 */
const MOST_ATTEMPTS = 20;

/** The statements near the proposals that the index shows, and what it may not have shown; nothing without paraphrases. */
async function lookAround(
  { paraphrases, store }: CommitDeps,
  accountId: string,
  said: { readonly proposals: readonly Proposal[]; readonly subjectIds: readonly string[] },
  signal: AbortSignal,
): Promise<{ readonly near: Neighbourhood | null; readonly unshown?: Unshown }> {
  if (paraphrases === undefined || said.proposals.length === 0) return { near: null };
  // Read first: what the index is given while it is asked is among these, or younger.
  const unshown = await store.unshown(accountId, said.subjectIds);
  const near = await paraphrases.around(accountId, said.proposals, signal);
  return near === null ? { near } : { near, unshown };
}

/** Opens the holds that the speakers of the outcomes ask for; undefined where nobody asks. */
function openingOf(
  { holdKeysOf: keysOf, newId }: CommitDeps,
  accountId: string,
  outcomes: readonly ExtractionOutcome[],
): CommitRequest['openHolds'] {
  const requests = outcomes.flatMap((outcome) =>
    outcome.result === 'extracted' && outcome.identity !== null ? requestOf(outcome.anchor) : [],
  );
  if (requests.length === 0) return undefined;
  return async (holds, held) => {
    for (const request of requests.filter(({ messageId }) => held.has(messageId))) {
      await openHoldsOf(holds, accountId, request, { keysOf, newId });
    }
  };
}

/**
 * Commits the outcomes in their order. `signal` ends the search for paraphrases. Throws what the store throws; nothing
 * is written then.
 */
export async function commitOutcomes(
  deps: CommitDeps,
  { accountId, shard }: CommitPlace,
  members: readonly Member[],
  signal: AbortSignal,
): Promise<Committed> {
  const outcomes = members.map(({ outcome }) => outcome);
  const scopes = scopesOf(members);
  const proposals = proposalsByAnchor(outcomes);
  const ofAnchor = (anchorId: string): readonly Proposal[] => proposals.get(anchorId) ?? [];
  const all = [...proposals.values()].flat();
  const batches = new Map(outcomes.map(({ anchor, batchId }) => [anchor.messageId, batchId]));
  const subjectIds = distinct(all.map(({ subject }) => subject.id));
  const { near, unshown } = await lookAround(
    deps,
    accountId,
    { proposals: all, subjectIds },
    signal,
  );
  const refusals = near?.refusals ?? repeatsByWords();
  let committed: Committed = NOTHING;

  const decide = (state: CommitState): CommitWork => {
    const held = outcomes.filter(({ anchor }) => state.held.has(anchor.messageId));
    const erasing = new Set(state.erasing);
    const plan = planProposals(
      held
        .flatMap(({ anchor }) => ofAnchor(anchor.messageId))
        .filter(({ subject }) => !erasing.has(subject.id)),
      state.statements,
      planContext(scopes, state, deps.newId, near?.rule, refusals),
    );
    const records = held.map((outcome) =>
      anchorRecord(outcome, ofAnchor(outcome.anchor.messageId).length),
    );
    committed = reportOf(records, plan);
    return commitRows(plan, records, {
      shard,
      now: state.now,
      newId: deps.newId,
      batchOf: (anchorId) => batches.get(anchorId) ?? null,
    });
  };

  const request: Omit<CommitRequest, 'alikeAmong'> = {
    accountId,
    openHolds: openingOf(deps, accountId, outcomes),
    holds: members.map(({ batch, outcome }) => batch.hold(outcome.anchor.messageId)),
    subjectIds,
    texts: textsOf(all, scopes),
    claims: claimedOf(all),
    scopeIds: scopes.map(({ id }) => id),
    ids: near?.ids ?? [],
    unshown,
    sources: sourcesOf(all),
  };
  const commit = (alikeAmong: CommitRequest['alikeAmong']) =>
    deps.store.commit({ ...request, alikeAmong }, decide);
  const repeated = refusedAmong(all, refusals);
  await commitNear(near, commit, (statements) => repeated(statements.filter(isRefused)));
  if (request.openHolds !== undefined) deps.startRuns?.();
  return committed;
}

const isRefused = ({ refused }: ComparedStatement): boolean => refused;

/**
 * Commits; begins again, up to `MOST_ATTEMPTS` times, with the vectors of statements that were recorded meanwhile.
 * `refused` picks the refused statements, also for texts that no paraphrases are looked for.
 */
async function commitNear(
  near: Neighbourhood | null,
  commit: (alikeAmong: CommitRequest['alikeAmong']) => Promise<void>,
  refused: CommitRequest['alikeAmong'],
  attempt = 1,
): Promise<void> {
  if (near === null) return commit(refused);
  if (attempt === MOST_ATTEMPTS) {
    near.giveUp();
    return commit(refused);
  }
  try {
    await commit((statements) => [...near.alikeAmong(statements), ...refused(statements)]);
  } catch (error) {
    if (!(error instanceof UnknownVectors)) throw error;
    await near.learn();
    await commitNear(near, commit, refused, attempt + 1);
  }
}
