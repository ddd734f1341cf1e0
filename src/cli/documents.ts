import { type Command, InvalidArgumentError, Option } from 'commander';
import { documentStates } from '../domain/document.ts';
import type { DocumentsFlags } from './document-list.ts';

/** `facturapuente documents`: what the ledger holds; runs beside `start` and changes nothing. */
export function addDocumentsCommand(program: Command): void {
  program
    .command('documents')
    .description(
      'Lista los documentos del registro con su estado y el motivo de los que esperan a una persona.',
    )
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
    .addOption(
      new Option('--state <estado...>', 'solo estos estados').choices(documentStates).default([], 'todos'),
    )
    .option('--limit <número>', 'cuántos, los más nuevos primero', wholeNumber, 50)
    .option('--json', 'imprime una lista JSON', false)
    .action(async (flags: DocumentsFlags) => {
      const { listDocuments } = await import('./document-list.ts');
      process.stdout.write(await listDocuments(flags));
    });
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('Debe ser un número entero desde 1.');
  return value;
}
