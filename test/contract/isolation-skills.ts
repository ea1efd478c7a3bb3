/** The cases of isolation about contexts, skill cards and readiness. */
import type { HttpAnswer } from '../support/http.ts';
import { dataOf, type Service } from '../support/service.ts';
import { exactly } from './answers.ts';
import { withoutIds, type IsolatedNames, type IsolationCase } from './isolation-desk.ts';

type SkillNames<Whose extends string> = Pick<
  IsolatedNames<Whose>,
  'scope' | 'peer' | 'get' | 'post'
> & {
  readonly skill: Readonly<Record<Whose, string>>;
  readonly cardId: (whose: Whose) => string;
  readonly peerId: (whose: Whose) => string;
};

const CONTEXT = '/api/v1/context';
const READINESS = '/api/v1/readiness';
const SKILLS = '/api/v1/governance/skills';
const REQUIREMENT = { key: 'home', level: 'required', source_policy: 'either' };

/** A card of the other account, published there by a person. */
export async function publishThere(
  service: Service,
  skill: string,
  scopePath: string,
): Promise<string> {
  const answer = await service.call({
    path: SKILLS,
    token: await service.other.person('their-curator', { role: 'curator' }),
    json: { skill, scope_path: scopePath, requirements: [{ ...REQUIREMENT, selector: {} }] },
  });
  const { id } = Object(dataOf(answer)['card']);
  if (typeof id !== 'string') throw new Error('no card was published');
  return id;
}

/** The answer without ids, instants and the given words. */
function without(words: readonly string[]): (answer: HttpAnswer) => unknown {
  return (answer) => {
    const text = JSON.stringify(withoutIds(answer)).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then');
    return words.reduce((rest, word) => rest.replaceAll(word, 'word'), text);
  };
}

export function casesOfSkills<Whose extends string>({
  cardId,
  get,
  peer,
  peerId,
  post,
  scope,
  skill,
}: SkillNames<Whose>): Readonly<Record<string, readonly IsolationCase<Whose>[]>> {
  const compare = without([...Object.values<string>(scope), ...Object.values<string>(skill)]);
  const asked = (
    what: string,
    path: string,
    json: (whose: Whose) => Record<string, unknown>,
  ): IsolationCase<Whose> => ({
    what,
    send: (token, whose) => post(token, path, json(whose)),
    compare,
  });
  const team = '/team';
  return {
    [`POST ${CONTEXT}`]: [
      asked('a scope', CONTEXT, (whose) => ({ scope_path: scope[whose], query: 'garden' })),
      asked('a peer', CONTEXT, (whose) => ({ scope_path: team, peer_key: peer[whose] })),
      asked('a session', CONTEXT, (whose) => ({ scope_path: team, session_id: peer[whose] })),
    ],
    [`POST ${READINESS}`]: [
      asked('a scope', READINESS, (whose) => ({ skill: 'walks', scope_path: scope[whose] })),
      asked('a skill', READINESS, (whose) => ({ skill: skill[whose], scope_path: team })),
      asked('a peer', READINESS, (whose) => ({
        skill: 'walks',
        scope_path: team,
        peer_key: peer[whose],
      })),
      asked('the id of a peer', READINESS, (whose) => ({
        skill: 'walks',
        scope_path: team,
        peer_id: peerId(whose),
      })),
    ],
    [`GET ${SKILLS}`]: [
      {
        what: 'a scope',
        send: (token, whose) => get(token, `${SKILLS}?scope_path=${scope[whose]}`),
        compare,
      },
      {
        what: 'a card as cursor',
        send: (token, whose) => get(token, `${SKILLS}?cursor=${cardId(whose)}`),
        compare: exactly,
      },
    ],
    [`POST ${SKILLS}`]: [
      asked('a scope', SKILLS, (whose) => ({
        skill: 'walks',
        scope_path: scope[whose],
        requirements: [{ ...REQUIREMENT, selector: {} }],
      })),
      asked('a skill', SKILLS, (whose) => ({
        skill: skill[whose],
        scope_path: team,
        requirements: [{ ...REQUIREMENT, selector: {} }],
      })),
    ],
    [`GET ${SKILLS}/:card_id`]: [
      {
        what: 'a card',
        send: (token, whose) => get(token, `${SKILLS}/${cardId(whose)}`),
        compare: exactly,
      },
    ],
    [`POST ${SKILLS}/:card_id/retire`]: [
      {
        what: 'a card',
        send: (token, whose) => post(token, `${SKILLS}/${cardId(whose)}/retire`),
        compare: exactly,
      },
    ],
  };
}
