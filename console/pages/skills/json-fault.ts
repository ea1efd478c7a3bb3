/** Where a text stops to be JSON. `JSON.parse` says so for some faults only, and with words of the text. */
import { visit } from 'jsonc-parser';

export interface TextPlace {
  /** From 1. */
  readonly line: number;
  /** In UTF-16 units of the line, from 1. */
  readonly column: number;
}

/** Levels of brackets. The parser calls itself for each level, so the bound keeps it from running out of stack. */
const DEEPEST_CARD = 64;

/** Thrown to end a visit, which has no other way to stop early. */
class VisitEnded extends Error {
  readonly place: TextPlace | null;

  constructor(place: TextPlace | null) {
    super('the visit has ended');
    this.place = place;
  }
}

/** Visits the text until its first fault or its 65th level, and throws `VisitEnded` there. */
function visitUntilFault(text: string): void {
  let depth = 0;
  const deeper = (): void => {
    depth += 1;
    if (depth > DEEPEST_CARD) throw new VisitEnded(null);
  };
  const back = (): void => {
    depth -= 1;
  };
  visit(
    text,
    {
      onObjectBegin: deeper,
      onArrayBegin: deeper,
      onObjectEnd: back,
      onArrayEnd: back,
      onError: (_code, _offset, _length, line, character) => {
        throw new VisitEnded({ line: line + 1, column: character + 1 });
      },
    },
    { disallowComments: true },
  );
}

/**
 * The first place at which the text cannot go on as JSON. Null when the text is JSON, and when it nests deeper than 64
 * levels before that place. Takes time linear in the text.
 */
export function placeOfJsonFault(text: string): TextPlace | null {
  try {
    visitUntilFault(text);
    return null;
  } catch (error) {
    if (error instanceof VisitEnded) return error.place;
    throw error;
  }
}
