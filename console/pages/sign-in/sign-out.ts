/** The end of a session. */
import type { PeopleRoute } from '../../page.ts';

export const SIGN_OUT_ROUTE: PeopleRoute = {
  path: '/sign-out',
  access: 'people',
  calls: ['endSession'],
  async take({ call }) {
    await call('endSession', {});
    return { to: '/sign-in', session: null };
  },
};
