import { Command } from 'commander';
import { speakSpanish } from '../../src/cli/spanish.ts';
import { addConformanceCommand } from './conformance.ts';
import { addSandboxCommand } from './sandbox.ts';

/** The commands of this package: `sandbox`, which runs when none is named, and `conformance`. */
export function openSandboxCommandLine(name: string): Command {
  const program = new Command(name)
    .description('Servicio de comprobantes de prueba, y su comparación con la especificación.')
    .showHelpAfterError('(use --help para ver las opciones)')
    .exitOverride();
  addSandboxCommand(program);
  addConformanceCommand(program);
  speakSpanish(program);
  return program;
}
