/** What pages show: believed statements, a long queue, a skill card, a document, and the people who look. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { vouch } from '../../command-line.ts';
import { fillQueue } from '../desk/queue.ts';
import { sendObservations } from '../load/http-load.ts';
import { untilDone } from '../load/searchable.ts';
import type { LoadedStack } from '../load/stack.ts';
import type { Corpus } from '../search/corpus.ts';
import { fill, SCOPES, type Filled } from '../search/fill.ts';
import type { Login } from './person.ts';

export const DESK = '/bench/desk';
export const SKILL = 'keep-a-workshop';

/** How many statements, in all scopes, and items of the queue. */
export interface Amounts {
  readonly statements: number;
  readonly items: number;
}

type Settings = Readonly<Record<string, string>>;

/** Runs a command. Throws, with what it printed, when it fails. */
async function run(stack: LoadedStack, args: readonly string[], settings: Settings): Promise<void> {
  const { exitCode, value } = await vouch(stack, args, settings);
  if (exitCode !== 0) throw new Error(`vouch ${args.join(' ')}: ${JSON.stringify(value)}`);
}

/** The first one waits by the gates' own decision; the others are copies of it. */
async function fillDesk(stack: LoadedStack, items: number): Promise<void> {
  const content = 'I keep the lathe with number 1 in the yard of Ghent.';
  const said = { scope_path: DESK, session_id: 'desk', peer_key: 'somebody', content };
  await sendObservations(stack, () => said, { clients: 1, amount: 1 });
  await untilDone(stack.admin, DESK, 1);
  await fillQueue(stack.admin, DESK, items);
}

async function publishCard(stack: LoadedStack, settings: Settings): Promise<void> {
  const file = join(stack.path, 'card.json');
  const requirements = ['lathe', 'bench', 'yard', 'ledger'].map((key) => ({
    key,
    level: 'required',
    source_policy: 'either',
    selector: { kind: 'fact', topic: [key] },
  }));
  writeFileSync(file, JSON.stringify({ skill: SKILL, scope_path: '/bench', requirements }));
  await run(stack, ['skill', 'publish', '--file', file], settings);
}

/** A text of some passages, uploaded as the agent of the start. Throws on anything but 202. */
async function upload({ apiKey, url }: LoadedStack, corpus: Corpus): Promise<void> {
  const form = new FormData();
  form.set('scope_path', '/bench/library');
  form.set('title', 'Notes of the workshop');
  form.set('external_id', 'notes');
  const file = new Blob([corpus.texts(SCOPES, 40).join('\n\n')], { type: 'text/plain' });
  form.set('file', file, 'notes.txt');
  const answer = await fetch(`${url}/api/v1/documents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body: form,
  });
  if (answer.status !== 202) throw new Error(`the upload answered ${answer.status}`);
}

const credentials = z.object({ admin: z.object({ email: z.string(), password: z.string() }) });

/** The first administrator, who made the stack. */
export function administratorOf({ path }: LoadedStack): Login {
  const file = join(path, '.vouch', 'credentials.json');
  return credentials.parse(JSON.parse(readFileSync(file, 'utf8'))).admin;
}

/** Makes a person who reads all of the scopes, and decides in one of them: most of the account is hidden from her. */
export async function curatorOf(stack: LoadedStack, settings: Settings): Promise<Login> {
  const login = { email: 'curator@bench.example', password: 'a password for a bench only' };
  const file = join(stack.path, 'password');
  writeFileSync(file, login.password, { mode: 0o600 });
  const person = ['--email', login.email, '--name', 'Curator', '--password-file', file];
  await run(
    stack,
    ['user', 'create', ...person, '--role', 'reader', '--scope', '/bench'],
    settings,
  );
  const grant = ['--peer', login.email, '--role', 'curator', '--scope', `${DESK}/1`];
  await run(stack, ['grant', 'add', ...grant], settings);
  return login;
}

/** Ids of believed statements, always the same ones. Throws when there are none. */
export async function believedIds({ admin }: LoadedStack): Promise<readonly string[]> {
  const { rows } = await admin.query(
    `select k.id from knowledge k join scopes s on s.account_id = k.account_id and s.id = k.scope_id
     where s.path like '/bench/place-%' and k.state = 'active' order by md5(k.statement) limit 500`,
  );
  return z
    .array(z.object({ id: z.uuid() }).transform(({ id }) => id))
    .min(1)
    .parse(rows);
}

/**
 * Fills the service. The statements are believed by the preset that needs no person; the queue begins after that, by the
 * preset that has all wait.
 */
export async function fillConsole(
  stack: LoadedStack,
  corpus: Corpus,
  { items, statements }: Amounts,
  settings: Settings,
): Promise<Filled> {
  await run(stack, ['governance', 'preset', 'unattended'], settings);
  await upload(stack, corpus);
  const filled = await fill(stack, corpus, statements, settings);
  await run(stack, ['governance', 'preset', 'strict'], settings);
  await fillDesk(stack, items);
  await publishCard(stack, settings);
  return filled;
}
