/** How two statements of a picture belong together. */

export const TIE_KINDS = ['superseded_by', 'derived_from', 'disagrees'] as const;
export type TieKind = (typeof TIE_KINDS)[number];

/** Ties that one picture draws. */
export const MOST_TIES = 300;

export interface Tie {
  readonly kind: TieKind;
  readonly from: string;
  readonly to: string;
}

const keyOf = ({ from, kind, to }: Tie): string => `${kind}/${from}/${to}`;

/** Each tie between two of the statements once, lineage first, at most `MOST_TIES`; the same for any order of the ties. */
export function tiesAmong(ties: readonly Tie[], ids: ReadonlySet<string>): readonly Tie[] {
  const known = new Map(
    ties
      .filter(({ from, to }) => from !== to && ids.has(from) && ids.has(to))
      .map((tie) => [keyOf(tie), tie]),
  );
  const place = ({ kind }: Tie): number => TIE_KINDS.indexOf(kind);
  return [...known]
    .toSorted(([a, x], [b, y]) => place(x) - place(y) || (a < b ? -1 : 1))
    .slice(0, MOST_TIES)
    .map(([, tie]) => tie);
}

/** The pairs of `disagreements`, each once. */
export function disagreeing(of: ReadonlyMap<string, readonly string[]>): readonly Tie[] {
  return [...of].flatMap(([from, others]) =>
    others.filter((to) => from < to).map((to): Tie => ({ kind: 'disagrees', from, to })),
  );
}
