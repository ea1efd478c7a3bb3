/**
 * Ends what a library left on standard output. The log of slonik's library listens for errors of it from the moment it
 * is loaded: once in a process of the service, but once for every test file in a worker of jest, whose files share
 * the process and load every module anew.
 */
import { afterAll } from '@jest/globals';

afterAll(() => Object(Reflect.get(globalThis, 'ROARR')).teardown?.());
