import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import pc from 'picocolors';
import { parseJson } from '../../src/domain/loose.ts';
import { readTestClock, runFrom, type TimeSource } from '../emulator/clock.ts';
import type { SandboxOptions, Seed } from '../emulator/index.ts';
import {
  type ArithmeticName,
  arithmeticNames,
  type DialectName,
  dialectNames,
} from '../emulator/variants.ts';

interface Flags {
  port: number;
  host: string;
  apiKey: string[];
  allowLoopbackWebhooks: boolean;
  webhookUrl?: string;
  webhookSecret?: string;
  authorizeDelay: number;
  codigoNumerico: 'fijo' | 'aleatorio';
  dialect: DialectName;
  arithmetic: ArithmeticName;
  strict: boolean;
  inContainer: boolean;
  testClock?: TimeSource;
  clock?: Date;
  rate?: number;
  data?: string;
  seed?: Seed;
  publicUrl?: string;
  shop?: number;
}

const defaultKey = 'clave-de-prueba';

/** `facturapuente sandbox`: runs the emulator of the tax document service until it is stopped. */
export function addSandboxCommand(program: Command): void {
  program
    .command('sandbox', { isDefault: true })
    .description('Levanta un servicio de comprobantes de prueba en esta máquina; nada llega al SRI.')
    .option('--port <número>', 'puerto; 0 toma uno libre', wholeNumber, 4010)
    .option('--host <dirección>', 'dirección en la que escucha', '127.0.0.1')
    .addOption(
      new Option('--api-key <clave>', 'clave de API que acepta; se puede repetir')
        .argParser(collect)
        .default([], defaultKey),
    )
    .option('--allow-loopback-webhooks', 'acepta webhooks en esta máquina y en redes privadas', false)
    .addOption(
      new Option(
        '--shop [puerto]',
        'abre también una tienda WooCommerce de prueba, con una página donde comprar, en el puerto 4020 o en este; olvida al detenerse',
      )
        .preset('4020')
        .argParser(wholeNumber),
    )
    .option('--data <carpeta>', 'carpeta en la que guarda todo; sin ella olvida al detenerse')
    .addOption(
      new Option(
        '--seed <archivo>',
        'archivo JSON con las cuentas, documentos y fallas del comienzo',
      ).argParser(seedFile),
    )
    .option('--public-url <url>', 'URL con la que otros llegan al sandbox, para los enlaces que entrega')
    .option(
      '--in-container',
      'corre en un contenedor: la página y el control atienden al puerto que este publica',
      false,
    )
    .option('--webhook-url <url>', 'webhook de las cuentas')
    .addOption(
      new Option(
        '--webhook-secret <secreto>',
        'secreto con el que se firman las entregas; en la variable no lo muestra ninguna lista de procesos',
      ).env('SANDBOX_WEBHOOK_SECRET'),
    )
    .option('--authorize-delay <ms>', 'milisegundos hasta que el SRI simulado decide', wholeNumber, 300)
    .addOption(
      new Option('--codigo-numerico <modo>', 'cómo se forma la clave de acceso')
        .choices(['fijo', 'aleatorio'])
        .default('fijo'),
    )
    .addOption(
      new Option('--dialect <nombre>', 'con qué formas habla donde la especificación calla')
        .choices(dialectNames)
        .default('described'),
    )
    .addOption(
      new Option('--arithmetic <modo>', 'cómo calcula los impuestos de un comprobante')
        .choices(arithmeticNames)
        .default('totals'),
    )
    .option('--strict', 'emite solo para empresas registradas y con firma vigente, como producción', false)
    .addOption(
      new Option('--test-clock <texto>', 'reloj de prueba: anchor=<ISO>,offset=<ms>,rate=<número>').argParser(
        testClock,
      ),
    )
    .addOption(
      new Option('--clock <instante>', 'instante ISO en el que empieza el reloj del sandbox')
        .argParser(instant)
        .conflicts('testClock'),
    )
    .addOption(
      new Option('--rate <número>', 'cuántas veces más rápido que el real pasa el tiempo del sandbox')
        .argParser(rate)
        .conflicts('testClock'),
    )
    .action(async (flags: Flags, command: Command) => {
      if (flags.webhookUrl !== undefined && flags.webhookSecret === undefined) {
        command.error('error: --webhook-url necesita un secreto: SANDBOX_WEBHOOK_SECRET.');
      }
      try {
        await run(flags);
      } catch (error) {
        command.error(`error: ${reason(error, flags)}`);
      }
    });
}

