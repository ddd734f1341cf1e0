import { randomBytes } from 'node:crypto';
import { stringify } from 'yaml';
import type { Answers } from './questions.ts';

/** A value as YAML reads it back, on one line. */
const y = (value: string | number) =>
  stringify(value, { lineWidth: 0, defaultStringType: 'PLAIN' }).trimEnd();

/** The config of these answers, with what each part is for. */
export function configText(answers: Answers): string {
  const a = (id: string) => answers[id] ?? '';
  const regimes: Record<string, string> = {
    rimpe: '\n    regimen_rimpe: true',
    'rimpe-popular': '\n    regimen_rimpe_popular: true',
  };
  return `# yaml-language-server: $schema=./node_modules/facturapuente/docs/config.schema.json
# Configuración de facturapuente. Los secretos no van aquí: \${NOMBRE} se lee del entorno o del archivo .env.
# Después de cambiarla: «facturapuente doctor», y reinicie «facturapuente start».

# Aquí llegan los avisos de la tienda y del servicio, y los compradores que abren su factura. Con https y abierta a internet.
publicUrl: ${y(a('publicUrl'))}
# El puerto de esta máquina en el que escucha; su proxy lleva hasta él.
port: ${y(Number(a('port')))}

accounts:
  # Su cuenta en el servicio de comprobantes.
  principal:
    baseUrl: ${y(a('serviceUrl'))}
    apiKey: \${FACTURA_API_KEY}
    webhookSecrets: ["\${FACTURA_WEBHOOK_SECRET}"]

issuers:
  # Quien factura, con los datos de su RUC.
  mi-empresa:
    account: principal
    # 1 pruebas: gratis y sin valor tributario. 2 producción: «facturapuente install --production» lo confirma.
    ambiente: ${y(Number(a('ambiente')))}
    ruc: ${y(a('ruc'))}
    razon_social: ${y(a('razonSocial'))}
    nombre_comercial: ${y(a('nombreComercial'))}
    direccion_matriz: ${y(a('direccion'))}
    direccion_establecimiento: ${y(a('direccionEstablecimiento'))}
    obligado_contabilidad: ${y(a('obligadoContabilidad'))}${regimes[a('regimen')] ?? ''}
${signaturePart(a('signature'))}${logoPart(a('logo'))}
${a('platform') === 'shopify' ? shopifyApp : ''}stores:
  tienda:
    platform: ${y(a('platform'))}
    issuer: mi-empresa
    # Los números siguen desde el primero, sin huecos ni repetidos. Ningún otro sistema puede usar este punto de emisión.
    series: { establecimiento: ${quoted(a('establecimiento'))}, puntoEmision: ${quoted(a('puntoEmision'))}, first: ${y(Number(a('first')))}, firstCreditNote: ${y(Number(a('firstCreditNote')))} }
    # Los pedidos pagados antes no se facturan; sin esta línea cuenta el primer arranque.
    # invoiceFrom: 2026-11-01
    connection:
${connectionPart(answers)}
`;
}

function connectionPart(answers: Answers): string {
  const { platform, shop = '', shopUrl = '' } = answers;
  if (platform === 'shopify') return `      app: mi-app\n      shop: ${y(shop)}`;
  const url = `      url: ${y(shopUrl)}`;
  return ownKeys(answers)
    ? `${url}\n      # De WooCommerce → Ajustes → Avanzado → API REST, con permiso de lectura y escritura.\n      consumerKey: \${WOO_CONSUMER_KEY}\n      consumerSecret: \${WOO_CONSUMER_SECRET}`
    : `      # Las claves las entrega la tienda cuando usted aprueba el enlace de «facturapuente install».\n${url}`;
}

const ownKeys = ({ platform, wooKeys }: Answers) => platform === 'woocommerce' && wooKeys === 'propias';

const quoted = (digits: string) => JSON.stringify(digits);

function signaturePart(file: string): string {
  return file === ''
    ? '    # La firma electrónica; «facturapuente install» la revisa y la sube.\n    # signature: { file: ./firma.p12, passwordEnv: FIRMA_PASSWORD }\n'
    : `    # La firma electrónica; «facturapuente install» la revisa y la sube.\n    signature:\n      file: ${y(file)}\n      passwordEnv: FIRMA_PASSWORD\n`;
}

const logoPart = (file: string) => (file === '' ? '    # logo: ./logo.png\n' : `    logo: ${y(file)}\n`);

const shopifyApp = `apps:
  # La app de su Dev Dashboard de Shopify.
  mi-app:
    platform: shopify
    clientId: \${SHOPIFY_CLIENT_ID}
    clientSecrets: ["\${SHOPIFY_CLIENT_SECRET}"]

`;

interface Variable {
  name: string;
  says: string;
  value?: string;
}

function variablesOf(answers: Answers, apiKey: string): Variable[] {
  const optional = (there: boolean, ...variables: Variable[]) => (there ? variables : []);
  return [
    {
      name: 'FACTURA_API_KEY',
      says: 'La clave de API, del panel de su cuenta en el servicio.',
      value: apiKey,
    },
    {
      name: 'FACTURA_WEBHOOK_SECRET',
      says: 'Firma los avisos del servicio; lo inventa usted (openssl rand -base64 32) e «install» lo registra.',
      value: randomBytes(36).toString('base64url'),
    },
    ...optional(answers.signature !== '', {
      name: 'FIRMA_PASSWORD',
      says: 'La contraseña del archivo .p12.',
    }),
    ...optional(
      ownKeys(answers),
      { name: 'WOO_CONSUMER_KEY', says: 'Clave de cliente de la API REST de WooCommerce, empieza con ck_.' },
      { name: 'WOO_CONSUMER_SECRET', says: 'Clave secreta de la misma, empieza con cs_.' },
    ),
    ...optional(
      answers.platform === 'shopify',
      { name: 'SHOPIFY_CLIENT_ID', says: 'Client ID de la app, en el Dev Dashboard de Shopify.' },
      { name: 'SHOPIFY_CLIENT_SECRET', says: 'Client secret de la misma app.' },
    ),
  ];
}

/** `.env.example`, which names what is needed, and `.env`, which holds what is known of it already. */
export function envTexts(answers: Answers, apiKey = ''): { example: string; own: string } {
  const variables = variablesOf(answers, apiKey);
  const text = (head: string, value: (variable: Variable) => string) =>
    [head, ...variables.map((one) => `# ${one.says}\n${one.name}=${value(one)}`), ''].join('\n');
  return {
    example: text('# Copie este archivo como .env y complételo; .env nunca va a un repositorio.', () => ''),
    own: text(
      '# Secretos de facturapuente: no los comparta ni los suba a un repositorio.',
      ({ value = '' }) => (/[\s#'"`\\]/.test(value) ? `'${value}'` : value),
    ),
  };
}
