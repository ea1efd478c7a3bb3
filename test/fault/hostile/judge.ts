/** What another account may notice of an attack, as rules over what it measured. */

export const KINDS = ['observation', 'accept', 'poll', 'search', 'health'] as const;
export type Kind = (typeof KINDS)[number];

/** One request of the bystander, or one look at its own clock. */
export interface Sample {
  readonly kind: Kind | 'own_clock';
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Until it was answered; for `own_clock`, how late the bystander's own timer was at worst. */
  readonly ms: number;
  /** What is wrong with the answer; null when it is as it should be. */
  readonly fault: string | null;
}

/** How much slower than undisturbed an account may become. */
const MOST_TIMES_SLOWER = 3;
/**
 * What is always allowed on top of undisturbed. A poll takes 5 ms on an idle machine: three times that is a matter
 * of the machine's scheduling and not of the service. It is also the time within which health has to answer.
 */
const ALWAYS_ALLOWED_MS = 250;
/** The share of an event loop's ticks that may come more than 50 ms late: a busy machine has some of its own. */
const LATE_TICKS = 0.1;
/** A machine that keeps an idle process waiting for so long says nothing about the event loops of busy ones. */
const UNTELLING_MS = 100;
/** Health answers in that time, whatever happens. */
const HEALTH_WITHIN_MS = 250;
/** A percentile of fewer samples says nothing. */
const FEWEST_SAMPLES = 5;

/** Nearest-rank 95th percentile. */
function p95(samples: readonly Sample[]): number {
  const sorted = samples.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0;
}

export type Figures = Readonly<Record<Kind, number>>;

function ofKind(samples: readonly Sample[], kind: Sample['kind']): Sample[] {
  return samples.filter((sample) => sample.kind === kind);
}

/** The 95th percentile of each kind, in milliseconds. */
export function figuresOf(samples: readonly Sample[]): Figures {
  const of = (kind: Kind): number => p95(ofKind(samples, kind));
  return {
    observation: of('observation'),
    accept: of('accept'),
    poll: of('poll'),
    search: of('search'),
    health: Math.max(0, ...ofKind(samples, 'health').map(({ ms }) => ms)),
  };
}

export function allowedMs(undisturbedMs: number): number {
  return Math.max(MOST_TIMES_SLOWER * undisturbedMs, undisturbedMs + ALWAYS_ALLOWED_MS);
}

/** What went wrong, whatever the time it took. */
export function faultsOf(samples: readonly Sample[]): readonly string[] {
  const found = new Map<string, number>();
  for (const { kind, fault } of samples) {
    if (fault !== null) found.set(`${kind}: ${fault}`, (found.get(`${kind}: ${fault}`) ?? 0) + 1);
  }
  return [...found].map(([fault, times]) => `${times} x ${fault}`);
}

/** What took too long, in words; empty when nothing did. */
export function delaysOf(
  undisturbed: readonly Sample[],
  disturbed: readonly Sample[],
): readonly string[] {
  const [before, during] = [figuresOf(undisturbed), figuresOf(disturbed)];
  const complaints: string[] = [];
  for (const kind of KINDS) {
    const count = ofKind(disturbed, kind).length;
    if (count < FEWEST_SAMPLES) complaints.push(`${kind}: only ${count} were measured`);
  }
  for (const kind of ['observation', 'accept', 'poll', 'search'] as const) {
    const allowed = allowedMs(before[kind]);
    if (during[kind] > allowed) {
      const figures = `p95 ${during[kind].toFixed(0)} ms, undisturbed ${before[kind].toFixed(0)} ms`;
      complaints.push(`${kind}: ${figures}, allowed ${allowed.toFixed(0)} ms`);
    }
  }
  // What kept the bystander from its own timers kept its requests waiting too, and is the machine's.
  const machine = Math.max(0, ...ofKind(disturbed, 'own_clock').map(({ ms }) => ms));
  const allowed = HEALTH_WITHIN_MS + machine;
  if (during.health > allowed) {
    const figures = `${during.health.toFixed(0)} ms at worst, allowed ${allowed.toFixed(0)} ms`;
    complaints.push(`health: ${figures}`);
  }
  return complaints;
}

/** What an event loop has counted since its process began. */
export interface Ticks {
  readonly all: number;
  readonly over50Ms: number;
  readonly over250Ms: number;
}

/** How often an event loop was held between two looks at it, in words; empty when hardly. */
export function holdsOf(
  name: string,
  before: Ticks,
  after: Ticks,
  disturbed: readonly Sample[],
): readonly string[] {
  const all = after.all - before.all;
  const over50 = after.over50Ms - before.over50Ms;
  const over250 = after.over250Ms - before.over250Ms;
  const machine = Math.max(0, ...ofKind(disturbed, 'own_clock').map(({ ms }) => ms));
  const holds: string[] = [];
  if (over50 > Math.max(1, LATE_TICKS * all)) {
    holds.push(`${name}: the event loop was held for over 50 ms in ${over50} of ${all} ticks`);
  }
  if (over250 > 0 && machine < UNTELLING_MS) {
    holds.push(`${name}: the event loop was held for over 250 ms ${over250} times`);
  }
  return holds;
}
