import type { Command } from 'commander';
import { CommandError } from '../domain/errors.ts';

/** The package of the stand-ins for the tax document service and for shops; a merchant's installation has none of it. */
const tools = 'facturapuente-sandbox';

const commands = {
  sandbox: 'Levanta un servicio de comprobantes de prueba en esta máquina; nada llega al SRI.',
  conformance:
    'Compara un servicio de comprobantes, el sandbox o el verdadero, con su especificación; solo en ambiente 1.',
};

/** Names the commands of the package facturapuente-sandbox in the help; `sandboxCommandLine` runs them. */
export function addSandboxCommands(program: Command): void {
  for (const [name, description] of Object.entries(commands))
    program.command(name).description(`${description} Viene con el paquete ${tools}.`);
}

/** The command line of that package where its command is asked for; undefined for any other. Throws CommandError without it. */
export async function sandboxCommandLine(name: string | undefined): Promise<Command | undefined> {
  if (name === undefined || !(name in commands)) return undefined;
  const { openSandboxCommandLine } = await installed(name, () => import('facturapuente-sandbox/cli'));
  return openSandboxCommandLine('facturapuente');
}

/**
 * Loads a part of facturapuente-sandbox for a command.
 * @throws CommandError that says what to install, where it is not.
 */
export async function installed<T>(command: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const isMissing =
      error instanceof Error &&
      'code' in error &&
      error.code === 'ERR_MODULE_NOT_FOUND' &&
      error.message.includes(tools);
    if (!isMissing) throw error;
    throw new CommandError(
      'sandbox-missing',
      `«${command}» necesita el paquete ${tools}, que no está instalado: npm install --save-dev ${tools}`,
      `The command ${command} needs the package ${tools}, which is not installed: npm install --save-dev ${tools}`,
      { cause: error },
    );
  }
}
