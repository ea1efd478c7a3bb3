import { stopTestServers } from './servers.ts';

export default async function globalTeardown(): Promise<void> {
  await stopTestServers();
}
