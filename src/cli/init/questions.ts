import { isIP } from 'node:net';
import { isEncrypted } from '../../config/schema-parts.ts';
import { examine } from '../../domain/identification.ts';
import { saysFlaw } from '../../domain/identification-flaws.ts';

// What is wrong with an answer of a kind, in Spanish; undefined when it is good.

const short = (value: string) =>
  value.trim() === '' ? 'Falta este dato.' : value.length > 300 ? 'Admite hasta 300 caracteres.' : undefined;
const digits = (value: string) =>
  /^\d{3}$/.test(value) ? undefined : 'Son 3 dígitos, por ejemplo 001; están en sus facturas.';
const number = (value: string) =>
  /^[1-9]\d{0,8}$/.test(value) ? undefined : 'Es un número entero entre 1 y 999999999.';

function ruc(value: string): string | undefined {
  const examined = examine(value);
  if (!examined.ok) return saysFlaw(examined.flaw, examined.digits);
  return /^\d{10}001$/.test(value) ? undefined : 'El RUC del emisor tiene 13 dígitos y termina en 001.';
}

/** Plain http only to an address written in digits: somebody tries it in his own network. */
function address(value: string): string | undefined {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'Escriba la dirección completa, con https://.';
  if (url.search !== '' || url.hash !== '' || url.username !== '')
    return 'Escriba la dirección sin usuario, «?» ni «#».';
  const here = url.hostname === 'localhost' || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0;
  return url.protocol === 'https:' || here ? undefined : 'La dirección debe empezar con https://.';
}

/** As `accounts.<id>.baseUrl` of the config: our key and the buyers' data go there. */
function serviceAddress(value: string): string | undefined {
  return address(value) ?? (isEncrypted(value) ? undefined : 'La dirección debe empezar con https://.');
}

/** What has been answered so far, by the question's id. */
export type Answers = Readonly<Record<string, string>>;

/** One thing `init` must know: asked in a terminal, given as a flag by scripts. */
export interface Question {
  /** Also the name of the flag: `razonSocial` is `--razon-social`. */
  id: string;
  ask: string;
  /** What the flag's help says; also an example in the terminal. */
  hint: string;
  choices?: readonly { value: string; label: string }[];
  /** Taken with `--yes`, and offered in the terminal; a question without one must be answered. */
  initial?(answers: Answers): string;
  /** False where the answers before make it needless. */
  when?(answers: Answers): boolean;
  /** Only a flag: its default is right unless one knows better. */
  quiet?: boolean;
  /** What is wrong with an answer, in Spanish; undefined when it is good. */
  check?(value: string): string | undefined;
}

