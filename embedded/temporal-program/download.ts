/** The official archive of the release: fetched, compared with the pinned checksum, unpacked. */
import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { sha256OfFile } from '../checksum.ts';
import { EmbeddedError } from '../errors.ts';
import type { Say } from '../names.ts';
import type { TemporalRelease } from './release.ts';

/** Short, because closed networks drop packets instead of refusing connections. */
const connectWithinMs = 5_000;
const silentForMs = 30_000;
const wholeWithinMs = 15 * 60_000;

/**
 * Downloads the program into `directory`.
 * @returns the path of the unpacked program.
 * @throws EmbeddedError or a system error; the caller must remove the files in `directory`.
 */
export async function downloadTemporal(
  release: TemporalRelease,
  directory: string,
  say: Say,
  cancelled?: AbortSignal,
): Promise<string> {
  say(
    `Downloading Temporal ${release.version} from ${new URL(release.archiveUrl).host} (about 60 MB).`,
  );
  const archive = join(directory, 'temporal.tar.gz');
  await fetchTo(release.archiveUrl, archive, cancelled);
  const actual = await sha256OfFile(archive);
  if (actual !== release.archiveSha256) {
    throw new EmbeddedError(`the archive has the SHA-256 ${actual}, not the expected one`);
  }
  await promisify(execFile)('tar', ['-xzf', archive, '-C', directory, 'temporal']);
  return join(directory, 'temporal');
}

async function fetchTo(
  url: string,
  file: string,
  cancelled: AbortSignal | undefined,
): Promise<void> {
  const watch = new AbortController();
  let timer = giveUpAfter(watch, connectWithinMs, `no answer within ${connectWithinMs / 1000} s`);
  try {
    const signals = [
      watch.signal,
      AbortSignal.timeout(wholeWithinMs),
      ...(cancelled ? [cancelled] : []),
    ];
    const answer = await fetch(url, { signal: AbortSignal.any(signals) });
    if (!answer.ok || answer.body === null) throw new EmbeddedError(`HTTP ${answer.status}`);
    const progress = new Transform({
      transform(chunk, _encoding, done) {
        clearTimeout(timer);
        timer = giveUpAfter(watch, silentForMs, `no data for ${silentForMs / 1000} s`);
        done(null, chunk);
      },
    });
    await pipeline(
      Readable.fromWeb(answer.body),
      progress,
      createWriteStream(file, { mode: 0o600 }),
    );
  } finally {
    clearTimeout(timer);
  }
}

function giveUpAfter(watch: AbortController, ms: number, why: string): NodeJS.Timeout {
  return setTimeout(() => watch.abort(new EmbeddedError(why)), ms);
}
