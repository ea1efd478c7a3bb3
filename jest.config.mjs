/**
 * The projects: `pure` needs no server (`npm run test:unit`), `real` runs on the four real servers, and so does `browser`,
 * which needs Chromium. `generators` runs programs of other ecosystems. The last two take part only where
 * VOUCH_TEST_BROWSER asks for them (`npm run test:browser`, `npm run test:generators`, and the whole check of a commit).
 */
const shared = {
  runtime: '<rootDir>/test/runner/native-runtime.mjs',
  testRunner: '<rootDir>/test/runner/profiled-circus.mjs',
  testEnvironment: '<rootDir>/test/runner/process-environment.mjs',
  transform: {},
  // Migrations too are files that tests depend on.
  moduleFileExtensions: ['ts', 'mjs', 'cjs', 'js', 'json', 'node', 'sql'],
  dependencyExtractor: '<rootDir>/test/runner/dependencies.mjs',
  modulePathIgnorePatterns: ['<rootDir>/.vouch', '<rootDir>/build'],
};

const onServers = {
  ...shared,
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

export default {
  watchman: false,
  // Tests on servers wait more than they work: two files at a time leave two processors idle for a fifth of the time.
  maxWorkers: 3,
  reporters: [
    'default',
    '<rootDir>/test/runner/profile-reporter.mjs',
    '<rootDir>/test/runner/flaky-reporter.mjs',
  ],
  testSequencer: '<rootDir>/test/runner/longest-first.mjs',
  // A process that runs some two hundred files keeps modules of all of them.
  workerIdleMemoryLimit: '380MB',
  // A test that hangs is found; one that a busy machine holds up is not blamed. What a test waits for gives
  // up before (test/support/patience.ts), so that it is the wait that tells what did not happen.
  testTimeout: 400_000,
  projects: [
    {
      ...shared,
      displayName: 'pure',
      testMatch: ['<rootDir>/test/{unit,architecture,replay}/**/*.test.ts'],
      globalSetup: '<rootDir>/test/support/global-bundle.ts',
    },
    {
      ...onServers,
      displayName: 'real',
      testMatch: [
        '<rootDir>/test/{integration,contract,workflow,e2e,console,fault,content-safety}/**/*.test.ts',
      ],
      // A file for each kind of hostile account in the long run, one for all but the provider's in the short run: calls
      // that run into their time take ten minutes.
      testPathIgnorePatterns: [
        '/node_modules/',
        process.env.VOUCH_TEST_RUN === 'long'
          ? '<rootDir>/test/fault/hostile.test'
          : '<rootDir>/test/fault/hostile-',
      ],
    },
    ...(process.env.VOUCH_TEST_BROWSER === undefined
      ? []
      : [
          {
            ...onServers,
            displayName: 'browser',
            testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
          },
          {
            ...shared,
            displayName: 'generators',
            testMatch: ['<rootDir>/test/generators/**/*.test.ts'],
          },
        ]),
  ],
};
