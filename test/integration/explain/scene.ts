/** Explanations of what a search scene holds, as the command line gives them. */
import { runCli } from '../../../cli/program.ts';
import type { Environment } from '../../../operations/environment/environment.ts';
import type { Explanation } from '../../../operations/explain/output.ts';
import type { AccountScene, SearchScene } from '../search/scene.ts';
import { createRefusingInAccount } from '../../../stores/postgres/in-account.ts';
import { readPromiseFiles } from '../../../stores/promises/read-file.ts';

export interface Explained {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `vouch explain` on the scene. */
export async function vouchExplain(
  scene: SearchScene,
  account: AccountScene,
  args: readonly string[],
  indexes: Environment['indexes'] = scene.retrieval.indexes,
): Promise<Explained> {
  const environment = {
    directory: {
      accountIdByKey: async () => account.id,
      accountIds: async () => [account.id],
    },
    inAccount: createRefusingInAccount(scene.pool),
    indexes,
  } as unknown as Environment;
  const written = { out: '', err: '' };
  const code = await runCli(['explain', ...args], {
    stdin: (async function* nothing() {})(),
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    now: () => new Date(),
    signal: new AbortController().signal,
    promiseLines: readPromiseFiles,
    receiptKeyPem: () => Promise.resolve(''),
    open: async () => ({ environment, close: async () => {} }),
  });
  return { code, ...written };
}

/** The explanation itself, from `--json`. */
export async function explained(
  scene: SearchScene,
  account: AccountScene,
  args: readonly string[],
  indexes?: Environment['indexes'],
): Promise<Explanation> {
  const { err, out } = await vouchExplain(scene, account, [...args, '--json'], indexes);
  if (out === '') throw new Error(err);
  return JSON.parse(out) as Explanation;
}

/** The words of its obstacles, in their order. */
export const causesOf = ({ obstacles }: Explanation): readonly string[] =>
  obstacles.map(({ cause, of }) => (of === null ? cause : `${cause} ${of}`));

/** Gives the peer a role where the account keeps grants: the scene's callers have theirs in memory. */
export async function grant(
  { sql }: SearchScene,
  account: AccountScene,
  key: string,
  path: string,
): Promise<void> {
  await sql(
    `insert into grants (account_id, id, peer_id, scope_path, role, effect, propagate)
     values ($1, gen_random_uuid(), $2, $3, 'reader', 'allow', true)`,
    [account.id, await account.peer(key), path],
  );
}
