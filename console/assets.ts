/**
 * The style sheet, the script and the icon of the console. Their addresses carry a hash of their content, so browsers may keep
 * them for ever and never use an old one.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export const ASSETS_PATH = '/console/assets';

export interface ConsoleAsset {
  readonly address: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export interface Assets {
  readonly style: ConsoleAsset;
  readonly script: ConsoleAsset;
  readonly icon: ConsoleAsset;
}

const HASH_CHARACTERS = 16;

function read(name: string, extension: string, type: string): ConsoleAsset {
  const bytes = readFileSync(new URL(`public/${name}.${extension}`, import.meta.url));
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_CHARACTERS);
  return { address: `${ASSETS_PATH}/${name}.${hash}.${extension}`, type, bytes };
}

/** Reads the files. Made once, when the application is. */
export function loadAssets(): Assets {
  return {
    style: read('console', 'css', 'text/css; charset=utf-8'),
    script: read('console', 'js', 'text/javascript; charset=utf-8'),
    icon: read('console', 'svg', 'image/svg+xml'),
  };
}
