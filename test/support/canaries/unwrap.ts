/** Undoes the wrappings in which a text may lie in a file, an answer or a payload, one layer at a time. */
import { inflateSync, gunzipSync, zstdDecompressSync, constants } from 'node:zlib';

const MAX_LAYERS = 3;
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

const BASE64_RUN = /[A-Za-z0-9+/_-]{16,}={0,2}/g;
const HEX_RUN = /(?:[0-9a-fA-F]{2}){12,}/g;
const PERCENT_RUN = /(?:%[0-9a-fA-F]{2})+/g;
const ESCAPE = /\\u([0-9a-fA-F]{4})/g;

/** Cut-off streams give what they hold: a file may be read while it is written. */
const lenient = {
  finishFlush: constants.Z_SYNC_FLUSH,
  maxOutputLength: MAX_UNPACKED_BYTES,
};
const PACKED: readonly { readonly starts: Buffer; readonly unpack: (bytes: Buffer) => Buffer }[] = [
  { starts: Buffer.from('1f8b08', 'hex'), unpack: (bytes) => gunzipSync(bytes, lenient) },
  ...['7801', '785e', '789c', '78da'].map((magic) => ({
    starts: Buffer.from(magic, 'hex'),
    unpack: (bytes: Buffer) => inflateSync(bytes, lenient),
  })),
  {
    starts: Buffer.from('28b52ffd', 'hex'),
    unpack: (bytes) => zstdDecompressSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }),
  },
];

function unpacked(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (const { starts, unpack } of PACKED) {
    for (let at = bytes.indexOf(starts); at >= 0; at = bytes.indexOf(starts, at + 1)) {
      try {
        found.push(unpack(bytes.subarray(at)));
      } catch {
        // The bytes only look like the start of a stream.
      }
    }
  }
  return found;
}

function runs(text: string, pattern: RegExp, decode: (run: string) => Buffer): Buffer[] {
  return [...text.matchAll(pattern)].flatMap(([run]) => [decode(run), Buffer.from('\n')]);
}

function decoded(bytes: Buffer): Buffer[] {
  const text = bytes.toString('latin1');
  const layers = [
    Buffer.concat(runs(text, BASE64_RUN, (run) => Buffer.from(run, 'base64'))),
    Buffer.concat(runs(text, HEX_RUN, (run) => Buffer.from(run, 'hex'))),
  ];
  // Escapes stand between other characters, so the text around them is kept.
  if (text.search(PERCENT_RUN) >= 0) {
    const plain = text.replace(PERCENT_RUN, (run) =>
      Buffer.from(run.replaceAll('%', ''), 'hex').toString('latin1'),
    );
    layers.push(Buffer.from(plain, 'latin1'));
  }
  if (text.search(ESCAPE) >= 0) {
    const plain = text.replace(ESCAPE, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    layers.push(Buffer.from(plain, 'utf8'));
  }
  return layers.filter((layer) => layer.length > 0);
}

/** The bytes themselves and everything that lies in them, up to three wrappings deep. */
export function* unwrap(bytes: Buffer, layer = 0): Generator<Buffer> {
  yield bytes;
  if (layer >= MAX_LAYERS) return;
  for (const inner of [...unpacked(bytes), ...decoded(bytes)]) {
    // What decodes to itself, such as a percent sign in binary data, is looked at once.
    if (!inner.equals(bytes)) yield* unwrap(inner, layer + 1);
  }
}
