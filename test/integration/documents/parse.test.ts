/** What every format is read into, and what is refused. */
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { cleanBlock } from '../../../engine/documents/block.ts';
import { chunksOf, CHUNK_CHARACTERS } from '../../../engine/documents/chunks.ts';
import { parseDocument } from '../../../engine/documents/parse.ts';
import { docxOf, zipOf } from '../../support/zip.ts';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const MIB = 1_048_576;

const parse = (text: string, mediaType: string) => parseDocument(Buffer.from(text), mediaType);
const failure = (errorClass: string) => expect.objectContaining({ errorClass });

describe('plain text', () => {
  test('is cut at blank lines, and lines that were only wrapped go on', async () => {
    const text = 'The office moved\nto Hamburg. It is\nlarger.\n\n- one\n- two\n\nEnd.';
    expect(await parse(text, 'text/plain')).toEqual([
      { headings: [], text: 'The office moved to Hamburg. It is larger.\n\n- one\n- two\n\nEnd.' },
    ]);
  });

  test.each([
    ['its byte order mark', Buffer.from('\uFEFFGrüße', 'utf16le'), 'text/plain'],
    ['the charset it names', Buffer.from('Grüße', 'latin1'), 'text/plain; charset=iso-8859-1'],
    ['UTF-8', Buffer.from('Grüße'), 'text/plain'],
  ])('is read by %s', async (_how, bytes, mediaType) => {
    expect(await parseDocument(bytes, mediaType)).toEqual([{ headings: [], text: 'Grüße' }]);
  });

  test.each([
    ['bytes that are no UTF-8', Buffer.from([0x41, 0xff]), 'text/plain'],
    ['an unknown charset', Buffer.from('A'), 'text/plain; charset=nonsense'],
  ])('refuses %s', async (_what, bytes, mediaType) => {
    await expect(parseDocument(bytes, mediaType)).rejects.toEqual(
      failure('structured_validation_failed'),
    );
  });

  test('of more characters than can be kept is too large', async () => {
    await expect(parse('All is well. '.repeat(200_000), 'text/plain')).rejects.toEqual(
      failure('source_too_large'),
    );
  });
});

describe('Markdown', () => {
  test('keeps the headings above a passage, items and rows', async () => {
    const text =
      '# Guide\n\nFirst *part*.\n\n## Desks\n\n- one [link](http://x.test)\n- two\n\n## Rooms\n\n| a | b |\n|---|---|\n| c | d |\n\n# Second\n\n> said\n';
    expect(await parse(text, 'text/markdown')).toEqual([
      { headings: ['Guide'], text: 'First part.' },
      { headings: ['Guide', 'Desks'], text: 'one link\n\ntwo' },
      { headings: ['Guide', 'Rooms'], text: 'a: c | b: d' },
      { headings: ['Second'], text: 'said' },
    ]);
  });
});

