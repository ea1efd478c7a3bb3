/** The judges of a process: what is served of texts while holds are in force, by hashes that only this service can make. */
import { createHmac, hash } from 'node:crypto';
import {
  findHeld,
  searchHeld,
  type HeldPlace,
  type HeldValues,
} from '../../domain/forgetting/find.ts';
import {
  isInForce,
  isRequesters,
  reaches,
  type JudgedPlace,
  type ValueTraits,
} from '../../domain/forgetting/holds.ts';
import { servedText } from '../../domain/forgetting/served.ts';
import type { ActingHoldRow, ActingHolds } from '../../stores/postgres/forgetting/holds.store.ts';
import type { ForeignValue, SaidStatement, TextJudge } from '../../domain/forgetting/judge.ts';
import type { Judges } from '../../stores/postgres/judging.ts';
import type { Queryable } from '../../stores/postgres/queryable.ts';
import { claimOf } from '../knowledge/claims.ts';
import { createPauses } from '../slices.ts';
import { sentencesOf } from '../text/sentences.ts';
import type { HoldKeys } from './hold-keys.ts';

const HINT_BYTES = 3;

/** The hint of a word: 24 bits, which say nothing of the word without the key of the account. */
export function hintsBy(key: Uint8Array): HeldValues['hintOf'] {
  const prefix = Buffer.from(key).toString('hex');
  return (word) => hash('sha256', `${prefix}/${word}`, 'buffer').readUIntBE(0, HINT_BYTES);
}

/** The hash under which a hold keeps a value. */
export function hashOfValue(holdKey: Uint8Array, key: string): string {
  return createHmac('sha256', holdKey).update(key).digest('hex');
}

interface KeptValue extends ValueTraits {
  readonly firstSaidAt: string | null;
  readonly isStated: boolean;
}

type KeptBy = Omit<ActingHoldRow, 'sealedKey' | 'values'> & {
  readonly key: Uint8Array;
  /** What is known of a value, by its hash. */
  readonly values: ReadonlyMap<string, KeptValue>;
};

/** Holds by the hints of their values. */
function byHints(holds: readonly ActingHoldRow[], keys: HoldKeys) {
  const found = new Map<number, Set<KeptBy>>();
  const kept = holds.map((hold): KeptBy => {
    const values = new Map(
      hold.values.map((value): [string, KeptValue] => [
        value.hash,
        {
          opensDoor: value.opens_door,
          isSpecific: value.is_specific,
          firstSaidAt: value.first_said_at,
          isStated: value.is_stated,
        },
      ]),
    );
    const one = { ...hold, key: keys.opened(hold.id, hold.sealedKey), values };
    for (const { hint } of hold.values) found.set(hint, (found.get(hint) ?? new Set()).add(one));
    return one;
  });
  return { found, kept };
}

/** A longer text is a paste: with a held value in it, nothing of it is served. In code units. */
const LONGEST_SAID_IN_PART = 65_536;

/** Searches a text, and lets other work go on where it is long. */
async function searchedWithPauses(text: string, held: HeldValues): Promise<readonly HeldPlace[]> {
  const pause = createPauses();
  const search = searchHeld(text, held);
  for (;;) {
    const step = search.next();
    if (step.done === true) return step.value;
    await pause();
  }
}

class HoldsJudge implements TextJudge {
  readonly edition: number;
  readonly #hintOf: HeldValues['hintOf'];
  readonly #byHint: ReadonlyMap<number, ReadonlySet<KeptBy>>;
  readonly #hints: ReadonlySet<number>;
  readonly #holds: readonly KeptBy[];

  constructor({ edition, holds, sealedHintKey }: ActingHolds, keys: HoldKeys) {
    const { found, kept } = byHints(holds, keys);
    this.edition = edition;
    this.#byHint = found;
    this.#hints = new Set(found.keys());
    this.#holds = kept;
    this.#hintOf = sealedHintKey === null ? () => 0 : hintsBy(keys.opened('hints', sealedHintKey));
  }

