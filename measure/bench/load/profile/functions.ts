/** Processor time by function of a running Node process, as V8's sampling profiler sees it. */
import { z } from 'zod';
import { withInspector } from '../inspector.ts';

const node = z.object({
  id: z.int(),
  callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.int() }),
  children: z.array(z.int()).default([]),
});
const profile = z.object({
  profile: z.object({
    nodes: z.array(node),
    samples: z.array(z.int()),
    timeDeltas: z.array(z.number()),
  }),
});
type Node = z.output<typeof node>;

/** Microseconds between two samples. */
const INTERVAL = 500;
/** What V8 says of time in which no function ran. */
const NOT_WORK = new Set(['(idle)', '(root)']);

export interface FunctionTimes {
  /** Milliseconds in which the main thread worked. */
  readonly busyMs: number;
  /** Milliseconds by function, its callees not counted; the largest first. */
  readonly self: readonly (readonly [string, number])[];
  /** Milliseconds by function of the product, with what it called; the largest first. */
  readonly withCallees: readonly (readonly [string, number])[];
  /** Milliseconds by package, the product's own folders and what belongs to V8 and Node; the largest first. */
  readonly packages: readonly (readonly [string, number])[];
}

/** A path from the root of the product, or the name of a package. */
function placeOf(url: string): string {
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)(?!.*node_modules)/.exec(url)?.[1];
  if (inPackage !== undefined) return inPackage;
  const own =
    /\/((?:activities|api|console|domain|engine|operations|runtime|stores|workflows)\/.*)$/;
  return own.exec(url)?.[1] ?? url;
}

function nameOf({ callFrame: { functionName, lineNumber, url } }: Node): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  return url === '' ? name : `${name} ${placeOf(url)}:${lineNumber + 1}`;
}

const packageOf = ({ callFrame: { functionName, url } }: Node): string =>
  url === '' ? functionName : (/^(?:@[^/]+\/)?[^/]+/.exec(placeOf(url))?.[0] ?? url);

const isOwn = ({ callFrame: { url } }: Node): boolean =>
  url.startsWith('file:') && !url.includes('node_modules');

function sorted(times: ReadonlyMap<string, number>): [string, number][] {
  return [...times].toSorted(([, a], [, b]) => b - a);
}

const add = (times: Map<string, number>, key: string, ms: number): void => {
  times.set(key, (times.get(key) ?? 0) + ms);
};

function summed({
  nodes,
  samples,
  timeDeltas,
}: z.output<typeof profile>['profile']): FunctionTimes {
  const own = new Map<number, number>();
  samples.forEach((id, at) => own.set(id, (own.get(id) ?? 0) + (timeDeltas[at] ?? 0) / 1000));
  const parents = new Map(
    nodes.flatMap(({ id, children }) => children.map((child) => [child, id])),
  );
  const byId = new Map(nodes.map((one) => [one.id, one]));
  const [self, withCallees, packages] = [new Map(), new Map(), new Map()];
  let busyMs = 0;
  for (const one of nodes) {
    const ms = own.get(one.id) ?? 0;
    if (ms === 0 || NOT_WORK.has(one.callFrame.functionName)) continue;
    busyMs += ms;
    add(self, nameOf(one), ms);
    add(packages, packageOf(one), ms);
    // A function that calls itself counts once.
    const above = new Set<string>();
    for (
      let at: Node | undefined = one;
      at !== undefined;
      at = byId.get(parents.get(at.id) ?? -1)
    ) {
      if (isOwn(at)) above.add(nameOf(at));
    }
    for (const name of above) add(withCallees, name, ms);
  }
  return {
    busyMs,
    self: sorted(self),
    withCallees: sorted(withCallees),
    packages: sorted(packages),
  };
}

/** Runs `work` while the process is sampled. Throws when another process has the inspector's port. */
export function functionTimes(pid: number, work: () => Promise<void>): Promise<FunctionTimes> {
  return withInspector(pid, async (ask) => {
    await ask('Profiler.enable');
    await ask('Profiler.setSamplingInterval', { interval: INTERVAL });
    await ask('Profiler.start');
    await work();
    return summed(profile.parse(await ask('Profiler.stop')).profile);
  });
}
