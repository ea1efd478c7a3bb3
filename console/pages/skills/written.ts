/** What becomes of a card that was written: it is checked, or published. */
import { Refusal } from '../../../domain/errors.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import type { Onward, ShownPage, ViewerRequest } from '../../design/page.ts';
import { cardOf, hasStrangers, MEMBERS } from './card-text.ts';
import { keysOf } from '../typed-keys.ts';
import { checkResult, PEOPLE } from './check.ts';
import { SKILLS_PATH } from './requirement.ts';
import { showWriting } from './write.ts';

/**
 * What the operation says of the card. An unknown member is a fault of the text, and the page shows it with the other
 * faults.
 */
async function checkedCard(
  { call }: ViewerRequest,
  card: Readonly<Record<string, unknown>>,
  people: readonly string[],
): Promise<OutputOf<'checkSkillCard'>> {
  const known = Object.fromEntries(MEMBERS.map((name) => [name, card[name]]));
  const result = await call('checkSkillCard', { ...known, peer_keys: people }).catch(
    (error: unknown) => {
      if (error instanceof Refusal && (error.fields?.length ?? 0) > 0) return error;
      throw error;
    },
  );
  if (!hasStrangers(card)) {
    if (result instanceof Refusal) throw result;
    return result;
  }
  const message = `must have no members but ${MEMBERS.join(', ')}`;
  const others = result instanceof Refusal ? (result.fields ?? []) : [];
  throw new Refusal('invalid_request', { fields: [{ path: 'card', message }, ...others] });
}

/** Publishes what was written. */
export async function takeWriting(request: ViewerRequest): Promise<Onward> {
  const written = cardOf(request.form['card'] ?? '');
  if (hasStrangers(written)) await checkedCard(request, written, []);
  const published = await request.call('publishSkillCard', written);
  return { to: `${SKILLS_PATH}/cards/${published.card.id}?done=${published.status}` };
}

/** Says what publishing would do, and who would be ready; publishes nothing. */
export async function takeCheck(request: ViewerRequest): Promise<ShownPage> {
  const { form } = request;
  const people = keysOf(form[PEOPLE] ?? '');
  const result = await checkedCard(request, cardOf(form['card'] ?? ''), people);
  return showWriting(request, checkResult(result));
}
