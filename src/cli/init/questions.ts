import { isIP } from 'node:net';
import { parseEnv } from 'node:util';
import { isEncrypted } from '../../config/schema-accounts.ts';
import { isGuessable } from '../../config/weak-secrets.ts';
import { examine, saysFlaw } from '../../domain/identification.ts';

// Checks answer a Spanish sentence for a wrong value, undefined for a good one.

const short = (value: string) =>
  value.trim() === '' ? 'Falta este dato.' : value.length > 300 ? 'Admite hasta 300 caracteres.' : undefined;
const digits = (value: string) =>
  /^\d{3}$/.test(value) ? undefined : 'Son 3 dígitos, por ejemplo 001; están en sus facturas.';
const number = (value: string) =>
  /^[1-9]\d{0,8}$/.test(value) ? undefined : 'Es un número entero entre 1 y 999999999.';

function ruc(value: string): string | undefined {
  if (/^\d{10}$/.test(value)) return 'El RUC del emisor tiene 13 dígitos: los de su cédula y 001.';
  const examined = examine(value);
  if (!examined.ok) return saysFlaw(examined.flaw, examined.digits);
  return /^\d{10}001$/.test(value) ? undefined : 'El RUC del emisor tiene 13 dígitos y termina en 001.';
}

/** Plain http only for localhost and IP addresses, for trials in one's own network. */
function address(value: string): string | undefined {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'Escriba la dirección completa, con https://.';
  if (url.search !== '' || url.hash !== '' || url.username !== '')
    return 'Escriba la dirección sin usuario, «?» ni «#».';
  const here = url.hostname === 'localhost' || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0;
  return url.protocol === 'https:' || here ? undefined : 'La dirección debe empezar con https://.';
}

/** The rule of `accounts.<id>.baseUrl` in the config: the address receives the API key and buyers' data. */
function serviceAddress(value: string): string | undefined {
  return address(value) ?? (isEncrypted(value) ? undefined : 'La dirección debe empezar con https://.');
}

const starts = (prefix: string) => (value: string) =>
  value.startsWith(prefix) ? undefined : `Empieza con «${prefix}»; cópiela otra vez de WooCommerce.`;

