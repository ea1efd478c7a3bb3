/** A tool of the console whose run waits for its turn: what has become of its person by then counts. */
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { TOOLS } from '../../../api/mcp/tools.ts';
import { RequestPace, UNITS_OF_REQUEST } from '../../../api/request-pace.ts';
import { CSRF_FIELD, csrfToken } from '../../../console/session/csrf.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { ROOT_PATH } from '../../../domain/scopes/path.ts';
import { operations, type OperationTable } from '../../../operations/registry.ts';
import { CALLER, openDoor, type FakeDoor } from '../../support/fake-door.ts';

const COOKIE = `vbs_${'a'.repeat(60)}`;
const PERSON: Caller = { ...CALLER, kind: 'human' };
const READER: Caller = {
  ...PERSON,
  grants: [{ scopePath: ROOT_PATH, role: 'reader', effect: 'allow', propagate: true }],
};

/** Lets questions wait a moment, in which something happens. Too short for the watch on whoever waits. */
class Waiting extends RequestPace {
  readonly #meanwhile: () => void;

  constructor(meanwhile: () => void) {
    super();
    this.#meanwhile = meanwhile;
  }

  override pauseOf(_accountId: string, units: number): number {
    if (units !== UNITS_OF_REQUEST.ofQuestion - UNITS_OF_REQUEST.usual) return 0;
    this.#meanwhile();
    return 1;
  }
}

/** The operations of tools as they are declared, so that the page can show them; what they do is told. */
function declared(told: (caller: Caller) => void): Partial<OperationTable> {
  const fakes = TOOLS.map(({ operation }) => [
    operation,
    {
      ...operations[operation],
      output: z.unknown(),
      run: async ({ caller }: { caller: Caller }) => {
        told(caller);
        return {};
      },
    },
  ]);
  return Object.fromEntries(fakes) as Partial<OperationTable>;
}

let door: FakeDoor | null = null;
afterEach(async () => {
  await door?.close();
  door = null;
});

/** Sends a question whose person is `later` after the wait; null is one that was disabled. */
async function asked(later: Caller | null) {
  let now: Caller | null = PERSON;
  const ran: (readonly string[])[] = [];
  door = await openDoor({
    run: async () => ({}),
    config: { requestPace: new Waiting(() => (now = later)) },
    environment: { browserSessions: { caller: async () => now, callerErased: async () => null } },
    operations: declared((caller) => ran.push(caller.grants.map(({ role }) => role))),
  });
  const fields = { [CSRF_FIELD]: csrfToken(COOKIE), scope_path: '/team', question: 'Which canoe?' };
  const answer = await door.call({
    method: 'POST',
    path: '/console/tools/ask',
    headers: {
      cookie: `vouch_session=${COOKIE}`,
      origin: door.url,
      'content-type': 'application/x-www-form-urlencoded',
    },
    raw: new URLSearchParams(fields).toString(),
  });
  expect(door.logged.filter(({ level }) => level === 'error')).toEqual([]);
  return { answer, ran };
}

test('a person who was disabled while the question waited is led to the sign-in, and nothing is asked', async () => {
  const { answer, ran } = await asked(null);
  expect([answer.status, answer.headers.location, ran]).toEqual([303, '/sign-in', []]);
});

test('a person who lost a role while the question waited asks with what is left', async () => {
  const { answer, ran } = await asked(READER);
  expect([answer.status, ran]).toEqual([200, [['reader']]]);
});