describe('HTML', () => {
  test('yields only the text that a browser shows', async () => {
    const html =
      '<title>T</title><script>x()</script><style>p{}</style><h2>A&amp;B</h2><p>One<br>two <b>three</b></p><noscript>n</noscript><template>t</template><div>four<p>five</p>six</div><pre>a\n  b</pre>';
    expect(await parse(html, 'text/html')).toEqual([
      { headings: ['A&B'], text: 'One\ntwo three\n\nfour\n\nfive\n\nsix\n\na\nb' },
    ]);
  });

  const HEADED = '<tr><th>Name<th>City<th>Note</tr>';

  test.each([
    ['<tr><td>Ada<td>Oslo<td>late</tr>', 'Name: Ada | City: Oslo | Note: late'],
    ['<tr><th>Ada<td><td>late</tr>', 'Name: Ada | Note: late'],
    ['<tr><td><p>Ada</p><p>Bo</p><td>O<b>slo</b><td>', 'Name: Ada Bo | City: Oslo'],
    // Joined cells: which column a cell is in is not known.
    ['<tr><td>Ada<td colspan=2>away</tr>', 'Ada | away'],
    [
      '<tr><td>Ada<td>Oslo<td rowspan=2>a</tr><tr><td>Bo<td>Ulm</tr>',
      'Name: Ada | City: Oslo | Note: a\n\nBo | Ulm',
    ],
  ])('says each cell of a row with the name of its column: %s', async (rows, text) => {
    expect(await parse(`<table>${HEADED}${rows}</table>`, 'text/html')).toEqual([
      { headings: [], text },
    ]);
  });

  test('keeps the caption of a table, and what stands around it', async () => {
    const html = `<p>before<table><caption>Who</caption>${HEADED}<tr><td>Ada<td>Oslo<td>late</table>after`;
    expect(await parse(html, 'text/html')).toEqual([
      { headings: [], text: 'before\n\nWho\n\nName: Ada | City: Oslo | Note: late\n\nafter' },
    ]);
  });

  test.each([
    ['no names', '<tr><td>a<td>b<tr><td>c<td>d', 'a | b\n\nc | d'],
    ['no rows', '<tr><th>a<th>b', 'a | b'],
    ['a table inside', '<tr><th>a<th>b<tr><td><table><tr><td>c</table><td>d', 'a | b\n\nc\n\nd'],
    ['long names', `<tr><th>${'a'.repeat(201)}<tr><td>c`, `${'a'.repeat(201)}\n\nc`],
  ])('reads a table with %s as it stands', async (_, rows, text) => {
    expect(await parse(`<table>${rows}</table>`, 'text/html')).toEqual([{ headings: [], text }]);
  });

  test('may be nested to any depth', async () => {
    expect(await parse(`${'<div>'.repeat(20_000)}bottom`, 'text/html')).toEqual([
      { headings: [], text: 'bottom' },
    ]);
    expect(await parse(`${'<table><tr><th>'.repeat(20_000)}bottom`, 'text/html')).toEqual([
      { headings: [], text: 'bottom' },
    ]);
  });

  test('without text has no passages', async () => {
    expect(await parse('<p> </p><img src="x">', 'text/html')).toEqual([]);
  });
});

async function pdfOf(draw: readonly (readonly [string, number, number, number?])[]) {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const page = pdf.addPage([600, 800]);
  for (const [text, x, y, size = 11] of draw) page.drawText(text, { x, y, size, font });
  return pdf.save();
}

