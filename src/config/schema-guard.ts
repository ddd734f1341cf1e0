import { z } from 'zod';

const network = z
  .union([z.cidrv4(), z.cidrv6()], { error: 'Es una red, por ejemplo 10.0.0.0/8.' })
  .meta({ examples: ['10.0.0.0/8'] });

/** What keeps callers, shops and receivers of webhooks within their bounds. */
export const guardSchema = {
  outbound: z
    .strictObject({
      allow: z
        .array(network)
        .default([])
        .describe(
          'Networks behind us that shops and receivers of webhooks may lie in; without one a name that leads into a private network is not called.',
        ),
    })
    .prefault({})
    .describe('Where calls may go.'),
};
