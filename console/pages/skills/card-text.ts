/** A card as its curator writes it: one text of JSON. */
import { invalidField, type Refusal } from '../../../domain/errors.ts';
import { placeOfJsonFault } from './json-fault.ts';

/** The members of a card. */
export const MEMBERS = ['skill', 'scope_path', 'description', 'requirements'] as const;

/** What is wrong with a text that is not JSON; it quotes nothing of the text. */
function notJson(text: string): Refusal {
  const place = placeOfJsonFault(text);
  const where = place === null ? '' : `: look at line ${place.line}, column ${place.column}`;
  return invalidField('card', `is not JSON${where}`);
}

/** The object that the text holds. Throws the refusal of a text that holds none. */
export function cardOf(text: string): Readonly<Record<string, unknown>> {
  let card: unknown;
  try {
    card = JSON.parse(text);
  } catch {
    throw notJson(text);
  }
  if (typeof card !== 'object' || card === null || Array.isArray(card)) {
    throw invalidField('card', 'must be a JSON object');
  }
  return { ...card };
}

/** Whether it has members that nobody reads. */
export function hasStrangers(card: object): boolean {
  const known = new Set<string>(MEMBERS);
  return Object.keys(card).some((name) => !known.has(name));
}
