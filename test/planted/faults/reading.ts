/** Faults of what is shown to whom, and in which order. */
import type { Fault } from '../fault.ts';

export const READING: readonly Fault[] = [
  {
    part: 'visibility',
    what: 'A statement that waits is shown to everybody who may read its sensitivity, not to its submitters alone.',
    file: 'domain/governance/visibility.ts',
    find: "{ all: [{ field: 'state', in: ['provisional'] }, submittersOnly(reader)] },",
    replace: "{ all: [{ field: 'state', in: ['provisional'] }, audience(reader)] },",
    caughtBy: ['test/unit/governance/visibility.test.ts', 'test/contract/matrix.test.ts'],
  },
  {
    part: 'public readers',
    what: 'Whoever reads for nobody reads what is internal.',
    file: 'domain/governance/visibility.ts',
    find: "return { all: [{ field: 'sensitivity', in: ['public'] }, WITHOUT_AUDIENCE, SERVED] };",
    replace:
      "return { all: [{ field: 'sensitivity', in: ['public', 'internal'] }, WITHOUT_AUDIENCE, SERVED] };",
    caughtBy: ['test/unit/matrix/predicate.test.ts', 'test/contract/matrix.test.ts'],
  },
  {
    part: 'documents of others',
    what: 'The lineage shows versions of documents to readers who did not upload them.',
    file: 'stores/postgres/knowledge/lineage.store.ts',
    find: "and v.uploader_peer_id = any(${sql.array(peersOf(reader), 'uuid')}))`",
    replace:
      "and (v.uploader_peer_id is not null or v.uploader_peer_id = any(${sql.array(peersOf(reader), 'uuid')})))`",
    caughtBy: ['test/contract/lineage.test.ts'],
  },
  {
    part: 'lineage',
    what: 'A lineage names the ids of sources that the reader may not see.',
    file: 'domain/lineage/lineage.ts',
    find: "id: reference.visibility === 'visible' ? reference.id : null,",
    replace: "id: reference.visibility === 'missing' ? null : reference.id,",
    caughtBy: ['test/unit/lineage/walk.test.ts', 'test/contract/lineage.test.ts'],
  },
  {
    part: 'curators',
    what: 'A curator lists what is restricted.',
    file: 'domain/governance/visibility.ts',
    find: "{ field: 'sensitivity', in: ['public', 'internal', 'personal'] },",
    replace: "{ field: 'sensitivity', in: ['public', 'internal', 'personal', 'restricted'] },",
    caughtBy: ['test/unit/matrix/predicate.test.ts'],
  },
  {
    part: 'ranking',
    what: 'Fusion counts every strategy alike, whatever weight it has.',
    file: 'domain/ranking/fusion.ts',
    find: 'entry.sum += weight * (SCORE_SHARE',
    replace: 'entry.sum += 1 * (SCORE_SHARE',
    caughtBy: ['test/unit/ranking/fusion.test.ts'],
  },
  {
    part: 'as of',
    what: 'A read as of an instant finds only periods that are still open today.',
    file: 'stores/postgres/knowledge/rows.store.ts',
    find: 'and (p.believed_until is null or p.believed_until > ${asOf}::timestamptz)',
    replace: 'and p.believed_until is null',
    caughtBy: ['test/contract/updates.test.ts'],
  },
  {
    part: 'pages',
    what: 'A made-up cursor of a list is a defect of the service, not of the request.',
    file: 'operations/retrieval/list-cursor.ts',
    find: 'if (error instanceof SyntaxError) return null;',
    replace: 'if (error instanceof RangeError) return null;',
    caughtBy: ['test/unit/retrieval/list-cursor.test.ts', 'test/contract/random-requests.test.ts'],
  },
  {
    part: 'named readers',
    what: 'A member may read as another peer.',
    file: 'domain/identity/caller.ts',
    find: "return caller.kind === 'machine' || roleCovers(callerRoleAt(caller, path), 'curator');",
    replace:
      "return caller.kind === 'machine' || roleCovers(callerRoleAt(caller, path), 'member');",
    caughtBy: ['test/contract/search-readers.test.ts'],
  },
  {
    part: 'redaction',
    what: 'A read as of an earlier instant shows what its subject has withdrawn since.',
    file: 'stores/postgres/knowledge/rows.store.ts',
    find: "and today.state not in ('redacted', 'retracted')",
    replace: "and today.state <> 'retracted'",
    caughtBy: ['test/integration/as-of/as-of.test.ts'],
  },
  {
    part: 'scopes of sources',
    what: 'Who was there reads what was said, wherever the scope has been closed since.',
    file: 'stores/postgres/visibility/messages.ts',
    find: 'return sql.fragment`((${isOfRequest} or ${isElsewhere}) and ${renderWasThere(reader, m)})`;',
    replace:
      'return sql.fragment`((${isOfRequest} or ${isElsewhere} or true) and ${renderWasThere(reader, m)})`;',
    caughtBy: ['test/console/closed-sources.test.ts'],
  },
];
