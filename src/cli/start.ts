import { type Command, Option } from 'commander';
import type { Role } from '../app/connector.ts';
import { type LogLevel, logLevels } from '../observability/log-level.ts';

interface Flags {
  config?: string;
  role: Role;
  port?: string;
  host?: string;
  logLevel?: LogLevel;
}

/** A deploy waits so long for running steps; below the usual 30 s grace of orchestrators. */
const shutdownMs = 20_000;

/** `facturapuente start`: the doors, the worker, or both, until the process is asked to stop. */
export function addStartCommand(program: Command): void {
  program
    .command('start')
    .description('Recibe los webhooks y emite las facturas.')
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
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
    .action(async (flags: Flags) => {
      // Loaded here, so that the other commands start without the product behind them.
      const { openLog } = await import('../observability/log.ts');
      const { loadConfig } = await import('../config/load.ts');
      const { openConnector } = await import('../app/connector.ts');
      const config = await loadConfig({
        ...(flags.config ? { path: flags.config } : {}),
        cwd: process.cwd(),
        env: process.env,
      });
      const log = openLog({ level: flags.logLevel ?? config.log.level ?? 'info', file: config.log.file });
      const connector = await openConnector({
        config,
        role: flags.role,
        log,
        ...(flags.port === undefined ? {} : { port: Number(flags.port) }),
        ...(flags.host === undefined ? {} : { host: flags.host }),
      });
      log.info(
        {
          role: flags.role,
          url: connector.url,
          metrics: connector.metricsUrl,
          readyMs: Math.round(performance.now()),
        },
        'facturapuente is ready',
      );
      const signal = await stopRequested();
      log.info({ signal }, 'Stopping: finishing what runs');
      await connector.close(shutdownMs);
      log.info({}, 'Stopped');
      // What ran past the deadline belongs to its lease now; it must not keep this process alive.
      setTimeout(() => process.exit(), 1_000).unref();
    });
}

/** The first SIGINT or SIGTERM asks for an orderly stop; a second one ends the process at once. */
function stopRequested(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve(signal);
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
  });
}
