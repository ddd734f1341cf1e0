import { type Command, Option } from 'commander';
import { documentCodes } from '../core/document.ts';
import type { AdoptFlags } from './adopt-key.ts';

/** `facturapuente adopt`: the access key of a document that only a person could find. */
export function addAdoptCommand(program: Command): void {
  program
    .command('adopt')
    .description(
      'Da a un documento la clave de acceso con la que ya fue autorizado, cuando nadie más la conoce. Con un registro en una carpeta (SQLite), detenga antes facturapuente start.',
    )
    .argument('<documento>', 'su id, o su número: 001-001-000000123')
    .argument('<clave>', 'los 49 dígitos de la clave de acceso')
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
    .option('--store <tienda>', 'de qué tienda es el número, si varias lo usan')
    .addOption(new Option('--kind <tipo>', 'qué documento es el número').choices(Object.keys(documentCodes)))
    .option(
      '--sin-comprobar',
      'usted responde por la clave: para un documento que el servicio no muestra',
      false,
    )
    .action(async (document: string, accessKey: string, flags: AdoptFlags) => {
      const { adoptKey } = await import('./adopt-key.ts');
      process.stdout.write(await adoptKey(document, accessKey, flags));
    });
}
