import { createHash, randomBytes } from 'node:crypto';
import type { Command } from 'commander';

interface Flags {
  config?: string;
  newToken: boolean;
}

/** `facturapuente mcp`: the tools of an assistant over standard input and output. */
export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description(
      'Atiende a un asistente (Model Context Protocol) por la entrada y la salida estándar. Funciona con facturapuente start en marcha.',
    )
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
    .option('--new-token', 'en vez de atender, genera un token para /mcp y lo que va en mcp.tokens', false)
    .action(async ({ config, newToken }: Flags) => {
      if (newToken) {
        const token = `fpmcp_${randomBytes(32).toString('base64url')}`;
        const hash = createHash('sha256').update(token).digest('hex');
        process.stdout.write(
          `Token, que no se vuelve a mostrar: ${token}\nEn la configuración: mcp: { tokens: { asistente: ${hash} } }\n`,
        );
        return;
      }
      const { serveAssistant } = await import('./mcp-run.ts');
      await serveAssistant(config ? { config } : {});
    });
}
