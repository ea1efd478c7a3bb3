/** What confirm, contest and redact have in common: the ruling of a person on a statement about that person. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { aboutSubject } from '../../domain/governance/visibility.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { Ruling } from '../../domain/knowledge/ruling.ts';
import { DESK_SHARD, ruleOn } from '../../engine/knowledge/ruling.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import type { KnowledgeRow } from '../../stores/postgres/knowledge/rows.store.ts';
import { auditActor } from '../audit-actor.ts';
import { earlierAnswer } from '../idempotency.ts';
import { knowledgeOutput } from '../observations/knowledge-output.ts';
import type { RequestContext } from '../operation.ts';
import { readableRow } from './readable-row.ts';

export const knowledgeId = z.uuid().describe('The statement, which must be about the caller.');

/** A statement about the caller, and the path of its scope. */
export const ownStatement = knowledgeOutput.extend({ scope_path: z.string() }).meta({
  id: 'OwnStatement',
  description: 'A statement about the caller, and the path of its scope.',
});

/** The row as its subject is shown it: the text of what was redacted is gone for the subject, too. */
export function shownToSubject(row: KnowledgeRow): z.input<typeof ownStatement> {
  return row.state === 'redacted' ? { ...row, statement: null } : row;
}

const ownRow = (stores: Stores, caller: Caller, peerId: string, id: string) =>
  readableRow(stores, caller, id, aboutSubject(peerId));

const SHOWN = { status: 200 } as const;

/**
 * Carries out the ruling under the lock of the subject and answers the statement as it is then. A statement that is not
 * about the caller is `not_found`; a state that does not allow the ruling is `conflict`. The same ruling again changes
 * nothing. `alsoWrite` runs in the transaction of a ruling that changed the statement; `words` are what else the request says.
 */
export async function sayAbout(
  context: RequestContext<Caller>,
  id: string,
  ruling: Extract<Ruling, { action: 'confirm' | 'contest' | 'redact' }>,
  {
    alsoWrite = async () => {},
    words = [],
  }: {
    readonly alsoWrite?: (stores: Stores, peerId: string) => Promise<void>;
    readonly words?: readonly (string | null)[];
  } = {},
): Promise<z.input<typeof ownStatement>> {
  const { caller, doorbell, inAccount } = context;
  const { accountId, peerId } = caller;
  if (peerId === null) throw new Refusal('not_found');
  const { changed, row } = await inAccount(accountId, async (stores) => {
    const found = await stores.desk.find(id);
    if (found === null || found.subject_peer_id !== peerId) throw new Refusal('not_found');
    const earlier = await earlierAnswer(context, stores, [ruling, ...words], {
      ...SHOWN,
      resourceId: id,
    });
    if (earlier !== null) return { changed: false, row: await ownRow(stores, caller, peerId, id) };
    const state = await stores.desk.lock(found);
    if (state === null) throw new Refusal('not_found');
    const { result, work } = ruleOn(state, id, ruling, { peerId, channel: 'api' });
    if (result.outcome === 'refused') throw new Refusal('conflict');
    if (result.outcome !== 'ruled')
      return { changed: false, row: await ownRow(stores, caller, peerId, id) };
    await stores.desk.write(work);
    await alsoWrite(stores, peerId);
    await stores.audit.record({
      category: 'governance',
      action: `knowledge.subject_said_${ruling.action}`,
      actor: auditActor(caller),
      resourceType: 'knowledge',
      resourceId: id,
      metadata: { state: result.after.state },
    });
    return { changed: true, row: await ownRow(stores, caller, peerId, id) };
  });
  if (changed) doorbell.ring({ accountId, kind: 'projection', shard: DESK_SHARD });
  return shownToSubject(row);
}
