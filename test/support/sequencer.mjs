/** The order of the test files: those of `test/fault` first. They take minutes each, and one that begins last runs alone. */
import Sequencer from '@jest/test-sequencer';

const isLong = ({ path }) => path.includes('/test/fault/');

export default class LongestFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
