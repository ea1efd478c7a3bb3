/** Documents: small ones that become large, crooked ones, and uploads that never end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { docxOf, zipOf } from '../../support/zip.ts';
import { drip, headOf } from './requests.ts';
import type { Attack, AttackContext } from './scene.ts';
import type { HostileSettings } from './settings.ts';

const DOCUMENTS = '/api/v1/documents';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const MIB = 1_048_576;
const DRIPPING_UPLOADS = 20;
/** Above what every body may have, so that it needs a place among the large ones. */
const LARGE_UPLOAD_BYTES = 5 * MIB;
/** Just above what all entries of a DOCX may come to: 128 MiB. */
const BOMB_BYTES = 132 * MIB;

function upload(scope: string, mediaType: string, bytes: Uint8Array): { readonly body: string } {
  const content_base64 = Buffer.from(bytes).toString('base64');
  return { body: JSON.stringify({ scope_path: scope, media_type: mediaType, content_base64 }) };
}

/** Bytes that differ from round to round, since the same ones again are not read again. */
type Make = (round: number, settings: Pick<HostileSettings, 'textBytes' | 'pageMib'>) => Uint8Array;

interface HostileDocument {
  readonly what: string;
  readonly mediaType: string;
  readonly make: Make;
}

/** A PDF of one page with this content, deflated. */
function pdfOf(content: Buffer, round: number): Buffer {
  const packed = deflateSync(content, { level: 9 });
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    null,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  const parts: Buffer[] = [Buffer.from(`%PDF-1.7\n% ${round}\n`)];
  const offsets: number[] = [];
  const size = (): number => parts.reduce((sum, part) => sum + part.length, 0);
  objects.forEach((object, at) => {
    offsets.push(size());
    const opening = `${at + 1} 0 obj\n`;
    parts.push(
      object === null
        ? Buffer.concat([
            Buffer.from(`${opening}<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`),
            packed,
            Buffer.from('\nendstream\nendobj\n'),
          ])
        : Buffer.from(`${opening}${object}\nendobj\n`),
    );
  });
  const start = size();
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

const text =
  (make: (bytes: number) => string): Make =>
  (round, { textBytes }) =>
    Buffer.from(`${round}\n${make(textBytes)}`);

const HOSTILE_DOCUMENTS: readonly HostileDocument[] = [
  {
    what: 'a DOCX that inflates to 132 MiB',
    mediaType: DOCX,
    make: (round) =>
      docxOf(
        [{ text: `${round}` }],
        [{ name: 'word/styles.xml', bytes: Buffer.alloc(BOMB_BYTES) }],
      ),
  },
  {
    what: 'a DOCX whose text inflates to 132 MiB and that says otherwise',
    mediaType: DOCX,
    make: (round) =>
      zipOf([
        { name: `${round}.txt`, bytes: Buffer.from('a') },
        { name: 'word/document.xml', bytes: Buffer.alloc(BOMB_BYTES, '<w:p>'), statedSize: 64 },
      ]),
  },
  {
    what: 'a PDF whose page inflates to megabytes',
    mediaType: 'application/pdf',
    make: (round, { pageMib }) =>
      pdfOf(Buffer.from(`BT /F 1 Tf ${'(a) Tj '.repeat((pageMib * MIB) / 7)} ET`), round),
  },
  {
    what: 'a PDF of bytes that mean nothing',
    mediaType: 'application/pdf',
    make: (round) => Buffer.alloc(2 * MIB, `%PDF-1.7 ${round} 1 0 obj << `),
  },
  {
    what: 'HTML in which everything is in something else',
    mediaType: 'text/html',
    make: text((bytes) => '<div><b>'.repeat(bytes / 8)),
  },
  {
    what: 'HTML of a table in a table',
    mediaType: 'text/html',
    make: text((bytes) => '<table><tr><td>a '.repeat(bytes / 18)),
  },
  {
    what: 'Markdown of opening brackets',
    mediaType: 'text/markdown',
    make: text((bytes) => '['.repeat(bytes)),
  },
  {
    what: 'Markdown of stars and underscores',
    mediaType: 'text/markdown',
    make: text((bytes) => '*a _b '.repeat(bytes / 6)),
  },
  {
    what: 'Markdown of quotations in quotations',
    mediaType: 'text/markdown',
    make: text((bytes) => `${'> '.repeat(bytes / 4)}\n${'- '.repeat(bytes / 4)}`),
  },
  {
    what: 'text without an end to its only line',
    mediaType: 'text/plain',
    make: text((bytes) => `a${'.'.repeat(bytes)}a`),
  },
];

async function dripUploads(context: AttackContext): Promise<void> {
  const { target, settings } = context;
  const head = headOf('POST', DOCUMENTS, [
    `authorization: Bearer ${target.apiKey}`,
    'content-type: application/json',
    'content-length: 20000000',
  ]);
  const dripping = drip(target, {
    count: DRIPPING_UPLOADS,
    forMs: settings.attackMs,
    beginning: `${head}{"content_base64":"`,
    drops: 'QUFB',
  });
  // Nothing of a PDF: it costs its reader nothing, and its place all the same.
  const bytes = Buffer.alloc(LARGE_UPLOAD_BYTES, `no document ${context.round}`);
  await sleep(settings.attackMs / 3);
  // One is enough to be refused.
  await context.asBystander([202], DOCUMENTS, upload('/bystander', 'application/pdf', bytes));
  await dripping;
}

export const DOCUMENT_ATTACKS: readonly Attack[] = [
  {
    title: `${DRIPPING_UPLOADS} uploads that drip do not block the uploads of other accounts`,
    answers: [],
    run: dripUploads,
  },
  ...HOSTILE_DOCUMENTS.map(({ what, mediaType, make }): Attack => ({
    title: `${what} does not delay other accounts`,
    answers: [200, 202, 422],
    run: ({ send, settings, round }) =>
      send(DOCUMENTS, upload('/hostile', mediaType, make(round, settings))),
  })),
];
