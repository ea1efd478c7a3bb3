/** Tests in a real browser (`npm run test:browser`), on the four real servers. Not part of `npm test`. */
import { join } from 'node:path';
import jestConfig from '../../jest.config.mjs';

const real = jestConfig.projects.find(({ displayName }) => displayName === 'real');
const { testPathIgnorePatterns: _, ...shared } = real;

export default {
  watchman: false,
  // A browser, a service and four servers share the machine.
  maxWorkers: 1,
  testTimeout: 150_000,
  projects: [
    {
      ...shared,
      rootDir: join(import.meta.dirname, '../..'),
      displayName: 'browser',
      testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
    },
  ],
};
