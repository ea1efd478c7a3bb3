/**
 * `.vouch/credentials.json` (0600): the credentials that the one-command start gives to the person at the terminal.
 * No other start keeps credentials in a file; this one may, because it is for one machine and one person.
 */
import { z } from 'zod';
import { readIfPresent, writePrivateFile } from '../../embedded/private-files.ts';

const credentials = z.object({
  base_url: z.url(),
  console_url: z.url(),
  temporal_ui_url: z.string(),
  admin: z.object({ email: z.string(), password: z.string(), token: z.string() }),
  agent: z.object({ peer_key: z.string(), api_key: z.string() }),
});

export type Credentials = z.infer<typeof credentials>;

/** The credentials of an earlier start, or null. Throws when the file is damaged. */
export function readCredentials(file: string): Credentials | null {
  const text = readIfPresent(file);
  return text === undefined ? null : credentials.parse(JSON.parse(text));
}

/** Each member stands on a line of its own: the printed curl lines read them with sed. */
export function writeCredentials(file: string, value: Credentials): void {
  writePrivateFile(file, `${JSON.stringify(value, null, 2)}\n`);
}
