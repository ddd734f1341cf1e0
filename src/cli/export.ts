import { type Command, InvalidArgumentError } from 'commander';
import type { ExportFlags } from './export-run.ts';

/** `facturapuente export`: a month for the accountant. */
export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description(
      'Exporta un mes para el contador: un ZIP con el XML y el PDF de cada comprobante autorizado y las tablas de facturas, notas de crédito, IVA y huecos de numeración. Termina con 1 si falta algún archivo.',
    )
    .requiredOption('--month <mes>', 'por ejemplo 2026-11', month)
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
    .option('--out <archivo>', 'por defecto comprobantes-<mes>.zip en esta carpeta')
    .option('--store <tienda>', 'solo esta tienda; por defecto, todas')
    .option('--ruc <ruc>', 'solo este emisor; por defecto, todos')
    .option('--plain', 'tablas para programas (RFC 4180, punto decimal) en vez de para Excel', false)
    .option('--json', 'imprime lo que se exportó como JSON', false)
    .action(async (flags: ExportFlags) => {
      const { runExport } = await import('./export-run.ts');
      const { text, code } = await runExport(flags);
      process.stdout.write(text);
      process.exitCode = code;
    });
}

function month(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('Es un mes, por ejemplo 2026-11.');
}
