import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';

/** A request as it came, byte for byte. */
export interface Cursor {
  rawHeaders: string[];
  headers: Record<string, string | undefined>;
  body: Buffer;
}

/** Hears what a shop sends and answers by turns; a redirect leads nowhere. Ends with the test. */
export async function openReceiver(
  answer: (turn: number) => number = () => 200,
): Promise<{ url: string; received: Cursor[] }> {
  const received: Cursor[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const status = answer(received.length);
    received.push({ rawHeaders: request.rawHeaders, headers, body: Buffer.concat(parts) });
    response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('No port.');
  return { url: `http://127.0.0.1:${address.port}/hooks/woo`, received };
}