describe('PDF', () => {
  test('of two columns is read column by column, with text across both columns between them', async () => {
    const column = (name: string, x: number, top: number) =>
      ['one', 'two', 'three'].map(
        (line, i) => [`The ${name} column says ${line}`, x, top - 14 * i] as const,
      );
    const bytes = await pdfOf([
      ['The yearly report', 50, 760, 22],
      // Drawn row by row, as some programs do.
      ...column('left', 50, 700).flatMap((line, i) => [line, column('right', 320, 700)[i] ?? line]),
      [
        'A line that runs across both columns of the page, from the left side to the right',
        50,
        600,
      ],
      ...column('lower left', 50, 560),
      ...column('lower right', 320, 560),
    ]);
    const [chunk, ...others] = await parseDocument(bytes, 'application/pdf');
    expect(others).toEqual([]);
    expect(chunk?.headings).toEqual(['The yearly report']);
    const places = [
      'left column says three',
      'right column says one',
      'A line that runs',
      'lower left column says one',
      'lower left column says three',
      'lower right column says one',
    ].map((text) => chunk?.text.indexOf(text) ?? -1);
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('joins a word that was divided at the end of a line', async () => {
    const bytes = await pdfOf([
      ['The committee met in the confer-', 50, 700],
      ['ence room of the harbour office.', 50, 686],
    ]);
    expect(await parseDocument(bytes, 'application/pdf')).toEqual([
      { headings: [], text: 'The committee met in the conference room of the harbour office.' },
    ]);
  });

  test('that is not a PDF, is cut off or is empty is refused', async () => {
    const whole = await pdfOf([['Hello', 50, 700]]);
    for (const bytes of [Buffer.from('no pdf'), whole.slice(0, 40)]) {
      await expect(parseDocument(bytes, 'application/pdf')).rejects.toEqual(
        failure('structured_validation_failed'),
      );
    }
  });
});

describe('DOCX', () => {
  test('keeps headings and paragraphs', async () => {
    const bytes = docxOf([
      { text: 'Handbook', level: 1 },
      { text: 'Ana Silva leads the team.' },
      { text: 'Rooms', level: 2 },
      { text: 'The office has two floors.' },
    ]);
    expect(await parseDocument(bytes, DOCX)).toEqual([
      { headings: ['Handbook'], text: 'Ana Silva leads the team.' },
      { headings: ['Handbook', 'Rooms'], text: 'The office has two floors.' },
    ]);
  });

  const paragraphs = [{ text: 'Small.' }];
  const zeros = Buffer.alloc(160 * MIB);
  test.each([
    ['inflates past all bounds', docxOf(paragraphs, [{ name: 'a', bytes: zeros }])],
    [
      'inflates to far more than it is',
      docxOf(paragraphs, [{ name: 'a', bytes: zeros.subarray(0, 32 * MIB) }]),
    ],
    [
      'has more entries than any document',
      zipOf(
        Array.from({ length: 2_001 }, (_, n) => ({ name: String(n), bytes: Buffer.from('x') })),
      ),
    ],
  ])('that %s is too large', async (_what, bytes) => {
    expect(bytes.length).toBeLessThan(MIB);
    await expect(parseDocument(bytes, DOCX)).rejects.toEqual(failure('source_too_large'));
  });

  test('that declares less than its real size is refused', async () => {
    const liar = { name: 'a', bytes: zeros.subarray(0, 32 * MIB), statedSize: 10 };
    await expect(parseDocument(docxOf(paragraphs, [liar]), DOCX)).rejects.toEqual(
      failure('structured_validation_failed'),
    );
  });

  test('that is another kind of zip, or no zip, is refused', async () => {
    for (const bytes of [zipOf([{ name: 'a', bytes: Buffer.from('a') }]), Buffer.from('PK')]) {
      await expect(parseDocument(bytes, DOCX)).rejects.toEqual(
        failure('structured_validation_failed'),
      );
    }
  });
});

describe('a secret in a document', () => {
  const key = Array.from({ length: 60 }, (_, n) => `${n}Ab+/`.repeat(16).slice(0, 64)).join('\n');
  const pem = `-----BEGIN RSA PRIVATE KEY-----\n${key}\n-----END RSA PRIVATE KEY-----`;

  test.each([
    ['text/plain', pem],
    ['text/plain', pem.replace('\n', '\nProc-Type: 4,ENCRYPTED\n\n')],
    ['text/markdown', `\`\`\`\n${pem}\n\`\`\``],
    ['text/html', `<pre>${pem}</pre>`],
  ])('longer than a chunk is masked before it is cut: %s', async (mediaType, secret) => {
    expect(pem.length).toBeGreaterThan(1.5 * CHUNK_CHARACTERS);
    const chunks = await parse(`The key of the boat:\n\n${secret}\n\nKeep it safe.`, mediaType);
    const text = chunks.map((chunk) => chunk.text).join('\n');
    expect(text).toMatch(/^The key of the boat:\s+\[secret\]\s+Keep it safe\.$/);
  });

  test('is masked separately under each heading, and nothing else changes', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    expect(await parse(`# A\n\nUse ${token}.\n\n# B\n\nOne.\n\nTwo.`, 'text/markdown')).toEqual([
      { headings: ['A'], text: 'Use [secret].' },
      { headings: ['B'], text: 'One.\n\nTwo.' },
    ]);
  });
});

describe('chunks', () => {
  test('hold whole sentences, where sentences are short enough', () => {
    const sentences = Array.from({ length: 200 }, (_, n) => `Room ${n} has a window and a door.`);
    const chunks = chunksOf([{ headings: [], text: sentences.join(' ') }]);
    expect(chunks.length).toBeGreaterThan(2);
    for (const { text } of chunks) {
      expect(text.length).toBeLessThanOrEqual(CHUNK_CHARACTERS);
      expect(text).toMatch(/^Room .* door\.$/);
    }
  });

  test('never exceed their size, and lose nothing but white space', () => {
    const block = fc.record({
      headings: fc.array(fc.constantFrom('A', 'B'), { maxLength: 2 }),
      text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }).map(cleanBlock),
    });
    const solid = (texts: readonly { readonly text: string }[]) =>
      texts
        .map(({ text }) => text)
        .join('')
        .replaceAll(/\s/g, '');
    fc.assert(
      fc.property(fc.array(block, { maxLength: 8 }), (blocks) => {
        const present = blocks.filter(({ text }) => text !== '');
        const chunks = chunksOf(present, 60);
        expect(solid(chunks)).toBe(solid(present));
        for (const { text } of chunks) {
          expect(text.length).toBeLessThanOrEqual(60);
          expect(text.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});
