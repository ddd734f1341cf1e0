import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import type { Role } from '../app/connector.ts';
import type { ToolAnswer } from '../assistant/tools.ts';
import { CommandError, ConfigError, FacturapuenteError } from '../domain/errors.ts';
import { silentLog } from '../domain/ports.ts';
import { type LogLevel, logLevels } from '../observability/log.ts';
import { addStore } from '../operations/installation.ts';
import type { ConfigFlag } from './given.ts';
import { flagOf, questions } from './init/questions.ts';
import type { RunFlags } from './install.ts';
import { commandFor, commandOf, printAnswer } from './operation-command.ts';
import { endingWith, readableError } from './spanish.ts';

// Each action loads what it runs, so that a command starts without the rest of the product.

interface StartFlags extends ConfigFlag {
  role: Role;
  port?: string;
  host?: string;
  logLevel?: LogLevel;
}

/** Must stay below the usual 30 s of orchestrators. */
const shutdownMs = 20_000;

export function addStartCommand(program: Command): void {
  commandOf(program, 'start')
    .description('Recibe los webhooks y emite las facturas.')
    .addOption(
      new Option('--role <papel>', 'qué hace este proceso').choices(['all', 'web', 'worker']).default('all'),
    )
    .option('--port <número>', 'puerto; por defecto el de la configuración')
    .option(
      '--host <dirección>',
      'dirección en la que escucha; por defecto la de la configuración, o 127.0.0.1',
    )
    .addOption(
      new Option(
        '--log-level <nivel>',
        'detalle de los registros; por defecto log.level, LOG_LEVEL o info',
      ).choices(logLevels),
    )
    .action(async ({ role, port, host, logLevel, config: path }: StartFlags) => {
      const { openLog } = await import('../observability/log.ts');
      const { loadConfig } = await import('../config/load.ts');
      const { openConnector } = await import('../app/connector.ts');
      const config = await loadConfig({ path, cwd: process.cwd(), env: process.env });
      const log = openLog({ level: logLevel ?? config.log.level ?? 'info', file: config.log.file });
      const connector = await openConnector({
        config,
        role,
        log,
        ...(port !== undefined && { port: Number(port) }),
        ...(host !== undefined && { host }),
      });
      const { url, metricsUrl: metrics } = connector;
      log.info({ role, url, metrics, readyMs: Math.round(performance.now()) }, 'facturapuente is ready');
      const signal = await stopRequested();
      log.info({ signal }, 'Stopping: finishing running jobs');
      await connector.close(shutdownMs);
      log.info({}, 'Stopped');
      // A job past the deadline is taken over when its lease ends; it must not keep this process alive.
      setTimeout(() => process.exit(), 1_000).unref();
    });
}

/** A second signal ends the process at once. */
function stopRequested(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve(signal);
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
  });
}

export function addMcpCommand(program: Command): void {
  commandOf(program, 'mcp')
    .description(
      'Atiende a un asistente (Model Context Protocol) por la entrada y la salida estándar. Funciona con facturapuente start en marcha.',
    )
    .option('--new-token', 'en vez de atender, genera un token para /mcp y lo que va en mcp.tokens', false)
    .action(async ({ newToken, ...flags }: ConfigFlag & { newToken: boolean }) => {
      if (newToken) {
        const token = `fpmcp_${randomBytes(32).toString('base64url')}`;
        const hash = createHash('sha256').update(token).digest('hex');
        process.stdout.write(
          `Token, que no se vuelve a mostrar: ${token}\nEn la configuración: mcp: { tokens: { asistente: ${hash} } }\n`,
        );
        return;
      }
      await serveAssistant(flags);
    });
}

/** Works beside a running `start`, too: each call opens the ledger for itself. */
async function serveAssistant(flags: ConfigFlag): Promise<void> {
  const { operationsOf } = await import('../app/operating.ts');
  const { packageVersion } = await import('../app/platforms.ts');
  const { serveOverStdio } = await import('../assistant/endpoint.ts');
  const { callTool, toolsOf } = await import('../assistant/tools.ts');
  const { allOperations } = await import('../operations/all.ts');
  const { withInstallation } = await import('./carry-out.ts');
  const { readConfig, whoAmI } = await import('./given.ts');
  const closed = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve));
  const tools = toolsOf({ all: allOperations });
  serveOverStdio({ version: packageVersion, tools }, async (tool, input): Promise<ToolAnswer> => {
    try {
      const config = await readConfig(flags);
      return await withInstallation(config, { role: 'mcp' }, (installation) => {
        const parts = {
          operations: operationsOf(installation),
          plans: installation,
          allowProduction: config.mcp.allowProduction,
        };
        return callTool(parts, tool, input, { by: whoAmI(), scope: null });
      });
    } catch (error) {
      const reported = await readableError(error);
      if (!(reported instanceof FacturapuenteError)) throw reported;
      return { ok: false, message: reported.merchant };
    }
  });
  await closed;
}

