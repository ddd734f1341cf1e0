import { Agent, request } from 'node:http';
import { type Certificate, listenOnLoopback } from '../../sandbox/shops/loopback.ts';

/** Connections are not kept: none is left over to a process that stops. */
const agent = new Agent({ keepAlive: false });

/** A proxy in front of a plain server, as a merchant's nginx or Caddy; `target` is asked anew for each request. */
export function openFront(
  target: () => string,
  { port = 0, tls }: { port?: number; tls?: Certificate } = {},
) {
  return listenOnLoopback(
    (incoming, outgoing) => {
      const { method, headers, url = '/' } = incoming;
      const passed = request(new URL(url, target()), { method, headers, agent }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      passed.on('error', () => {
        if (!outgoing.headersSent) outgoing.writeHead(502);
        outgoing.end();
      });
      incoming.pipe(passed);
    },
    port,
    tls,
  );
}
