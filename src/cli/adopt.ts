import { type Command, Option } from 'commander';
import { documentKinds } from '../domain/document.ts';

interface AdoptFlags {
  config?: string;
  store?: string;
  kind?: string;
  sinComprobar: boolean;
}

/** `facturapuente adopt`: the access key of a document that only a person could find. */
export function addAdoptCommand(program: Command): void {
  program
    .command('adopt')
    .description(
      'Da a un documento la clave de acceso con la que ya fue autorizado, cuando nadie más la conoce. Funciona con facturapuente start en marcha.',
    )
    .argument('<documento>', 'su id, o su número: 001-001-000000123')
    .argument('<clave>', 'los 49 dígitos de la clave de acceso')
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
    .option('--store <tienda>', 'de qué tienda es el número, si varias lo usan')
    .addOption(new Option('--kind <tipo>', 'qué documento es el número').choices(documentKinds))
    .option(
      '--sin-comprobar',
      'usted responde por la clave: para un documento que el servicio no muestra',
      false,
    )
    .action(
      async (document: string, accessKey: string, { config, store, kind, sinComprobar }: AdoptFlags) => {
        const { carryOut } = await import('./carry-out.ts');
        const asked = { document, accessKey, store, kind, vouched: sinComprobar };
        const { done, says } = await carryOut('adopt', asked, config ? { config } : {});
        (done ? process.stdout : process.stderr).write(`${says}\n`);
        process.exitCode = done ? 0 : 1;
      },
    );
}
