/** The description of this service's own HTTP interface, as text. */
import type { OperationTable } from '../../operations/registry.ts';
import { ROUTES } from '../rest/routes.ts';
import { openApiDescription } from './description.ts';
import { APP_VERSION } from './version.ts';

/** The description for these operations, as it is served and committed: JSON with a line break at its end. */
export function openApiText(operations: OperationTable): string {
  return `${JSON.stringify(openApiDescription(ROUTES, operations, APP_VERSION), null, 2)}\n`;
}
