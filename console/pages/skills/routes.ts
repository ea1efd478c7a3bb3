/** Skill cards: the list, what holds of one skill, one version, and writing. */
import type { PeopleRoute } from '../../design/page.ts';
import { idIn } from '../refused.ts';
import { showCard } from './card.ts';
import { showHeld } from './held.ts';
import { showCards } from './list.ts';
import { SKILLS_PATH } from './requirement.ts';
import { showWriting } from './write.ts';
import { takeCheck, takeWriting } from './written.ts';

const CARD = {
  path: `${SKILLS_PATH}/cards/:id`,
  access: 'people',
  calls: ['readSkillCard'],
  show: showCard,
} as const satisfies PeopleRoute;

const WRITING = {
  path: `${SKILLS_PATH}/write`,
  access: 'people',
  calls: ['readSkillCard'],
  show: (request) => showWriting(request),
} as const satisfies PeopleRoute;

export const SKILL_ROUTES: readonly PeopleRoute[] = [
  {
    path: SKILLS_PATH,
    access: 'people',
    calls: ['listReadableScopes', 'listSkillCards'],
    show: showCards,
  },
  {
    path: `${SKILLS_PATH}/held`,
    access: 'people',
    calls: ['listReadableScopes', 'listSkillCards', 'readSkillCard', 'checkReadiness'],
    show: showHeld,
  },
  CARD,
  {
    path: `${CARD.path}/retire`,
    access: 'people',
    calls: ['retireSkillCard'],
    async take({ call, params }) {
      const { id } = await call('retireSkillCard', { card_id: idIn(params) });
      return { to: `${SKILLS_PATH}/cards/${id}?done=retired` };
    },
    again: CARD,
  },
  WRITING,
  {
    path: `${SKILLS_PATH}/publish`,
    access: 'people',
    calls: ['checkSkillCard', 'publishSkillCard'],
    take: takeWriting,
    again: WRITING,
  },
  {
    path: `${SKILLS_PATH}/check`,
    access: 'people',
    calls: ['checkSkillCard'],
    take: takeCheck,
    again: WRITING,
  },
];
