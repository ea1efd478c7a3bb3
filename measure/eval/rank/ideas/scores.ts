/** Ideas that change the scores of the first hits. */
import type { Indexed } from '../shapes.ts';
import type { PreparedUnit } from '../prepared.ts';
import type { Adjust, Asked, Enrich, Hit } from '../shapes.ts';

/** A factor for the units of which `holds` is true, where the question is one of those that `asks` is true of. */
function factor(
  by: number,
  holds: (unit: PreparedUnit) => boolean,
  asks: (asked: Asked) => boolean = () => true,
): Adjust {
  return ({ prepared }) => {
    const held = prepared.units.map(holds);
    return (asked, hits) =>
      asks(asked)
        ? hits.map((hit) => (held[hit.unit] === true ? { ...hit, score: hit.score * by } : hit))
        : hits;
  };
}

/** Units in which the speaker speaks of themself. */
export function firstPerson(by: number): Adjust {
  return factor(by, ({ text }) => /\b(?:i|i'm|i've|i'd|my|me|we|our|we're)\b/iu.test(text));
}

/** Numbers for questions of how many. */
export function numbers(by: number): Adjust {
  return factor(
    by,
    ({ text }) =>
      /\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|once|twice)\b/iu.test(text),
    ({ text }) => /\bhow (?:many|much|often|old)\b/iu.test(text),
  );
}

/** Names inside a sentence for questions of who and where. */
export function properNames(by: number): Adjust {
  return factor(
    by,
    ({ text }) => /[a-z,] (?!I\b)[A-Z][a-z]+/u.test(text),
    ({ text }) => /\b(?:where|who|(?:which|what) (?:city|country|place|town))\b/iu.test(text),
  );
}

/** Reasons for questions of why. */
export function reasons(by: number): Adjust {
  return factor(
    by,
    ({ text }) => /\b(?:because|since|so that|wanted to|inspired|reason)\b/iu.test(text),
    ({ text }) => /\b(?:why|reason|inspired?|motivat\w*)\b/iu.test(text),
  );
}

/** Adds a share of the scores of the units directly before and after. */
export function smoothed(share: number): Adjust {
  return ({ prepared }) =>
    (_, hits) => {
      const scores = new Map(hits.map(({ unit, score }) => [unit, score]));
      return hits.map((hit) => {
        const beside = [hit.unit - 1, hit.unit + 1]
          .filter((at) => prepared.units[at]?.message.session === hit.session)
          .reduce((sum, at) => sum + (scores.get(at) ?? 0), 0);
        return { ...hit, score: hit.score + share * beside };
      });
    };
}

/** Rewards units whose own words cover much of the question. */
export function coverage(by: number): Adjust {
  return ({ prepared, frequencies }) => {
    const rarity = (term: string): number =>
      Math.log1p(prepared.units.length / ((frequencies.get(term) ?? 0) + 0.5));
    return ({ terms }, hits) => {
      const total = [...terms.keys()].reduce((sum, term) => sum + rarity(term), 0);
      return hits.map((hit) => {
        const own = prepared.units[hit.unit]?.own.terms;
        const covered = [...terms.keys()]
          .filter((term) => own?.has(term) === true)
          .reduce((sum, term) => sum + rarity(term), 0);
        return { ...hit, score: hit.score * (1 + (by * covered) / Math.max(1, total)) };
      });
    };
  };
}

/** Adds a share of the next two passages of a message to its best one. */
export function severalPassages(share: number): Adjust {
  return () => (_, hits) => {
    const scores = Map.groupBy(hits, ({ sourceId }) => sourceId);
    return hits.map((hit) => {
      const [best, ...others] = scores.get(hit.sourceId) ?? [];
      if (best?.unit !== hit.unit) return hit;
      return { ...hit, score: hit.score + share * sumOf(others.slice(0, 2)) };
    });
  };
}

function sumOf(hits: readonly Hit[]): number {
  return hits.reduce((sum, { score }) => sum + score, 0);
}

const MONTHS =
  'january february march april may june july august september october november december'.split(
    ' ',
  );
const DATE = new RegExp(
  String.raw`\b(${MONTHS.join('|')})(?: (\d{1,2})(?:st|nd|rd|th)?)?,? (20\d\d)\b`,
  'iu',
);
const DAY_MS = 86_400_000;

/** Messages written in the asked month or day, or up to `after` days later, for questions that name one. */
export function askedDate(by: number, after: number): Adjust {
  return ({ prepared }: Indexed) =>
    ({ text }, hits) => {
      const [, name, day, year] = DATE.exec(text) ?? [];
      if (name === undefined) return hits;
      const month = MONTHS.indexOf(name.toLowerCase());
      const from = Date.UTC(Number(year), month, Number(day ?? 1));
      const until =
        (day === undefined ? Date.UTC(Number(year), month + 1, 1) : from + DAY_MS) + after * DAY_MS;
      return hits.map((hit) => {
        const at = prepared.units[hit.unit]?.message.at ?? 0;
        return at >= from && at < until ? { ...hit, score: hit.score * by } : hit;
      });
    };
}

/** More of the words of the unit that stands `step` after each one in its session; before it where `step` is below 0. */
export function besideUnits(weight: number, step: number): Enrich {
  return ({ units }) =>
    (at) => {
      const other = units[at + step];
      if (other === undefined || other.message.session !== units[at]?.message.session) return [];
      return Array.from(other.own.terms, ([term, n]) => [term, n * weight] as const);
    };
}

/** Words of units that are three to `furthest` units away, of the same session. */
export function farNeighbours(weight: number, furthest: number): Enrich {
  return ({ units }) =>
    (at) =>
      Array.from({ length: furthest - 2 }, (_, n) => n + 3)
        .flatMap((distance) => [at - distance, at + distance])
        .flatMap((index) => {
          const other = units[index];
          if (other === undefined || other.message.session !== units[at]?.message.session)
            return [];
          const scale = weight * Math.min(1, 40 / Math.max(1, other.own.length));
          return Array.from(other.own.terms, ([term, n]) => [term, n * scale] as const);
        });
}

/** Units of sessions in which nobody who is named speaks, and in which nothing found speaks of them. */
export function elsewhere(by: number): Adjust {
  return ({ prepared }) =>
    (asked, hits) => {
      const names = [...asked.names];
      if (names.length === 0) return hits;
      const isOfNamed = ({ unit }: Hit): boolean => {
        const found = prepared.units[unit];
        const holds = (term: string): boolean =>
          found?.own.terms.has(term) === true || found?.speaker.includes(term) === true;
        return names.some(holds);
      };
      const sessions = new Set(hits.filter(isOfNamed).map(({ session }) => session));
      return hits.map((hit) =>
        sessions.has(hit.session) ? hit : { ...hit, score: hit.score * by },
      );
    };
}
