/** The pages about sources, and their forms. */
import type { Onward, ViewerRequest, PeopleRoute } from '../../design/page.ts';
import { idIn } from '../refused.ts';
import { showConnectors, showObservations, showSessions } from './conversations.ts';
import { showDocuments } from './documents.ts';
import { showObservation, showVersion, takeRequeue } from './outcomes.ts';
import { SOURCES_PATH } from './parts.ts';
import { showUpload, takeUpload, UPLOAD_FIELDS } from './upload.ts';

async function withdraw({ call, params }: ViewerRequest): Promise<Onward> {
  await call('withdrawDocument', { document_id: idIn(params) });
  return { to: `${SOURCES_PATH}?done=withdrawn` };
}

const page = (
  path: string,
  show: NonNullable<PeopleRoute['show']>,
  calls: PeopleRoute['calls'],
): PeopleRoute => ({ path: SOURCES_PATH + path, access: 'people', show, calls });

const DOCUMENTS = page('', showDocuments, ['listReadableScopes', 'listDocuments']);
const OBSERVATION = page('/observations/:id', showObservation, ['readIngestStatus']);

export const SOURCES_ROUTES: readonly PeopleRoute[] = [
  DOCUMENTS,
  OBSERVATION,
  page('/sessions', showSessions, ['listReadableScopes', 'listSessions']),
  page('/observations', showObservations, ['listReadableScopes', 'listObservations']),
  page('/connectors', showConnectors, []),
  page('/versions/:id', showVersion, ['readDocumentStatus']),
  {
    ...page('/upload', showUpload, ['listReadableScopes', 'submitDocument']),
    take: takeUpload,
    again: { show: showUpload, calls: ['listReadableScopes'] },
    fileFields: UPLOAD_FIELDS,
  },
  {
    path: `${SOURCES_PATH}/documents/:id/withdraw`,
    access: 'people',
    calls: ['withdrawDocument'],
    take: withdraw,
    again: { show: showDocuments, calls: DOCUMENTS.calls },
  },
  {
    path: `${SOURCES_PATH}/observations/:id/requeue`,
    access: 'people',
    calls: ['requeueExtraction'],
    take: takeRequeue,
    again: { show: showObservation, calls: OBSERVATION.calls },
  },
];
