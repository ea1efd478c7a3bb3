/** The file of `--key-file`: a key alone, or the credentials that the one-command start leaves. */
import { open } from 'node:fs/promises';
import { z } from 'zod';
import { UsageError } from '../errors.ts';

/** Bytes of such a file. */
const MOST_KEY_FILE_BYTES = 65_536;
const KEY = /^[\w.~+/=-]{1,512}$/;

const credentials = z.object({
  base_url: z.url(),
  agent: z.object({ api_key: z.string() }),
});

export interface KeyFile {
  readonly key: string;
  /** The address that the file names; null for a key alone. */
  readonly url: string | null;
}

async function readStart(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      const bytes = Buffer.alloc(MOST_KEY_FILE_BYTES);
      const { bytesRead } = await file.read(bytes, 0, MOST_KEY_FILE_BYTES, 0);
      return bytes.toString('utf8', 0, bytesRead).trim();
    } finally {
      await file.close();
    }
  } catch {
    throw new UsageError('The file of --key-file is not readable.');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Throws `UsageError` for a file that cannot be read or holds no key; the message quotes nothing of it. */
export async function readKeyFile(path: string): Promise<KeyFile> {
  const text = await readStart(path);
  if (!text.startsWith('{')) {
    if (!KEY.test(text)) throw new UsageError('The file of --key-file holds no key.');
    return { key: text, url: null };
  }
  const found = credentials.safeParse(parsed(text));
  if (!found.success || !KEY.test(found.data.agent.api_key)) {
    throw new UsageError('The file of --key-file holds no credentials of a started service.');
  }
  return { key: found.data.agent.api_key, url: found.data.base_url };
}
