import { type Command, Option } from 'commander';
import { documentKinds } from '../domain/document.ts';

interface Flags {
  config?: string;
  store?: string;
  kind?: string;
  numeroNuevo: boolean;
  accept: boolean;
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
    .option(
      '--numero-nuevo',
      'usted responde por que la venta no tiene ningún comprobante en el servicio ni en el SRI: se pregunta una vez más y se emite con otro número',
      false,
    )
    .option(
      '--accept',
      'usted comprobó que lo que la tienda dice ahora es cierto: que es otra venta u otro reembolso con un id repetido, o que se cobró el total de ahora',
      false,
    )
    .action(async (document: string, { config, store, kind, numeroNuevo, accept }: Flags) => {
      const { carryOut } = await import('./carry-out.ts');
      const asked = {
        document,
        store,
        kind,
        ...(numeroNuevo && { newNumber: true }),
        ...(accept && { accept }),
      };
      const { done, says } = await carryOut('retry', asked, config ? { config } : {});
      (done ? process.stdout : process.stderr).write(`${says}\n`);
      process.exitCode = done ? 0 : 1;
    });
}
