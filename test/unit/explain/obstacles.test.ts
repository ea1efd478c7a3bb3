/** Which cause an explanation names, for each way in which a message or a statement can stand. */
import { describe, expect, test } from '@jest/globals';
import { CAUSES, inOrder, isFindable, type Obstacle } from '../../../domain/explain/causes.ts';
import {
  obstaclesInIndexes,
  presenceOf,
  type IndexedUnit,
} from '../../../domain/explain/in-indexes.ts';
import {
  obstaclesOfMessage,
  type ExplainedAnchor,
  type ExplainedMessage,
} from '../../../domain/explain/message.ts';
import {
  obstaclesOfMessageReader,
  obstaclesOfStatementReader,
} from '../../../domain/explain/reader.ts';
import {
  obstaclesOfStatement,
  type ExplainedStatement,
} from '../../../domain/explain/statement.ts';
import { BELIEVED_STATES } from '../../../domain/governance/visibility.ts';
import { KNOWLEDGE_STATES } from '../../../domain/statements/states.ts';
import { markState } from '../../../domain/retrieval/marks.ts';

const ANCHOR: ExplainedAnchor = {
  status: 'pending',
  isHeld: false,
  isExtracted: false,
  isKeptBack: false,
  lastErrorClass: null,
};
const MESSAGE: ExplainedMessage = {
  isSpeakerErasing: false,
  role: 'user',
  isReplaced: false,
  isMailboxPaused: false,
  isBudgetClosed: false,
  anchor: { ...ANCHOR, status: 'completed', isExtracted: true },
  statementStates: ['active'],
};
const STATEMENT: ExplainedStatement = {
  state: 'active',
  isSubjectErasing: false,
  isOver: false,
  awaitsConsent: false,
  mergedIntoId: null,
  newerId: null,
};

const ofMessage = (values: Partial<ExplainedMessage>) =>
  obstaclesOfMessage({ ...MESSAGE, ...values }).map(({ cause }) => cause);
const ofAnchor = (anchor: Partial<ExplainedAnchor>, values: Partial<ExplainedMessage> = {}) =>
  ofMessage({ statementStates: [], ...values, anchor: { ...ANCHOR, ...anchor } });
const ofStatement = (values: Partial<ExplainedStatement>) =>
  obstaclesOfStatement({ ...STATEMENT, ...values }).map(({ cause }) => cause);

describe('a message', () => {
  test('with a believed statement meets nothing', () => {
    expect(ofMessage({})).toEqual([]);
    expect(ofMessage({ statementStates: ['rejected', 'provisional'] })).toEqual([]);
  });

  test('that waits: the cause that keeps it longest comes before those that pass', () => {
    expect(ofAnchor({})).toEqual(['extraction_waits']);
    expect(ofAnchor({ isHeld: true })).toEqual(['extraction_under_way']);
    expect(ofAnchor({ isExtracted: true, isHeld: true })).toEqual(['statements_unacknowledged']);
    expect(ofAnchor({}, { isMailboxPaused: true })).toEqual(['mailbox_paused']);
    expect(ofAnchor({ isKeptBack: true })).toEqual(['circuit_open']);
    expect(ofAnchor({}, { isBudgetClosed: true })).toEqual(['budget_closed']);
    expect(ofAnchor({ status: 'failed', lastErrorClass: 'circuit_open' })).toEqual([
      'circuit_open',
    ]);
    expect(ofAnchor({ status: 'failed', lastErrorClass: 'request_timeout' })).toEqual([
      'extraction_retried',
    ]);
  });

  test('whose extraction ended without statements is told why, with the class', () => {
    const failed = { ...ANCHOR, lastErrorClass: 'source_too_large', status: 'repairable' } as const;
    expect(obstaclesOfMessage({ ...MESSAGE, anchor: failed })).toEqual([
      { cause: 'extraction_repairable', from: 'search', of: 'source_too_large' },
    ]);
    expect(ofAnchor({ status: 'terminal', lastErrorClass: 'internal_error' })).toEqual([
      'extraction_given_up',
    ]);
    expect(ofAnchor({ status: 'terminal', lastErrorClass: 'extraction_budget_exhausted' })).toEqual(
      ['budget_closed'],
    );
    expect(ofMessage({ statementStates: [] })).toEqual(['nothing_extracted']);
    expect(ofMessage({ statementStates: ['held'] })).toEqual(['no_statement_believed']);
    expect(ofMessage({ anchor: null })).toEqual(['extraction_missing']);
    expect(ofMessage({ role: 'Assistant' })).toEqual(['role_without_evidence']);
  });

  test('of a person who is being erased, or of a replaced chunk, is found by nobody', () => {
    expect(ofMessage({ isSpeakerErasing: true })).toEqual(['speaker_being_erased']);
    expect(obstaclesOfMessage({ ...MESSAGE, isReplaced: true })).toEqual([
      { cause: 'chunk_replaced', from: 'every_search', of: null },
    ]);
  });

  test('meets its obstacles in the order of its way', () => {
    expect(ofAnchor({ isHeld: true }, { isSpeakerErasing: true, isReplaced: true })).toEqual([
      'speaker_being_erased',
      'extraction_under_way',
      'chunk_replaced',
    ]);
  });
});

