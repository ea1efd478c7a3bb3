/** A document is parsed in a bounded process of its own; its end affects no other. Real: processes, their memory. */
import { spawnSync } from 'node:child_process';
import { deflateSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import {
  PARSE_BOUNDS,
  parseApart,
  parserArguments,
} from '../../../engine/documents/parse-apart.ts';

const calm = (): AbortSignal => new AbortController().signal;
const html = (bytes: Uint8Array) => ({ bytes, mediaType: 'text/html' });
const small = html(Buffer.from('<h1>A</h1><p>One.</p>'));
const large = Buffer.from('<p><b>word</b> and more </p>'.repeat(400_000));

/** A PDF of one page, whose content is `mebibytes` of blanks, packed. */
function inflatingPdf(mebibytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(mebibytes * 1_048_576, ' '), { level: 9 });
  return Buffer.concat([
    Buffer.from(
      [
        '%PDF-1.4',
        '1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj',
        '2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj',
        '3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>> endobj',
        `4 0 obj <</Length ${packed.length}/Filter/FlateDecode>> stream\n`,
      ].join('\n'),
    ),
    packed,
    Buffer.from('\nendstream endobj\ntrailer <</Root 1 0 R>>\n%%EOF'),
  ]);
}

test('the parser process answers the chunks, or the class of the failure', async () => {
  expect(await parseApart(small, calm())).toEqual([{ headings: ['A'], text: 'One.' }]);
  const locked = { bytes: Buffer.from('nothing'), mediaType: 'application/pdf' };
  await expect(parseApart(locked, calm())).rejects.toMatchObject({
    errorClass: 'structured_validation_failed',
  });
});

test.each([
  ['time', { timeoutMs: 100 }, 'request_timeout'],
  ['heap', { heapMib: 40 }, 'source_too_large'],
])('a document that takes too much %s to parse is refused', async (_what, bound, errorClass) => {
  await expect(
    parseApart(html(large), calm(), { ...PARSE_BOUNDS, ...bound }),
  ).rejects.toMatchObject({ errorClass });
});

test('a document that grows outside the heap is refused as too large, and its neighbour is read', async () => {
  const pdf = { bytes: inflatingPdf(400), mediaType: 'application/pdf' };
  const bounds = { ...PARSE_BOUNDS, residentMib: 400 };
  const [grown, neighbour] = await Promise.allSettled([
    parseApart(pdf, calm(), bounds),
    parseApart(small, calm(), bounds),
  ]);
  expect(grown).toMatchObject({ status: 'rejected', reason: { errorClass: 'source_too_large' } });
  expect(neighbour).toMatchObject({ status: 'fulfilled', value: [{ text: 'One.' }] });
});

test('a cancelled parse rejects with the reason of its abort signal', async () => {
  const stop = new AbortController();
  const reason = new Error('stopped');
  const parsing = parseApart(html(large), stop.signal);
  stop.abort(reason);
  await expect(parsing).rejects.toBe(reason);
  await expect(parseApart(html(large), stop.signal)).rejects.toBe(reason);
});

test.each([
  ['read a file', "require('node:fs').readFileSync('/etc/hostname')", 'ERR_ACCESS_DENIED'],
  ['write a file', "require('node:fs').writeFileSync('/tmp/x', '')", 'ERR_ACCESS_DENIED'],
  ['start a process', "require('node:child_process').spawn('ls')", 'ERR_ACCESS_DENIED'],
  [
    'start a thread',
    "new (require('node:worker_threads').Worker)('', {eval:true})",
    'ERR_ACCESS_DENIED',
  ],
  ['open a connection', "require('node:net').connect(80, '127.0.0.1')", 'no network'],
  ['fetch', "fetch('http://127.0.0.1:80').catch((e) => { throw e.cause })", 'no network'],
  ['listen', "require('node:net').createServer().listen(0)", 'no network'],
])('a parser may not %s', (_name, attempt, refusal) => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [...parserArguments(PARSE_BOUNDS), '--eval', attempt],
    { encoding: 'utf8', env: {} },
  );
  expect(stderr).toContain(refusal);
  expect(status).toBe(1);
});

test('the parser process runs at a lower priority than the service', async () => {
  const stop = new AbortController();
  const parsing = parseApart(html(large), stop.signal);
  const { stdout } = spawnSync('ps', ['-o', 'ni=,args=', '--ppid', String(process.pid)], {
    encoding: 'utf8',
  });
  const parser = stdout.split('\n').find((line) => line.includes('parse-process'));
  stop.abort(new Error('seen'));
  await expect(parsing).rejects.toThrow('seen');
  expect(parser).toMatch(/^\s*1\d /);
});
