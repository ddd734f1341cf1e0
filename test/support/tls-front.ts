import { request } from 'node:http';
import { type Certificate, listenOnLoopback } from '../../src/testing/loopback.ts';

/** A proxy that ends TLS in front of a plain server, as a merchant's nginx or Caddy does. */
export function openTlsFront(target: string, certificate: Certificate) {
  return listenOnLoopback(
    (incoming, outgoing) => {
      const { method, headers, url = '/' } = incoming;
      const passed = request(new URL(url, target), { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      passed.on('error', () => {
        if (!outgoing.headersSent) outgoing.writeHead(502);
        outgoing.end();
      });
      incoming.pipe(passed);
    },
    0,
    certificate,
  );
}
