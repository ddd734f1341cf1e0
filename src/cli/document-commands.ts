import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { LawOn, LawRow } from '../../mappers/tables/law.ts';
import { type Day, ecuadorDay, isDay, startOfEcuadorDay } from '../domain/clock.ts';
import { ConfigError } from '../domain/errors.ts';
import { jsonText } from '../operations/operation.ts';
import type { CatalogReport } from '../reports/rehearsal/lint-catalog.ts';
import { commandOf, parseCount, parseDay } from './operation-command.ts';
import type { PlanFlags } from './plan-file.ts';
import type { ShopFlags } from './shop-access.ts';

// Each action loads what it runs, so that a command starts without the rest of the product.

export function addPlanCommand(program: Command): void {
  program
    .command('plan')
    .description('Muestra qué documento saldría de un pedido y por qué, sin enviar nada y sin conexión.')
    .argument('<pedido.json>', 'el JSON del pedido tal como lo entrega la plataforma (webhook o API)')
    .option('--platform <nombre>', 'shopify o woocommerce')
    .option('--refunds <archivo>', 'el JSON de los reembolsos del pedido')
    .option(
      '--as-if-authorized <número[,fecha]>',
      'planifica los reembolsos como si la factura estuviera autorizada con ese número y fecha (hoy si no se indica): 001-001-000000123,2026-11-20',
    )
    .option('--config <archivo>', 'configuración de la que se toma la tienda')
    .option('--store <id>', 'tienda de la configuración')
    .option('--explain', 'explica cada código, la identificación del comprador y cada centavo', false)
    .option('--json', 'imprime un objeto JSON', false)
    .action(async (file: string, flags: PlanFlags) => {
      const { planFile } = await import('./plan-file.ts');
      process.stdout.write(await planFile(file, flags));
    });
}

interface RehearseFlags extends ShopFlags {
  since: { days: number } | { day: Day };
  out?: string;
  most: number;
  json: boolean;
}

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
      process.stdout.write(await rehearseStore(flags));
    });
}

function parseSince(text: string): RehearseFlags['since'] {
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  if (days !== undefined && Number(days) > 0) return { days: Number(days) };
  if (isDay(text)) return { day: text };
  throw new InvalidArgumentError('Escriba cuántos días, como 90d, o un día, como 2026-08-01.');
}

/** Throws FacturapuenteError. */
async function rehearseStore({ json, most, ...flags }: RehearseFlags): Promise<string> {
  const { rehearse } = await import('../reports/rehearsal/rehearse.ts');
  const { reportPage, summary } = await import('../reports/rehearsal/report.ts');
  const { writePrivate } = await import('../reports/write-private.ts');
  const { cheapestRecharge, documentsOf } = await import('../service/event.ts');
  const { withShop } = await import('./shop-access.ts');
  return withShop(flags, async ({ store, shop, clock }) => {
    const now = clock.now();
    const since =
      'day' in flags.since
        ? startOfEcuadorDay(flags.since.day)
        : new Date(now.getTime() - flags.since.days * 24 * 3_600_000);
    const { openProgress } = await import('./progress.ts');
    const progress = openProgress(`Ensayo de la tienda «${store.id}»`);
    const rechargeFor = (documentsPerDay: number) => {
      const recharge = cheapestRecharge(documentsPerDay);
      return { usd: recharge.usd, documents: documentsOf(recharge) };
    };
    const found = await rehearse(
      { store, shop, now, rechargeFor },
      { since, most, progress: progress.at },
    ).finally(progress.end);
    const out = resolve(flags.out ?? `ensayo-${store.id}.html`);
    if (flags.out !== undefined || !json) await writePrivate(out, reportPage(found));
    if (json) return jsonText(found);
    return `${summary(found)}\nEl informe está en ${out}; ábralo con su navegador.\n`;
  });
}

export function addLintCatalogCommand(program: Command): void {
  commandOf(program, 'lint-catalog')
    .description(
      'Revisa los productos de una tienda: cuáles no tienen un impuesto que se pueda facturar, y qué regla les falta. Termina en 1 si hay alguno.',
    )
    .option('--store <tienda>', 'tienda de la configuración; se puede omitir si solo hay una')
    .option('--json', 'imprime un objeto JSON', false)
    .action(async ({ json, ...flags }: ShopFlags & { json: boolean }) => {
      const { catalogText } = await import('../reports/rehearsal/lint-catalog.ts');
      const report = await lintStore(flags);
      process.stdout.write(json ? jsonText(report) : catalogText(report));
      if (report.findings.length > 0) process.exitCode = 1;
    });
}

/** Throws FacturapuenteError. */
async function lintStore(flags: ShopFlags): Promise<CatalogReport> {
  const { lintCatalog } = await import('../reports/rehearsal/lint-catalog.ts');
  const { withShop } = await import('./shop-access.ts');
  return withShop(flags, async ({ store, shop, clock }) => {
    const catalog = shop.catalog?.bind(shop);
    if (!catalog) throw new ConfigError('not-offered', { why: 'catalog', platform: store.platform.title });
    const { openProgress } = await import('./progress.ts');
    const progress = openProgress(`Catálogo de la tienda «${store.id}»`, 'productos');
    const at = { now: clock.now(), progress: (done: number) => progress.at(done, null) };
    return lintCatalog(store, catalog, at).finally(progress.end);
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
