/** A line to a server that can be cut: nobody listens, or somebody listens and nothing passes. For any protocol on TCP. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type LineState = 'whole' | 'cut' | 'silent';

export interface CutLine {
  /** Where clients connect, on 127.0.0.1. */
  readonly port: number;
  become(state: LineState): Promise<void>;
  close(): Promise<void>;
}

/** Opens a line to a port of 127.0.0.1. */
export async function openLine(toPort: number): Promise<CutLine> {
  const sockets = new Set<Socket>();
  let state: LineState = 'whole';
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((near) => {
    keep(near);
    if (state === 'silent') return void near.resume();
    const far = keep(connect(toPort, '127.0.0.1'));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const silence = async (): Promise<void> => {
    const closed = server.listening ? once(server, 'close') : null;
    if (closed !== null) server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const port = await listen(0);
  return {
    port,
    async become(next) {
      state = next;
      await silence();
      if (next !== 'cut') await listen(port);
    },
    close: silence,
  };
}
