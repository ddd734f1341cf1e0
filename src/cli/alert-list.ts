import pc from 'picocolors';
import { isClearable } from '../domain/alerts.ts';
import { type ConfigFlag, jsonText, withStores } from './own-ledger.ts';

/** The open alerts as text, or as JSON with `--json`. */
export function listAlerts({ json, ...flags }: ConfigFlag & { json: boolean }): Promise<string> {
  return withStores(flags, async ({ reader }) => {
    const open = await reader.alerts.open();
    if (json) return jsonText(open.map((one) => ({ ...one, clearable: isClearable(one.code) })));
    if (open.length === 0) return 'No hay avisos abiertos.\n';
    return open
      .map(({ code, subject, what, resolution, since }) => {
        const clear = isClearable(code)
          ? `\n  Cuando lo haya revisado: facturapuente alerts clear ${code} ${subject.includes(' ') ? `"${subject}"` : subject}`
          : '';
        return `${pc.bold(what)}\n  ${resolution}\n  ${pc.dim(`${code} ${subject}, desde ${since}`)}${clear}\n`;
      })
      .join('\n');
  });
}
