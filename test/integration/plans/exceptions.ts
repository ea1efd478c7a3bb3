/** What the test on plans does not ask, and what it asks and lets pass: each with its reason. */

/** Functions of stores that no request and no drain calls in number. */
export const COLD: Readonly<Record<string, string>> = {
  'stores.archive.prepare': 'an operator exports or imports an account; it sets times alone',
  'stores.archive.lock': 'an operator exports an account: a lock',
  'stores.archive.obstacles':
    'an operator exports an account: every event that is not sealed counts',
  'stores.archive.chain': 'an operator exports an account, by primary key',
  'stores.archive.blobsAfter': 'an operator exports an account: every version is of use',
  'stores.archive.enterRun': 'an operator exports an account: its open runs of that kind',
  'stores.archive.isPresent': 'an operator imports an account, by primary key',
  'stores.archive.insertAccount': 'an operator imports an account: one row',
  'stores.archive.insertCredential': 'an operator imports an account: one row',
  'stores.archive.instant': 'the clock',
  'stores.archive.waitingForQdrant':
    'the rebuild of an imported account, which answers nobody meanwhile',
  'stores.archive.awaitsPromises': 'an operator imports an account: the events of one id',
  'stores.archive.openAccount': 'the end of a rebuild, by primary key',
  'stores.archive.hasStrangeWork':
    'an operator imports an account: every session and anchor is judged',
  'stores.archive.enterWork': 'an operator imports an account: every version is judged',
  'stores.archiveRows.page': 'an operator exports an account: every row of it is of use',
  'stores.archiveRows.count': 'an operator imports an account: a sample of each table',
  'stores.archiveRows.insert': 'an operator imports an account: rows as they come',
  'stores.archiveRows.defer': 'an operator imports an account; it reads nothing',
  'stores.archiveRows.settle': 'an operator imports an account: every key is judged',
  'stores.archiveRows.dangling': 'an operator imports an account: every row is judged',
  'stores.auditChains.end': 'an operator imports an account: its whole log is verified',
  'stores.auditChains.sealed': 'an operator imports an account: its whole log is verified',
  'stores.auditChains.sealPage': 'asked on the pool of a worker',
  'stores.auditChains.unsealedAccounts': 'asked on the pool of a worker',
  'observations/anchors.store#fail':
    'One anchor by its key, after a defect of ours; it reads nothing else.',
  'audit/audit-chain.store#end':
    'an operator verifies a chain: every event that is not sealed is of use',
  'stores.dirtyMarks.remaining': 'an operator rebuilds an index',
  'stores.extractionEvidence.read':
    'an operator counts all calls and anchors of a corpus: every row of it is of use',
  'stores.contextCards.drift': 'an operator verifies: every context card is of use',
  'stores.gateRules.inForce': 'the command line lists all rules',
  'stores.gateRules.replaceAccountWide': 'an administrator changes the preset',
  'governance/gate-rules.store#gateRulesInForce':
    'a fragment of the query that loads what the gates decide on',
  'stores.accounts.anyExists': 'the first start of a deployment',
  'stores.accounts.get': 'the command line, by primary key',
  'stores.accounts.insert': 'an operator creates an account',
  'stores.accounts.lockPreset': 'an administrator changes the preset',
  'stores.accounts.lockSecretPolicy': 'an administrator, by primary key',
  'stores.accounts.setPreset': 'an administrator, by primary key',
  'stores.accounts.setSecretPolicy': 'an administrator, by primary key',
  'stores.accounts.lockConsentMode': 'an administrator, by primary key',
  'stores.accounts.setConsentMode': 'an administrator, by primary key',
  'stores.circles.countOfScope': 'a curator makes a circle; a scope has 1,000 at most',
  'stores.circles.list': 'a person lists a page; each scope of the chain has 1,000 at most',
  'stores.admins.exist': 'the end of a repetition of promises, once for an account',
  'stores.audit.known': 'the repetition of promises, by primary key',
  'stores.consents.enter': 'the repetition of a promise, by primary key',
  'stores.credentials.has': 'the repetition of a promise, by primary key',
  'stores.logins.lockById': 'the repetition of a promise, by primary key',
  'stores.promises.repeats': 'no query',
  'stores.scopes.list':
    'the repetition of a denial whose place is not known: a page, by primary key',
  'stores.scopes.pathOf': 'the repetition of a denial, by primary key',
  'stores.credentials.insertApiKey': 'an administrator makes a key',
  'stores.credentials.endAt': 'an administrator, by primary key',
  'stores.credentials.listApiKeys': 'the command line lists a page of keys, by its own index',
  'stores.credentials.lockApiKey': 'an administrator, by primary key',
  'stores.credentials.revokeKeysOf': 'an administrator removes a person: all keys are of use',
  'stores.credentials.countSuspended': 'an operator restores: every key is of use',
  'stores.credentials.endAll': 'an operator restores: every credential is of use',
  'stores.credentials.resume': 'an operator, by primary key',
  'stores.credentials.resumeSome': 'an operator resumes keys in pages: every key is of use',
  'stores.erasures.receipts': 'an operator checks receipts in pages: every receipt is of use',
  'stores.runs.startAgain': 'an operator restores: every open run is of use',
  'stores.uploads.deleteUnneeded': 'an operator compares documents with their bytes, by their hash',
  'stores.uploads.isUnneeded': 'an operator compares documents with their bytes, by their hash',
  'stores.uploads.named': 'an operator compares documents with their bytes in pages of the index',
  'stores.grants.copy': 'an administrator replaces a key: all its grants are of use',
  'stores.grants.list': 'the command line lists a page of grants, by primary key',
  'stores.grants.lockById': 'an administrator, by primary key',
  'stores.grants.remove': 'an administrator, by primary key',
  'stores.grants.removeAllowed': 'an administrator removes a person: all grants are of use',
  'stores.grants.setRole': 'an administrator, by primary key',
  'stores.logins.close': 'an administrator, by primary key',
  'stores.logins.insert': 'an administrator creates a user',
  'stores.logins.list': 'the command line lists a page of users, by primary key',
  'stores.logins.lockByEmail': 'an administrator, by a unique key',
  'stores.logins.remove': 'an administrator, by primary key',
  'stores.logins.reopen': 'an administrator, by primary key',
  'stores.logins.setPassword': 'an administrator, by primary key',
  'stores.peers.list': 'the command line lists a page of peers, by a unique key',
  'stores.retrievalProfiles.count': 'an operator sets an override; an account has 300 at most',
  'stores.retrievalProfiles.find': 'an operator changes an override; an account has 300 at most',
  'stores.retrievalProfiles.list': 'the command line lists all overrides',
  'stores.retrievalProfiles.lock': 'an operator changes an override, by primary key',
  'stores.retrievalProfiles.remove': 'an operator, by primary key',
  'stores.retrievalProfiles.set': 'an operator, one row',
  'stores.spaceWalk.isEmpty': 'a start with another embedder looks for one row of each account',
  'stores.spaceWalk.total': 'an operator migrates the vectors: all units are of use',
  'indexes/index-marks.store#claim': 'a worker, once a minute: a table of two rows',
  'indexes/index-marks.store#find': 'a worker, once a minute: a table of two rows',
  'indexes/index-marks.store#found': 'a worker, once a minute: a table of two rows',
  'indexes/index-marks.store#lose': 'a worker, once a minute: a table of two rows',
  'indexes/index-marks.store#propose': 'a worker, once a minute: a table of two rows',
  'indexes/index-marks.store#settle': 'a worker, once a minute: a table of two rows',
  'indexes/vector-spaces.store#claim': 'an operator migrates the vectors, by primary key',
  'indexes/vector-spaces.store#enter': 'an operator migrates the vectors, by primary key',
  'indexes/vector-spaces.store#forget': 'an operator removes collections, by primary key',
  'indexes/vector-spaces.store#release': 'an operator migrates the vectors, by primary key',
  'indexes/vector-spaces.store#setReady': 'an operator migrates the vectors, by primary key',
  'stores.scopeLinks.insert': 'an operator, one row',
  'stores.scopeLinks.list': 'the command line lists all links',
  'stores.scopeLinks.remove': 'an operator, by primary key',
  'forgetting/pass.store#narrow': 'a part of a page of a run, whose store is asked here',
  'forgetting/pass.store#tried': 'a part of a page of a run, which is asked here',
  'knowledge/regate.store#ensureMailbox': 'a part of what is written, which is asked here',
  'knowledge/regate.store#loadStatements': 'a part of a page of a run, which is asked here',
  'indexes/neighbours.store#takersOf': 'a part of a page of an erasure, which is asked here',
  'observations/turns.store#nearestTurns': 'a part of two queries, which are asked here',
  'stores.erasures.complete': 'a part of the end of an erasure, which is asked here',
  'stores.erasures.verifiedOnce': 'a part of a reading back, which is asked here',
  'stores.accounts.lockCreation': 'an operator creates an account',
};

/** Statements that read more than they use, or a whole table. */
export const READS_MORE: readonly {
  readonly asked: RegExp;
  readonly query: RegExp;
  /** It may read so many rows however few it uses, and no table whole. Left out: a bound of its own holds. */
  readonly most?: number;
  readonly reason: string;
}[] = [
  {
    asked: /^readiness and metrics$/,
    // The body of a function that counts; the server tells no text of it.
    query: /^$/,
    reason:
      'a count stops at its limit of 10,000, wherever it finds the rows: where most match, in the table itself',
  },
  {
    asked: /^a readiness report of one requirement that nothing meets /,
    query: /with asked as materialized/,
    most: 3_000,
    reason:
      'none of the statements that walks meet satisfies the selector: a thousand of a kind and audience in a scope, however many there are (docs/design/context.md)',
  },
  {
    asked: /^the turns of a session that its reader may not read$/,
    query: /from messages hit/,
    most: 60_000,
    reason:
      'a look passes over 128 turns on each side of a result, and looks up for each whether the reader was there',
  },
  {
    asked: /^a page of each step of the erasure, and its reading back$/,
    query: /as place from request/,
    most: 6_000,
    reason:
      'one statement reads 24 places back, and the units of the erasure again for each place that is found by them',
  },
];
