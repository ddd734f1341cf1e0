import { z } from 'zod';
import { isLoopback } from '../../src/domain/ports.ts';
import { withoutEndSlashes } from '../../src/domain/text.ts';

const attributeNames = [
  'cédula',
  'número de cédula',
  'cédula de identidad',
  'cédula de ciudadanía',
  'C.I.',
  'RUC',
  'número de RUC',
  'cédula o RUC',
  'RUC o cédula',
  'cédula/RUC',
  'RUC/cédula',
  'C.I. / RUC',
  'cédula, RUC o pasaporte',
  'cédula/RUC/pasaporte',
  'número de cédula o RUC',
  'número de cédula/RUC',
  'cédula del cliente',
  'cédula del comprador',
  'cédula o pasaporte',
  'identificación',
  'identificación del comprador',
  'identificación del cliente',
  'identificación (cédula o RUC)',
  'número de identificación',
  'nro identificación',
  'no. de identificación',
  'identificación fiscal',
  'identificación tributaria',
  'documento',
  'documento de identidad',
  'número de documento',
  'pasaporte',
  'número de pasaporte',
  'DNI',
  'tax id',
  'VAT',
  'billing_cedula',
  'billing_ruc',
  'id number',
  'VAT number',
];

export const anyName = '*';

const IdSource = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('note-attribute'),
    names: z
      .array(z.string().min(1))
      .min(1)
      .describe(
        'Cart or checkout attributes; names are compared without accents, case and punctuation. `*` is any other attribute whose name has a word for an identification and whose value looks like one.',
      ),
  }),
  z.strictObject({
    kind: z.literal('localized-field'),
    key: z.string().min(1).describe('A field of the checkout itself; only the API has it.'),
  }),
  z.strictObject({
    kind: z.literal('customer-metafield'),
    namespace: z.string().min(1).describe('Of the metafield.'),
    key: z.string().min(1).describe('Of the metafield.'),
  }),
  z.strictObject({ kind: z.literal('b2b-tax-registration') }),
  /** Free text: taken only when the whole text is a number of 10 or 13 digits, with or without a label. */
  z.strictObject({ kind: z.literal('address-company') }),
  z.strictObject({ kind: z.literal('address2') }),
]);

const defaultIdSources: z.output<typeof IdSource>[] = [
  { kind: 'note-attribute', names: [...attributeNames, anyName] },
  { kind: 'localized-field', key: 'TAX_CREDENTIAL_EC' },
  ...['tax_id', 'cedula', 'ruc', 'cedula_ruc', 'identificacion'].map((key) => ({
    kind: 'customer-metafield' as const,
    namespace: 'custom',
    key,
  })),
  { kind: 'b2b-tax-registration' },
  { kind: 'localized-field', key: 'SHIPPING_CREDENTIAL_EC' },
  { kind: 'address-company' },
  { kind: 'address2' },
];

export const maxMetafieldSources = 10;

const idSources = z
  .array(IdSource)
  .check((context) => {
    const { length } = context.value.filter(({ kind }) => kind === 'customer-metafield');
    if (length <= maxMetafieldSources) return;
    context.issues.push({
      code: 'custom',
      input: context.value,
      message: `Hay ${length} fuentes «customer-metafield» y Shopify entrega hasta ${maxMetafieldSources} por pedido. Deje las ${maxMetafieldSources} más usadas.`,
    });
  })
  .default(defaultIdSources)
  .describe('Where the buyer’s identification may be, the most trusted first.');

/** Takes the place of the shop, and so may be on this machine only. */
const emulatorUrl = z
  .url('"adminUrl" no es una dirección web.')
  .refine(
    (address) => isLoopback(URL.parse(address)?.hostname ?? ''),
    '"adminUrl" solo puede apuntar a esta misma máquina (127.0.0.1).',
  )
  .transform(withoutEndSlashes);

