/** `skill.publish`, `skill.list`, `skill.show`, `skill.retire`: skill cards as the command line works with them. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { resolveAccount } from '../identity/account.ts';
import { accountInput, idInput, scopePathInput } from '../identity/inputs.ts';
import { nextOf, nextOutput, pageFields } from '../identity/pages.ts';
import { defineOperation } from '../operation.ts';
import {
  cardOutput,
  contentFields,
  listedCardOutput,
  shownCard,
  skillField,
} from './card-output.ts';
import { publishCard, retireCard } from './publishing.ts';

/** Publishes a card for a scope, which is made where nothing was written to it yet. The content of the version in force answers `unchanged`. */
export const publishCardAsOperator = defineOperation({
  id: 'skill.publish',
  access: 'operator',
  effect: 'write',
  input: z.object({ account: accountInput, scope_path: scopePathInput, ...contentFields }),
  output: z.object({ status: z.enum(['published', 'unchanged']), card: cardOutput }),
  async run(context, { account, scope_path: scopePath, ...content }) {
    const accountId = await resolveAccount(context.directory, account);
    const { card, status } = await context.inAccount(accountId, (stores) =>
      publishCard(context, stores, { ...content, scopePath }),
    );
    return { status, card: shownCard(card) };
  },
});

/** The cards of the account, or of one scope, the newest versions first. */
export const listCards = defineOperation({
  id: 'skill.list',
  access: 'operator',
  effect: 'read',
  input: z.object({
    account: accountInput,
    scope: scopePathInput.optional(),
    skill: skillField.optional(),
    retired: z.boolean().default(false),
    ...pageFields,
  }),
  output: z.object({ cards: z.array(listedCardOutput), next: nextOutput }),
  async run({ directory, inAccount }, { account, limit, scope, skill, ...input }) {
    const accountId = await resolveAccount(directory, account);
    const cards = await inAccount(accountId, async (stores) => {
      const scopes = scope === undefined ? null : await stores.scopes.find([scope]);
      return stores.skillCards.list({
        scopeIds: scopes?.map(({ id }) => id) ?? null,
        skill: skill ?? null,
        withRetired: input.retired,
        after: input.after ?? null,
        limit,
      });
    });
    return { cards: [...cards], next: nextOf(cards, limit) };
  },
});

const oneCard = z.object({ account: accountInput, id: idInput('skill card') });

async function existing({ skillCards }: Stores, id: string) {
  const card = await skillCards.find(id);
  if (card === null) throw new Refusal('not_found');
  return card;
}

export const showCard = defineOperation({
  id: 'skill.show',
  access: 'operator',
  effect: 'read',
  input: oneCard,
  output: cardOutput,
  async run({ directory, inAccount }, { account, id }) {
    const accountId = await resolveAccount(directory, account);
    return shownCard(await inAccount(accountId, (stores) => existing(stores, id)));
  },
});

/** Ends a version; one that is retired already stays as it is. */
export const retireCardAsOperator = defineOperation({
  id: 'skill.retire',
  access: 'operator',
  effect: 'write',
  input: oneCard,
  output: cardOutput,
  async run(context, { account, id }) {
    const accountId = await resolveAccount(context.directory, account);
    const card = await context.inAccount(accountId, async (stores) =>
      retireCard(context, stores, await existing(stores, id)),
    );
    return shownCard(card);
  },
});
