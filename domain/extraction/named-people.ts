/** Which people a text names: by key or whole name, word for word. */
import { words } from '../text/tokens.ts';

interface Named {
  readonly key: string;
  readonly name: string;
}

const spaced = (text: string): string => ` ${words(text).join(' ')} `;

/** The people whose key or whole name stands in the text. */
export function peopleNamedIn<P extends Named>(text: string, people: readonly P[]): readonly P[] {
  const found = spaced(text);
  return people.filter(({ key, name }) =>
    [key, name].some((form) => spaced(form).trim() !== '' && found.includes(spaced(form))),
  );
}
