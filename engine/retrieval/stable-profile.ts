/** The stable profile of a reader, as answers show it. */
import { createHash } from 'node:crypto';
import {
  visibleByDefault,
  type ChainReader,
  type Condition,
} from '../../domain/governance/visibility.ts';
import {
  buildProfile,
  type ProfileItem,
  type StableProfile,
} from '../../domain/stable-profile/profile.ts';
import type { ProfileStatement } from '../../domain/stable-profile/eligible.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import type { KnowledgeRow } from '../../stores/postgres/knowledge/rows.store.ts';
import type { ClaimRow } from '../../stores/postgres/knowledge/profile.store.ts';
import type { ScopedReader } from '../../domain/governance/scoped-reader.ts';

/** Readable statements with a claim that are considered, and as many of the newest readable ones. */
const MOST_CONSIDERED = 200;

export interface ShownItem extends ProfileItem {
  /** Several claims of one category have the same group. Null for the only claim of a category. */
  readonly conflictGroup: string | null;
}

export interface ShownProfile extends Omit<StableProfile, 'items'> {
  readonly items: readonly ShownItem[];
  /** SHA-256 over the items, lower-case hex: it changes exactly when an item does. */
  readonly digest: string;
}

/** The peer of the reader, who is the subject of the profile; null for a reader without a peer. */
export function subjectOf(reader: ChainReader): string | null {
  const who = reader.posture === 'named' ? reader.named : reader;
  return who.posture === 'peer' ? who.peerId : null;
}

const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');

function statementOf(row: KnowledgeRow, claim: ClaimRow | undefined): ProfileStatement {
  const {
    claim_about: about = null,
    claim_mode: mode = null,
    claim_value: value = null,
  } = claim ?? {};
  return {
    id: row.id,
    text: row.statement ?? '',
    kind: row.kind,
    confidence: row.confidence,
    confidenceLevel: row.confidence_level,
    sensitivity: row.sensitivity,
    evidenceLevel: row.evidence_level,
    sourceCount: row.source_count,
    relevantFrom: row.relevant_from,
    relevantUntil: row.relevant_until,
    recordedAt: row.recorded_at_exact,
    claim: about === null || mode === null ? null : { about, mode, value },
    sourceMessageIds: row.source_message_ids,
  };
}

/** The profile with its groups of contradiction and its digest. Pure. */
export function showProfile(profile: StableProfile, subjectId: string | null): ShownProfile {
  const items = profile.items.map((item): ShownItem => ({
    ...item,
    conflictGroup: item.isInConflict ? digestOf([subjectId, item.category]).slice(0, 16) : null,
  }));
  return { ...profile, items, digest: digestOf(items) };
}

/**
 * Builds the profile of the reader from statements of these scopes, at the instant `at` (ISO 8601 UTC). Two queries,
 * none without a subject.
 */
export async function readStableProfile(
  stores: Pick<Stores, 'knowledge' | 'profiles'>,
  read: ScopedReader & { readonly at: string },
): Promise<ShownProfile> {
  const { at, reader, scopeIds } = read;
  const subjectId = subjectOf(reader);
  if (subjectId === null || scopeIds.length === 0)
    return showProfile(buildProfile([], at), subjectId);
  const visible: Condition = {
    all: [{ field: 'subject_peer_id', is: subjectId }, visibleByDefault({ scopeIds, reader, at })],
  };
  const found = await stores.profiles.about({
    peerId: subjectId,
    visible,
    limit: MOST_CONSIDERED,
  });
  const claims = new Map(found.map((row) => [row.id, row]));
  const rows = await stores.knowledge.read({
    selection: { by: 'ids', ids: [...claims.keys()] },
    visible,
    reader: read,
  });
  return showProfile(
    buildProfile(
      rows.map((row) => statementOf(row, claims.get(row.id))),
      at,
    ),
    subjectId,
  );
}
