/** Routes of the forms of one page. */
import type { OperationName } from '../operations/registry.ts';
import type { Onward, PeopleRoute, ViewerRequest } from './design/page.ts';

/** Adds a form: where it is sent below the page, the one operation that it calls, and what is done with what was sent. */
export type AddForm = (
  name: string,
  operation: OperationName,
  take: (request: ViewerRequest) => Promise<Onward>,
) => PeopleRoute;

/** For the page at `path`, which is shown again, with what was wrong, when a form of it is refused. */
export function formsOf(path: string, page: NonNullable<PeopleRoute['again']>): AddForm {
  return (name, operation, take) => ({
    path: `${path}/${name}`,
    access: 'people',
    calls: [operation],
    take,
    again: page,
  });
}
