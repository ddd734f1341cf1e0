import { type Command, Option } from 'commander';
import { documentKinds } from '../core/document.ts';

interface Flags {
  config?: string;
  store?: string;
  kind?: string;
}

/** `facturapuente retry`: a person has mended what stopped a document. */
export function addRetryCommand(program: Command): void {
  program
    .command('retry')
    .description(
      'Intenta otra vez un documento retenido, rechazado o que espera a una persona, cuando la causa ya está corregida. Funciona con facturapuente start en marcha.',
    )
    .argument('<documento>', 'su id, o su número: 001-001-000000123')
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
    .option('--store <tienda>', 'de qué tienda es el número, si varias lo usan')
    .addOption(new Option('--kind <tipo>', 'qué documento es el número').choices(documentKinds))
    .action(async (document: string, { config, store, kind }: Flags) => {
      const { carryOut } = await import('./carry-out.ts');
      const { done, says } = await carryOut('retry', { document, store, kind }, config ? { config } : {});
      (done ? process.stdout : process.stderr).write(`${says}\n`);
      process.exitCode = done ? 0 : 1;
    });
}
