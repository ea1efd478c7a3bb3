/**
 * The programs that come from packages are repacks by third parties, so only the reviewed files may run.
 * Each is hashed at every start (about 0.6 s for all of them) and compared with the value here.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { causeText, EmbeddedError } from './errors.ts';

/** SHA-256 of the programs in the package versions that package.json names. */
export const pinnedSha256 = {
  meilisearch: '5354d854974433f8f903e59347c1c6a7f2ad947f21b3402a2cc01e07b1c952e0',
  qdrant: '8019db3c315d27fe663d639a6cdc6f60dff2ae903312daea492b159b553ad66f',
  postgres: 'de0a4a7646c51f032e0088ae6fe9d0833fa280b78d4455681574a32937b32838',
  initdb: '515186eed81a1f2741bdcbfeb080af093a59a27fb2896237b04dd6c48bae349d',
} as const;

/** The SHA-256 of a file in lower-case hexadecimal digits. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }))
    hash.update(chunk);
  return hash.digest('hex');
}

/** @throws EmbeddedError when the file cannot be read or is not the expected one. */
export async function verifyChecksum(path: string, expected: string): Promise<void> {
  let actual: string;
  try {
    actual = await sha256OfFile(path);
  } catch (error) {
    throw new EmbeddedError(`Cannot read ${path} (${causeText(error)}). Run npm ci again.`);
  }
  if (actual !== expected) {
    throw new EmbeddedError(
      `${path} has the SHA-256 ${actual}, not the expected ${expected}. Run npm ci again. If the SHA-256 stays wrong, do not start the program.`,
    );
  }
}
