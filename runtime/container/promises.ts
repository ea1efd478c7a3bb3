/** The list of promises that the settings name. */
import { createPromiseFile } from '../../stores/promises/promise-file.ts';
import type { PromiseList } from '../../stores/promises/promise-list.ts';
import { errorFields, type Log } from '../../engine/logging/logger.ts';
import type { Settings } from '../config/index.ts';
import { keyedHash } from '../identity/secrets.ts';
import { derivedKey } from './derived-key.ts';
import { needed } from './needed.ts';

/** The keyed hash under which a path of an account stands in the list, lower-case hex. */
export function promisedPathHashes(secretKey: string): PromiseList['pathHash'] {
  const key = derivedKey(secretKey, 'promised-paths');
  return (accountId, path) =>
    Buffer.from(keyedHash(key, 'path', `${accountId}\0${path}`)).toString('hex');
}

/** Opens nothing. Without a log the failures go to who promises alone. */
export function buildPromiseList(
  { SERVICE_PROMISES_FILE: path, SERVICE_SECRET_KEY: secretKey }: Settings,
  log: Log | undefined,
): PromiseList {
  return createPromiseFile({
    path,
    pathHash: promisedPathHashes(needed(secretKey, 'SERVICE_SECRET_KEY')),
    onError: (error) => log?.error('promises.write_failed', errorFields(error)),
  });
}
