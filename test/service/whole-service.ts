import { onTestFinished } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../sandbox/emulator/index.ts';
import type { ServiceClientOptions } from '../../src/service/client.ts';
import { noon } from '../sandbox/support.ts';
import { eventually } from '../support/eventually.ts';
import { openClient } from './hostile.ts';

export const apiKey = 'clave-de-prueba';

/** A sandbox of the test's own and a client of it. */
export async function openSandbox(
  options: SandboxOptions = {},
  clientOptions: Partial<ServiceClientOptions> = {},
) {
  const sandbox = await createSandbox({ accounts: [{ apiKey }], authorizeDelayMs: 5, now: noon, ...options });
  onTestFinished(() => sandbox.close());
  const opened = openClient(sandbox.url, { apiKey, ...clientOptions });
  /** Waits until the document has left "in process". */
  const settled = (claveacceso: string) =>
    eventually(async () => {
      const answer = await opened.calls.consultarComprobante(claveacceso);
      return answer.kind === 'found' && answer.state !== 'processing' && answer;
    }, 'decided');
  return { sandbox, settled, ...opened };
}

/** The answer when it is of this kind; otherwise the test fails with what it was. */
export function expectKind<A extends { kind: string }, K extends A['kind']>(
  answer: A,
  kind: K,
): Extract<A, { kind: K }> {
  if (answer.kind !== kind) throw new Error(`expected ${kind}, came ${JSON.stringify(answer)}`);
  return answer as Extract<A, { kind: K }>;
}
