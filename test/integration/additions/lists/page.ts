/** A page of the console over operations that exist: the scopes that a person may read, as a plain list. */
import type { Edit } from '../scratch.ts';

const PAGE = `/** Places: the scopes that the viewer may read, as a plain list. */
import { html, written } from '../../design/markup.ts';
import type { PeopleRoute } from '../../design/page.ts';

export const PLACES_ROUTE: PeopleRoute = {
  path: '/console/places',
  access: 'people',
  calls: ['listScopes'],
  async show({ call }) {
    const { items } = await call('listScopes', { within: null, cursor: null });
    return {
      title: 'Places',
      main: html\`<h1>Places</h1>
        <ul>
          \${items.map(({ path }) => html\`<li>\${written(path)}</li>\`)}
        </ul>\`,
    };
  },
};
`;

const TEST = `/** The list of places names what the viewer may read, and nothing else. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeWithoutErrors, openScene, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => closeWithoutErrors(scene?.service));

test('a reader sees the scopes that the reader may read', async () => {
  const page = await (await scene.signedIn('reader')).open('/console/places');
  expect(page.text).toContain('/team');
});
`;

export const PAGE_LIST: readonly Edit[] = [
  { file: 'console/pages/places/page.ts', insert: PAGE },
  {
    file: 'console/routes.ts',
    before: 'import { SCOPES_ROUTE }',
    insert: "import { PLACES_ROUTE } from './pages/places/page.ts';\n",
  },
  { file: 'console/routes.ts', before: '  SCOPES_ROUTE,\n', insert: '  PLACES_ROUTE,\n' },
  {
    file: 'test/contract/matrix/pages/tables.ts',
    before: '/** Pages of a scope that the address names. */',
    insert: `const PLACES: readonly PageTable[] = [
  page('/console/places', 'interface 4: browser routes, human session'),
];

`,
  },
  {
    file: 'test/contract/matrix/pages/tables.ts',
    before: '  ...OF_SCOPE,\n',
    insert: '  ...PLACES,\n',
  },
  {
    file: 'test/browser/accessibility.test.ts',
    before: "  ['admin', () => '/console/scopes'],\n",
    insert: "  ['reader', () => '/console/places'],\n",
  },
  { file: 'test/console/places.test.ts', insert: TEST },
];
