/**
 * The order of test files: those that take minutes come first. A machine that has run no test yet knows no times, and
 * one of them that began last would run alone at the end.
 */
import TestSequencer from '@jest/test-sequencer';

/**
 * Of `npm test`, the longest first. Every other one has a whole start of its own, which takes a gigabyte of memory, so that
 * seldom three of them run side by side. A file that is missing here costs time and nothing else.
 */
const LONGEST = [
  'fault/kills',
  'contract/matrix',
  'fault/hostile',
  'workflow/reconcile',
  'e2e/first-start',
  'integration/same-calls',
  'fault/outage-temporal',
  'integration/plans',
  'fault/outage-contests',
  'contract/desk-tables',
  'fault/erasure-kills',
  'integration/search/order',
  'content-safety/end-to-end',
  'contract/page-matrix',
  'fault/outage-indexes',
  'fault/decision-kills',
  'browser/accessibility',
  'e2e/worker-shutdown',
  'workflow/mailbox-actor',
  'fault/erasure-load',
  'integration/search/faults',
  'e2e/production',
  'browser/journeys',
  'browser/desk-rows',
  'fault/embedded',
  'integration/vector-spaces/interrupted',
  'integration/extraction/order',
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
