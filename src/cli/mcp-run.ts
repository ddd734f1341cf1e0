import { operationsOf } from '../app/operating.ts';
import { packageVersion } from '../app/platforms.ts';
import { serveOverStdio } from '../assistant/endpoint.ts';
import { callTool, type ToolAnswer, toolsOf } from '../assistant/tools.ts';
import { FacturapuenteError } from '../domain/errors.ts';
import { allOperations } from '../operations/all.ts';
import { withInstallation } from './carry-out.ts';
import { type ConfigFlag, readConfig, whoAmI } from './given.ts';
import { readableError } from './spanish.ts';

/** Works beside a running `start`, too: each call opens the ledger for itself. */
export async function serveAssistant(flags: ConfigFlag): Promise<void> {
  const closed = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve));
  const tools = toolsOf({ all: allOperations });
  serveOverStdio({ version: packageVersion, tools }, async (tool, input): Promise<ToolAnswer> => {
    try {
      const config = await readConfig(flags);
      return await withInstallation(config, { role: 'mcp' }, (installation) => {
        const parts = {
          operations: operationsOf(installation),
          plans: installation,
          allowProduction: config.mcp.allowProduction,
        };
        return callTool(parts, tool, input, { by: whoAmI(), scope: null });
      });
    } catch (error) {
      const reported = await readableError(error);
      if (!(reported instanceof FacturapuenteError)) throw reported;
      return { ok: false, message: reported.merchant };
    }
  });
  await closed;
}
