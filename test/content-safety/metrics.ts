/** Reads every metrics endpoint of a start. */
import type { StackFiles } from './stack-files.ts';

async function textOf(name: string, port: number, headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers });
  if (response.status !== 200) throw new Error(`${name} answers ${response.status}`);
  return response.text();
}

/** The text of one of our own processes: `metrics` is the API's port, `workerMetrics` the worker's. */
export function readOwnMetrics(
  files: StackFiles,
  name: 'metrics' | 'workerMetrics',
): Promise<string> {
  return textOf(name, files.ports[name] ?? 0);
}

/** The text of each endpoint that the state names, and of Qdrant's. All of them must answer. */
export async function readMetrics(files: StackFiles): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const [name, port] of Object.entries(files.ports)) {
    if (/metrics$/i.test(name)) texts.set(name, await textOf(name, port));
  }
  const key = { 'api-key': files.secrets.qdrantApiKey };
  texts.set('qdrant', await textOf('qdrant', files.ports['qdrant'] ?? 0, key));
  return texts;
}
