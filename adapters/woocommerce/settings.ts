import { z } from 'zod';
import { defaultIdSources } from './identification.ts';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The shop's address as its identity: scheme, host, port and folder, never a trailing slash. Plain http gives
 * keys and buyers' data to everyone on the way, so it is for shops on this machine only.
 */
const shopUrl = z
  .string({ error: 'Escriba en «url» la dirección de la tienda, por ejemplo https://mitienda.ec.' })
  .trim()
  .transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    const complain = (message: string) => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    if (url === null || !/^https?:$/.test(url.protocol)) {
      return complain('«url» no es una dirección web; escriba por ejemplo https://mitienda.ec.');
    }
    if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
      return complain('«url» lleva usuario, «?» o «#»; escriba solo la dirección de la tienda.');
    }
    if (url.protocol === 'http:' && !loopback.test(url.hostname)) {
      return complain('«url» usa http sin cifrar; escriba la dirección con https://.');
    }
    return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`;
  });

const secret = z
  .string({ error: 'Cada secreto de «webhookSecrets» es un texto.' })
  .min(1, 'Un secreto de «webhookSecrets» está vacío; copie el que escribió en el webhook de WooCommerce.');

const texts = (name: string) =>
  z.array(z.string().trim().min(1, `«${name}» tiene un texto vacío; bórrelo.`), {
    error: `«${name}» es una lista de textos.`,
  });

const status = (name: string) =>
  texts(name).transform((list) => list.map((text) => text.replace(/^wc-/, '')));

/** `stores.<id>.connection` of a WooCommerce store. */
export const connectionSchema = z
  .strictObject(
    {
      url: shopUrl.meta({
        description: 'The address of the shop; https, unless it is on this machine.',
        examples: ['https://mitienda.ec'],
      }),
      webhookSecrets: z
        .array(secret, { error: 'Escriba en «webhookSecrets» la lista de secretos de los webhooks.' })
        .default([])
        .describe(
          'Of webhooks with secrets of your own, the newest first; `install` makes one where there is none.',
        ),
      apiAccess: z
        .boolean({ error: '«apiAccess» es verdadero (true) o falso (false).' })
        .default(true)
        .describe(
          'False for a shop whose API cannot be reached: the newest signed body of an order is believed, nothing is written back, and an order whose webhook is lost is not found.',
        ),
      consumerKey: z
        .string()
        .trim()
        .startsWith('ck_', '«consumerKey» empieza con «ck_»; cópiela otra vez de WooCommerce.')
        .describe(
          'REST key of your own, with `consumerSecret`; without it the shop hands over its own when it is connected.',
        )
        .optional(),
      consumerSecret: z
        .string()
        .trim()
        .startsWith('cs_', '«consumerSecret» empieza con «cs_»; cópielo otra vez de WooCommerce.')
        .describe('Its secret.')
        .optional(),
      queryStringAuth: z
        .boolean({ error: '«queryStringAuth» es verdadero (true) o falso (false).' })
        .default(false)
        .describe(
          'For hosts that strip the Authorization header (PHP as CGI); the keys then stand in their access log.',
        ),
      paidStatuses: status('paidStatuses')
        .prefault(['processing', 'completed'])
        .describe('Statuses in which an order with a payment date counts as paid.'),
      invoiceUnpaidMethods: texts('invoiceUnpaidMethods')
        .default([])
        .meta({
          description:
            'Payment methods invoiced in a paid status though no payment date is set; cash on delivery waits for it otherwise.',
          examples: ['[cod]'],
        }),
      productDetails: z
        .boolean({ error: '«productDetails» es verdadero (true) o falso (false).' })
        .default(false)
        .describe(
          'Whether lines carry tags and categories of their products, for tax rules; one more call per order.',
        ),
      idSources: texts('idSources')
        .default([...defaultIdSources])
        .describe('Fields of the order where a buyer’s identification may stand, the most trusted first.'),
      timeoutMs: z
        .int({ error: '«timeoutMs» es un número entero de milisegundos.' })
        .min(1000, '«timeoutMs» es menor a 1000; la tienda no alcanzaría a responder.')
        .max(120_000, '«timeoutMs» es mayor a 120000; escriba un tiempo más corto.')
        .default(20_000)
        .describe('How long one call to the shop may take, in milliseconds.'),
    },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? `La conexión tiene ajustes desconocidos: ${issue.keys.join(', ')}. Bórrelos o corrija su nombre.`
          : 'La conexión de la tienda es un grupo de ajustes: url, webhookSecrets y los demás.',
    },
  )
  .refine(
    (connection) => (connection.consumerKey === undefined) === (connection.consumerSecret === undefined),
    {
      path: ['consumerSecret'],
      error: 'Escriba «consumerKey» y «consumerSecret» juntos, o ninguno de los dos.',
    },
  )
  .refine(({ apiAccess, consumerKey }) => apiAccess || consumerKey === undefined, {
    path: ['apiAccess'],
    error:
      'Con «apiAccess: false» no se usan claves: borre «consumerKey» y «consumerSecret», o borre «apiAccess».',
  })
  .refine(({ apiAccess, webhookSecrets }) => apiAccess || webhookSecrets.length > 0, {
    path: ['webhookSecrets'],
    error: 'Con «apiAccess: false» escriba en «webhookSecrets» el secreto de los webhooks de WooCommerce.',
  })
  .refine(({ productDetails, apiAccess }) => !productDetails || apiAccess, {
    path: ['productDetails'],
    error: '«productDetails» pregunta a la API: borre «apiAccess: false».',
  });

export type Connection = z.output<typeof connectionSchema>;