export function addInstallCommands(program: Command): void {
  commandOf(program, 'install')
    .description(
      'Muestra qué falta para facturar, en el servicio y en cada tienda, y lo deja listo; se puede repetir.',
    )
    .option('--store <tienda>', 'solo esta tienda y quien factura por ella; por defecto, todo')
    .option('--check', 'solo mira y no cambia nada', false)
    .option('--production', 'confirma que los emisores de ambiente 2 facturen de verdad', false)
    .option('--signature <archivo>', 'firma electrónica .p12, en lugar de la del emisor')
    .option('--signature-password-env <variable>', 'variable de entorno con la contraseña del .p12')
    .option('--logo <archivo>', 'logo PNG o JPEG, en lugar del que tiene el emisor')
    .option('--replace', 'reemplaza lo que otro puso en el servicio: empresa y webhook', false)
    .option('--resend', 'envía todo otra vez al servicio, aunque ya lo tenga', false)
    .option('--json', 'imprime un objeto JSON', false)
    .action(async (flags: RunFlags) => {
      const { install } = await import('./install.ts');
      finish(await install(flags));
    });
  commandOf(program, 'uninstall')
    .description(
      'Quita de una tienda lo que install puso en ella; una de WooCommerce deja de facturar hasta el próximo install.',
    )
    .requiredOption('--store <tienda>', 'la tienda de la configuración')
    .option('--json', 'imprime un objeto JSON', false)
    .action(async (flags: ConfigFlag & { store: string; json: boolean }) => {
      const { uninstall } = await import('./install.ts');
      finish(await uninstall(flags));
    });
}

function finish({ text, ready }: { text: string; ready: boolean }): void {
  process.stdout.write(text);
  if (!ready) process.exitCode = 1;
}

export function addMoveCommand(program: Command): void {
  commandOf(program, 'move')
    .description(
      'Mueve el registro de su carpeta (SQLite) a PostgreSQL, lo compara fila por fila y cierra la carpeta. Detenga antes facturapuente start.',
    )
    .requiredOption(
      '--to <dirección>',
      'base de destino, por ejemplo postgresql://usuario:clave@servidor/base',
    )
    .option('--schema <nombre>', 'esquema de destino', 'facturapuente')
    .action(async (flags: ConfigFlag & { to: string; schema?: string }) => {
      process.stdout.write(await moveFile(flags));
    });
}

async function moveFile({
  config: path,
  to,
  schema,
}: ConfigFlag & { to: string; schema?: string }): Promise<string> {
  const { loadConfig, openClock } = await import('../config/load.ts');
  const { moveLedger } = await import('../ledger/move/move.ts');
  const { whoAmI } = await import('./given.ts');
  // DATABASE_URL may name the target already; the ledger is still in its directory.
  const { DATABASE_URL: _target, ...env } = process.env;
  const config = await loadConfig({ path, cwd: process.cwd(), env });
  if (!('directory' in config.ledger)) {
    throw new ConfigError('nothing-to-do', { why: 'moved' });
  }
  const { directory } = config.ledger;
  const target = { url: to, ...(schema !== undefined && { schema }) };
  const clock = openClock(config.testClock);
  const { tables, already } = await moveLedger(directory, target, { clock, log: silentLog, by: whoAmI() });
  const rows = Object.entries(tables).map(([name, count]) => `  ${name.padEnd(12)} ${count}`);
  return [
    already
      ? 'El registro ya estaba movido; se comparó de nuevo y es igual:'
      : 'El registro se movió y es igual, fila por fila:',
    ...rows,
    '',
    'Antes de iniciar facturapuente start, ponga en la configuración (o en el entorno):',
    `  ledger.url: la dirección de la base${schema === undefined || schema === 'facturapuente' ? '' : `, y ledger.schema: ${schema}`} (o DATABASE_URL), en lugar de ledger.directory si está`,
    ...(config.secret === undefined
      ? [
          `  secret: el contenido de ${join(directory, 'secret.key')} (o FACTURAPUENTE_SECRET); sin él no se lee lo guardado`,
        ]
      : []),
    `La carpeta ${directory} queda como respaldo y ya no se usa.`,
    '',
  ].join('\n');
}

export function addHashPasswordCommand(program: Command): void {
  program
    .command('hash-password')
    .description('Pide una contraseña e imprime lo que va en passwordHash de panel.users o de operator.')
    .action(async () => {
      const password = process.stdin.isTTY
        ? await ask('Contraseña: ')
        : (await text(process.stdin)).replace(/\r?\n$/, '');
      const { hashPassword, passwordFlaw } = await import('../panel/people.ts');
      const flaw = passwordFlaw(password);
      if (flaw !== null) throw flaw;
      process.stdout.write(`${await hashPassword(password)}\n`);
    });
}

