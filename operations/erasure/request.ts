/**
 * The steps of every request to erase a person, by the person or by an operator: it ends the person's access at once,
 * and enters the run.
 */
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { ERASURE_MODES, ERASURE_STATES, type ErasureMode } from '../../domain/erasure/words.ts';
import { signedReceipt } from '../../engine/erasure/receipt-shape.ts';
import type { AuditActor } from '../../stores/postgres/audit/audit.store.ts';
import type { ErasureAccess, ErasureRow } from '../../stores/postgres/erasure/requests.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { lastAdmin } from '../identity/last-admin.ts';

export const modeField = z
  .enum(ERASURE_MODES)
  .nullish()
  .transform((mode): ErasureMode => mode ?? 'proportionate')
  .meta({
    description:
      'Decides about statements about other people for which the erased person is the only source: `proportionate` keeps the row without its text, `strict` deletes the row.',
    wire: { default: 'proportionate' },
  });

export const erasureOutput = z
  .object({
    id: z.uuid(),
    mode: z.enum(ERASURE_MODES),
    state: z.enum(ERASURE_STATES),
  })
  .meta({ id: 'Erasure', description: 'A request to erase a person.' });

export const erasureWithReceipt = erasureOutput
  .extend({
    receipt: signedReceipt
      .nullable()
      .describe(
        'The signed receipt, once the erasure is complete: `vouch erasure verify` checks it.',
      ),
  })
  .meta({ id: 'ErasureStatus', description: 'A request to erase a person, and its receipt.' });

export function withReceipt(row: ErasureRow): z.input<typeof erasureWithReceipt> {
  const { id, mode, receipt, state } = row;
  return {
    id,
    mode,
    state,
    receipt: receipt === null ? null : signedReceipt.parse(JSON.parse(receipt)),
  };
}

export interface ErasureRequest {
  readonly peerId: string;
  readonly mode: ErasureMode;
  readonly access: ErasureAccess | null;
  readonly actor: AuditActor;
  readonly traceId: string;
}

interface EnteredErasure extends ErasureRequest {
  readonly id: string;
  /** ISO 8601 UTC; now unless given. */
  readonly requestedAt?: string;
}

/** Writes the request, which ends what the person may do, with its run and its event. */
export async function writeErasure(
  stores: Stores,
  { access, actor, traceId, ...entered }: EnteredErasure,
): Promise<void> {
  const { id, mode } = entered;
  await stores.erasures.enter(entered, access);
  await stores.runs.enter({ kind: 'erasure', id, traceId, targetId: id });
  await stores.audit.record({
    category: 'deletion',
    action: 'peer.erasure_requested',
    actor,
    resourceType: 'erasure',
    resourceId: id,
    metadata: { mode },
  });
}

/**
 * Enters the erasure under the locks of the peer, which the caller of this function has taken, or answers the one that
 * runs. Refuses the last administrator of an account.
 */
export async function enterErasure(stores: Stores, request: ErasureRequest): Promise<ErasureRow> {
  const { peerId } = request;
  const running = await stores.erasures.openOf(peerId);
  if (running !== null) return running;
  const isAdmin = await stores.admins.includes(peerId);
  if (isAdmin && !(await stores.admins.hasOther(peerId))) throw lastAdmin('peer');
  const id = uuidv7();
  await writeErasure(stores, { ...request, id });
  const entered = await stores.erasures.find(id);
  if (entered === null) throw new TypeError('an erasure that was entered is there');
  return entered;
}
