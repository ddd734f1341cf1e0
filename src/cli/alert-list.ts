import pc from 'picocolors';
import { isClearable } from '../domain/alerts.ts';
import { looking } from './look.ts';

/** The open alerts as text, or as JSON with `--json`. */
export function listAlerts({ config, json }: { config?: string; json: boolean }): Promise<string> {
  return looking(config ? { config } : {}, async ({ reader }) => {
    const open = await reader.alerts.open();
    if (json)
      return `${JSON.stringify(
        open.map((one) => ({ ...one, clearable: isClearable(one.code) })),
        null,
        2,
      )}\n`;
    if (open.length === 0) return 'No hay avisos abiertos.\n';
    return open
      .map(({ code, subject, what, cure, since }) => {
        const clear = isClearable(code)
          ? `\n  Cuando lo haya revisado: facturapuente alerts clear ${code} ${subject.includes(' ') ? `"${subject}"` : subject}`
          : '';
        return `${pc.bold(what)}\n  ${cure}\n  ${pc.dim(`${code} ${subject}, desde ${since}`)}${clear}\n`;
      })
      .join('\n');
  });
}
