/** The end of a session. */
import type { PeopleRoute } from '../../design/page.ts';

export const SIGN_OUT_ROUTE: PeopleRoute = {
  path: '/sign-out',
  access: 'people',
  calls: ['endBrowserSession'],
  async take({ call }) {
    await call('endBrowserSession', {});
    return { to: '/sign-in', session: null };
  },
};
