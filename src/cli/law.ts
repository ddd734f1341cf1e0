import { type Command, InvalidArgumentError } from 'commander';
import type { LawOn, LawRow } from '../../mappers/tables/law.ts';
import { type Day, ecuadorDay } from '../domain/calendar.ts';

/** `facturapuente law`: what is in force on a day, and what changes next. Needs no config. */
export function addLawCommand(program: Command): void {
  program
    .command('law')
    .description(
      'Muestra las tablas de la norma con las que se decide, vigentes en un día, y lo que cambia después. No necesita configuración.',
    )
    .option('--on <día>', 'AAAA-MM-DD; por defecto, hoy en Ecuador', aDay)
    .option('--json', 'imprime un objeto JSON', false)
    .action(async ({ on, json }: { on?: Day; json: boolean }) => {
      const { lawOn } = await import('../../mappers/tables/law.ts');
      const law = lawOn(on ?? ecuadorDay(new Date()));
      process.stdout.write(json ? `${JSON.stringify(law, null, 2)}\n` : lawText(law));
    });
}

function aDay(text: string): Day {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN);
  if (!Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) return text;
  throw new InvalidArgumentError('Escriba un día que exista, por ejemplo 2026-01-31.');
}

/** Tables with their rows, each with its dates, source and last check; then what changes. */
export function lawText({ on, inForce, next }: LawOn): string {
  const tables = inForce
    .filter(({ rows }) => rows.length > 0)
    .flatMap(({ title, rows }) => ['', title, ...rows.flatMap(rowText)]);
  const changes = next.map(
    ({ at, what, table, row }) => `  ${at}  ${words[what]} ${row.code} ${row.says} (${table})`,
  );
  return `${[
    `Vigente el ${on}`,
    ...tables,
    '',
    'Lo que cambia después',
    ...(changes.length > 0 ? changes : ['  Nada conocido.']),
  ].join('\n')}\n`;
}

const words = { begins: 'empieza:', ends: 'deja de regir:', only: 'solo ese día:' };

function rowText({ code, says, since, until, source, checkedOn }: LawRow): string[] {
  const dates = [since && `desde ${since}`, until && `hasta ${until}`].filter(Boolean).join(' ');
  return [`  ${code}  ${says}${dates ? `, ${dates}` : ''}`, `      ${source}; comprobado el ${checkedOn}`];
}