describe('a statement', () => {
  test.each(KNOWLEDGE_STATES)('in the state %s has a cause of that state, or none', (state) => {
    const causes = ofStatement({ state });
    expect(causes).toHaveLength(state === 'active' ? 0 : 1);
    const isBelieved = (BELIEVED_STATES as readonly string[]).includes(state);
    expect(ofStatement({ state, isOver: true })[0] === 'expired').toBe(
      isBelieved || ['proposed', 'held', 'expired'].includes(state),
    );
  });

  test('says which other statement took its place', () => {
    expect(obstaclesOfStatement({ ...STATEMENT, state: 'superseded', newerId: 'n' })).toEqual([
      { cause: 'superseded', from: 'search', of: 'n' },
    ]);
    expect(
      obstaclesOfStatement({ ...STATEMENT, state: 'superseded', mergedIntoId: 'm', newerId: 'n' }),
    ).toEqual([{ cause: 'merged', from: 'search', of: 'm' }]);
  });

  test('that waits says for whom', () => {
    expect(ofStatement({ state: 'held', awaitsConsent: true })).toEqual(['consent_missing']);
    expect(obstaclesOfStatement({ ...STATEMENT, state: 'proposed' })).toEqual([
      { cause: 'gate_pending', from: 'search', of: 'proposed' },
    ]);
    expect(ofStatement({ isSubjectErasing: true, state: 'provisional' })).toEqual([
      'subject_being_erased',
      'provisional',
    ]);
  });
});

describe('an index', () => {
  const UNIT: IndexedUnit = { index: 'qdrant', presence: 'present', mark: null, isOverdue: false };
  const causes = (values: Partial<IndexedUnit>) =>
    obstaclesInIndexes('statement', [{ ...UNIT, ...values }]).map(({ cause }) => cause);

  test('that shows a unit, in whatever form a write follows to, hides nothing', () => {
    expect(causes({})).toEqual([]);
    expect(causes({ mark: 'set_aside' })).toEqual([]);
    expect(causes({ presence: 'missing', mark: 'waiting', isOverdue: true })).toEqual([]);
  });

  test('that lacks it, or is away, does', () => {
    expect(causes({ presence: 'away' })).toEqual(['index_away']);
    expect(causes({ presence: 'missing' })).toEqual(['index_lost']);
    expect(causes({ presence: 'outdated' })).toEqual(['index_outdated']);
    expect(causes({ presence: 'missing', mark: 'waiting' })).toEqual(['index_write_waits']);
    expect(causes({ presence: 'outdated', mark: 'taken' })).toEqual(['index_write_waits']);
    expect(causes({ presence: 'missing', mark: 'postponed' })).toEqual(['index_write_fails']);
    expect(causes({ presence: 'missing', mark: 'set_aside' })).toEqual(['index_write_fails']);
  });

  test('of words alone keeps a unit from phrases, and it is found', () => {
    const lost = obstaclesInIndexes('message', [
      { ...UNIT, index: 'meilisearch', presence: 'missing' },
    ]);
    expect(lost).toEqual([{ cause: 'index_lost', from: 'phrases', of: 'meilisearch' }]);
    expect(isFindable(lost)).toBe(true);
    const both = obstaclesInIndexes('message', [{ ...UNIT, presence: 'missing' }]);
    expect(both).toEqual([{ cause: 'index_lost', from: 'source_search', of: 'qdrant' }]);
    expect(isFindable(both)).toBe(false);
  });

  test('tells the version of a statement, and of a message only whether it is there', () => {
    expect(presenceOf('statement', null, 2)).toBe('missing');
    expect(presenceOf('statement', { rowVersion: 1 }, 2)).toBe('outdated');
    expect(presenceOf('statement', { rowVersion: 2 }, 2)).toBe('present');
    expect(presenceOf('message', { rowVersion: 1 }, null)).toBe('present');
  });

  test('has marks whose state follows from their attempts', () => {
    expect(markState({ attempts: 0, unheardAttempts: 0 })).toBe('waiting');
    expect(markState({ attempts: 2, unheardAttempts: 0 })).toBe('postponed');
    expect(markState({ attempts: 2, unheardAttempts: 2 })).toBe('taken');
    expect(markState({ attempts: 3, unheardAttempts: 3 })).toBe('set_aside');
  });
});

describe('a reader', () => {
  test('of a message needs the scope, and to have been there', () => {
    const causes = (readsScope: boolean, wasThere: boolean) =>
      obstaclesOfMessageReader({ readsScope, wasThere }).map(({ cause }) => cause);
    expect(causes(true, true)).toEqual([]);
    expect(causes(false, true)).toEqual(['reader_without_scope']);
    expect(causes(false, false)).toEqual(['reader_without_scope', 'reader_was_absent']);
  });

  test('of a statement: what holds for every reader is not said of this one', () => {
    expect(obstaclesOfStatementReader([])).toEqual([]);
    expect(obstaclesOfStatementReader(['state', 'expires_at'])).toEqual([]);
    expect(obstaclesOfStatementReader(['scope_id', 'sensitivity'])).toMatchObject([
      { cause: 'reader_without_scope' },
    ]);
    expect(obstaclesOfStatementReader(['submitting_peer_ids'])).toMatchObject([
      { cause: 'reader_outside_audience' },
    ]);
  });
});

test('what keeps from phrases alone comes after what keeps from everything else', () => {
  const phrases: Obstacle = { cause: 'index_lost', from: 'phrases', of: 'meilisearch' };
  const reader: Obstacle = { cause: 'reader_without_scope', from: 'search', of: null };
  expect(inOrder([phrases, reader])).toEqual([reader, phrases]);
});

test('every cause says in sentences what it means and what to do', () => {
  for (const { means, remedy } of Object.values(CAUSES)) {
    expect(means).toMatch(/^[A-Z][^\n]+\.$/);
    expect(remedy).toMatch(/^[A-Z][^\n]+\.$/);
  }
});
