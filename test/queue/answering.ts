import type { Transport } from '../../src/queue/transport.ts';
import { eventually } from '../support/eventually.ts';

/** Waits until a transport answers: until it is connected, it takes no jobs. */
export async function answering(transport: Transport): Promise<Transport> {
  const answers = () =>
    transport.check().then(
      () => true,
      () => false,
    );
  await eventually(answers, 'a transport that answers');
  return transport;
}
