/** A setting that a process cannot work without. */
import { PreconditionError } from '../../stores/postgres/precondition-error.ts';

/** @throws PreconditionError with the name of the setting where it is not set. */
export function needed(value: string | undefined, name: string): string {
  if (value !== undefined) return value;
  throw new PreconditionError(`${name} is not set. npm start and docker-compose.yml set it.`);
}
