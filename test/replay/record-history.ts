/**
 * Records the history of a workflow for the replay test:
 *
 *   npm run record:history -- --address 127.0.0.1:7233 --workflow-id ingest/<account>/0 --case idle-close
 *
 * Asks the Temporal server at `--address` (its namespace: `--namespace`, else `vouch`; an earlier run of the
 * workflow: `--run-id`) and writes `histories/<workflow type>/<case>.json` beside this file. What holds more than
 * tokens is not written.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { openActorClient } from '../../runtime/actors/connection.ts';
import { HISTORIES, proseIn, workflowTypeOf } from './history-file.ts';

const USAGE =
  'usage: npm run record:history -- --address host:port --workflow-id id --case name [--run-id id] [--namespace vouch]';
const CASE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const WORKFLOW_TYPE = /^[a-z][A-Za-z0-9]*$/;

async function record(options: {
  readonly address: string;
  readonly namespace: string;
  readonly workflowId: string;
  readonly runId?: string | undefined;
  readonly name: string;
}): Promise<string> {
  const client = openActorClient({ ...options, identity: 'cli' });
  try {
    const handle = client.workflow.getHandle(options.workflowId, options.runId);
    const text = historyToJSON(await handle.fetchHistory());
    const history: unknown = JSON.parse(text);
    const found = proseIn(history);
    if (found.length > 0) throw new Error(`not written, more than tokens at ${found.join(', ')}`);
    const type = workflowTypeOf(text);
    if (type === undefined || !WORKFLOW_TYPE.test(type))
      throw new Error('the workflow type is not one of ours');
    mkdirSync(`${HISTORIES}/${type}`, { recursive: true });
    const path = `${HISTORIES}/${type}/${options.name}.json`;
    writeFileSync(path, `${JSON.stringify(history, null, 2)}\n`);
    execFileSync('npx', ['--no-install', 'oxfmt', path]);
    return path;
  } finally {
    await client.connection.close();
  }
}

try {
  const { values } = parseArgs({
    options: {
      address: { type: 'string' },
      namespace: { type: 'string', default: 'vouch' },
      'workflow-id': { type: 'string' },
      'run-id': { type: 'string' },
      case: { type: 'string' },
    },
  });
  const { address, namespace, 'workflow-id': workflowId, 'run-id': runId, case: name } = values;
  if (address === undefined || workflowId === undefined || name === undefined || !CASE.test(name)) {
    throw new Error(USAGE);
  }
  const path = await record({ address, namespace, workflowId, runId, name });
  process.stdout.write(`${path}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : USAGE}\n`);
  process.exitCode = 1;
}
