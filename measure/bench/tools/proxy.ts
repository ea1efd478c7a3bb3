/** A proxy on loopback that adds the key, for clients that cannot be given one. Host and origin stay as they were sent. */
import { createServer, request as httpRequest, type Server } from 'node:http';

/** Forwards every request to the service at `url` with `key`; answers the listening server. */
export async function startKeyProxy(url: string, key: string, port: number): Promise<Server> {
  const { hostname, port: target } = new URL(url);
  const server = createServer((asked, answered) => {
    const forwarded = httpRequest(
      {
        hostname,
        port: target,
        path: asked.url,
        method: asked.method,
        headers: { ...asked.headers, authorization: `Bearer ${key}` },
      },
      (answer) => {
        answered.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(answered);
      },
    );
    forwarded.once('error', () => answered.destroy());
    asked.pipe(forwarded);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}