export function envValue(value: string): string | null {
  if (!/[\s#'"`\\]/.test(value)) return value;
  const quote = ["'", '`', '"'].find((one) => !value.includes(one));
  const quoted = quote === undefined ? '' : `${quote}${value}${quote}`;
  return parseEnv(`X=${quoted}`).X === value ? quoted : null;
}

export type Answers = Readonly<Record<string, string>>;

export interface Question {
  /** It is also the name of the flag: `razonSocial` is `--razon-social`. */
  id: string;
  ask: string;
  hint: string;
  choices?: readonly { value: string; label: string }[];
  initial?(answers: Answers): string;
  when?(answers: Answers): boolean;
  /** A flag can answer it; it is never asked. */
  quiet?: boolean;
  /** The variable of `.env` for a secret, which is never shown and may be written later. */
  variable?: string;
  check?(value: string): string | undefined;
}

interface QuestionOptions extends Pick<Question, 'when' | 'quiet' | 'check' | 'variable'> {
  choices?: Readonly<Record<string, string>>;
  initial?: string | Question['initial'];
}

function question(
  id: string,
  ask: string,
  hint: string,
  { choices, initial, ...more }: QuestionOptions,
): Question {
  const options = choices && Object.entries(choices).map(([value, label]) => ({ value, label }));
  const first = typeof initial === 'string' ? () => initial : initial;
  return { id, ask, hint, ...more, ...(options && { choices: options }), ...(first && { initial: first }) };
}

const secret = (
  variable: string,
  ask: string,
  hint: string,
  more: Pick<Question, 'id' | 'when' | 'check'>,
): Question => ({ ask, hint, variable, initial: () => '', ...more });

const woo = ({ platform }: Answers) => platform === 'woocommerce';
const shopify = ({ platform }: Answers) => platform === 'shopify';
export const hasOwnKeys = ({ platform, wooKeys }: Answers): boolean =>
  platform === 'woocommerce' && wooKeys === 'own';

export const questions: readonly Question[] = [
  question('platform', '¿Con qué plataforma vende?', 'woocommerce o shopify', {
    choices: { woocommerce: 'WooCommerce', shopify: 'Shopify' },
  }),
  question('shopUrl', 'Dirección de la tienda', 'https://mitienda.ec', { when: woo, check: address }),
  question('shop', 'Dominio de Shopify de la tienda', 'mi-tienda.myshopify.com', {
    when: shopify,
    check: (value) =>
      /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/.test(value)
        ? undefined
        : 'Es el dominio que da Shopify, por ejemplo mi-tienda.myshopify.com.',
  }),
  question('ruc', 'RUC de quien factura', '1790012345001', { check: ruc }),
  question('razonSocial', 'Razón social, como consta en el RUC', 'Mi Empresa Cía. Ltda.', { check: short }),
  question('nombreComercial', 'Nombre comercial', 'Mi Tienda', {
    initial: ({ razonSocial = '' }) => razonSocial,
    check: short,
  }),
  question('direccion', 'Dirección de la matriz', 'Av. Amazonas N34-451, Quito', { check: short }),
  question(
    'direccionEstablecimiento',
    'Dirección del establecimiento que factura',
    'Av. Amazonas N34-451, Quito',
    { initial: ({ direccion = '' }) => direccion, check: short },
  ),
  question('obligadoContabilidad', '¿Está obligado a llevar contabilidad?', 'SI o NO', {
    choices: { SI: 'Sí', NO: 'No' },
  }),
  question('regimen', '¿En qué régimen está?', 'general, rimpe o rimpe-popular', {
    choices: {
      general: 'Régimen general',
      rimpe: 'RIMPE emprendedor',
      'rimpe-popular': 'RIMPE negocio popular',
    },
    initial: 'general',
  }),
  question('establecimiento', 'Código de establecimiento', '001', { initial: '001', check: digits }),
  question('puntoEmision', 'Punto de emisión, uno que ningún otro sistema use', '001', {
    initial: '001',
    check: digits,
  }),
  question('first', 'Número de la primera factura', '1', { initial: '1', check: number }),
  question('firstCreditNote', 'Número de la primera nota de crédito', '1', { initial: '1', check: number }),
  question(
    'serviceUrl',
    'Dirección del servicio de comprobantes',
    'http://127.0.0.1:4010 con «facturapuente sandbox»',
    { initial: 'http://127.0.0.1:4010', check: serviceAddress },
  ),
  secret('FACTURA_API_KEY', 'Clave de API del servicio', 'del panel de su cuenta en el servicio', {
    id: 'apiKey',
  }),
  question(
    'publicUrl',
    'Dirección pública en la que otros llegarán a facturapuente',
    'https://facturas.mitienda.ec',
    { check: address },
  ),
  question(
    'wooKeys',
    'Claves de la API de WooCommerce',
    'link (la tienda las entrega por https al aprobar un enlace) u own (propias)',
    {
      quiet: true,
      when: woo,
      choices: { link: 'La tienda las entrega al aprobar un enlace', own: 'Propias' },
      // WooCommerce delivers keys only to https addresses.
      initial: ({ publicUrl = '', consumerKey = '' }) =>
        publicUrl.startsWith('https:') && consumerKey === '' ? 'link' : 'own',
    },
  ),
  secret(
    'WOO_CONSUMER_KEY',
    'Clave de cliente de la API REST de WooCommerce',
    'empieza con ck_, con permiso de lectura y escritura',
    { id: 'consumerKey', when: hasOwnKeys, check: starts('ck_') },
  ),
  secret('WOO_CONSUMER_SECRET', 'Clave secreta de la API REST de WooCommerce', 'empieza con cs_', {
    id: 'consumerSecret',
    when: hasOwnKeys,
    check: starts('cs_'),
  }),
  secret('SHOPIFY_CLIENT_ID', 'Client ID de la app de Shopify', 'del Dev Dashboard', {
    id: 'clientId',
    when: shopify,
  }),
  secret('SHOPIFY_CLIENT_SECRET', 'Client secret de la app de Shopify', 'del Dev Dashboard', {
    id: 'clientSecret',
    when: shopify,
    check: (value) =>
      isGuessable(value) ? 'Tiene 32 caracteres o más; cópielo otra vez del Dev Dashboard.' : undefined,
  }),
  question('port', 'Puerto en el que escucha en esta máquina', '8080', {
    quiet: true,
    initial: ({ publicUrl = '' }) => {
      const url = URL.parse(publicUrl);
      return url?.protocol === 'http:' && url.port !== '' ? url.port : '8080';
    },
    check: (value) =>
      /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? undefined : 'Es un número entre 0 y 65535.',
  }),
  question('ambiente', 'Ambiente', '1 pruebas, 2 producción', {
    quiet: true,
    choices: { 1: 'Pruebas', 2: 'Producción' },
    initial: '1',
  }),
  question('signature', 'Archivo .p12 de la firma electrónica (vacío: más tarde)', './firma.p12', {
    initial: '',
  }),
  secret('FIRMA_PASSWORD', 'Contraseña de la firma electrónica', 'la del archivo .p12', {
    id: 'signaturePassword',
    when: ({ signature = '' }) => signature !== '',
  }),
  question('logo', 'Logo, PNG o JPEG (vacío: sin logo)', './logo.png', { initial: '' }),
  question('panelUser', 'Usuario para entrar al panel (vacío: ninguno)', 'ana', {
    initial: '',
    check: (value) => (value.length > 80 ? 'Admite hasta 80 caracteres.' : undefined),
  }),
];

export function problemWith(asked: Question, value: string): string | undefined {
  const { choices, check, initial, variable } = asked;
  if (choices && !choices.some((choice) => choice.value === value))
    return `Debe ser uno de estos valores: ${choices.map((choice) => choice.value).join(', ')}.`;
  if (value === '' && initial?.({}) === '') return undefined;
  const isSound = variable ? envValue(value) !== null : !value.includes('$' + '{');
  if (/\p{Cc}/u.test(value) || !isSound) return 'Tiene signos que no se admiten.';
  return check?.(value);
}

export const flagOf = (id: string): string =>
  `--${id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