export const App = z.strictObject(
  {
    clientId: z
      .string('Falta "clientId": el Client ID de la app, en el Dev Dashboard de Shopify.')
      .min(1)
      .describe('The Client ID of the app, in the Dev Dashboard.'),
    clientSecrets: z
      .array(z.string().min(1, 'Un Client secret está vacío.'), 'Falta "clientSecrets": una lista.')
      .min(1, 'Falta el Client secret de la app en "clientSecrets"; ponga el más nuevo primero.')
      .max(3, 'Hay demasiados Client secrets: bastan dos mientras se rota.')
      .describe('The newest first; for up to an hour after a rotation Shopify signs with the old one.'),
    access: z
      .enum(['client-credentials', 'oauth'], '"access" es client-credentials u oauth.')
      .default('client-credentials')
      .describe(
        'How shops grant access: `client-credentials` for the merchant’s own app (and legacy custom apps with a fixed token), `oauth` for an app many merchants install through /shopify/auth.',
      ),
    apiVersion: z
      .string()
      .regex(/^\d{4}-(01|04|07|10)$/, 'La versión del API de Shopify se escribe como 2026-10.')
      .default('2026-10')
      .describe('The version of Shopify’s API.'),
    productDetails: z
      .boolean('"productDetails" es true o false.')
      .default(false)
      .describe('Whether `oauth` requests read_products too, for stores with `productDetails`.'),
    allOrders: z
      .boolean('"allOrders" es true o false.')
      .optional()
      .describe(
        'Whether read_all_orders is requested, without which Shopify hides orders older than 60 days. Default: true, with `oauth` false until Shopify has granted it to the app.',
      ),
    adminUrl: emulatorUrl
      .transform((url) => url.replace('%7Bshop%7D', '{shop}'))
      .describe('Address of an emulator of its shops, `{shop}` being the domain; on this machine only.')
      .optional(),
  },
  'Los datos de la app de Shopify están incompletos.',
);
export type App = z.output<typeof App>;

export const shopDomain = /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/;

export const Connection = z.strictObject({
  app: z
    .string('Falta "app": el nombre de una app de la sección "apps".')
    .min(1)
    .describe('The app of the shop: a name under `apps`.'),
  shop: z
    .string('Falta "shop": el dominio de la tienda, por ejemplo mi-tienda.myshopify.com.')
    .trim()
    .toLowerCase()
    .regex(shopDomain, 'El dominio de la tienda debe ser el de Shopify, por ejemplo mi-tienda.myshopify.com.')
    .meta({ description: 'Its domain at Shopify.', examples: ['mi-tienda.myshopify.com'] }),
  accessToken: z
    .string()
    .min(1, 'El token de acceso está vacío; quítelo para usar el de la app.')
    .describe(
      'Token of a legacy custom app. Without it 24-hour tokens are fetched with the app’s client credentials.',
    )
    .optional(),
  adminUrl: emulatorUrl.describe('Address of an emulator of the shop; on this machine only.').optional(),
  productDetails: z
    .boolean('"productDetails" es true o false.')
    .default(false)
    .describe(
      'Whether lines carry the tags and collections of their products, for tax rules; needs the scope read_products.',
    ),
  customerAccess: z
    .boolean('"customerAccess" es true o false.')
    .default(false)
    .describe(
      'Whether buyers may read state, number and links of their documents in their customer account.',
    ),
  idSources,
  timeoutMs: z
    .int()
    .min(1_000, 'El tiempo de espera mínimo es 1000 ms.')
    .max(120_000)
    .default(20_000)
    .describe('How long one call to the shop may take, in milliseconds.'),
});
export type Connection = z.output<typeof Connection>;
export type IdSource = z.output<typeof IdSource>;

export interface Place {
  shop: string;
  app: App;
  adminUrl: string | undefined;
  timeoutMs: number;
}

export function placeOf(app: App, { shop, adminUrl, timeoutMs }: Connection): Place {
  return { ...placeOfShop(app, shop), ...(adminUrl !== undefined && { adminUrl }), timeoutMs };
}

export function placeOfShop(app: App, shop: string): Place {
  return { shop, app, adminUrl: app.adminUrl?.replace('{shop}', shop), timeoutMs: 20_000 };
}

export function adminAddress({ shop, adminUrl }: Pick<Place, 'shop' | 'adminUrl'>, path: string): string {
  return `${adminUrl ?? `https://${shop}`}/admin/${path}`;
}

export function missingScopes(required: readonly string[], granted: readonly string[]): string[] {
  return required.filter(
    (scope) => !granted.includes(scope) && !granted.includes(scope.replace(/^read_/, 'write_')),
  );
}

/** Shopify hides orders older than `shownDays` from an app without it (shopify.dev, access scopes). */
export const allOrdersScope = 'read_all_orders';
export const shownDays = 60;

export function requiredScopes({ productDetails = false }: { productDetails?: boolean } = {}): string[] {
  return ['read_customers', 'read_orders', ...(productDetails ? ['read_products'] : []), 'write_orders'];
}

/** A public app may request `read_all_orders` only after Shopify granted it. */
export function requestedScopes({ access, productDetails, allOrders }: RequestingApp): string[] {
  const all = allOrders ?? access === 'client-credentials';
  return [...requiredScopes({ productDetails }), ...(all ? [allOrdersScope] : [])].toSorted();
}

type RequestingApp = Pick<App, 'access' | 'productDetails' | 'allOrders'>;
