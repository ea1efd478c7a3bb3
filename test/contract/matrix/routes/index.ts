/** The tables of all routes, in the order in which they are asked: first reads, and last what changes rows. */
import { CIRCLES } from './circles.ts';
import { HOLDS } from './holds.ts';
import { OPERATORS } from './operators.ts';
import { DESK_READS } from './desk-reads.ts';
import { DESK } from './desk.ts';
import { SELF } from './people.ts';
import { QUESTIONS } from './questions.ts';
import { READS } from './reads.ts';
import type { RouteTable } from './route-table.ts';
import { RULES } from './rules.ts';
import { SKILLS } from './skills.ts';
import { OPEN, WRITES } from './writes.ts';

const turnOf = ({ isLate = false, route }: RouteTable): number =>
  Number(isLate) + Number(isLate && !route.startsWith('GET'));

export const ROUTE_TABLES: readonly RouteTable[] = [
  ...READS,
  ...SELF,
  ...QUESTIONS,
  ...DESK,
  ...DESK_READS,
  ...RULES,
  ...SKILLS,
  ...CIRCLES,
  ...HOLDS,
  ...OPERATORS,
  ...WRITES,
  ...OPEN,
].toSorted((a, b) => turnOf(a) - turnOf(b));
