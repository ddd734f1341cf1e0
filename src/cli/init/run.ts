import { randomBytes } from 'node:crypto';
import { access, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { cancel, intro, isCancel, note, password, select, text } from '@clack/prompts';
import { parse, stringify } from 'yaml';
import { openSettings } from '../../app/settings.ts';
import { disguiseReferences, parseConfig, uncoverReferences } from '../../config/load.ts';
import { ConfigError } from '../../domain/errors.ts';
import { rimpePopularCaveats } from '../../setup/issuer.ts';
import { type Answers, flagOf, problemWith, type Question, questions } from './questions.ts';

const file = 'facturapuente.config.yaml';
const otherNames = ['yml', 'json', 'ts'].map((ending) => `facturapuente.config.${ending}`);

export interface InitOptions {
  folder: string;
  /** By question id. */
  given: Answers;
  /** Asks nothing and takes the defaults. */
  yes: boolean;
  /** Replaces an existing config. */
  force: boolean;
  /** Null without a terminal. */
  terminal: Terminal | null;
}

export interface Initialized {
  /** Names of files. */
  written: string[];
  /** Spanish sentences. */
  caveats: string[];
}

/**
 * Writes `facturapuente.config.yaml`, `.env.example` and, where there is none, `.env`. Throws ConfigError where a config
 * exists, or an answer is missing or wrong.
 */
export async function init({ folder, given, yes, force, terminal }: InitOptions): Promise<Initialized> {
  if (!force) await refuseExisting(folder);
  refuseWrong(given);
  if (!yes && terminal === null)
    throw new ConfigError(
      'init-no-terminal',
      'No hay una terminal en la que preguntar: dé las respuestas como opciones y agregue --yes.',
      'init has no terminal to ask in; give the answers as flags with --yes.',
    );
  const { answers, apiKey } =
    yes || terminal === null ? { answers: withDefaults(given), apiKey: '' } : await askAll(given, terminal);
  const text = configText(answers);
  await verify(text, join(folder, file));
  const { example, own } = envTexts(answers, apiKey);
  await put(join(folder, file), text);
  await put(join(folder, '.env.example'), example);
  const written = [file, '.env.example'];
  // An existing .env is never changed.
  if (await writeFile(join(folder, '.env'), own, { mode: 0o600, flag: 'wx' }).then(yesWritten, ifThere))
    written.push('.env');
  return {
    written,
    caveats: answers.regimen === 'rimpe-popular' ? rimpePopularCaveats(answers.ruc ?? '') : [],
  };
}

const yesWritten = () => true;
function ifThere(error: NodeJS.ErrnoException): boolean {
  if (error.code === 'EEXIST') return false;
  throw error;
}

async function refuseExisting(folder: string): Promise<void> {
  for (const name of [file, ...otherNames]) {
    const there = await access(join(folder, name)).then(yesWritten, () => false);
    if (there)
      throw new ConfigError(
        'init-exists',
        `Ya hay una configuración, ${name}, y no se tocó: cámbiela a mano, o use --force para escribir otra.`,
        `${join(folder, name)} exists; use --force to write another one.`,
      );
  }
}

function refuseWrong(given: Answers): void {
  const wrong = questions.flatMap((question) => {
    const value = given[question.id];
    const problem = value === undefined ? undefined : problemWith(question, value);
    return problem === undefined ? [] : [`  - ${flagOf(question.id)}: ${problem}`];
  });
  if (wrong.length === 0) return;
  const list = wrong.join('\n');
  throw new ConfigError('init-answer', `Corrija estas respuestas:\n${list}`, `Wrong answers:\n${list}`);
}

function withDefaults(given: Answers): Answers {
  const answers: Record<string, string> = { ...given };
  const missing: string[] = [];
  for (const { id, initial, when, hint } of questions) {
    if (answers[id] !== undefined || when?.(answers) === false) continue;
    const value = initial?.(answers);
    if (value === undefined) missing.push(`  - ${flagOf(id)} (${hint})`);
    else answers[id] = value;
  }
  if (missing.length === 0) return answers;
  const list = missing.join('\n');
  throw new ConfigError('init-missing', `Faltan estas respuestas:\n${list}`, `Missing answers:\n${list}`);
}

/** Checks that `start` accepts the config. */
async function verify(text: string, path: string): Promise<void> {
  const value = parse(disguiseReferences(text), (_key, one) => uncoverReferences(one));
  const names = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [name, sample(name)]);
  await openSettings(parseConfig(value, { file: path, env: Object.fromEntries(names) }));
}

/** A placeholder for a secret that is not written yet. */
const sample = (name: string) =>
  `${name === 'WOO_CONSUMER_KEY' ? 'ck_' : name === 'WOO_CONSUMER_SECRET' ? 'cs_' : ''}${randomBytes(20).toString('hex')}`;

