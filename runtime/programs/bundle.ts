/** Makes the bundles of the programs: each program's code, with that of its packages, in a few files. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Loader, type OnLoadResult, type Plugin } from 'esbuild';
import { SOURCES } from './inputs.ts';
import { folderOfPrograms, PROGRAMS, PROGRAMS_FOLDER } from './prebuilt.ts';

/**
 * Packages that stay where they are: native ones, those that start threads or read files beside their code, those of
 * Temporal, whose errors are told by their classes and which load our converters by path, jsonc-parser, which asks for
 * its own files by a `require` that the bundler does not follow, and the tagger of English with its data, which only
 * what draws statements loads.
 */
const OUTSIDE = [
  '@temporalio/*',
  '@node-rs/argon2',
  'jsonc-parser',
  'pino',
  'piscina',
  'swagger-ui-dist',
  'wink-eng-lite-web-model',
  'wink-nlp',
];
/** What the code of a package says that depends on where it is. */
const DEPENDS_ON_PLACE =
  /\b(?:__dirname|__filename|import\.meta|require\.resolve)\b|new Worker\(|\.node['"]/;
const OWN_ADDRESS = 'import.meta.url';
/** Packages in CommonJS ask for Node's own modules by `require`. */
const BANNER =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";
/** Folders of bundles that are kept: a process of an earlier one may still load a part of it. */
const KEPT_FOLDERS = 4;

/** A file of ours keeps its own address, so that what it reads or starts beside itself is found. */
function ownCode(path: string): OnLoadResult {
  const text = readFileSync(path, 'utf8');
  const address = JSON.stringify(pathToFileURL(path).href);
  return { contents: text.replaceAll(OWN_ADDRESS, address), loader: 'ts' };
}

function packagesCode(path: string): OnLoadResult {
  const text = readFileSync(path, 'utf8');
  const loader: Loader = path.endsWith('.json') ? 'json' : 'js';
  if (loader === 'json' || !DEPENDS_ON_PLACE.test(text)) return { contents: text, loader };
  return { errors: [{ text: `${path} depends on where it is: its package stays outside` }] };
}

const places: Plugin = {
  name: 'places',
  setup(bundler) {
    bundler.onLoad({ filter: /\.(?:ts|js|mjs|cjs|json)$/ }, ({ path }) =>
      path.includes('/node_modules/') ? packagesCode(path) : ownCode(path),
    );
  },
};

/** When the folder was made; long ago where another process has renamed or removed it meanwhile. */
const madeAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Removes all folders but the current one and those that were made last. */
function removeOld(within: string, current: string): void {
  const others = readdirSync(within)
    .map((name) => join(within, name))
    .filter((path) => path !== current);
  const age = new Map(others.map((path) => [path, madeAt(path)]));
  const byAge = others.toSorted((a, b) => (age.get(b) ?? 0) - (age.get(a) ?? 0));
  for (const path of byAge.slice(KEPT_FOLDERS - 1)) rmSync(path, { recursive: true, force: true });
}

/** Bundles the programs into the folder, which is there as a whole afterwards. */
async function bundleInto(folder: string): Promise<void> {
  const part = `${folder}.${process.pid}.part`;
  mkdirSync(part, { recursive: true });
  await build({
    absWorkingDir: SOURCES,
    entryPoints: PROGRAMS.map((name) => `bin/${name}.ts`),
    outdir: part,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: `node${process.versions.node}`,
    // Errors are told by the names of their classes.
    keepNames: true,
    external: OUTSIDE,
    banner: { js: BANNER },
    plugins: [places],
    logLevel: 'error',
  });
  try {
    renameSync(part, folder);
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    // Another process may have been first with the same code; anything else is a failure.
    if (!existsSync(folder)) throw error;
  }
}

/**
 * Bundles the programs of sources with the digest, unless it has been done, and answers where they are. Several may do it at
 * once. Throws what the bundler throws when it cannot.
 */
export async function bundlePrograms(digest: string, within = PROGRAMS_FOLDER): Promise<string> {
  const folder = folderOfPrograms(digest, within);
  if (!existsSync(folder)) await bundleInto(folder);
  removeOld(within, folder);
  return folder;
}
