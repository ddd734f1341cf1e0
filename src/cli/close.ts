import { type Command, InvalidArgumentError } from 'commander';
import type { CloseFlags } from './close-run.ts';
import { endingWith } from './tellable.ts';

/** `facturapuente close`: one day of shop, ledger and service, laid side by side. */
export function addCloseCommand(program: Command): void {
  program
    .command('close')
    .description(
      'Cierra un día: compara, documento por documento y al centavo, lo que vendieron las tiendas, lo que se emitió y lo que tiene el servicio. Termina con 0 si cuadra, 1 si no, 2 si alguien no respondió o no se le puede preguntar.',
    )
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
    .option('--date <día>', 'el día en Ecuador (2026-11-20); por defecto, ayer', day)
    .option('--store <tienda>', 'solo esta tienda; por defecto, todas')
    .option('--save', 'firma el cierre y lo guarda en el registro', false)
    .option('--json', 'imprime el cierre como JSON', false)
    .option('--verify', 'en vez de cerrar, comprueba la cadena de los cierres guardados', false)
    .option('--public-key', 'en vez de cerrar, imprime la clave pública con la que se comprueban', false)
    .action(async (flags: CloseFlags) => {
      const { runClose } = await import('./close-run.ts');
      const { text, code } = await endingWith(2, () => runClose(flags));
      process.stdout.write(text);
      process.exitCode = code;
    });
}

function day(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError('Es un día, por ejemplo 2026-11-20.');
}
