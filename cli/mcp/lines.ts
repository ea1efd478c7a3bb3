/** Lines of a stream, and the data of server-sent events: both are text that comes in pieces. */

/** A line longer than this is no message: the service takes bodies of 4 MiB. */
export const MOST_LINE_BYTES = 8 * 1_048_576;

export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
}

/** Every line without its end, an unfinished last one too. Throws `LineTooLong` past 8 MiB. */
export async function* linesOf(
  pieces: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  let size = 0;
  for await (const piece of pieces) {
    const text = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    const [first = '', ...more] = text.split('\n');
    rest.push(first);
    size += first.length;
    for (const next of more) {
      yield rest.join('').replace(/\r$/, '');
      rest = [next];
      size = next.length;
    }
    if (size > MOST_LINE_BYTES) throw new LineTooLong();
  }
  const last = rest.join('');
  if (last !== '') yield last;
}

/** The data of each event of a stream; comments and other fields are left out. */
export async function* eventData(
  pieces: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<string, void> {
  let data: string[] = [];
  for await (const line of linesOf(pieces)) {
    if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
    if (line === '' && data.length > 0) {
      yield data.join('\n');
      data = [];
    }
  }
}
