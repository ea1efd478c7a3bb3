/**
 * The parts through which operations reach stores, indexes, models and actors. The composition root builds one
 * environment for the process, and every operation gets it in its context.
 */
import type { TokenLimits } from '../../domain/models/token-limits.ts';
import type { Mailbox } from '../../domain/actors/names.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { Answer } from '../../engine/answers/answerer.ts';
import type { Recall } from '../../engine/answers/recall/recall.ts';
import type { VerifyChain } from '../../engine/audit/verify.ts';
import type { HoldKeys } from '../../engine/forgetting/hold-keys.ts';
import type { IndexMaintenance } from '../../engine/indexes/maintenance.ts';
import type { CompareBlobs } from '../../engine/blobs/comparison.ts';
import type { SpaceUpkeep } from '../../engine/indexes/spaces/upkeep.ts';
import type { RoleCheck } from '../../engine/models/check.ts';
import type { TextWork } from '../../engine/offload/text-work.ts';
import type { CostProfile } from '../../domain/models/rates.ts';
import type { Questions } from '../../engine/questions/asking.ts';
import type { Retention } from '../../engine/retention/retention.ts';
import type { Search } from '../../engine/retrieval/search.ts';
import type { SourceSearch } from '../../engine/source-search/search.ts';
import type { BlobStore, UploadedBlobs } from '../../stores/blobs/blob-store.ts';
import type { Directory } from '../../stores/postgres/identity/directory.ts';
import type { InAccount } from '../../stores/postgres/in-account.ts';
import type {
  NewObservation,
  RecordedObservation,
} from '../../stores/postgres/observations/observations.store.ts';
import type { ExtractionBuild } from './extraction-build.ts';
import type { ReadinessSources } from './readiness-sources.ts';
import type { Passwords, SecretIssuer, SignInLimits } from './secrets.ts';

export interface Environment {
  /** One transaction under the row security of one account, with every store on it. */
  readonly inAccount: InAccount;
  /** The look-ups that need no account. */
  readonly directory: Directory;
  /** The caller of a bearer text, or null. At most 5 s old. */
  readonly authenticate: (bearer: string) => Promise<Caller | null>;
  /** The same for a route that also lets in the ended credential that asked for an erasure. */
  readonly authenticateErased: (bearer: string) => Promise<Caller | null>;
  /** The caller of a browser session, or null. Only a session cookie resolves here, never a bearer text. */
  readonly browserSessions: {
    caller(text: string): Promise<Caller | null>;
    /** The same for a page that also lets in the ended session that asked for an erasure. */
    callerErased(text: string): Promise<Caller | null>;
  };
  /**
   * Commits observations of an account with their extraction jobs, together with those of its other requests; each has its
   * own outcome. A function of the database, in transactions of its own.
   */
  readonly recordObservations: (
    accountId: string,
    observations: readonly NewObservation[],
  ) => Promise<readonly PromiseSettledResult<RecordedObservation>[]>;
  /** The digest of an audience's names, which nobody can make without the key of the deployment. */
  readonly audienceDigest: (names: string) => Uint8Array;
  /** The keys of an account's holds, which only this deployment can open. */
  readonly holdKeysOf: (accountId: string) => HoldKeys;
  /** The keyed hash under which the path of a scope stands in the list of promises. */
  readonly promisedPathHash: (accountId: string, path: string) => string;
  /** Whether the extraction of a message has ended. Concurrent calls for one account share a query. */
  readonly isSettled: (accountId: string, messageId: string) => Promise<boolean>;
  /** Resolves when an extraction of the account may have ended, after `ms`, or when the signal is aborted. */
  readonly nextSettlement: (accountId: string, ms: number, signal: AbortSignal) => Promise<void>;
  /** Walks over the audit chain of an account. */
  readonly verifyChain: VerifyChain;
  /** The bytes of documents. */
  readonly blobs: UploadedBlobs & Pick<BlobStore, 'get'>;
  /** Compares the bytes that are kept with the rows that name them. */
  readonly compareBlobs: CompareBlobs;
  readonly search: Search;
  /** Answers a question from evidence that its caller may read. */
  readonly answer: Answer;
  /** Looks for more evidence than one search finds. */
  readonly recall: Recall;
  readonly sourceSearch: SourceSearch;
  /** Questions to the readers about statements about them. */
  readonly questions: Questions;
  /** The collections of vectors that stand side by side. */
  readonly vectorSpaces: SpaceUpkeep;
  /** The search indexes as a whole. */
  readonly indexes: IndexMaintenance;
  /** What is kept for a time only. */
  readonly retention: Retention;
  /** Says that both indexes were written anew from the database as it is. */
  readonly acceptIndexes: () => Promise<void>;
  readonly models: {
    /** Asks each role once, on behalf of the account. Rejects when Postgres is away, or after a cancellation. */
    check(accountId: string, traceId: string, signal: AbortSignal): Promise<readonly RoleCheck[]>;
  };
  /**
   * Rings the actor of a mailbox because there is work. Returns at once and does not report whether the ring arrived.
   */
  readonly doorbell: {
    ring(mailbox: Mailbox): void;
    ringNow(mailbox: Mailbox): Promise<boolean>;
  };
  /** Starts the workflows of entered runs now. Without this the next sweep starts them. */
  readonly sweep: { soon(): void };
  /** Work on long texts, beside the event loop. */
  readonly text: Pick<TextWork, 'holdsSecret' | 'stems'>;
  /** Counts a request of the account for its figures. Returns at once; absent where no requests are answered. */
  readonly countRequest?: (accountId: string) => void;
  /** What tokens cost. */
  readonly costProfile: CostProfile;
  /** Daily limits of model tokens, the same for every account. */
  readonly tokenLimits: TokenLimits;
  readonly passwords: Passwords;
  readonly secrets: SecretIssuer;
  readonly signInLimits: SignInLimits;
  readonly readiness: ReadinessSources;
  /** The extraction identity of this build. */
  readonly extraction: ExtractionBuild;
  readonly settings: {
    /** The most items of evidence that an answerer reads. */
    readonly answerContextLimit: number;
    /** Whether a model, or the built-in provider, writes answers. */
    readonly hasAnswerer: boolean;
    /** Whether a search may ask for the profile `minimal`. */
    readonly minimalRecall: boolean;
    readonly passwordTokenTtlMs: number;
    /** Days that ended tokens are kept; null for ever. */
    readonly tokensKeptDays: number | null;
    /** Whether new accounts start with the preset `unattended`. */
    readonly unattended: boolean;
    /** The vector space of the configured embedder, in one word; `none` without an embedder. */
    readonly embedderSpace: string;
    /** The address of the workflows in the Temporal UI; null where no setting names it. */
    readonly temporalUi: string | null;
  };
}
