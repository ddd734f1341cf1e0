import { createConnection } from 'node:net';
import type { Chance } from './chance.ts';
import type { Stage } from './stage.ts';

/** Bytes no HTTP client would send. */
export function makeRaw({ routes, url }: Stage, chance: Chance): Buffer {
  const path = chance.one(routes).path.replace(/:\w+/g, 'tienda');
  const { host } = new URL(url);
  const head = (line: string, ...more: string[]) =>
    `${[line, `Host: ${host}`, ...more].join('\r\n')}\r\n\r\n`;
  const post = `POST ${path} HTTP/1.1`;
  return Buffer.from(
    chance.one([
      `GET ${path}\r\n\r\n`,
      `GET ${path} HTTP/1.1\r\n\r\n`,
      head(`GET ${path} HTTP/9.9`),
      head(`GET http://evil.example${path} HTTP/1.1`, 'Connection: close'),
      head(`GET //evil.example${path} HTTP/1.1`, 'Connection: close'),
      head(`OPTIONS * HTTP/1.1`, 'Connection: close'),
      head(`CONNECT evil.example:443 HTTP/1.1`),
      `${head(post, 'Content-Length: 100')}{"id":`,
      `${head(post, 'Content-Length: 5', 'Content-Length: 6')}{"id":1}`,
      `${head(post, 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\nGET / HTTP/1.1\r\n\r\n`,
      `${head(post, 'Transfer-Encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n`,
      `${head(post, 'Transfer-Encoding: chunked')}ffffffff\r\n{}`,
      head(post, 'Content-Length: -1'),
      `${head(post, 'Expect: 100-continue', 'Content-Length: 2', 'Connection: close')}{}`,
      head(post, 'Expect: something', 'Content-Length: 0'),
      head(`GET ${path} HTTP/1.1`, 'Upgrade: websocket', 'Connection: Upgrade'),
      head(`GET ${path} HTTP/1.1`, `X-Long: ${'x'.repeat(20_000)}`),
      head(`GET ${path}${'a'.repeat(20_000)} HTTP/1.1`),
      head(`GET ${path} HTTP/1.1`, 'no colon here'),
      head(`GET ${path} HTTP/1.1`, 'A: \u0000'),
      head(
        `GET ${path} HTTP/1.1`,
        ...Array.from({ length: 3_000 }, (_, at) => `A${at}: b`),
        'Connection: close',
      ),
      `GET ${path} HTTP/1.1\nHost: ${host}\n\n`,
      `\u0016\u0003\u0001\u0002\u0000\u0001\u0000`,
      `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
    ]),
    'latin1',
  );
}

/** Writes the bytes, says no more, and reads until the server closes; null when it does not within `ms`. */
export function sendRaw(port: number, bytes: Buffer, ms: number): Promise<string | null> {
  return new Promise((resolve) => {
    let text = '';
    const socket = createConnection({ port, host: '127.0.0.1' });
    const late = setTimeout(() => {
      socket.destroy();
      resolve(null);
    }, ms);
    const done = () => {
      clearTimeout(late);
      resolve(text);
    };
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part;
    });
    // A reset is an answer too.
    socket.on('error', done).on('close', done);
    socket.end(bytes);
  });
}
