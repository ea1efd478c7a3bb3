/**
 * What something was made from, as a tree that is walked breadth first: statements, the messages that they were drawn
 * from, and the versions of documents that passages lie in. Each walk is bounded and always the same.
 */

export const LINEAGE_TYPES = ['knowledge', 'message', 'document_version'] as const;
export type LineageType = (typeof LINEAGE_TYPES)[number];

/** How something came to be. */
export const DERIVATIONS = [
  'observed',
  'imported',
  'extracted',
  'deduced',
  'consolidated',
  'edited',
  'merged',
] as const;
export type Derivation = (typeof DERIVATIONS)[number];

/** `missing`: it is gone. `lifecycle_hidden`: the reader could read it, were it not in its present state. */
export const REFERENCE_VISIBILITIES = [
  'visible',
  'missing',
  'lifecycle_hidden',
  'authorization_hidden',
] as const;
export type ReferenceVisibility = (typeof REFERENCE_VISIBILITIES)[number];

export interface LineageTarget {
  readonly type: LineageType;
  readonly id: string;
}

export interface LineageReference extends LineageTarget {
  readonly visibility: ReferenceVisibility;
}

/** What is known of something that the reader may see. */
export interface LineageFacts {
  readonly derivationLevel: number;
  readonly operation: Derivation;
  /** In their order, at most as many as asked for. */
  readonly references: readonly LineageReference[];
  /** References beyond those. */
  readonly further: number;
}

/** Facts of visible things, by `keyOf`. */
export type ReadFacts = (
  targets: readonly LineageTarget[],
  maxFanOut: number,
) => Promise<ReadonlyMap<string, LineageFacts>>;

export interface LineageBudget {
  readonly maxDepth: number;
  readonly maxFanOut: number;
  readonly maxNodes: number;
}

export interface LineageNode extends LineageTarget {
  readonly derivationLevel: number;
  readonly operation: Derivation;
  readonly traversalDepth: number;
  /** The id is null unless the reference is visible. */
  readonly references: readonly {
    readonly type: LineageType;
    readonly visibility: ReferenceVisibility;
    readonly id: string | null;
  }[];
}

/** References that were not followed, by why. */
export interface Terminations {
  cycle: number;
  depth: number;
  fan_out: number;
  total_nodes: number;
  missing_source: number;
  lifecycle_hidden: number;
  authorization_hidden: number;
}

export interface Lineage {
  readonly nodes: readonly LineageNode[];
  readonly terminations: Readonly<Terminations>;
  /** Whether a budget stopped the walk. */
  readonly truncated: boolean;
}

export const keyOf = ({ id, type }: LineageTarget): string => `${type} ${id}`;

const HIDDEN = {
  missing: 'missing_source',
  lifecycle_hidden: 'lifecycle_hidden',
  authorization_hidden: 'authorization_hidden',
} as const satisfies Readonly<Record<Exclude<ReferenceVisibility, 'visible'>, keyof Terminations>>;

class Walk {
  readonly nodes: LineageNode[] = [];
  readonly terminations: Terminations = {
    cycle: 0,
    depth: 0,
    fan_out: 0,
    total_nodes: 0,
    missing_source: 0,
    lifecycle_hidden: 0,
    authorization_hidden: 0,
  };
  /** From each thing that was reached to the one that it was reached from. */
  readonly #parents = new Map<string, string | null>();
  readonly #budget: LineageBudget;

  constructor(root: LineageTarget, budget: LineageBudget) {
    this.#budget = budget;
    this.#parents.set(keyOf(root), null);
  }

  /** Enters the node; answers what is to be visited from it. */
  enter(target: LineageTarget, facts: LineageFacts, depth: number): readonly LineageTarget[] {
    const { type, id } = target;
    const { derivationLevel, further, operation, references } = facts;
    this.nodes.push({
      type,
      id,
      derivationLevel,
      operation,
      traversalDepth: depth,
      references: references.map((reference) => ({
        type: reference.type,
        visibility: reference.visibility,
        id: reference.visibility === 'visible' ? reference.id : null,
      })),
    });
    this.terminations.fan_out += further;
    return references.filter((reference) => this.#follows(target, reference, depth));
  }

  #follows(from: LineageTarget, reference: LineageReference, depth: number): boolean {
    const { visibility } = reference;
    const key = keyOf(reference);
    if (visibility !== 'visible') this.terminations[HIDDEN[visibility]] += 1;
    else if (this.#isAbove(key, keyOf(from))) this.terminations.cycle += 1;
    else if (!this.#parents.has(key)) {
      if (depth >= this.#budget.maxDepth) this.terminations.depth += 1;
      else if (this.#parents.size >= this.#budget.maxNodes) this.terminations.total_nodes += 1;
      else {
        this.#parents.set(key, keyOf(from));
        return true;
      }
    }
    return false;
  }

  /** Whether `key` is `from` itself, or lies on the way from the root to it. */
  #isAbove(key: string, from: string): boolean {
    for (let at: string | null | undefined = from; at != null; at = this.#parents.get(at)) {
      if (at === key) return true;
    }
    return false;
  }
}

/** Walks from the root, which the reader may see; null when it has no facts. One call of `read` for each depth. */
export async function walkLineage(
  root: LineageTarget,
  budget: LineageBudget,
  read: ReadFacts,
): Promise<Lineage | null> {
  const walk = new Walk(root, budget);
  let frontier: readonly LineageTarget[] = [root];
  for (let depth = 0; frontier.length > 0; depth += 1) {
    const facts = await read(frontier, budget.maxFanOut);
    const next: LineageTarget[] = [];
    for (const target of frontier) {
      const found = facts.get(keyOf(target));
      if (found !== undefined) next.push(...walk.enter(target, found, depth));
    }
    frontier = next;
  }
  if (walk.nodes.length === 0) return null;
  const { depth, fan_out: fanOut, total_nodes: total } = walk.terminations;
  return {
    nodes: walk.nodes,
    terminations: walk.terminations,
    truncated: depth + fanOut + total > 0,
  };
}
