/**
 * The order of test files: those that take minutes come first. A machine that has run no test yet knows no times, and
 * one of them that began last would run alone at the end.
 */
import TestSequencer from '@jest/test-sequencer';

/** Of `npm test`, in the order of their times; a file that is missing here costs time and nothing else. */
const LONGEST = [
  'fault/erasure-kills',
  'contract/desk-tables',
  'fault/outage-contests',
  'e2e/first-start',
  'contract/matrix',
  'fault/hostile-texts',
  'fault/hostile-requests',
  'fault/hostile-desk',
  'fault/kills',
  'integration/identity/revocation',
];

/** Place in that order; behind all of them for every other file. */
function place({ path }) {
  const at = LONGEST.findIndex((name) => path.includes(`/test/${name}`));
  return at === -1 ? LONGEST.length : at;
}

export default class LongestFirst extends TestSequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => place(a) - place(b));
  }
}
