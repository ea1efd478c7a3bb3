/** One statement explained: what was read of it in one transaction, and what that says. */
import { failedConditions } from '../../domain/explain/conditions.ts';
import { obstaclesOfStatementReader } from '../../domain/explain/reader.ts';
import { obstaclesOfStatement } from '../../domain/explain/statement.ts';
import { visibleByDefault } from '../../domain/governance/visibility.ts';
import { openChain } from '../../domain/identity/caller.ts';
import { roleAt, roleWord } from '../../domain/identity/roles.ts';
import type { ExplainedStatementRow } from '../../stores/postgres/explain/statements.store.ts';
import type { PeerRow } from '../../stores/postgres/identity/peers.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { peerReader } from '../access/own-reader.ts';
import type { Explained, JudgedReader } from './explained.ts';
import type { Explanation } from './output.ts';

function viewOf(row: ExplainedStatementRow): NonNullable<Explanation['statement']> {
  const {
    id: _id,
    is_subject_erasing: _erasing,
    marks: _marks,
    row_version: _version,
    ...view
  } = row;
  return view;
}

const isWithdrawn = ({ state }: ExplainedStatementRow): boolean =>
  state === 'redacted' || state === 'retracted';

async function judged(
  { explainedStatements, grants, scopes }: Stores,
  row: ExplainedStatementRow,
  peer: PeerRow,
  at: string,
): Promise<JudgedReader> {
  const held = await grants.ofPeer(peer.id);
  const chain = await scopes.find(openChain(held, row.scope_path));
  const visible = visibleByDefault({
    scopeIds: chain.map(({ id }) => id),
    reader: peerReader(peer.id),
    at,
  });
  const read = await explainedStatements.readBy(row.id, visible);
  const failed = failedConditions(visible, read.truths);
  const role = roleAt(held, row.scope_path);
  return {
    obstacles: obstaclesOfStatementReader(failed),
    shown: {
      peer_key: peer.key,
      role: role && roleWord(role),
      readable: read.is_readable,
      was_there: null,
      failed_conditions: [...failed],
    },
  };
}

/** Null without such a statement. `at`: the instant that expiry is judged at. */
export async function explainStatement(
  stores: Stores,
  id: string,
  peer: PeerRow | null,
  at: string,
): Promise<Explained | null> {
  const row = await stores.explainedStatements.find(id);
  if (row === null) return null;
  const reader = peer && (await judged(stores, row, peer, at));
  const obstacles = obstaclesOfStatement({
    state: row.state,
    isSubjectErasing: row.is_subject_erasing,
    isOver: row.expires_at !== null && row.expires_at <= at,
    awaitsConsent:
      row.consents.some(({ status }) => status === 'pending') ||
      row.items.some(({ state }) => state === 'awaiting_consent'),
    mergedIntoId: row.merged_into_id,
    newerId: row.newer_id,
  });
  return {
    message: null,
    statement: viewOf(row),
    // Where the predicate lets the reader through, what keeps it from others keeps nothing from this one.
    obstacles: reader?.shown.readable === true ? [] : obstacles,
    marks: row.marks,
    rowVersion: row.row_version,
    isExpected: !isWithdrawn(row),
    reader,
  };
}
