/** A zip file, written by hand so that it may lie. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** What the entry says of its inflated size; the truth when left out. */
  readonly statedSize?: number;
}

function header(entry: ZipEntry, packed: Uint8Array, central: boolean, offset: number): Buffer {
  const name = Buffer.from(entry.name);
  const fixed = Buffer.alloc(central ? 46 : 30);
  fixed.writeUInt32LE(central ? 0x02014b50 : 0x04034b50, 0);
  const shared = central ? 6 : 4;
  fixed.writeUInt16LE(20, shared);
  fixed.writeUInt16LE(8, shared + 4);
  fixed.writeUInt32LE(crc32(entry.bytes), shared + 10);
  fixed.writeUInt32LE(packed.length, shared + 14);
  fixed.writeUInt32LE(entry.statedSize ?? entry.bytes.length, shared + 18);
  fixed.writeUInt16LE(name.length, shared + 22);
  if (central) {
    fixed.writeUInt16LE(20, 4);
    fixed.writeUInt32LE(offset, 42);
  }
  return Buffer.concat([fixed, name]);
}

/** The bytes of a zip with these entries, deflated. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const packed = deflateRawSync(entry.bytes, { level: 9 });
    const local = Buffer.concat([header(entry, packed, false, 0), packed]);
    directory.push(header(entry, packed, true, offset));
    bodies.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, central, end]);
}

const TYPES = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
const RELATIONS = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`;

/** A DOCX of paragraphs; those with a level are headings. `more` entries come along. */
export function docxOf(
  paragraphs: readonly { readonly text: string; readonly level?: number }[],
  more: readonly ZipEntry[] = [],
): Buffer {
  const body = paragraphs.map(({ text, level }) => {
    const style = level === undefined ? '' : `<w:pPr><w:pStyle w:val="Heading${level}"/></w:pPr>`;
    return `<w:p>${style}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
  });
  const document = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body.join('')}</w:body></w:document>`;
  const part = (name: string, text: string): ZipEntry => ({ name, bytes: Buffer.from(text) });
  return zipOf([
    part('[Content_Types].xml', TYPES),
    part('_rels/.rels', RELATIONS),
    part('word/document.xml', document),
    ...more,
  ]);
}
