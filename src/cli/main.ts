import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Command } from 'commander';
import { packageVersion } from '../app/platforms.ts';
import { allOperations } from '../operations/all.ts';
import { addDemoCommand } from './demo.ts';
import * as documents from './document-commands.ts';
import * as installation from './installation-commands.ts';
import { addOperation } from './operation-command.ts';
import { addErrorCommand, runCommandLine, speakSpanish } from './spanish.ts';

export function openCommandLine(): Command {
  const program = new Command('facturapuente')
    .description(
      'Cada pedido pagado de Shopify o WooCommerce se convierte en una factura electrónica autorizada, y cada reembolso en una nota de crédito.',
    )
    .version(packageVersion, '-V, --version', 'muestra la versión')
    .showHelpAfterError('(use --help para ver las opciones)')
    .exitOverride();
  installation.addInitCommand(program);
  installation.addStartCommand(program);
  installation.addSandboxCommands(program);
  addDemoCommand(program);
  documents.addPlanCommand(program);
  documents.addRehearseCommand(program);
  documents.addLintCatalogCommand(program);
  installation.addInstallCommands(program);
  installation.addDoctorCommand(program);
  installation.addStoreCommand(program);
  for (const operation of allOperations) if (!operation.hidden) addOperation(program, operation);
  installation.addMcpCommand(program);
  addErrorCommand(program);
  documents.addLawCommand(program);
  installation.addMoveCommand(program);
  installation.addHashPasswordCommand(program);
  speakSpanish(program);
  return program;
}

/** Answers the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  readEnvFile('.env');
  return runCommandLine(
    argv,
    async () => (await installation.sandboxCommandLine(argv[2])) ?? openCommandLine(),
  );
}

/** Variables of the environment win over the file. */
function readEnvFile(path: string): void {
  if (!existsSync(path)) return;
  for (const [name, value] of Object.entries(parseEnv(readFileSync(path, 'utf8'))))
    process.env[name] ??= value;
}
