/** `unit.explain`: why a search does not return a message or a statement, for an operator who has its id. */
import { z } from 'zod';
import { inOrder, isFindable } from '../../domain/explain/causes.ts';
import { obstaclesInIndexes } from '../../domain/explain/in-indexes.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { UNIT_KINDS } from '../../domain/retrieval/units.ts';
import { resolveAccount } from '../identity/account.ts';
import { accountInput, labelInput } from '../identity/inputs.ts';
import { defineOperation } from '../operation.ts';
import { explainMessage } from './message.ts';
import { described, explanation, indexesOf } from './output.ts';
import { explainStatement } from './statement.ts';

/** Walks the way of the unit and names what keeps it from being found. Changes nothing, and reads no text. */
export const explainUnit = defineOperation({
  id: 'unit.explain',
  access: 'operator',
  effect: 'read',
  summary: 'say why a search does not return a message or a statement',
  input: z.object({
    account: accountInput,
    unit: z.enum(UNIT_KINDS),
    id: z.uuid('must be an id').transform((id) => id.toLowerCase()),
    /** The key of the peer whose search does not return it. */
    reader: labelInput.optional(),
  }),
  output: explanation,
  async run({ directory, inAccount, indexes, now, signal }, { account, id, reader: key, unit }) {
    const accountId = await resolveAccount(directory, account);
    const found = await inAccount(
      accountId,
      async (stores) => {
        const peer = key === undefined ? null : await stores.peers.findByKey(key);
        if (key !== undefined && peer === null) throw new Refusal('unknown_peer');
        return unit === 'message'
          ? explainMessage(stores, id, peer)
          : explainStatement(stores, id, peer, now.toISOString());
      },
      { readOnly: true, signal },
    );
    if (found === null) {
      throw invalidField('id', `names no ${unit} of this account; one that was erased leaves none`);
    }
    const looks = await indexes.look(accountId, unit, id);
    const { judged, shown } = indexesOf(unit, looks, found.marks, found.rowVersion);
    const obstacles = inOrder([
      ...found.obstacles,
      ...(found.isExpected ? obstaclesInIndexes(unit, judged) : []),
      ...(found.reader?.obstacles ?? []),
    ]);
    return {
      account_id: accountId,
      unit,
      id,
      found: isFindable(obstacles),
      obstacles: described(obstacles),
      message: found.message,
      statement: found.statement,
      indexes: [...shown],
      reader: found.reader?.shown ?? null,
    };
  },
});
