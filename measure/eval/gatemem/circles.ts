/** Writes circles, as a curator of the application does. */
import type { Access } from '../../bench/client.ts';
import type { WrittenCircle } from './sending.ts';

const REQUEST_TIMEOUT_MS = 30_000;
const PATH = '/api/v1/governance/circles';

/** Throws, with the status, on anything but success. */
export function circleWriter({
  apiKey,
  baseUrl,
}: Access): (circle: WrittenCircle) => Promise<void> {
  return async (circle) => {
    const response = await fetch(`${baseUrl}${PATH}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(circle),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`${PATH} answered ${response.status}`);
  };
}