async function run(flags: Flags): Promise<void> {
  const seeded = (flags.seed?.accounts ?? []).map(({ apiKey }) => apiKey);
  const keys = flags.apiKey.length + seeded.length > 0 ? flags.apiKey : [defaultKey];
  const webhook =
    flags.webhookUrl === undefined || flags.webhookSecret === undefined
      ? {}
      : { webhook: { url: flags.webhookUrl, secret: flags.webhookSecret } };
  const options: SandboxOptions = {
    port: flags.port,
    host: flags.host,
    accounts: keys.map((apiKey) => ({ apiKey, ...webhook })),
    authorizeDelayMs: flags.authorizeDelay,
    allowLoopbackWebhooks: flags.allowLoopbackWebhooks,
    codigoNumerico: flags.codigoNumerico,
    dialect: flags.dialect,
    arithmetic: flags.arithmetic,
    strict: flags.strict,
    inContainer: flags.inContainer,
    log: (line) => print(pc.dim(line)),
    ...(flags.data === undefined ? {} : { dataDirectory: flags.data }),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    ...(flags.publicUrl === undefined ? {} : { publicUrl: flags.publicUrl }),
    ...timeOf(flags),
  };
  const stopped = waitForStop();
  // Loaded only here: every other command starts without the web server.
  const { createSandbox } = await import('../emulator/index.ts');
  const sandbox = await createSandbox(options);
  try {
    const shop = flags.shop === undefined ? null : await openShop(flags.shop);
    print(startBlock(sandbox.url, [...seeded, ...keys], shop?.rows ?? [], flags));
    await stopped;
    await shop?.close();
  } finally {
    await sandbox.close();
  }
  print('Sandbox detenido.');
}

async function openShop(port: number) {
  const { openShopWithPages, shopKeys } = await import('../shops/page/shop.ts');
  const { url, close } = await openShopWithPages(port);
  const rows = [
    row('Tienda', pc.cyan(`${url}/`)),
    row('Clave', pc.cyan(shopKeys.consumerKey)),
    row('Secreto', pc.cyan(shopKeys.consumerSecret)),
  ];
  return { rows, close };
}

const row = (label: string, value: string) => `  ${pc.dim(label.padEnd(14))}${value}`;

function startBlock(url: string, keys: string[], shopRows: string[], flags: Flags): string {
  const rows = [
    pc.bold('Servicio de comprobantes de prueba en marcha; nada de lo que emita llega al SRI.'),
    row('URL', pc.cyan(url)),
    ...keys.map((key) => row('X-API-KEY', pc.cyan(key))),
    ...(flags.webhookUrl ? [row('Webhook', flags.webhookUrl)] : []),
    ...(flags.data === undefined ? [] : [row('Datos', flags.data)]),
    row('Dialecto', `${flags.dialect}; calcula: ${flags.arithmetic}`),
    row('Página', pc.cyan(`${url}/`)),
    row('OpenAPI', `${url}/openapi.json`),
    row('MCP', `${url}/mcp`),
    row('Documentos', `${url}/__sandbox/documents`),
    ...shopRows,
    row('Detener', 'Ctrl+C'),
  ];
  return rows.join('\n');
}

/** Resolves on the first SIGINT or SIGTERM; from then on a second one ends the process at once. */
function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
}

function reason(error: unknown, flags: Flags): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE') {
    const isShop = 'port' in error && error.port === flags.shop;
    return `El puerto ${isShop ? flags.shop : flags.port} ya está en uso; elija otro con ${isShop ? '--shop' : '--port'}.`;
  }
  return error.message;
}

const print = (text: string) => void process.stdout.write(`${text}\n`);

function timeOf({ testClock, clock, rate }: Flags): Pick<SandboxOptions, 'now'> {
  if (testClock) return { now: testClock };
  return clock || rate !== undefined ? { now: runFrom(clock ?? new Date(), rate ?? 1) } : {};
}

// How the values of the sandbox's options are read; each throws InvalidArgumentError with its reason.

/** Gathers an option that may be given several times. */
const collect = (value: string, before: string[]) => [...before, value];

/** The JSON of a seed file; what it says is looked at when the sandbox starts. */
function seedFile(path: string): Seed {
  try {
    return parseJson(readFileSync(path, 'utf8')) as Seed;
  } catch (error) {
    throw new InvalidArgumentError(
      `No se puede leer ${path}: ${error instanceof Error ? error.message : error}.`,
    );
  }
}

/** 0, 1, 2, … */
function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Debe ser un número entero.');
  return Number(text);
}

/** An ISO instant. */
function instant(text: string): Date {
  const read = new Date(text);
  if (Number.isNaN(read.getTime())) {
    throw new InvalidArgumentError('Debe ser un instante ISO: 2026-11-20T23:59:00-05:00.');
  }
  return read;
}

/** A factor from 0. */
function rate(text: string): number {
  const read = Number(text);
  if (text.trim() === '' || !Number.isFinite(read) || read < 0) {
    throw new InvalidArgumentError('Debe ser un número desde 0: 60 es una hora por minuto.');
  }
  return read;
}

/** `anchor=<ISO>,offset=<ms>,rate=<number>`. */
function testClock(text: string): TimeSource {
  try {
    return readTestClock(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}
