import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import type { RawDelivery } from '../../../src/domain/platform.ts';

/** An endpoint that keeps what came. */
export async function openEndpoint() {
  const deliveries: RawDelivery[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const headers = request.headers as Record<string, string | undefined>;
    deliveries.push({ headers, body: Buffer.concat(parts) });
    response.writeHead(202).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/`, deliveries };
}
