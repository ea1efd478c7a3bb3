/** Faults that the tests must find, one for each part of the product, `npm run test:planted` plants them one by one. */
import type { Fault } from './fault.ts';
import { OF_AUDIENCES } from './faults/audiences.ts';
import { OF_THE_DESK } from './faults/desk.ts';
import { DOORS } from './faults/doors.ts';
import { READING } from './faults/reading.ts';
import { WRITING } from './faults/writing.ts';

export const FAULTS: readonly Fault[] = [
  ...READING,
  ...WRITING,
  ...DOORS,
  ...OF_AUDIENCES,
  ...OF_THE_DESK,
];
