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
  production: z
    .array(z.string().regex(/^\d{10}001$/, 'El RUC tiene 13 dígitos, termina en 001 y va entre comillas.'))
    .default([])
    .meta({
      description:
        'RUC of issuers whose `ambiente: 2` is meant, for machines where nobody runs `install --production`; or `FACTURAPUENTE_PRODUCTION`, with commas.',
      examples: ["['1790012345001']"],
    }),
};
