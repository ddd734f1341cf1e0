import pc from 'picocolors';
import { isClearable, type OpenAlert } from '../../domain/alerts.ts';

export function alertsText(open: readonly OpenAlert[]): string {
  if (open.length === 0) return 'No hay avisos abiertos.';
  return open
    .map(({ code, subject, what, resolution, since }) => {
      const clear = isClearable(code)
        ? `\n  Cuando lo haya revisado: facturapuente alerts clear ${code} ${subject.includes(' ') ? `"${subject}"` : subject}`
        : '';
      return `${pc.bold(what)}\n  ${resolution}\n  ${pc.dim(`${code} ${subject}, desde ${since}`)}${clear}`;
    })
    .join('\n\n');
}
