import { z } from 'zod';

const network = z
  .union([z.cidrv4(), z.cidrv6()], { error: 'Es una red, por ejemplo 10.0.0.0/8.' })
  .meta({ examples: ['10.0.0.0/8'] });

const proxies = network.refine(
  (cidr) => !cidr.endsWith('/0'),
  'Son las redes de sus proxies, no todas: cualquiera podría hacerse pasar por otro cliente.',
);

/** What keeps callers, shops and receivers of webhooks within their bounds. */
export const guardSchema = {
  trustedProxies: z
    .array(proxies)
    .default([])
    .meta({
      description:
        'Networks your proxies call from (CIDR): what they say of their clients (X-Forwarded-For) is believed, and limits then count each client by itself (operations.md, "Behind a proxy"). Nobody else is believed.',
      examples: ['127.0.0.1/32', '172.16.0.0/12'],
    }),
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
  links: z
    .strictObject({
      days: z
        .int()
        .min(1, 'Debe ser al menos 1 día.')
        .max(3650)
        .describe(
          'How many whole days a link to a document works, until midnight in Ecuador. Without it links have no end; those given out before keep theirs.',
        )
        .optional(),
    })
    .prefault({})
    .describe('Links to the page, the PDF and the XML of a document (buyer-page.md).'),
  retention: z
    .strictObject({
      deliveriesDays: z
        .int()
        .min(1, 'Debe ser al menos 1 día.')
        .max(365, 'Debe ser como máximo un año (365).')
        .default(30)
        .describe('Bodies of webhooks, in days.'),
      ordersDays: z
        .int()
        .min(30, 'Debe ser al menos 30 días: hasta entonces llegan reembolsos y reclamos.')
        .max(3650)
        .default(730)
        .describe(
          'What an order says of its buyer and what he answered, in days after its last change; while a document of it waits, it stays.',
        ),
      documentsYears: z
        .int()
        .min(
          7,
          'Debe ser al menos 7 años después del año de emisión: la ley pide conservar los comprobantes al menos siete (docs/privacy.md).',
        )
        .max(50)
        .default(8)
        .describe(
          'What was sent for a document, whom it named, and its files, in whole years after the end of the year it was issued in.',
        ),
    })
    .prefault({})
    .describe('How long buyers’ data stay (privacy.md).'),
  production: z
    .array(z.string().regex(/^\d{10}001$/, 'El RUC tiene 13 dígitos, termina en 001 y va entre comillas.'))
    .default([])
    .meta({
      description:
        'RUC of issuers whose `ambiente: 2` is meant, for machines where nobody runs `install --production`; or `FACTURAPUENTE_PRODUCTION`, with commas.',
      examples: ["['1790012345001']"],
    }),
};
