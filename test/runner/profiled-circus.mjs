/** Jest's own runner of a test file, whose result says what the file cost as well (profile-reporter.mjs). */
import circus from 'jest-circus/runner';

// A package of CommonJS: its default export is a member of what it exports.
const { default: run } = circus;

export default async function runTestFile(globalConfig, config, environment, ...rest) {
  const result = await run(globalConfig, config, environment, ...rest);
  return { ...result, profile: environment.profile.end() };
}
