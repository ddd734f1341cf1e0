import { Command } from 'commander';
import { packageVersion } from '../app/version.ts';
import { FacturapuenteError } from '../domain/errors.ts';
import { addAdoptCommand } from './adopt.ts';
import { addAlertsCommands } from './alerts.ts';
import { addCloseCommand } from './close.ts';
import { addDemoCommand } from './demo/command.ts';
import { addDoctorCommand } from './doctor/command.ts';
import { addDocumentsCommand } from './documents.ts';
import { addErrorCommand } from './error.ts';
import { addExplainCommand } from './explain-order.ts';
import { addExportCommand } from './export.ts';
import { addHashPasswordCommand } from './hash-password.ts';
import { addIdentificationLinkCommand } from './identification-link.ts';
import { addInitCommand } from './init/command.ts';
import { addInstallCommands } from './install.ts';
import { addLawCommand } from './law.ts';
import { addLinksCommands } from './links.ts';
import { addLintCatalogCommand } from './lint-catalog.ts';
import { addMcpCommand } from './mcp.ts';
import { addMoveCommand } from './move.ts';
import { addPlanCommand } from './plan.ts';
import { addPrivacyCommand } from './privacy.ts';
import { addRehearseCommand } from './rehearse.ts';
import { addResealCommand } from './reseal.ts';
import { addResetSecondFactorCommand } from './reset-second-factor.ts';
import { addRetryCommand } from './retry.ts';
import { addSandboxCommands, sandboxCommandLine } from './sandbox.ts';
import { addShadowCommand } from './shadow.ts';
import { speakSpanish } from './spanish.ts';
import { addStartCommand } from './start.ts';
import { addStoreCommand } from './store.ts';
import { addSupportBundleCommand } from './support-bundle.ts';
import { addSweepCommand } from './sweep.ts';
import { tellable } from './tellable.ts';

/** Every command, with its options: what `--help` shows and docs/cli.md is made of. */
export function openCommandLine(): Command {
  const program = new Command('facturapuente')
    .description(
      'Cada pedido pagado de Shopify o WooCommerce se convierte en una factura electrónica autorizada, y cada reembolso en una nota de crédito.',
    )
    .version(packageVersion, '-V, --version', 'muestra la versión')
    .showHelpAfterError('(use --help para ver las opciones)');
  addInitCommand(program);
  addStartCommand(program);
  addSandboxCommands(program);
  addDemoCommand(program);
  addPlanCommand(program);
  addRehearseCommand(program);
  addShadowCommand(program);
  addLintCatalogCommand(program);
  addInstallCommands(program);
  addDoctorCommand(program);
  addDocumentsCommand(program);
  addSweepCommand(program);
  addIdentificationLinkCommand(program);
  addLinksCommands(program);
  addCloseCommand(program);
  addExportCommand(program);
  addMcpCommand(program);
  addExplainCommand(program);
  addErrorCommand(program);
  addLawCommand(program);
  addRetryCommand(program);
  addAdoptCommand(program);
  addAlertsCommands(program);
  addStoreCommand(program);
  addPrivacyCommand(program);
  addResealCommand(program);
  addSupportBundleCommand(program);
  addMoveCommand(program);
  addHashPasswordCommand(program);
  addResetSecondFactorCommand(program);
  speakSpanish(program);
  return program;
}

/** Runs the command line; `argv` as Node gives it. Answers the process's exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const program = (await sandboxCommandLine(argv[2])) ?? openCommandLine();
    await program.parseAsync(argv);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // Errors of ours speak to the merchant first; anything else is a defect and keeps its stack.
    const told = await tellable(error);
    // Node would print what a library hung onto it as well, passwords too.
    const says =
      told instanceof FacturapuenteError ? told.merchant : told instanceof Error ? told.stack : told;
    process.stderr.write(`${says}\n`);
    return Number(process.exitCode ?? 0) || 1;
  }
}
