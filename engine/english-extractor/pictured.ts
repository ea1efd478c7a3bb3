/** The picture that a clause points at, where it tells what the clause is about. */
import type { Clause, PlacedAssertion } from './assertion.ts';
import { showsPicture, withPictureBehind } from './captions.ts';
import type { ClausePlace, Context } from './context.ts';
import type { Judged } from './judged.ts';

/** What the speaker shows says something with its picture alone. */
export function withShown(own: PlacedAssertion, { picture }: Context): PlacedAssertion | null {
  if (picture === null) return null;
  return { ...own, statement: withPictureBehind(own.statement, picture) };
}

/** "Check out this pic I took": the picture, whatever else was said. */
export function shown(
  own: PlacedAssertion,
  { text }: Clause,
  { context: { picture } }: ClausePlace,
): PlacedAssertion | null {
  if (picture === null || !showsPicture(text)) return null;
  return { ...own, statement: withPictureBehind(own.statement, picture), isCleared: true };
}

/** The assertion with the picture that its speaker shows by it, where nothing else is named before. */
export function withPicture(
  own: PlacedAssertion,
  { unclear }: Judged,
  { context, earlier }: ClausePlace,
): PlacedAssertion | null {
  const { picture } = context;
  const shows = unclear.every(({ kind }) => kind === 'thing' || kind === 'event');
  // After sentences that name something, the pronoun may mean that as well.
  const pointsHere = unclear.every(({ kind }) => kind === 'event');
  const isAlone = earlier.every(
    ({ describes, mentions }) => (pointsHere && describes()) || mentions().length === 0,
  );
  if (picture === null || !shows || !isAlone) return null;
  return { ...own, statement: withPictureBehind(own.statement, picture), isCleared: true };
}

/** The first assertion of an answer, with the picture that was asked about. */
export function withOwnPicture(
  own: PlacedAssertion,
  { unclear }: Judged,
  { context, earlier, last }: ClausePlace,
): PlacedAssertion | null {
  const isAsked = last === null && context.asked()?.isOfShown === true;
  const before = isAsked ? context.own() : null;
  const arePointed = unclear.every(({ kind }) => /^(?:thing|event|people)$/u.test(kind));
  const isAlone = earlier.every(({ mentions }) => mentions().length === 0);
  if (before === null || before.picture === null || !arePointed || !isAlone) return null;
  const statement = withPictureBehind(own.statement, before.picture);
  return { ...own, statement, alsoFrom: before.id, isCleared: true };
}
