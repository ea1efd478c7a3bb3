/** How much the hostile account sends: little in a short run, the worst of each kind in a long one. */
import { sized } from '../../support/run.ts';

export interface HostileSettings {
  /**
   * Whether it is judged how long the other account waits and how long event loops are held. Beside other tests the
   * machine's time is theirs as well: there only answers, statuses, restarts and logs are judged.
   */
  readonly judgesTime: boolean;
  /**
   * How many requests of a kind the other account leaves unanswered before it lets a moment of that kind pass. Where time
   * is judged, it lets none pass: a service that holds it up must not be asked less. Beside other tests it would ask for
   * more than the machine has left, and wait longer and longer for whatever service.
   */
  readonly mostOpen: number;
  /**
   * How many times longer than a fifth or a tenth of a second the other account's requests are apart: percentiles need
   * many of them, and a machine has to have time left beside them. Each attack is accompanied by one of each kind at
   * least.
   */
  readonly paceTimes: number;
  /** Whether every shape of a body, a query and a text gets a test of its own, beside all of them in turns. */
  readonly eachAlone: boolean;
  /** How long the other account is watched before anything happens, in milliseconds. */
  readonly calmMs: number;
  /** The least time that an attack is kept up, in milliseconds. */
  readonly attackMs: number;
  /**
   * What each lane of an attack waits between two requests, in milliseconds. Without a pause an attack is a flood too,
   * and takes all that a machine has; with one, what is noticed is what a single request costs.
   */
  readonly pauseMs: number;
  /**
   * Everything that an attack sent has a status by then, in milliseconds. Beside another account a worker extracts ten
   * to twenty observations a second of one that floods it, so the largest flood decides.
   */
  readonly settledWithinMs: number;
  /** UTF-8 bytes of a long text, at most what an observation may hold. */
  readonly textBytes: number;
  /** What a page of a PDF inflates to, in MiB. */
  readonly pageMib: number;
  /** Long texts that are sent at once, of every kind; and UTF-8 bytes of each of them. */
  readonly texts: number;
  readonly textBytesAtOnce: number;
  /** How often the same sentence is said. */
  readonly repeats: number;
  /** Messages of one session that are sent at once. */
  readonly backfill: number;
  /** Sessions of one speaker. */
  readonly sessions: number;
  /** Statements about one subject. */
  readonly statements: number;
  /** Scopes and peers that are made. */
  readonly names: number;
  /** Requests that wait at a time. */
  readonly polls: number;
  /** Searches at a time. */
  readonly searches: number;
  /** What a provider makes up in one answer. */
  readonly candidates: number;
  /** Items that wait for curators. */
  readonly queue: number;
  /** Items of which one request decides, at most a hundred. */
  readonly decisions: number;
}

const SMALL: HostileSettings = {
  judgesTime: false,
  mostOpen: 2,
  paceTimes: 10,
  eachAlone: false,
  calmMs: 0,
  attackMs: 300,
  pauseMs: 50,
  settledWithinMs: 240_000,
  textBytes: 8_192,
  pageMib: 6,
  texts: 20,
  textBytesAtOnce: 8_192,
  repeats: 24,
  backfill: 24,
  sessions: 16,
  statements: 30,
  names: 16,
  polls: 20,
  searches: 10,
  candidates: 20_000,
  queue: 500,
  decisions: 10,
};

/**
 * What grows with time or number is as large as shows that an account is held up, and not as large as the limits allow: some
 * hundred attacks have to end in half an hour. Sizes of single requests and texts are those of the limits.
 */
const FULL: HostileSettings = {
  judgesTime: true,
  mostOpen: Number.MAX_SAFE_INTEGER,
  // Five observations and as many searches a second take all of a small machine, and what is undisturbed then waits too.
  paceTimes: 3,
  eachAlone: true,
  calmMs: 8_000,
  attackMs: 6_000,
  pauseMs: 0,
  settledWithinMs: 600_000,
  textBytes: 1_048_576,
  pageMib: 48,
  texts: 20,
  // A worker takes in five megabytes a minute beside another account: each kind is sent alone in its full length too.
  textBytesAtOnce: 327_680,
  // Half a minute's work each, ten times what the other account may be made to wait.
  repeats: 300,
  backfill: 300,
  sessions: 200,
  statements: 300,
  names: 300,
  polls: 500,
  searches: 200,
  candidates: 100_000,
  queue: 30_000,
  decisions: 100,
};

/** Those of this run. */
export const HOSTILE_SETTINGS = sized({ short: SMALL, long: FULL });
