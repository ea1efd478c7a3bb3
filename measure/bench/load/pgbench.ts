/**
 * Runs PostgreSQL's own load generator. It calls the function that the service calls, with the same kind of
 * observation, and so measures how much the database alone accepts on this machine at this moment.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from 'pg';
import { z } from 'zod';
import type { LoadedStack } from './stack.ts';

const run = promisify(execFile);
const DEBIAN = '/usr/lib/postgresql';

export interface DatabaseLoad {
  /** Calls of `ingest_observations` for one observation, one a transaction, as the service's own role. */
  functionPerSecond(clients: number, seconds: number): Promise<number>;
  /** Message, anchor and mark inserted in one transaction, with no rule around them. */
  threeRowsPerSecond(clients: number, seconds: number): Promise<number>;
  close(): void;
}

const placeRow = z.object({
  account_id: z.uuid(),
  credential_id: z.uuid(),
  peer_id: z.uuid(),
  scope_id: z.uuid(),
  session_id: z.uuid(),
});
type Place = z.infer<typeof placeRow>;

/** The ids of the latest observation, which the agent's key has sent. */
async function placeOf(admin: Client): Promise<Place> {
  const { rows } = await admin.query(`
    select m.account_id, m.credential_id, c.peer_id, m.scope_id, m.session_id
    from messages m join credentials c on c.account_id = m.account_id and c.id = m.credential_id
    order by m.recorded_at desc limit 1`);
  return placeRow.parse(rows[0]);
}

/** Random values of an observation, drawn by pgbench: number in the text, session and person. */
const OBSERVATION = `\\set number random(1, 1000000000)
\\set session random(0, 39)
\\set person random(0, 7)
`;
const CONTENT = `'I bought the kettle with number ' || :number || ' in Bergen.'`;
const TRACE = `'${'0'.repeat(31)}1'`;

function functionScript({ account_id, credential_id, peer_id }: Place): string {
  return `${OBSERVATION}select place, outcome, message_id, occurred_at, shard from ingest_observations('${account_id}'::uuid, 8,
  json_build_array(json_build_object('place', 1, 'credential_id', '${credential_id}', 'caller_peer_id', '${peer_id}',
    'is_vouched', true, 'scope_path', '/bench/sql', 'scope_ids', array[uuidv7(), uuidv7(), uuidv7()],
    'session', 'load-sql-' || :session, 'session_id', uuidv7(), 'speaker_key', 'person-' || :person,
    'speaker_name', 'person-' || :person, 'speaker_kind', 'human', 'speaker_id', uuidv7(), 'message_id', uuidv7(),
    'role', 'user', 'content_hash', sha256((${CONTENT})::bytea), 'occurred_at', now(), 'occurred_offset_minutes', 0,
    'trace_id', ${TRACE}, 'audit_id', uuidv7())), array[${CONTENT}], null);
`;
}

function threeRowsScript({
  account_id,
  credential_id,
  peer_id,
  scope_id,
  session_id,
}: Place): string {
  const common = `'${account_id}', (select id from m), '${session_id}', '${scope_id}'`;
  return `${OBSERVATION}with m as (
  insert into messages (account_id, id, session_id, scope_id, speaker_peer_id, credential_id, role, content,
      content_hash, occurred_at, occurred_offset_minutes, trace_id)
    values ('${account_id}', uuidv7(), '${session_id}', '${scope_id}', '${peer_id}', '${credential_id}', 'user',
      ${CONTENT}, sha256((${CONTENT})::bytea), now(), 0, ${TRACE})
    returning id),
a as (insert into extraction_anchors (account_id, message_id, session_id, scope_id, shard, speaker_peer_id)
  select ${common}, 0, '${peer_id}')
insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
  select '${account_id}', 'qdrant', 'message', id, '${scope_id}', 0 from m;
`;
}

/** The program on the PATH, then those in Debian's folder of each version. */
function candidates(): readonly string[] {
  let versions: string[] = [];
  try {
    versions = readdirSync(DEBIAN).toSorted().toReversed();
  } catch {
    // Not Debian: only the PATH is tried.
  }
  return ['pgbench', ...versions.map((version) => join(DEBIAN, version, 'bin', 'pgbench'))];
}

async function findPgbench(): Promise<string> {
  for (const program of candidates()) {
    try {
      const { stdout } = await run(program, ['--version']);
      if (stdout.startsWith('pgbench')) return program;
    } catch {
      // Try the next one.
    }
  }
  throw new Error('pgbench is not installed: it comes with PostgreSQL (Debian: postgresql-15)');
}

const RATE = /^tps = ([\d.]+)/m;

/** At least one observation must have been sent with the agent's key. */
export async function openDatabaseLoad(stack: LoadedStack): Promise<DatabaseLoad> {
  const program = await findPgbench();
  const place = await placeOf(stack.admin);
  const directory = mkdtempSync(join(tmpdir(), 'vouch-load-'));
  const call = async (
    name: string,
    login: 'vouch_app' | 'postgres',
    clients: number,
    seconds: number,
  ): Promise<number> => {
    const flags = `-n -M extended -c ${clients} -j 1 -T ${seconds} -f ${join(directory, name)}`;
    // The server is a temporary one, so its password may appear in a command line.
    const { stdout } = await run(program, [...flags.split(' '), stack.databaseUrlOf(login)]);
    return Number(RATE.exec(stdout)?.[1]);
  };
  writeFileSync(join(directory, 'function.sql'), functionScript(place));
  writeFileSync(join(directory, 'rows.sql'), threeRowsScript(place));
  return {
    functionPerSecond: (clients, seconds) => call('function.sql', 'vouch_app', clients, seconds),
    threeRowsPerSecond: (clients, seconds) => call('rows.sql', 'postgres', clients, seconds),
    close: () => rmSync(directory, { recursive: true, force: true }),
  };
}
