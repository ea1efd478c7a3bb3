/** What a model would be handed for a checkpoint, and whose words it is. */

export type ItemKind = 'statement' | 'message';

export interface Item {
  readonly kind: ItemKind;
  readonly text: string;
  /** The turns that it was drawn from, by place in the episode. */
  readonly turns: readonly number[];
}

/** An answer of the service in words; null without one. */
export interface AnswerText {
  readonly text: string;
  readonly abstained: boolean;
  readonly citations: readonly string[];
}

export interface Evidence {
  readonly items: readonly Item[];
  readonly answer: AnswerText;
  /** Whether no part of the service was late or away. */
  readonly isComplete: boolean;
}

/** Where the words of an item come from, as the rules for the asker's own words see it. */
export interface Origin {
  readonly own: boolean;
  /** Own words that only ask. */
  readonly ownQuestion: boolean;
}

const ASKS = /\?["')\]\s]*$/u;

/** An item is the asker's own when all of its turns are. */
export function originOf(
  { turns }: Item,
  asker: string,
  said: readonly { readonly speaker: string; readonly text: string }[],
): Origin {
  const sources = turns.flatMap((turn) => said[turn] ?? []);
  const own = sources.length > 0 && sources.every(({ speaker }) => speaker === asker);
  return { own, ownQuestion: own && sources.every(({ text }) => ASKS.test(text.trim())) };
}
