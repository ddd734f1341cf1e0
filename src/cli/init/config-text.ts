import { stringify } from 'yaml';
import { type Answers, hasOwnKeys } from './questions.ts';

export interface PanelUser {
  user: string;
  passwordHash: string;
}

const y = (value: string | number) =>
  stringify(value, { lineWidth: 0, defaultStringType: 'PLAIN' }).trimEnd();

export function configText(answers: Answers, person: PanelUser | null): string {
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
${person === null ? '' : panelPart(person, answers)}
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

const panelPart = ({ user, passwordHash }: PanelUser, { publicUrl }: Answers) => `
panel:
  # Quien entra al panel. Para otra contraseña: «facturapuente hash-password».
  users:
    - user: ${y(user)}
      role: configure
      passwordHash: ${y(passwordHash)}
${isThisMachine(publicUrl) ? withoutCode : ''}`;

const isThisMachine = (url = ''): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(URL.parse(url)?.hostname ?? '');

const withoutCode = `  # El panel solo se alcanza desde esta máquina. Quite esta línea antes de abrirlo: entonces pide un código del teléfono.
  secondFactor: off
`;

function connectionPart(answers: Answers): string {
  const { platform, shop = '', shopUrl = '' } = answers;
  if (platform === 'shopify') return `      app: mi-app\n      shop: ${y(shop)}`;
  const url = `      url: ${y(shopUrl)}`;
  return hasOwnKeys(answers)
    ? `${url}\n      # De WooCommerce → Ajustes → Avanzado → API REST, con permiso de lectura y escritura.\n      consumerKey: \${WOO_CONSUMER_KEY}\n      consumerSecret: \${WOO_CONSUMER_SECRET}`
    : `      # Las claves las entrega la tienda cuando usted aprueba el enlace de «facturapuente install».\n${url}`;
}

const quoted = (digits: string) => JSON.stringify(digits);

function signaturePart(file: string): string {
  const comment = '    # La firma electrónica; «facturapuente install» la revisa y la sube.\n';
  if (file === '') return `${comment}    # signature: { file: ./firma.p12, passwordEnv: FIRMA_PASSWORD }\n`;
  return `${comment}    signature:\n      file: ${y(file)}\n      passwordEnv: FIRMA_PASSWORD\n`;
}

const logoPart = (file: string) => (file === '' ? '    # logo: ./logo.png\n' : `    logo: ${y(file)}\n`);

const shopifyApp = `apps:
  # La app de su Dev Dashboard de Shopify.
  mi-app:
    platform: shopify
    clientId: \${SHOPIFY_CLIENT_ID}
    clientSecrets: ["\${SHOPIFY_CLIENT_SECRET}"]

`;
