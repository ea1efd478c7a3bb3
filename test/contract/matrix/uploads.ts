/** Documents of the matrix, from their bytes to the end of their extraction. */
import { eventually } from '../../support/patience.ts';
import { dataOf, type Body, type Service } from '../../support/service.ts';

export interface Uploaded {
  readonly documentId: string;
  readonly versionId: string;
}

/** Sends one and returns once all of it was read. */
export async function uploaded(service: Service, token: string, body: Body): Promise<Uploaded> {
  const path = '/api/v1/documents';
  const json = { media_type: 'text/plain', ...body };
  const { document_id: documentId, document_version_id: versionId } = dataOf(
    await service.call({ path, token, json }),
  );
  const waits = { path: `${path}/${String(versionId)}?wait_ms=10000`, token };
  return eventually(async () => {
    const { status } = dataOf(await service.call(waits));
    if (status === 'terminal' || status === 'repairable') throw new Error(`it ended ${status}`);
    return (
      status === 'completed' && { documentId: String(documentId), versionId: String(versionId) }
    );
  });
}
