/**
 * A base backup of Postgres over its replication protocol: what `pg_basebackup` does, which the packages of the
 * embedded server do not hold. The server copies its own files between the start and the stop of a backup, checks the
 * checksum of every page, and adds the log that makes the copy consistent. One tar comes out, and the server's own
 * manifest of it.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import type { WriteStream } from 'node:fs';
import { Client, type Connection, type Submittable } from 'pg';
import { EmbeddedError } from '../../embedded/errors.ts';
import { digesting, privateFile, type FileDigest } from './hashed-file.ts';

export interface BaseBackup {
  readonly tar: FileDigest;
  readonly manifest: FileDigest;
}

export interface BaseBackupOptions {
  /** Of a role that may replicate. */
  readonly url: string;
  /** Where `base.tar` and `manifest.json` are written. */
  readonly folder: string;
  /** Told of the bytes that the server has sent, and of those that it expects to send. */
  readonly onProgress: (sent: number, expected: number) => void;
  readonly signal: AbortSignal;
}

/** Kept by a slot for the length of the connection: without it a checkpoint may remove the log that the copy needs. */
const KEEP_LOG = 'CREATE_REPLICATION_SLOT "vouch_backup_$" TEMPORARY PHYSICAL (RESERVE_WAL true)';
const COPY = `BASE_BACKUP (LABEL 'vouch', PROGRESS true, CHECKPOINT 'fast', WAL true, WAIT false,
  MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')`;

/** What a part of the stream begins with. */
const PART = { archive: 'n', manifest: 'm', data: 'd', progress: 'p' } as const;

interface Received {
  archive(name: string, location: string): void;
  manifest(): void;
  /** False while more must wait. */
  data(chunk: Buffer): boolean;
  progress(bytes: number): void;
  /** The size of a tablespace in KiB, which the server says first. */
  size(kibibytes: number): void;
}

/** Texts that end with a zero byte. */
function texts(bytes: Buffer): string[] {
  return bytes.toString('utf8').split('\0');
}

/** Hands one message of the copy to who takes it. Answers whether more may come now. */
function dispatch(message: Buffer, to: Received): boolean {
  const body = message.subarray(1);
  switch (String.fromCharCode(message[0] ?? 0)) {
    case PART.archive: {
      const [name = '', location = ''] = texts(body);
      to.archive(name, location);
      return true;
    }
    case PART.manifest:
      to.manifest();
      return true;
    case PART.data:
      // The client uses its buffer again for the next messages, and this one is written later.
      return to.data(Buffer.from(body));
    case PART.progress:
      to.progress(Number(body.readBigInt64BE(0)));
      return true;
    default:
      return true;
  }
}

/** The command as the client runs it: every message of its copy goes to `to`, and the socket waits where `to` does. */
class CopyCommand implements Submittable {
  readonly done = Promise.withResolvers<void>();
  readonly #to: Received;
  #failure: unknown = null;
  #connection: Connection | null = null;

  constructor(to: Received) {
    this.#to = to;
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    connection.query(COPY);
  }

  resume(): void {
    this.#connection?.stream.resume();
  }

  handleRowDescription(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}

  /** Rows come before the copy: where it starts, then one for each tablespace, whose third column is its size. */
  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (fields.length === 3) this.#to.size(Number(fields[2] ?? 0));
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    try {
      if (!dispatch(chunk, this.#to)) this.#connection?.stream.pause();
    } catch (error) {
      this.#failure ??= error;
    }
  }

  handleError(error: unknown): void {
    this.done.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.#failure === null) this.done.resolve();
    else this.done.reject(this.#failure);
  }
}

interface Target {
  readonly file: WriteStream;
  readonly hashed: ReturnType<typeof digesting>;
}

function openTarget(path: string): Target {
  const hashed = digesting();
  return { hashed, file: hashed.pipe(privateFile(path)) };
}

async function finish({ file, hashed }: Target): Promise<FileDigest> {
  const closed = once(file, 'close');
  hashed.end();
  await closed;
  return hashed.digest();
}

function receiving(
  folder: string,
  onProgress: BaseBackupOptions['onProgress'],
  resume: () => void,
): Received & { finish(): Promise<BaseBackup> } {
  let expected = 0;
  let tar: Target | null = null;
  let manifest: Target | null = null;
  return {
    archive(_name, location) {
      if (location !== '' || tar !== null) {
        throw new EmbeddedError(
          'The database has a tablespace outside of its directory. Move its tables back into the default one.',
        );
      }
      tar = openTarget(join(folder, 'base.tar'));
      for (const stream of [tar.hashed, tar.file]) stream.on('drain', resume);
    },
    manifest() {
      manifest = openTarget(join(folder, 'manifest.json'));
      manifest.hashed.on('drain', resume);
    },
    data: (chunk) => (manifest ?? tar)?.hashed.write(chunk) ?? true,
    progress: (bytes) => onProgress(bytes, expected),
    size(kibibytes) {
      expected += kibibytes * 1024;
    },
    async finish() {
      if (tar === null || manifest === null) {
        throw new EmbeddedError('Postgres ended the copy before it was complete. Try again.');
      }
      const written = { tar: await finish(tar), manifest: await finish(manifest) };
      return written;
    },
  };
}

/**
 * Writes the base backup.
 * @throws what the server says, such as a page whose checksum is wrong; files that were begun are left.
 */
export async function takeBaseBackup(options: BaseBackupOptions): Promise<BaseBackup> {
  const url = new URL(options.url);
  url.searchParams.set('replication', 'true');
  const client = new Client({ connectionString: url.href });
  const lost = Promise.withResolvers<never>();
  client.on('error', (error) => lost.reject(error));
  const abort = (): void => lost.reject(options.signal.reason);
  options.signal.addEventListener('abort', abort, { once: true });
  lost.promise.catch(() => undefined);
  try {
    options.signal.throwIfAborted();
    await client.connect();
    await client.query(KEEP_LOG.replace('$', String(process.pid)));
    let command: CopyCommand | null = null;
    const received = receiving(options.folder, options.onProgress, () => command?.resume());
    command = new CopyCommand(received);
    client.query(command);
    await Promise.race([command.done.promise, lost.promise]);
    return await received.finish();
  } finally {
    options.signal.removeEventListener('abort', abort);
    await Promise.race([client.end(), new Promise((resolve) => setTimeout(resolve, 2_000))]);
  }
}
