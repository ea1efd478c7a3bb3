#!/usr/bin/env node
/**
 * Starts the command line under a Node that reads TypeScript. An older system Node hands over to the Node that was
 * installed with the packages; this file itself runs on either.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import './compile-cache.mjs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 18)) {
  await import('./vouch.ts');
} else {
  const node = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
  const entry = fileURLToPath(new URL('./vouch.ts', import.meta.url));
  const child = spawn(node, [entry, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to the child itself; SIGTERM goes to this process alone and is passed on.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('error', () => {
    process.stderr.write('vouch needs Node 22.18 or newer. Run npm ci first.\n');
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exitCode = code ?? 1;
    else process.kill(process.pid, signal);
  });
}
