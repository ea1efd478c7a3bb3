/**
 * Judges the embedder once in a process, by the sample of `domain/models/ability-sample.ts`: at the start, or beside the
 * first search after it. Two requests, under ledger rows like every call.
 */
import { ABILITY_SAMPLE } from '../../domain/models/ability-sample.ts';
import { abilityOf, LEAST_ABILITY } from '../../domain/models/embedder-ability.ts';
import type { Embed } from './embedding.ts';
import { callAside } from './extraction.ts';

export interface EmbedderAbility {
  /** Whether the embedder is known to be able. A first question starts the judging, on behalf of the account. */
  isAble(accountId: string): boolean;
  /** Judges it now unless that is done. Throws as `embed` does. */
  judge(accountId: string, signal: AbortSignal): Promise<void>;
}

export interface EmbedderAbilityOptions {
  readonly embed: Embed;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Told of an embedder that is not able: its ability, 0 to 1, in the language that it knows best. */
  readonly onPoor: (ability: number) => void;
}

/** After a failure it is asked again by a later search, so long after the last time. */
const AGAIN_AFTER_MS = 60_000;
/** The judging beside a search may take as long as a slow endpoint takes. */
const PATIENCE_MS = 30_000;

async function measured(embed: Embed, accountId: string, signal: AbortSignal): Promise<number> {
  const call = { accountId, traceId: null, signal };
  const pairs = ABILITY_SAMPLE.flat();
  const [asked, kept] = await Promise.all([
    embed(
      pairs.map(({ question }) => question),
      callAside({ ...call, purpose: 'query' }),
    ),
    embed(
      pairs.map(({ answer }) => answer),
      callAside(call),
    ),
  ]);
  let from = 0;
  const abilities = ABILITY_SAMPLE.map(({ length }) => {
    const until = from + length;
    const ability = abilityOf(asked.vectors.slice(from, until), kept.vectors.slice(from, until));
    from = until;
    return ability;
  });
  return Math.max(...abilities);
}

export function createEmbedderAbility({
  embed,
  now,
  onPoor,
}: EmbedderAbilityOptions): EmbedderAbility {
  let able: boolean | null = null;
  let triedAt = Number.NEGATIVE_INFINITY;
  const judge = async (accountId: string, signal: AbortSignal): Promise<void> => {
    if (able !== null) return;
    triedAt = now();
    const ability = await measured(embed, accountId, signal);
    able = ability >= LEAST_ABILITY;
    if (!able) onPoor(ability);
  };
  return {
    judge,
    isAble(accountId) {
      if (able === null && now() - triedAt >= AGAIN_AFTER_MS) {
        // A failure is in the ledger; a later search asks again.
        judge(accountId, AbortSignal.timeout(PATIENCE_MS)).catch(() => undefined);
      }
      return able === true;
    },
  };
}
