/** `skills.publish`, `skills.list`, `skills.read`, `skills.retire`: skill cards, for the people of a scope. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { curates, readableChain, type Caller } from '../../domain/identity/caller.ts';
import { parseScopePath } from '../../domain/scopes/path.ts';
import type { CardRow } from '../../stores/postgres/skills/cards.store.ts';
import { assertCurator } from '../access/curator.ts';
import { scopePathField } from '../fields/observation.ts';
import { defineOperation } from '../operation.ts';
import { flagField, limitField, readScopeField } from '../fields/read.ts';
import {
  cardOutput,
  cardPage,
  cardPageOutput,
  contentFields,
  shownCard,
  skillField,
} from './card-output.ts';
import { publishCard, retireCard } from './publishing.ts';

export const publishSkillCard = defineOperation({
  id: 'skills.publish',
  access: 'human',
  effect: 'write',
  summary: 'Publish a skill card',
  description:
    'Only curators of the scope may publish. The service creates the scope if it does not exist. A card says what an agent should know before it uses the skill. It is in force at the scope and its descendants. A version never changes: the new version replaces the one in force. If the content is that of the version in force, the answer is `unchanged` and nothing happens.',
  refusals: ['forbidden', 'not_found', 'conflict'],
  input: z.object({
    scope_path: scopePathField.meta({
      description: 'The scope. The service creates it if it does not exist.',
      wire: { examples: ['/team/project'] },
    }),
    ...contentFields,
  }),
  output: z.object({ status: z.enum(['published', 'unchanged']), card: cardOutput }),
  async run(context, { scope_path: scopePath, ...content }) {
    const { caller, inAccount } = context;
    // The refusal comes before any look-up, so that it reveals nothing about a scope that the caller does not curate.
    if (!curates(caller, scopePath)) throw new Refusal('forbidden');
    const { card, status } = await inAccount(caller.accountId, (stores) =>
      publishCard(context, stores, { ...content, scopePath }),
    );
    return { status, card: shownCard(card) };
  },
});

export const listSkillCards = defineOperation({
  id: 'skills.list',
  access: 'human',
  effect: 'read',
  summary: 'List the skill cards of a scope and its ancestors',
  description: 'Only readers of the scopes see their cards. The newest versions come first.',
  input: z.object({
    scope_path: readScopeField,
    skill: skillField.nullish().transform((skill) => skill ?? null),
    include_retired: flagField.meta({ description: 'Also lists versions that are not in force.' }),
    limit: limitField,
    cursor: z
      .uuid()
      .nullish()
      .transform((cursor) => cursor ?? null)
      .meta({ description: 'The `next_cursor` of the previous page. Absent: the first page.' }),
  }),
  output: cardPageOutput,
  async run({ caller, inAccount }, input) {
    const { limit, scope_path: scopePath, skill } = input;
    const rows = await inAccount(
      caller.accountId,
      async (stores) => {
        const scopes = await stores.scopes.find(readableChain(caller, scopePath));
        return stores.skillCards.list({
          scopeIds: scopes.map(({ id }) => id),
          skill,
          withRetired: input.include_retired,
          after: input.cursor,
          limit: limit + 1,
        });
      },
      { readOnly: true },
    );
    return cardPage(rows, limit);
  },
});

function mayRead(caller: Caller, card: CardRow): boolean {
  const path = parseScopePath(card.scope_path);
  return path !== null && readableChain(caller, path).includes(path);
}

export const readSkillCard = defineOperation({
  id: 'skills.read',
  access: 'human',
  effect: 'read',
  summary: 'Read a version of a skill card',
  description: 'Only readers of the scope of the card may read it.',
  refusals: ['not_found'],
  input: z.object({ card_id: z.uuid() }),
  output: cardOutput,
  async run({ caller, inAccount }, { card_id: id }) {
    const card = await inAccount(caller.accountId, ({ skillCards }) => skillCards.find(id), {
      readOnly: true,
    });
    if (card === null || !mayRead(caller, card)) throw new Refusal('not_found');
    return shownCard(card);
  },
});

export const retireSkillCard = defineOperation({
  id: 'skills.retire',
  access: 'human',
  effect: 'write',
  summary: 'Retire a skill card',
  description:
    'Only curators of the scope of the card may retire it. The version is no longer in force, and the requirements of cards above it apply again. A version that is already retired stays as it is.',
  refusals: ['forbidden', 'not_found', 'conflict'],
  input: z.object({ card_id: z.uuid() }),
  output: cardOutput,
  async run(context, { card_id: id }) {
    const { caller, inAccount } = context;
    assertCurator(caller);
    const card = await inAccount(caller.accountId, async (stores) => {
      const found = await stores.skillCards.find(id);
      if (found === null || !curates(caller, found.scope_path)) throw new Refusal('not_found');
      return retireCard(context, stores, found);
    });
    return shownCard(card);
  },
});
