/**
 * The order of test files: those that take minutes come first. A machine that has run no test yet knows no times, and
 * one of them that began last would run alone at the end.
 */
import TestSequencer from '@jest/test-sequencer';

/** Of `npm test`, in the order of their times; a file that is missing here costs time and nothing else. */
const LONGEST = [
  'fault/kills',
  'fault/hostile',
  'contract/matrix',
  'e2e/first-start',
  'fault/outage-temporal',
  'workflow/reconcile',
  'integration/same-calls',
  'fault/outage-contests',
  'fault/erasure-kills',
  'integration/plans',
  'contract/desk-tables',
  'e2e/worker-shutdown',
  'content-safety/end-to-end',
  'fault/outage-indexes',
  'contract/page-matrix',
  'fault/erasure-load',
  'browser/accessibility',
  'integration/search/faults',
  'integration/search/order',
  'workflow/mailbox-actor',
  'browser/journeys',
  'integration/vector-spaces/interrupted',
  'e2e/production',
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
