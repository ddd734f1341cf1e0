import { z } from 'zod';
import { isLoopback } from '../../src/domain/ports.ts';
import { withoutEndSlashes } from '../../src/domain/text.ts';

/** WooCommerce saves a checkout field `billing_x` as `_billing_x`; other plugins leave out the prefix. */
const spellings = (...names: string[]): string[] => names.flatMap((name) => [`_billing_${name}`, name]);

/** WooCommerce has no field for cédula or RUC (measured on WooCommerce 11.0.1). */
const defaultIdSources: readonly string[] = [
  // Contífico's plugin
  '_billing_tax_id',
  // Checkout fields of themes and plugins (Dátil, Bukets, Servientrega)
  ...spellings(
    'cedula',
    'ruc',
    'identificacion',
    'numero_identificacion',
    'ci_ruc',
    'cedula_ruc',
    'ruc_cedula',
  ),
  'C.I. / RUC',
  '_wc_billing/*',
  '_wc_other/*',
  ...spellings('pasaporte', 'documento', 'numero_documento', 'dni', 'dni_ruc', 'nit', 'vat'),
  '_billing_vat_number',
  '_billing_*',
  // The recipient of the parcel, when no other person is named
  '_wc_shipping/*',
  '_shipping_identificacion',
  'billing.company',
];

/** Plain http would send keys and buyers' data in the clear, so it is for shops on this machine only. */
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
    if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
      return complain('«url» usa http sin cifrar; escriba la dirección con https://.');
    }
    return withoutEndSlashes(`${url.origin}${url.pathname}`);
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
          'Secrets of webhooks you made yourself, the newest first; `install` makes one where there is none.',
        ),
      apiAccess: z
        .boolean({ error: '«apiAccess» es verdadero (true) o falso (false).' })
        .default(true)
        .describe(
          'False for a shop whose API cannot be reached: orders are read from signed webhooks alone, nothing is written back, and an order whose webhook is lost is not found.',
        ),
      consumerKey: z
        .string()
        .trim()
        .startsWith('ck_', '«consumerKey» empieza con «ck_»; cópiela otra vez de WooCommerce.')
        .describe(
          'A REST key you made, with `consumerSecret`; without it the shop hands over its own when it is connected.',
        )
        .optional(),
      consumerSecret: z
        .string()
        .trim()
        .startsWith('cs_', '«consumerSecret» empieza con «cs_»; cópielo otra vez de WooCommerce.')
        .describe('The secret of `consumerKey`.')
        .optional(),
      queryStringAuth: z
        .boolean({ error: '«queryStringAuth» es verdadero (true) o falso (false).' })
        .default(false)
        .describe(
          'For hosts that strip the Authorization header (PHP as CGI); their access log then holds the keys.',
        ),
      paidStatuses: status('paidStatuses')
        .prefault(['processing', 'completed'])
        .describe('Statuses in which an order with a payment date counts as paid.'),
      invoiceUnpaidMethods: texts('invoiceUnpaidMethods')
        .default([])
        .meta({
          description:
            'Payment methods that are invoiced in a paid status without a payment date; cash on delivery waits for one by default.',
          examples: ['[cod]'],
        }),
      productDetails: z
        .boolean({ error: '«productDetails» es verdadero (true) o falso (false).' })
        .default(false)
        .describe(
          'Whether lines carry the tags and categories of their products, for tax rules; one more call per order.',
        ),
      idSources: texts('idSources')
        .default([...defaultIdSources])
        .describe('Fields of the order that may hold the buyer’s identification, the most trusted first.'),
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
