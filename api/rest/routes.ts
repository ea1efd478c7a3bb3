/** Every REST route of the service. */
import type { Route } from './route.ts';
import { GOVERNANCE_ROUTES } from './routes/governance.ts';
import { OBSERVATION_ROUTES } from './routes/observations.ts';
import { PEOPLE_ROUTES } from './routes/people.ts';
import { READ_ROUTES } from './routes/reads.ts';
import { SERVICE_ROUTES } from './routes/service.ts';

export const ROUTES: readonly Route[] = [
  ...SERVICE_ROUTES,
  ...OBSERVATION_ROUTES,
  ...READ_ROUTES,
  ...PEOPLE_ROUTES,
  ...GOVERNANCE_ROUTES,
];
