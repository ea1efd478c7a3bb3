/** Reads with and without a session, in turns: what the look for a question adds to each. */
import { z } from 'zod';
import type { LoadedStack } from '../load/stack.ts';
import { percentiles, timed, type Durations } from '../timing.ts';

export interface ReadFigure {
  readonly what: string;
  readonly ms: Durations;
  /** By how many milliseconds it was slower than the read without a session of the same round. */
  readonly beside: Durations;
}

export interface MeasuredPlace {
  /** With one open question, with many, with none; each talks in a session of its name. */
  readonly people: readonly [string, string, string];
  readonly scope: string;
  readonly rounds: number;
}

const WARM_UP = 20;
const WITHOUT = 'without a session';

const answered = z.object({ pending_validation: z.object({ id: z.uuid() }).optional() });

interface Read {
  readonly what: string;
  readonly peer: string;
  readonly session: string | null;
  readonly query: string;
  /** Whether it must carry a question. */
  readonly asks: boolean;
}

function readsOf([once, often, never]: MeasuredPlace['people']): readonly [Read, ...Read[]] {
  const query = 'lathe in the yard';
  const read = { query, asks: false } as const;
  return [
    { ...read, what: WITHOUT, peer: once, session: null },
    { ...read, what: 'nobody is asked anything', peer: never, session: never },
    { ...read, what: 'a question is handed out', peer: once, session: once, asks: true },
    { ...read, what: 'one of many is handed out', peer: often, session: often, asks: true },
    { ...read, what: 'none of many fits', peer: often, session: often, query: 'parrot' },
  ];
}

async function sent({ apiKey, url }: LoadedStack, scope: string, read: Read): Promise<number> {
  const body = {
    query: read.query,
    scope_path: scope,
    peer_key: read.peer,
    profile: 'fast',
    ...(read.session !== null && { session_id: read.session }),
  };
  const { ms, value } = await timed(async () => {
    const answer = await fetch(`${url}/api/v1/search`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    });
    if (answer.status !== 200) throw new Error(`search answered ${answer.status}`);
    return answered.parse(await answer.json());
  });
  const { pending_validation: question } = value;
  if (question !== undefined && !read.asks) throw new Error(`${read.what}: it was`);
  return question === undefined && read.asks ? Number.NaN : ms;
}

/** Nobody was asked anything yet. */
async function forget({ admin }: LoadedStack): Promise<void> {
  await admin.query('delete from question_deliveries');
  await admin.query(
    'update questions set last_delivered_at = null where last_delivered_at is not null',
  );
}

/** The figures of each read. A round in which a question came too late counts with the time of its read. */
export async function measureReads(
  stack: LoadedStack,
  { people, rounds, scope }: MeasuredPlace,
): Promise<readonly ReadFigure[]> {
  const reads = readsOf(people);
  const taken = new Map<string, number[]>(reads.map(({ what }) => [what, []]));
  let late = 0;
  for (let round = -WARM_UP; round < rounds; round += 1) {
    await forget(stack);
    const first = (round + WARM_UP) % reads.length;
    for (const read of [...reads.slice(first), ...reads.slice(0, first)]) {
      if (read.asks) await forget(stack);
      const { ms, value } = await timed(() => sent(stack, scope, read));
      if (Number.isNaN(value)) late += 1;
      if (round >= 0) taken.get(read.what)?.push(Number.isNaN(value) ? ms : value);
    }
  }
  process.stdout.write(`${late} reads went on without their question\n`);
  const without = taken.get(WITHOUT) ?? [];
  return reads.map(({ what }) => {
    const ms = taken.get(what) ?? [];
    const beside = ms.map((one, n) => one - (without[n] ?? 0));
    return { what, ms: percentiles(ms), beside: percentiles(beside) };
  });
}
