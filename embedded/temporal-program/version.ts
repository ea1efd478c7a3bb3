import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { causeText, EmbeddedError } from '../errors.ts';
import { oldestServer } from './release.ts';

/**
 * Runs `<program> --version` and reads the version of the server in it. The version of the command line
 * itself is of no use: built by Go it is 0.0.0-DEV.
 * @returns the server's version, as `1.29.1`.
 * @throws EmbeddedError when the program does not run, holds no server, or one that is too old.
 */
export async function temporalServerVersion(program: string): Promise<string> {
  let output: string;
  try {
    // The empty environment keeps out settings of the user's own cluster.
    output = (await promisify(execFile)(program, ['--version'], { env: {}, timeout: 20_000 }))
      .stdout;
  } catch (error) {
    throw new EmbeddedError(`${program} does not run (${causeText(error)})`);
  }
  const found = /\(Server (\d+)\.(\d+)[.\d]*/.exec(output);
  const [major, minor] = [Number(found?.[1]), Number(found?.[2])];
  if (found === null) throw new EmbeddedError(`${program} --version names no server version`);
  const version = found[0].slice('(Server '.length);
  const newEnough =
    major > oldestServer.major || (major === oldestServer.major && minor >= oldestServer.minor);
  if (newEnough) return version;
  throw new EmbeddedError(
    `${program} contains server ${version}, which is older than ${oldestServer.major}.${oldestServer.minor}`,
  );
}
