import { z } from 'zod';
import type { Operation } from '../operation.ts';

/** What anybody may ask, without an API key. */
export const publicOperations: readonly Operation[] = [
  {
    id: 'ping',
    method: 'post',
    path: '/api/ping',
    tag: 'Público',
    access: 'public',
    words: 'plain',
    inferred: false,
    summary: 'Alive, whoever asks; the key is not checked',
    answers: { 200: { says: 'Alive', json: z.object({ pong: z.literal(true) }) } },
    handle: () => ({ status: 200, body: { pong: true } }),
  },
];
