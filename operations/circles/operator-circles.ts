/**
 * `circle.create`, `circle.add`, `circle.remove`, `circle.list`, `circle.show`, `circle.delete`: circles as the command
 * line works with them.
 */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { MOST_MEMBERS_OF_CIRCLE } from '../../domain/circles/bounds.ts';
import { resolveAccount } from '../identity/account.ts';
import { accountInput, labelInput, scopePathInput } from '../identity/inputs.ts';
import { nextOf, nextOutput, pageFields } from '../identity/pages.ts';
import { defineOperation, type RequestContext } from '../operation.ts';
import { changeCircle, deleteCircleOf, wholeCircle, type CircleChange } from './changing.ts';
import {
  changedCircleOutput,
  circleOutput,
  deletedCircleOutput,
  listedCircleOutput,
  shownCircle,
} from './circle-output.ts';

const oneCircle = { account: accountInput, scope: scopePathInput, name: labelInput };
const peersInput = z.array(labelInput).max(MOST_MEMBERS_OF_CIRCLE);
const NOBODY: Omit<CircleChange, 'scopePath' | 'name'> = {
  onlyNew: false,
  members: null,
  add: [],
  remove: [],
};

async function change(
  { caller, directory, inAccount }: RequestContext,
  account: string | undefined,
  asked: CircleChange,
): Promise<z.input<typeof changedCircleOutput>> {
  const accountId = await resolveAccount(directory, account);
  const { changed, ...whole } = await inAccount(accountId, (stores) =>
    changeCircle(caller, stores, asked),
  );
  return { ...shownCircle(whole), changed };
}

/** Makes a circle of these members. Refuses with `conflict` a name that a circle of the scope has. */
export const createCircle = defineOperation({
  id: 'circle.create',
  access: 'operator',
  effect: 'write',
  input: z.object({ ...oneCircle, peers: peersInput.default([]) }),
  output: changedCircleOutput,
  run: (context, { account, name, peers, scope }) =>
    change(context, account, { ...NOBODY, scopePath: scope, name, members: peers, onlyNew: true }),
});

/** Adds peers to a circle that exists. A member stays one. */
export const addToCircle = defineOperation({
  id: 'circle.add',
  access: 'operator',
  effect: 'write',
  input: z.object({ ...oneCircle, peers: peersInput.min(1) }),
  output: changedCircleOutput,
  run: (context, { account, name, peers, scope }) =>
    change(context, account, { ...NOBODY, scopePath: scope, name, add: peers }),
});

/** Removes peers from a circle that exists. Who is no member stays none. */
export const removeFromCircle = defineOperation({
  id: 'circle.remove',
  access: 'operator',
  effect: 'write',
  input: z.object({ ...oneCircle, peers: peersInput.min(1) }),
  output: changedCircleOutput,
  run: (context, { account, name, peers, scope }) =>
    change(context, account, { ...NOBODY, scopePath: scope, name, remove: peers }),
});

/** The circles of the account, or of one scope, the oldest first. */
export const listAllCircles = defineOperation({
  id: 'circle.list',
  access: 'operator',
  effect: 'read',
  input: z.object({ account: accountInput, scope: scopePathInput.optional(), ...pageFields }),
  output: z.object({ circles: z.array(listedCircleOutput), next: nextOutput }),
  async run({ directory, inAccount }, { account, after, limit, scope }) {
    const accountId = await resolveAccount(directory, account);
    const circles = await inAccount(accountId, async (stores) => {
      const scopes = scope === undefined ? null : await stores.scopes.find([scope]);
      return stores.circles.list({
        curatedScopeIds: scopes?.map(({ id }) => id) ?? null,
        otherScopeIds: [],
        peerId: null,
        after: after ?? null,
        limit,
      });
    });
    return { circles: [...circles], next: nextOf(circles, limit) };
  },
});

/** One circle with its members. */
export const showCircle = defineOperation({
  id: 'circle.show',
  access: 'operator',
  effect: 'read',
  input: z.object(oneCircle),
  output: circleOutput,
  async run({ directory, inAccount }, { account, name, scope }) {
    const accountId = await resolveAccount(directory, account);
    const whole = await inAccount(accountId, async (stores) => {
      const scopes = await stores.scopes.find([scope]);
      const [circle] = await stores.circles.named(
        scopes.map(({ id }) => id),
        [name],
      );
      return circle === undefined ? null : wholeCircle(stores, circle.id);
    });
    if (whole === null) throw new Refusal('not_found');
    return shownCircle(whole);
  },
});

/** Deletes a circle with its list of members. */
export const deleteCircleAsOperator = defineOperation({
  id: 'circle.delete',
  access: 'operator',
  effect: 'destroy',
  input: z.object(oneCircle),
  output: deletedCircleOutput,
  async run({ caller, directory, inAccount }, { account, name, scope }) {
    const accountId = await resolveAccount(directory, account);
    const id = await inAccount(accountId, (stores) =>
      deleteCircleOf(caller, stores, { name, scopePath: scope }),
    );
    return { id };
  },
});
