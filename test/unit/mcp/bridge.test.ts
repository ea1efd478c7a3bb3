/** The bridge between standard input and output and `/mcp`, against a server that belongs to the test. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { runBridge } from '../../../cli/mcp/bridge.ts';
import { readKeyFile } from '../../../cli/mcp/key-file.ts';

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
});

async function serve(handle: RequestListener): Promise<string> {
  server = createServer(handle).listen(0, '127.0.0.1');
  await new Promise((resolve) => server?.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Hold = (frames: readonly string[], taken: number) => boolean;

/** The client sends a piece once `mayFollow` holds for the frames that have come and the pieces that were taken. */
async function* pieces(
  texts: readonly string[],
  frames: readonly string[],
  mayFollow: Hold,
): AsyncGenerator<string> {
  for (const [taken, text] of texts.entries()) {
    while (!mayFollow(frames, taken)) await new Promise((resolve) => setImmediate(resolve));
    yield text;
  }
}

async function bridged(url: string, texts: readonly string[], mayFollow: Hold = () => true) {
  const frames: string[] = [];
  const errors: string[] = [];
  await runBridge({
    url,
    key: 'the-key',
    lines: pieces(texts, frames, mayFollow),
    out: (text) => frames.push(text),
    err: (text) => errors.push(text),
    signal: new AbortController().signal,
  });
  expect(frames.every((frame) => /^\{.*\}\n$/.test(frame))).toBe(true);
  return { frames: frames.map((frame): unknown => JSON.parse(frame)), errors };
}

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

describe('the bridge', () => {
  test('posts each line with the key and the revision that was agreed on', async () => {
    const seen: unknown[] = [];
    const url = await serve((request, response) => {
      seen.push([request.headers.authorization, request.headers['mcp-protocol-version']]);
      response.setHeader('content-type', 'application/json');
      response.end('{"jsonrpc":"2.0","id":1,\n"result":{"protocolVersion":"2025-03-26"}}');
    });
    const { frames } = await bridged(
      url,
      [PING.slice(0, 9), `${PING.slice(9)}\n`, `${PING}\r\n`],
      (answers, taken) => taken < 2 || answers.length === 1,
    );
    expect(frames).toHaveLength(2);
    expect(seen).toEqual([
      ['Bearer the-key', undefined],
      ['Bearer the-key', '2025-03-26'],
    ]);
  });

  test('makes a line of each event, and none of comments or notifications', async () => {
    const url = await serve((request, response) => {
      let body = '';
      request.on('data', (piece) => (body += String(piece)));
      request.on('end', () => {
        if (!body.includes('"id"')) return void response.writeHead(202).end();
        response.setHeader('content-type', 'text/event-stream; charset=utf-8');
        response.end(
          ':\n\nevent: message\ndata: {"a":1}\n\n:\n\nevent: message\ndata: {"b":2}\n\n',
        );
      });
    });
    const quiet = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
    expect((await bridged(url, [`${quiet}\n${PING}\n`])).frames).toEqual([{ a: 1 }, { b: 2 }]);
  });

  test('tells the client of refusals, silence and broken lines, by the id that waits', async () => {
    const url = await serve((_, response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end('{"error":"Unauthorized.","code":"unauthorized"}');
    });
    const { errors, frames } = await bridged(url, [`${PING}\n`, 'no json\n']);
    // Answers come in any order.
    expect(new Set(frames)).toEqual(
      new Set([
        {
          jsonrpc: '2.0',
          id: 1,
          error: {
            code: -32_000,
            message: 'Unauthorized.',
            data: { code: 'unauthorized', status: 401 },
          },
        },
        { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'A line is not JSON.' } },
      ]),
    );
    expect(errors.join('')).not.toContain('the-key');
    const away = await bridged('http://127.0.0.1:1', [PING]);
    expect(away.frames).toMatchObject([{ id: 1, error: { code: -32_000 } }]);
  });

  test('does not carry the key to where a server sends it on', async () => {
    const url = await serve((request, response) => {
      response.writeHead(request.url === '/mcp' ? 307 : 200, { location: '/elsewhere' }).end();
    });
    expect((await bridged(url, [PING])).frames).toMatchObject([{ error: { code: -32_000 } }]);
  });

  test('ends a request that the client cancels, and says nothing more of it', async () => {
    let isThere = false;
    const left = Promise.withResolvers<void>();
    const url = await serve((_, response) => {
      isThere = true;
      response.once('close', left.resolve);
    });
    const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
    const { frames } = await bridged(
      url,
      [`${PING}\n`, `${cancel}\n`],
      (_, taken) => taken === 0 || isThere,
    );
    expect(frames).toEqual([]);
    await left.promise;
  });
});

test('a key file is a key, or the credentials of a start; errors quote nothing of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-key-'));
  const path = join(folder, 'key');
  const read = (text: string) => {
    writeFileSync(path, text);
    return readKeyFile(path);
  };
  try {
    expect(await read('vch_abc\n')).toEqual({ key: 'vch_abc', url: null });
    const credentials = { base_url: 'http://127.0.0.1:4001', agent: { api_key: 'vch_x' } };
    expect(await read(JSON.stringify(credentials))).toEqual({
      key: 'vch_x',
      url: 'http://127.0.0.1:4001',
    });
    for (const text of ['', 'two words', '{"secret":1}', '{secret', 'a\nsecret']) {
      await expect(read(text)).rejects.toThrow(/^The file of --key-file holds no /);
    }
    await expect(readKeyFile(join(folder, 'none'))).rejects.toThrow('not readable');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
