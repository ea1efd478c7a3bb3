/** Looks for canaries in text, bytes, files and decoded values, and names each with the place it was found in. */
import { readFileSync } from 'node:fs';
import { leavesOf } from './leaves.ts';
import { unwrap } from './unwrap.ts';

export interface Finding {
  readonly canary: string;
  readonly place: string;
}

export interface Scanner {
  /** Scans text or bytes, in every wrapping. */
  scan(place: string, data: string | Uint8Array): void;
  /** Scans everything in a value: keys, strings and bytes at any depth. */
  scanValue(place: string, value: unknown): void;
  /** Scans a file as it is on the disk. Throws when there is none: nothing is passed over. */
  scanFile(place: string, path: string): void;
  /** Each canary with each place, once, in order. */
  readonly findings: readonly Finding[];
  /** `place: bytes` of all that was looked at, so that a test can tell that it was not nothing. */
  readonly scanned: ReadonlyMap<string, number>;
}

interface Needle {
  readonly canary: string;
  readonly text: string;
}

/** Base64 of a text inside a longer one depends on where it begins; the outer characters depend on the rest. */
function base64Forms(text: string): string[] {
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.from(`${'\0'.repeat(shift)}${text}`).toString('base64');
    return encoded.replaceAll('=', '').slice(shift === 0 ? 0 : shift + 1, -1);
  });
}

function halves(text: string): string[] {
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

/** Halves, because a text may be cut short or lie on two pages of a database file. */
function needlesOf(canaries: Readonly<Record<string, string>>) {
  const parts = Object.entries(canaries).flatMap(([canary, text]) =>
    halves(text).map((part) => ({ canary, part })),
  );
  const folded: Needle[] = parts.flatMap(({ canary, part }) => [
    { canary, text: part.toLowerCase() },
    { canary, text: Array.from(part.toLowerCase()).join('\0') },
    { canary, text: Buffer.from(part).toString('hex') },
  ]);
  const exact: Needle[] = parts.flatMap(({ canary, part }) =>
    base64Forms(part).map((text) => ({ canary, text })),
  );
  return { folded, exact };
}

/** A scanner for `canaries`: a text for each name. */
export function createScanner(canaries: Readonly<Record<string, string>>): Scanner {
  const { folded, exact } = needlesOf(canaries);
  const findings = new Map<string, Finding>();
  const scanned = new Map<string, number>();

  function search(place: string, text: string, needles: readonly Needle[]): void {
    for (const { canary, text: needle } of needles) {
      if (text.includes(needle)) findings.set(`${canary}\n${place}`, { canary, place });
    }
  }

  const scan: Scanner['scan'] = (place, data) => {
    const bytes = typeof data === 'string' ? Buffer.from(data) : Buffer.from(data);
    scanned.set(place, (scanned.get(place) ?? 0) + bytes.length);
    for (const layer of unwrap(bytes)) {
      const text = layer.toString('latin1');
      search(place, text, exact);
      search(place, text.toLowerCase(), folded);
    }
  };

  return {
    scan,
    scanValue(place, value) {
      // Leaves lie apart, so that no text is found that two of them make together.
      const leaves = [...leavesOf(value)].map(({ value: leaf }) => Buffer.from(leaf));
      scan(place, Buffer.concat(leaves.flatMap((leaf) => [leaf, Buffer.from('\n')])));
    },
    scanFile: (place, path) => scan(place, readFileSync(path)),
    get findings() {
      return [...findings.values()].toSorted((a, b) =>
        `${a.canary} ${a.place}`.localeCompare(`${b.canary} ${b.place}`),
      );
    },
    scanned,
  };
}
