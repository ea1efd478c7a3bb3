/** Asks the pipeline of every operation, without running any, who is let in. */
import { z } from 'zod';
import { Refusal } from '../../../domain/errors.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { parseScopePath, type ScopePath } from '../../../domain/scopes/path.ts';
import { execute } from '../../../operations/execute.ts';
import type { Operation, RequestContext } from '../../../operations/operation.ts';
import { situationOf } from './aspects.ts';
import { AT_THE_DOOR, OPERATIONS } from './operations.ts';
import { rowFor } from './table.ts';
import { IDENTITIES, type Identity } from './world.ts';

function scopePath(text: string): ScopePath {
  const path = parseScopePath(text);
  if (path === null) throw new Error(`${text} is no scope path`);
  return path;
}

/** The caller that a valid credential of the identity stands for; null without one. */
export function callerOf({
  account,
  credential,
  grants,
  kind,
  peer,
  pin,
}: Identity): Caller | null {
  if (credential !== 'valid') return null;
  return {
    accountId: account,
    credentialId: `${String(peer)}-${String(pin)}`,
    kind: kind === 'person' ? 'human' : 'machine',
    peerId: peer,
    peerKey: peer,
    pinPath: pin === null ? null : scopePath(pin),
    secretPolicy: 'keep',
    grants: grants.map(({ effect, path, propagate = true, role }) => ({
      scopePath: scopePath(path),
      role,
      effect: effect ?? 'allow',
      propagate,
    })),
  };
}

const LET_IN = 'let in';

async function answerOf(operation: Operation, caller: Caller | null): Promise<string> {
  const gate = {
    ...operation,
    input: z.unknown(),
    output: z.unknown(),
    run: () => Promise.resolve(LET_IN),
  };
  const context = { caller, now: new Date() } as Partial<RequestContext> as RequestContext;
  try {
    return String(await execute(gate, context, {}));
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

/** Operations that let in, or refuse, whom they should not. Those without a row are told elsewhere. */
export async function doorsAmiss(operations: readonly Operation[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const operation of operations) {
    const row = OPERATIONS.get(operation.id);
    if (row === undefined) continue;
    for (const [identity, who] of Object.entries(IDENTITIES)) {
      const caller = callerOf(who);
      const { kind, isAdmin } = situationOf('', { identity });
      const credential = caller === null ? 'none' : 'valid';
      const cell = { who: row.who, credential, kind: kind ?? '', isAdmin: isAdmin ?? '' };
      const { answer, from } = rowFor(AT_THE_DOOR, cell);
      const found = await answerOf(operation, caller);
      if (found !== answer)
        faults.push(`${operation.id}, ${identity}: ${found}, not ${answer} (${from})`);
    }
  }
  return faults;
}
