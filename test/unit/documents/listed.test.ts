/** How a version of a document stands in a list. */
import { expect, test } from '@jest/globals';
import { listedState, type ListedVersion } from '../../../domain/documents/listed.ts';

const VERSION: ListedVersion = {
  isWithdrawal: false,
  isSettled: false,
  isReplaced: false,
  errorClass: null,
};

test.each<[string, Partial<ListedVersion>]>([
  ['at_work', {}],
  ['at_work', { errorClass: 'request_timeout' }],
  ['in_force', { isSettled: true }],
  ['replaced', { isSettled: true, isReplaced: true }],
  ['failed', { errorClass: 'source_too_large' }],
  ['failed', { errorClass: 'structured_validation_failed', isReplaced: true }],
  ['withdrawn', { isWithdrawal: true, isSettled: true }],
])('a version stands as %s with %j', (state, of) => {
  expect(listedState({ ...VERSION, ...of })).toBe(state);
});
