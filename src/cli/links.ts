import { type Command, Option } from 'commander';
import { documentCodes } from '../domain/document.ts';
import type { LinksFlags } from './document-addresses.ts';

/** `facturapuente links show|revoke`: the addresses of a document. */
export function addLinksCommands(program: Command): void {
  const links = program.command('links').description('Los enlaces de un documento autorizado.');
  const common = (command: Command) =>
    command
      .argument('<documento>', 'su id, o su número: 001-001-000000123')
      .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
      .option('--store <tienda>', 'de qué tienda es el número, si varias lo usan')
      .addOption(
        new Option('--kind <tipo>', 'qué documento es el número').choices(Object.keys(documentCodes)),
      )
      .option('--json', 'imprime un objeto JSON', false);

  common(links.command('show').description('Muestra los enlaces que sirven ahora.')).action(
    async (document: string, flags: LinksFlags) => {
      const { showLinks } = await import('./document-addresses.ts');
      process.stdout.write(await showLinks(document, flags));
    },
  );
  common(
    links
      .command('revoke')
      .description(
        'Anula todos los enlaces entregados y escribe los nuevos en el pedido; también con start en marcha.',
      ),
  ).action(async (document: string, flags: LinksFlags) => {
    const { revoke } = await import('./document-addresses.ts');
    process.stdout.write(await revoke(document, flags));
  });
}
