import { Command } from 'commander';
import { packageVersion } from '../app/platforms.ts';
import { FacturapuenteError } from '../domain/errors.ts';
import * as documents from './document-commands.ts';
import * as installation from './installation-commands.ts';
import { addErrorCommand, readableError, speakSpanish } from './spanish.ts';

/** Every command with its options, for `--help` and docs/cli.md. */
export function openCommandLine(): Command {
  const program = new Command('facturapuente')
    .description(
      'Cada pedido pagado de Shopify o WooCommerce se convierte en una factura electrónica autorizada, y cada reembolso en una nota de crédito.',
    )
    .version(packageVersion, '-V, --version', 'muestra la versión')
    .showHelpAfterError('(use --help para ver las opciones)');
  installation.addInitCommand(program);
  installation.addStartCommand(program);
  installation.addSandboxCommands(program);
  installation.addDemoCommand(program);
  installation.addPlanCommand(program);
  documents.addRehearseCommand(program);
  documents.addShadowCommand(program);
  documents.addLintCatalogCommand(program);
  installation.addInstallCommands(program);
  installation.addDoctorCommand(program);
  documents.addDocumentsCommand(program);
  documents.addSyncCommand(program);
  documents.addIdentificationLinkCommand(program);
  documents.addLinksCommands(program);
  documents.addCloseCommand(program);
  documents.addExportCommand(program);
  installation.addMcpCommand(program);
  documents.addExplainCommand(program);
  addErrorCommand(program);
  documents.addLawCommand(program);
  documents.addRetryCommand(program);
  documents.addAdoptCommand(program);
  documents.addAlertsCommands(program);
  installation.addStoreCommand(program);
  documents.addPrivacyCommand(program);
  installation.addReencryptCommand(program);
  documents.addSupportBundleCommand(program);
  installation.addMoveCommand(program);
  installation.addHashPasswordCommand(program);
  installation.addResetSecondFactorCommand(program);
  speakSpanish(program);
  return program;
}

/** Runs the command line with Node's `argv`; answers the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const program = (await installation.sandboxCommandLine(argv[2])) ?? openCommandLine();
    await program.parseAsync(argv);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // Our errors print the merchant's sentence. Any other is a defect and prints its stack alone: the properties that a
    // library adds to an error may hold passwords.
    const reported = await readableError(error);
    const says =
      reported instanceof FacturapuenteError
        ? reported.merchant
        : reported instanceof Error
          ? reported.stack
          : reported;
    process.stderr.write(`${says}\n`);
    return Number(process.exitCode ?? 0) || 1;
  }
}
