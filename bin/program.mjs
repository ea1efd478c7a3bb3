/** `node bin/program.mjs <api|worker>`: one process of the service, from its bundle where it was made of these sources. */
import './compile-cache.mjs';
import { addressOfProgram, PROGRAMS } from '../runtime/programs/prebuilt.ts';

const name = process.argv[2];
if (PROGRAMS.includes(name)) {
  await import(addressOfProgram(name, process.env));
} else {
  process.stderr.write(`Name a program: ${PROGRAMS.join(', ')}.\n`);
  process.exitCode = 2;
}
