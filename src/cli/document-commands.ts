import { type Command, InvalidArgumentError } from 'commander';
import type { LawOn, LawRow } from '../../mappers/tables/law.ts';
import { type Day, ecuadorDay, isDay } from '../domain/clock.ts';
import { jsonText } from '../operations/json-text.ts';
import { commandOf, parseCount, parseDay } from './options.ts';
import type { RehearseFlags } from './rehearsal.ts';
import type { ShopFlags } from './shop-access.ts';

// Each action loads what it runs, so that a command starts without the rest of the product.

export function addRehearseCommand(program: Command): void {
  commandOf(program, 'rehearse')
    .description(
      'Ensayo: pasa los pedidos y reembolsos ya hechos de una tienda por las reglas de facturación, sin enviar ni escribir nada, y deja un informe.',
    )
    .option('--since <cuánto>', 'desde hace cuánto (90d) o desde qué día (2026-08-01)', parseSince, {
      days: 90,
    })
    .option('--store <tienda>', 'tienda de la configuración; se puede omitir si solo hay una')
    .option('--out <archivo>', 'dónde dejar el informe HTML; por defecto ensayo-<tienda>.html')
    .option('--most <pedidos>', 'lee a lo sumo tantos pedidos, los más recientes', parseCount, 20_000)
    .option('--json', 'imprime un objeto JSON, con cada documento', false)
    .action(async (flags: RehearseFlags) => {
      const { rehearseStore } = await import('./rehearsal.ts');
      process.stdout.write(await rehearseStore(flags));
    });
}

function parseSince(text: string): RehearseFlags['since'] {
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  if (days !== undefined && Number(days) > 0) return { days: Number(days) };
  if (isDay(text)) return { day: text };
  throw new InvalidArgumentError('Escriba cuántos días, como 90d, o un día, como 2026-08-01.');
}

export function addLintCatalogCommand(program: Command): void {
  commandOf(program, 'lint-catalog')
    .description(
      'Revisa los productos de una tienda: cuáles no tienen un impuesto que se pueda facturar, y qué regla les falta. Termina en 1 si hay alguno.',
    )
    .option('--store <tienda>', 'tienda de la configuración; se puede omitir si solo hay una')
    .option('--json', 'imprime un objeto JSON', false)
    .action(async ({ json, ...flags }: ShopFlags & { json: boolean }) => {
      const { lintStore } = await import('./rehearsal.ts');
      const { catalogText } = await import('../reports/rehearsal/lint-catalog.ts');
      const report = await lintStore(flags);
      process.stdout.write(json ? jsonText(report) : catalogText(report));
      if (report.findings.length > 0) process.exitCode = 1;
    });
}

export function addLawCommand(program: Command): void {
  program
    .command('law')
    .description(
      'Muestra las tablas de la norma con las que se decide, vigentes en un día, y lo que cambia después. No necesita configuración.',
    )
    .option('--on <día>', 'AAAA-MM-DD; por defecto, hoy en Ecuador', parseDay)
    .option('--json', 'imprime un objeto JSON', false)
    .action(async ({ on, json }: { on?: Day; json: boolean }) => {
      const { lawOn } = await import('../../mappers/tables/law.ts');
      const law = lawOn(on ?? ecuadorDay(new Date()));
      process.stdout.write(json ? jsonText(law) : lawText(law));
    });
}

function lawText({ on, inForce, next }: LawOn): string {
  const tables = inForce
    .filter(({ rows }) => rows.length > 0)
    .flatMap(({ title, rows }) => ['', title, ...rows.flatMap(rowText)]);
  const changes = next.map(
    ({ at, what, table, row }) => `  ${at}  ${words[what]} ${row.code} ${row.message} (${table})`,
  );
  if (changes.length === 0) changes.push('  Nada conocido.');
  return `${[`Vigente el ${on}`, ...tables, '', 'Lo que cambia después', ...changes].join('\n')}\n`;
}

const words = { begins: 'empieza:', ends: 'deja de regir:', only: 'solo ese día:' };

function rowText({ code, message, since, until, source, checkedOn }: LawRow): string[] {
  const dates = [since && `desde ${since}`, until && `hasta ${until}`].filter(Boolean).join(' ');
  return [`  ${code}  ${message}${dates ? `, ${dates}` : ''}`, `      ${source}; comprobado el ${checkedOn}`];
}
