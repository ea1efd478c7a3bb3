/**
 * Node keeps what it has compiled of our TypeScript, and of the packages, beside the packages, and reads it at the next
 * start: a command of `vouch` then takes about half the processor time until it begins. The processes that a start
 * runs use the same folder. Where the folder cannot be written, and under a Node without such a cache, nothing is kept.
 */
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const directory =
  process.env.NODE_COMPILE_CACHE ??
  fileURLToPath(new URL('../node_modules/.cache/vouch', import.meta.url));
module.enableCompileCache?.(directory);
process.env.NODE_COMPILE_CACHE = directory;
