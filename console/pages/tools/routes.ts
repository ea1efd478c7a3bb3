/** The pages of tools. */
import type { OperationName } from '../../../operations/registry.ts';
import type { PeopleRoute } from '../../design/page.ts';
import { runTool, showTool, showTools, TOOLS_PATH } from './page.ts';

/** What the tools of models do. */
const OF_TOOLS: readonly OperationName[] = [
  'ingestObservation',
  'readContext',
  'search',
  'ask',
  'queryKnowledge',
  'checkReadiness',
  'resolveValidation',
  'tightenAskPreference',
];

export const TOOLS_ROUTES: readonly PeopleRoute[] = [
  { path: TOOLS_PATH, access: 'people', show: showTools, calls: ['readToolRuns'] },
  {
    path: `${TOOLS_PATH}/:tool`,
    access: 'people',
    show: showTool,
    take: runTool,
    calls: [...OF_TOOLS, 'noteToolRun'],
    again: { show: showTool, calls: [] },
  },
];
