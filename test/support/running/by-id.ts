/** Every operation of the product by its id, also those that only the command line offers. */
import { readdirSync } from 'node:fs';
import type { Operation } from '../../../operations/operation.ts';

const OPERATIONS = new URL('../../../operations/', import.meta.url);

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'id' in value && 'run' in value;
}

/** Loads them. */
export async function operationsById(): Promise<ReadonlyMap<string, Operation>> {
  const paths = readdirSync(OPERATIONS, { recursive: true, encoding: 'utf8' });
  const modules: unknown[] = await Promise.all(
    paths.filter((path) => path.endsWith('.ts')).map((path) => import(`${OPERATIONS.href}${path}`)),
  );
  const found = modules.flatMap((loaded) => Object.values(Object(loaded)).filter(isOperation));
  return new Map(found.map((operation) => [operation.id, operation]));
}
