/** What the test on plans does not ask, and what it asks and lets pass: each with its reason. */

/** Functions of stores that no request and no drain calls in number. */
export const COLD: Readonly<Record<string, string>> = {
  'anchors.store#createAnchorStore.fail':
    'One anchor by its key, after a defect of ours; it reads nothing else.',
  'dirty-marks.store#markedShards': 'an operator rebuilds an index',
  'extraction-evidence.store#readExtractionEvidence':
    'an operator counts all calls and anchors of a corpus: every row of it is of use',
  'gate-rules.store#createGateRulesStore.replaceAccountWide': 'an administrator changes the preset',
  'gate-rules.store#gateRulesInForce':
    'a fragment of the query that loads what the gates decide on',
  'identity/accounts.store#createAccountsStore.anyExists': 'the first start of a deployment',
  'identity/accounts.store#createAccountsStore.get': 'the command line, by primary key',
  'identity/accounts.store#createAccountsStore.insert': 'an operator creates an account',
  'identity/accounts.store#createAccountsStore.lockPreset': 'an administrator changes the preset',
  'identity/accounts.store#createAccountsStore.lockSecretPolicy':
    'an administrator, by primary key',
  'identity/accounts.store#createAccountsStore.setPreset': 'an administrator, by primary key',
  'identity/accounts.store#createAccountsStore.setSecretPolicy': 'an administrator, by primary key',
  'identity/accounts.store#newAccountId': 'asks nothing of the database',
  'identity/credentials.store#createCredentialsStore.insertApiKey': 'an administrator makes a key',
  'identity/credentials.store#createCredentialsStore.listApiKeys':
    'the command line lists all keys',
  'identity/credentials.store#createCredentialsStore.revoke': 'an administrator, by primary key',
  'identity/grants.store#createGrantsStore.list': 'the command line lists all grants',
  'identity/grants.store#createGrantsStore.remove': 'an administrator, by primary key',
  'identity/logins.store#createLoginsStore.insert': 'an administrator creates a user',
  'identity/logins.store#createLoginsStore.list': 'the command line lists all users',
  'knowledge-rows.store#renderMessageReadable': 'a fragment of queries that are asked here',
  'knowledge-rows.store#renderVisibility': 'a fragment of queries that are asked here',
  'knowledge-rows.store#wasThere': 'a fragment of queries that are asked here',
  'regate.store#loadStatements': 'a part of a page of a run, which is asked here',
  'runs.store#beginRun': 'a part of what a run begins with, which is asked here',
  'runs.store#completeRun': 'a part of what a run ends with, which is asked here',
};

/** Statements that read more than they use, or a whole table. */
export const READS_MORE: readonly {
  readonly asked: RegExp;
  readonly query: RegExp;
  readonly reason: string;
}[] = [
  {
    asked: /^readiness and metrics$/,
    // The body of a function that counts; the server tells no text of it.
    query: /^$/,
    reason:
      'a count stops at its limit of 10,000, wherever it finds the rows: where most match, in the table itself',
  },
];
