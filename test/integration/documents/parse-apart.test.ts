/** The process a document is parsed in has bounds, and its end is nobody else's. */
import { expect, test } from '@jest/globals';
import { parseApart } from '../../../engine/documents/parse-apart.ts';

const calm = (): AbortSignal => new AbortController().signal;
const html = (bytes: Uint8Array) => ({ bytes, mediaType: 'text/html' });
const large = Buffer.from('<p><b>word</b> and more </p>'.repeat(400_000));

test('answers the chunks, or the class of the failure', async () => {
  const bytes = Buffer.from('<h1>A</h1><p>One.</p>');
  expect(await parseApart(html(bytes), calm())).toEqual([{ headings: ['A'], text: 'One.' }]);
  const locked = { bytes: Buffer.from('nothing'), mediaType: 'application/pdf' };
  await expect(parseApart(locked, calm())).rejects.toMatchObject({
    errorClass: 'structured_validation_failed',
  });
});

test('a document that takes too long, or too much memory, is too large', async () => {
  const bounds = [
    { timeoutMs: 100, memoryMib: 512 },
    { timeoutMs: 60_000, memoryMib: 40 },
  ];
  for (const bound of bounds) {
    await expect(parseApart(html(large), calm(), bound)).rejects.toMatchObject({
      errorClass: 'source_too_large',
    });
  }
});

test('is given up when it is cancelled, with the reason of whoever cancelled', async () => {
  const stop = new AbortController();
  const reason = new Error('stopped');
  const parsing = parseApart(html(large), stop.signal);
  stop.abort(reason);
  await expect(parsing).rejects.toBe(reason);
  await expect(parseApart(html(large), stop.signal)).rejects.toBe(reason);
});