  async message(text: string, place: JudgedPlace): Promise<string | null> {
    const held = this.#reaching(place);
    if (held === null || text.length <= LONGEST_SAID_IN_PART) return this.#served(text, held);
    const places = await searchedWithPauses(text, held);
    return places.length === 0 ? text : null;
  }

  statement({ claim, id, place, subjectNames, text, wordings }: SaidStatement) {
    const held = this.#reaching(place);
    const served = this.#served(text, held);
    const isAsSaid = served === text;
    return {
      id,
      text: served,
      claim: isAsSaid || served === null ? claim : claimOf(served, subjectNames),
      wordings: Object.fromEntries(
        Object.entries(wordings).map(([messageId, wording]) => [
          messageId,
          wording === text ? served : this.#served(wording, held),
        ]),
      ),
    };
  }

  async foreign(
    text: string,
    place: JudgedPlace,
    saidAt: string,
  ): Promise<readonly ForeignValue[]> {
    if (!this.#holds.some((hold) => isInForce(hold, place))) return [];
    const found: ForeignValue[] = [];
    const isBefore = (hold: KeptBy, { firstSaidAt, isStated, opensDoor }: KeptValue): boolean =>
      opensDoor &&
      firstSaidAt !== null &&
      saidAt < firstSaidAt &&
      !hold.isGeneral &&
      !isRequesters(hold, place) &&
      (!isStated || place.aboutIds.length > 0);
    await searchedWithPauses(text, {
      hintOf: this.#hintOf,
      hints: this.#hints,
      holdsOf: (key, hint) =>
        [...(this.#byHint.get(hint) ?? [])].flatMap((hold) => {
          if (!isInForce(hold, place)) return [];
          const valueHash = hashOfValue(hold.key, key);
          const value = hold.values.get(valueHash);
          if (value !== undefined && isBefore(hold, value)) {
            found.push({ holdId: hold.id, hash: valueHash });
          }
          return [];
        }),
    });
    return found;
  }

  /** The values that are kept out of texts at the place; null: none. */
  #reaching(place: JudgedPlace): HeldValues | null {
    if (!this.#holds.some((hold) => isInForce(hold, place))) return null;
    return {
      hintOf: this.#hintOf,
      hints: this.#hints,
      holdsOf: (key, hint) =>
        [...(this.#byHint.get(hint) ?? [])].flatMap((hold) => {
          if (!isInForce(hold, place)) return [];
          const value = hold.values.get(hashOfValue(hold.key, key));
          return value !== undefined && reaches(hold, value, place) ? [hold.id] : [];
        }),
    };
  }

  #served(text: string, held: HeldValues | null): string | null {
    if (held === null) return text;
    const places = findHeld(text, held);
    if (places.length === 0) return text;
    return servedText(
      text,
      places,
      [...sentencesOf(text)],
      (rest) => findHeld(rest, held).length > 0,
    );
  }
}

/** Accounts whose judges are kept in memory, those asked for last. */
const MOST_ACCOUNTS = 1_000;

/** `read` reads the holds of an account in a transaction; `keysOf` opens their keys. */
export function createJudges(
  read: (tx: Queryable, accountId: string) => Promise<ActingHolds>,
  keysOf: (accountId: string) => HoldKeys,
  nothing: TextJudge,
): Judges {
  const judges = new Map<string, TextJudge>();
  const keep = (accountId: string, judge: TextJudge): void => {
    judges.delete(accountId);
    judges.set(accountId, judge);
    const [oldest] = judges.keys();
    if (judges.size > MOST_ACCOUNTS && oldest !== undefined) judges.delete(oldest);
  };
  return {
    known: (accountId) => judges.get(accountId) ?? nothing,
    async of(tx, accountId, edition) {
      const known = judges.get(accountId);
      if (known?.edition === edition) return known;
      const judge = new HoldsJudge(await read(tx, accountId), keysOf(accountId));
      keep(accountId, judge);
      return judge;
    },
  };
}