async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  const answer = await terminal.question('');
  terminal.close();
  process.stderr.write('\n');
  return answer;
}

export function addDoctorCommand(program: Command): void {
  commandOf(program, 'doctor')
    .description(
      'Revisa toda la instalación y dice cómo arreglar cada falla. Termina en 0 bien, 1 avisos, 2 problemas.',
    )
    .option('--json', 'imprime un objeto JSON', false)
    .action(async ({ json, ...flags }: ConfigFlag & { json: boolean }) => {
      const { diagnose } = await import('./doctor/run.ts');
      const { sectionText } = await import('./install.ts');
      const diagnosis = await endingWith(2, () => diagnose(flags));
      process.stdout.write(
        json
          ? `${JSON.stringify(diagnosis, null, 2)}\n`
          : `${diagnosis.sections.map(sectionText).join('\n')}\n${last[diagnosis.state]}\n`,
      );
      process.exitCode = { ok: 0, warning: 1, problem: 2 }[diagnosis.state];
    });
}

const last = {
  ok: 'Todo está bien.',
  warning: 'Funciona; mire los avisos.',
  problem: 'Hay problemas: resuélvalos y repita.',
};

export function addInitCommand(program: Command): void {
  const command = program
    .command('init')
    .description(
      'Pregunta los datos de su tienda y escribe la configuración; cada respuesta es también una opción.',
    )
    .option('--yes', 'no pregunta: toma lo que no se dio por su valor usual', false)
    .option('--force', 'escribe aunque ya haya una configuración', false);
  for (const { id, hint, ask, choices } of questions) {
    const option = new Option(`${flagOf(id)} <valor>`, `${ask}; ${hint}`);
    command.addOption(choices ? option.choices(choices.map(({ value }) => value)) : option);
  }
  command.action(
    async ({ yes, force, ...given }: Record<string, string> & { yes: boolean; force: boolean }) => {
      const { init, nextSteps } = await import('./init/run.ts');
      const terminal = process.stdin.isTTY && process.stdout.isTTY ? {} : null;
      process.stdout.write(nextSteps(await init({ folder: process.cwd(), given, yes, force, terminal })));
    },
  );
}

/** The emulators of the service and of shops; merchants need not install the package. */
const tools = 'facturapuente-sandbox';

const commands = {
  sandbox: 'Levanta un servicio de comprobantes de prueba en esta máquina; nada llega al SRI.',
  conformance:
    'Compara un servicio de comprobantes, el sandbox o el verdadero, con su especificación; solo en ambiente 1.',
};

export function addSandboxCommands(program: Command): void {
  for (const [name, description] of Object.entries(commands))
    program.command(name).description(`${description} Viene con el paquete ${tools}.`);
}

/** undefined for any other command. Throws CommandError where the package is not installed. */
export async function sandboxCommandLine(name: string | undefined): Promise<Command | undefined> {
  if (name === undefined || !(name in commands)) return undefined;
  const { openSandboxCommandLine } = await installed(name, () => import('facturapuente-sandbox/cli'));
  return openSandboxCommandLine('facturapuente');
}

/** Throws CommandError where facturapuente-sandbox is not installed. */
export async function installed<T>(command: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const isMissing =
      error instanceof Error &&
      'code' in error &&
      error.code === 'ERR_MODULE_NOT_FOUND' &&
      error.message.includes(tools);
    if (!isMissing) throw error;
    throw new CommandError(
      'package-missing',
      { needs: `«${command}»`, install: `npm install --save-dev ${tools}` },
      { cause: error },
    );
  }
}

export function addStoreCommand(program: Command): void {
  commandFor(program, addStore.name)
    .description(addStore.description)
    .argument('<archivo>', 'YAML o JSON con las secciones stores, issuers y accounts de la configuración')
    .action(async (file: string, flags: ConfigFlag) => {
      const { carryOut } = await import('./carry-out.ts');
      printAnswer(await carryOut(addStore, await readStoreFile(file), flags, { mayBegin: true }));
    });
}

/** Throws ConfigError with everything that is wrong with the file. */
async function readStoreFile(file: string): Promise<{ id: string; raw: unknown }> {
  const { readFragment } = await import('../config/resolve.ts');
  const path = resolve(process.cwd(), file);
  const text = await readFile(path, 'utf8').catch(({ message: reason }: Error) => {
    throw new ConfigError('config-invalid', { why: 'unreadable', file: path, place: '', reason });
  });
  return readFragment(text, { file: path, env: process.env });
}
