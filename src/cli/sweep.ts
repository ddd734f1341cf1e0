import { type Command, InvalidArgumentError } from 'commander';
import { startOfEcuadorDay } from '../domain/calendar.ts';
import type { SweepFlags } from './sweep-stores.ts';

/** `facturapuente sweep`: asks the shops now for what no webhook told; while `start` runs, it does so by itself. */
export function addSweepCommand(program: Command): void {
  program
    .command('sweep')
    .description('Pregunta ahora a las tiendas por los pedidos y reembolsos que ningún webhook avisó.')
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
    .option('--store <tienda>', 'solo esta tienda; por defecto, todas')
    .option(
      '--since <instante>',
      'desde este día (2026-11-01) o instante con zona; por defecto, desde donde quedó la última búsqueda',
      instant,
    )
    .action(async (flags: SweepFlags) => {
      const { sweepStores } = await import('./sweep-stores.ts');
      const { text, failed } = await sweepStores(flags);
      process.stdout.write(text);
      if (failed) process.exitCode = 1;
    });
}

function instant(text: string): Date {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))) return startOfEcuadorDay(text);
  const time = /(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new InvalidArgumentError(
      'Es un día (2026-11-01) o un instante con zona (2026-11-01T08:00:00-05:00).',
    );
  return new Date(time);
}