/** Atomic. */
async function put(path: string, text: string): Promise<void> {
  const draft = join(path, '..', `.${basename(path)}.${process.pid}`);
  await writeFile(draft, text, { flag: 'wx' });
  await rename(draft, path);
}

/** Streams for tests; the process's terminal by default. */
interface Terminal {
  input?: Readable;
  output?: Writable;
}

/** Asks what is not in `given`. Throws ConfigError `init-stopped` on Ctrl+C. */
async function askAll(
  given: Answers,
  terminal: Terminal = {},
): Promise<{ answers: Answers; apiKey: string }> {
  intro('facturapuente: configuración de una tienda', terminal);
  const answers: Record<string, string> = { ...given };
  for (const question of questions) {
    if (answers[question.id] !== undefined || question.when?.(answers) === false) continue;
    answers[question.id] = question.quiet
      ? (question.initial?.(answers) ?? '')
      : await askOne(question, answers, terminal);
  }
  const apiKey = await password({
    message: 'Clave de API del servicio (vacío: la escribe luego en .env)',
    ...terminal,
  });
  if (answers.ambiente === '1')
    note('Queda en ambiente 1: pruebas, gratis y sin valor tributario.', 'Ambiente', terminal);
  return { answers, apiKey: orStop(apiKey, terminal) ?? '' };
}

async function askOne(question: Question, answers: Answers, terminal: Terminal): Promise<string> {
  const { ask: message, hint, choices, initial } = question;
  const initialValue = initial?.(answers);
  if (choices) {
    const options = choices.map(({ value, label }) => ({ value, label }));
    const chosen = await select({
      message,
      options,
      showInstructions: false,
      ...(initialValue ? { initialValue } : {}),
      ...terminal,
    });
    return orStop(chosen, terminal);
  }
  const said = await text({
    message,
    placeholder: hint,
    ...(initialValue ? { initialValue } : {}),
    validate: (value) => problemWith(question, (value ?? '').trim()),
    ...terminal,
  });
  return (orStop(said, terminal) ?? '').trim();
}

function orStop<T>(answer: T, terminal: Terminal): Exclude<T, symbol> {
  if (!isCancel(answer)) return answer as Exclude<T, symbol>;
  cancel('No se escribió nada.', terminal);
  throw new ConfigError(
    'init-stopped',
    'Se detuvo antes de terminar; no se escribió nada.',
    'init was cancelled.',
  );
}

/** A value as YAML, on one line. */
const y = (value: string | number) =>
  stringify(value, { lineWidth: 0, defaultStringType: 'PLAIN' }).trimEnd();

/** The config, with comments. */
function configText(answers: Answers): string {
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

const ownKeys = ({ platform, wooKeys }: Answers) => platform === 'woocommerce' && wooKeys === 'own';

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

/** `.env.example` with names only, and `.env` with the values known already. */
function envTexts(answers: Answers, apiKey: string): { example: string; own: string } {
  const variables: [name: string, says: string, value?: string][] = [
    ['FACTURA_API_KEY', 'La clave de API, del panel de su cuenta en el servicio.', apiKey],
    [
      'FACTURA_WEBHOOK_SECRET',
      'Firma los avisos del servicio; lo inventa usted (openssl rand -base64 32) e «install» lo registra.',
      randomBytes(36).toString('base64url'),
    ],
  ];
  if (answers.signature !== '') variables.push(['FIRMA_PASSWORD', 'La contraseña del archivo .p12.']);
  if (ownKeys(answers))
    variables.push(
      ['WOO_CONSUMER_KEY', 'Clave de cliente de la API REST de WooCommerce, empieza con ck_.'],
      ['WOO_CONSUMER_SECRET', 'Clave secreta de la misma, empieza con cs_.'],
    );
  if (answers.platform === 'shopify')
    variables.push(
      ['SHOPIFY_CLIENT_ID', 'Client ID de la app, en el Dev Dashboard de Shopify.'],
      ['SHOPIFY_CLIENT_SECRET', 'Client secret de la misma app.'],
    );
  const text = (head: string, shown: (value: string) => string) =>
    [head, ...variables.map(([name, says, value = '']) => `# ${says}\n${name}=${shown(value)}`), ''].join(
      '\n',
    );
  return {
    example: text('# Copie este archivo como .env y complételo; .env nunca va a un repositorio.', () => ''),
    own: text('# Secretos de facturapuente: no los comparta ni los suba a un repositorio.', (value) =>
      /[\s#'"`\\]/.test(value) ? `'${value}'` : value,
    ),
  };
}
