/** The pages about sources, and their forms. */
import type { Onward, PageOfViewer, PeopleRoute } from '../../page.ts';
import { idIn } from '../refused.ts';
import { showConnectors, showObservations, showSessions } from './conversations.ts';
import { showDocuments } from './documents.ts';
import { showObservation, showVersion, takeRequeue } from './outcomes.ts';
import { SOURCES_PATH } from './parts.ts';
import { showUpload, takeUpload, UPLOAD_FIELDS } from './upload.ts';

async function withdraw({ call, params }: PageOfViewer): Promise<Onward> {
  await call('withdrawDocument', { document_id: idIn(params) });
  return { to: `${SOURCES_PATH}?done=withdrawn` };
}

const page = (path: string, show: PeopleRoute['show']): PeopleRoute => ({
  path: SOURCES_PATH + path,
  access: 'people',
  ...(show && { show }),
});

export const SOURCES_ROUTES: readonly PeopleRoute[] = [
  page('', showDocuments),
  page('/sessions', showSessions),
  page('/observations', showObservations),
  page('/connectors', showConnectors),
  page('/versions/:id', showVersion),
  page('/observations/:id', showObservation),
  {
    ...page('/upload', showUpload),
    take: takeUpload,
    again: showUpload,
    fileFields: UPLOAD_FIELDS,
  },
  {
    ...page('/documents/:id/withdraw', undefined),
    take: withdraw,
    again: showDocuments,
  },
  {
    ...page('/observations/:id/requeue', undefined),
    take: takeRequeue,
    again: showObservation,
  },
];
