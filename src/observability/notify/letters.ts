import type { AlertNews, OpenAlert } from '../../domain/alerts.ts';

/** Shown of one kind; the rest is counted. */
const shown = 10;

/** One letter for all the news of a moment, in Spanish; alerts of one code stand together. */
export function alertLetter(
  { begun, still, ended }: AlertNews,
  publicUrl: string,
): { subject: string; text: string } {
  const sections = [
    section('Lo nuevo', begun),
    section('Sigue pendiente', still),
    ended.length > 0 ? ['RESUELTO', ...groups(ended).map((alerts) => `- ${summary(alerts)}`)].join('\n') : '',
  ].filter((text) => text !== '');
  return {
    subject: subjectOf({ begun, still, ended }),
    text: `${sections.join('\n\n')}\n\n--\nfacturapuente, ${publicUrl}\n`,
  };
}

function subjectOf({ begun, still, ended }: AlertNews): string {
  const [first] = begun;
  if (first) return begun.length === 1 ? first.what : `${begun.length} asuntos necesitan su atención`;
  if (still.length > 0)
    return still.length === 1
      ? `Sigue pendiente: ${still[0]?.what}`
      : `${still.length} asuntos siguen pendientes`;
  return ended.length === 1 ? `Resuelto: ${ended[0]?.what}` : `${ended.length} asuntos resueltos`;
}

function section(title: string, alerts: readonly OpenAlert[]): string {
  if (alerts.length === 0) return '';
  const parts = groups(alerts).map((same) => {
    const lines = same.slice(0, shown).map(({ what }) => `- ${what}`);
    if (same.length > shown) lines.push(`- y ${same.length - shown} más.`);
    return [
      ...lines,
      ...[...new Set(same.map(({ cure }) => cure))].map((cure) => `  Qué hacer: ${cure}`),
    ].join('\n');
  });
  return [title.toUpperCase(), ...parts].join('\n');
}

function summary(alerts: readonly OpenAlert[]): string {
  return alerts.length === 1 ? (alerts[0]?.what ?? '') : `${alerts[0]?.what} (y ${alerts.length - 1} más)`;
}

function groups(alerts: readonly OpenAlert[]): OpenAlert[][] {
  return [...Map.groupBy(alerts, ({ code }) => code).values()];
}