const woo = ({ platform }: Answers) => platform === 'woocommerce';
const shopify = ({ platform }: Answers) => platform === 'shopify';
/** In the order they are asked. */
export const questions: readonly Question[] = [
  {
    id: 'platform',
    ask: '¿Con qué plataforma vende?',
    hint: 'woocommerce o shopify',
    choices: [
      { value: 'woocommerce', label: 'WooCommerce' },
      { value: 'shopify', label: 'Shopify' },
    ],
  },
  {
    id: 'shopUrl',
    ask: 'Dirección de la tienda',
    hint: 'https://mitienda.ec',
    when: woo,
    check: address,
  },
  {
    id: 'shop',
    ask: 'Dominio de Shopify de la tienda',
    hint: 'mi-tienda.myshopify.com',
    when: shopify,
    check: (value) =>
      /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/.test(value)
        ? undefined
        : 'Es el dominio que da Shopify, por ejemplo mi-tienda.myshopify.com.',
  },
  { id: 'ruc', ask: 'RUC de quien factura', hint: '1790012345001', check: ruc },
  {
    id: 'razonSocial',
    ask: 'Razón social, como consta en el RUC',
    hint: 'Mi Empresa Cía. Ltda.',
    check: short,
  },
  {
    id: 'nombreComercial',
    ask: 'Nombre comercial',
    hint: 'Mi Tienda',
    initial: ({ razonSocial = '' }) => razonSocial,
    check: short,
  },
  { id: 'direccion', ask: 'Dirección de la matriz', hint: 'Av. Amazonas N34-451, Quito', check: short },
  {
    id: 'direccionEstablecimiento',
    ask: 'Dirección del establecimiento que factura',
    hint: 'Av. Amazonas N34-451, Quito',
    initial: ({ direccion = '' }) => direccion,
    check: short,
  },
  {
    id: 'obligadoContabilidad',
    ask: '¿Está obligado a llevar contabilidad?',
    hint: 'SI o NO',
    choices: [
      { value: 'SI', label: 'Sí' },
      { value: 'NO', label: 'No' },
    ],
  },
  {
    id: 'regimen',
    ask: '¿En qué régimen está?',
    hint: 'general, rimpe o rimpe-popular',
    choices: [
      { value: 'general', label: 'Régimen general' },
      { value: 'rimpe', label: 'RIMPE emprendedor' },
      { value: 'rimpe-popular', label: 'RIMPE negocio popular' },
    ],
    initial: () => 'general',
  },
  {
    id: 'establecimiento',
    ask: 'Código de establecimiento',
    hint: '001',
    initial: () => '001',
    check: digits,
  },
  {
    id: 'puntoEmision',
    ask: 'Punto de emisión, uno que ningún otro sistema use',
    hint: '001',
    initial: () => '001',
    check: digits,
  },
  { id: 'first', ask: 'Número de la primera factura', hint: '1', initial: () => '1', check: number },
  {
    id: 'firstCreditNote',
    ask: 'Número de la primera nota de crédito',
    hint: '1',
    initial: () => '1',
    check: number,
  },
  {
    id: 'serviceUrl',
    ask: 'Dirección del servicio de comprobantes',
    hint: 'http://127.0.0.1:4010 con «facturapuente sandbox»',
    initial: () => 'http://127.0.0.1:4010',
    check: serviceAddress,
  },
  {
    id: 'publicUrl',
    ask: 'Dirección pública en la que otros llegarán a facturapuente',
    hint: 'https://facturas.mitienda.ec',
    check: address,
  },
  {
    id: 'wooKeys',
    ask: 'Claves de la API de WooCommerce',
    hint: 'enlace (la tienda las entrega por https) o propias',
    quiet: true,
    when: woo,
    choices: [
      { value: 'enlace', label: 'La tienda las entrega al aprobar un enlace' },
      { value: 'propias', label: 'Propias' },
    ],
    // WooCommerce hands its keys to https addresses only.
    initial: ({ publicUrl = '' }) => (publicUrl.startsWith('https:') ? 'enlace' : 'propias'),
  },
  {
    id: 'port',
    ask: 'Puerto en el que escucha en esta máquina',
    hint: '8080',
    quiet: true,
    initial: ({ publicUrl = '' }) => {
      const url = URL.parse(publicUrl);
      return url?.protocol === 'http:' && url.port !== '' ? url.port : '8080';
    },
    check: (value) =>
      /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? undefined : 'Es un número entre 0 y 65535.',
  },
  {
    id: 'ambiente',
    ask: 'Ambiente',
    hint: '1 pruebas, 2 producción',
    quiet: true,
    choices: [
      { value: '1', label: 'Pruebas' },
      { value: '2', label: 'Producción' },
    ],
    initial: () => '1',
  },
  {
    id: 'signature',
    ask: 'Archivo .p12 de la firma electrónica (vacío: más tarde)',
    hint: './firma.p12',
    initial: () => '',
  },
  { id: 'logo', ask: 'Logo, PNG o JPEG (vacío: sin logo)', hint: './logo.png', initial: () => '' },
];

/** What is wrong with an answer; undefined when it is good. */
export function problemWith({ choices, check, initial }: Question, value: string): string | undefined {
  if (choices && !choices.some((choice) => choice.value === value))
    return `Debe ser uno de estos valores: ${choices.map((choice) => choice.value).join(', ')}.`;
  if (value === '' && initial?.({}) === '') return undefined;
  if (/\p{Cc}/u.test(value) || value.includes('$' + '{')) return 'Tiene signos que no se admiten.';
  return check?.(value);
}

/** `razonSocial` is `--razon-social`. */
export const flagOf = (id: string): string =>
  `--${id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
