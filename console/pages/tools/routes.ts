/** The pages of tools. */
import type { PeopleRoute } from '../../page.ts';
import { runTool, showTool, showTools, TOOLS_PATH } from './page.ts';

export const TOOLS_ROUTES: readonly PeopleRoute[] = [
  { path: TOOLS_PATH, access: 'people', show: showTools },
  { path: `${TOOLS_PATH}/:tool`, access: 'people', show: showTool, take: runTool, again: showTool },
];
