/** What goes on beside the reads: observations come in and become statements, people decide, contest and redact. */
import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf, rowsOf, type Service } from '../../support/service.ts';
import { scopePathsOf } from './people.ts';
import { markOf, THINGS, type SeededAccount } from './seed.ts';

/** Leaves time for the reads. */
const PAUSE_MS = 40;

export interface Life {
  /** How often each thing was done, and not refused. */
  readonly done: ReadonlyMap<string, number>;
  end(): Promise<void>;
}

/** Begins; each thing is done again and again, in one account after the other. */
export function live(service: Service, accounts: readonly SeededAccount[]): Life {
  const done = new Map<string, number>();
  const over = new AbortController();
  let turn = 0;

  const count = (what: string, status: number): void => {
    if (status >= 500) throw new Error(`${what} was answered ${status}`);
    if (status < 300) done.set(what, (done.get(what) ?? 0) + 1);
  };
  const post = async (what: string, path: string, token: string, json: object = {}) => {
    const answer = await service.call({ path: `/api/v1/${path}`, token, json });
    count(what, answer.status);
    return answer;
  };

  const things: Readonly<Record<string, (account: SeededAccount, n: number) => Promise<unknown>>> =
    {
      ingest: (account, n) =>
        post('ingest', 'ingest', account.tokens.relay, {
          session_id: `live-${n % 5}`,
          scope_path: scopePathsOf(account.number)[n % 28],
          peer_key: ['ana', 'bo', 'cleo'][n % 3],
          content: `I own ${n % 90} ${THINGS[n % THINGS.length]} in ${markOf(account.number)}.`,
        }),
      decide: async ({ tokens }, n) => {
        const path = '/api/v1/governance/reviews?scope_path=/a&limit=3';
        const answer = await service.call({ path, token: tokens.curator });
        count('read the queue', answer.status);
        const { items } = dataOf(answer);
        for (const item of Array.isArray(items) ? items : []) {
          const { id, version } = Object(item);
          const verdict = n % 3 === 0 ? 'reject' : 'approve';
          await post(verdict, `governance/reviews/${id}/${verdict}`, tokens.curator, { version });
        }
      },
      speak: async ({ tokens }, n) => {
        const answer = await service.call({
          path: '/api/v1/self/knowledge?limit=20',
          token: tokens.ana,
        });
        const rows = rowsOf(answer);
        const row = rows[n % Math.max(1, rows.length)];
        const verdict = ['confirm', 'contest', 'redact'][n % 3] ?? 'confirm';
        if (row === undefined) return;
        await post(verdict, `self/knowledge/${String(row['id'])}/${verdict}`, tokens.ana);
      },
    };

  const loops = Object.values(things).map(async (thing) => {
    while (!over.signal.aborted) {
      turn += 1;
      const account = accounts[turn % accounts.length];
      if (account !== undefined) await thing(account, turn);
      await sleep(PAUSE_MS);
    }
  });
  // The loops are waited for at the end; what fails before is told then.
  const all = Promise.all(loops);
  all.catch(() => undefined);
  return {
    done,
    async end() {
      over.abort();
      await all;
    },
  };
}
