import { resolve } from 'node:path';
import { progress as openBar } from '@clack/prompts';
import { type Day, startOfEcuadorDay } from '../domain/clock.ts';
import { ConfigError } from '../domain/errors.ts';
import { jsonText } from '../operations/json-text.ts';
import { type CatalogReport, lintCatalog } from '../reports/rehearsal/lint-catalog.ts';
import { rehearse } from '../reports/rehearsal/rehearse.ts';
import { reportPage } from '../reports/rehearsal/report.ts';
import { summary } from '../reports/rehearsal/sentences.ts';
import { writePrivate } from '../reports/write-private.ts';
import { cheapestRecharge, documentsOf } from '../service/event.ts';
import { type ShopFlags, withShop } from './shop-access.ts';

export interface RehearseFlags extends ShopFlags {
  since: { days: number } | { day: Day };
  out?: string;
  most: number;
  json: boolean;
}

/** Throws FacturapuenteError. */
export function rehearseStore({ json, most, ...flags }: RehearseFlags): Promise<string> {
  return withShop(flags, async ({ store, shop, clock }) => {
    const now = clock.now();
    const since =
      'day' in flags.since
        ? startOfEcuadorDay(flags.since.day)
        : new Date(now.getTime() - flags.since.days * 24 * 3_600_000);
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

/** Throws FacturapuenteError. */
export function lintStore(flags: ShopFlags): Promise<CatalogReport> {
  return withShop(flags, async ({ store, shop, clock }) => {
    const catalog = shop.catalog?.bind(shop);
    if (!catalog) throw new ConfigError('not-offered', { why: 'catalog', platform: store.platform.title });
    const progress = openProgress(`Catálogo de la tienda «${store.id}»`, 'productos');
    const at = { now: clock.now(), progress: (done: number) => progress.at(done, null) };
    return lintCatalog(store, catalog, at).finally(progress.end);
  });
}

/** `of` is null while the total is not known. */
interface Progress {
  at(done: number, of: number | null): void;
  end(): void;
}

const nothing: Progress = { at: () => {}, end: () => {} };
const size = 40;

function openProgress(title: string, things = 'pedidos', output = process.stderr): Progress {
  if (!output.isTTY) return nothing;
  // The terminal is raw meanwhile: without this Ctrl+C has no effect.
  const bar = openBar({ max: size, size, output, onCancel: () => process.exit(130) });
  bar.start(title);
  let shown = 0;
  return {
    at(done, of) {
      if (of === null) return bar.message(`${title}: ${done} ${things} encontrados`);
      const now = of === 0 ? size : Math.floor((done / of) * size);
      bar.advance(now - shown, `${title}: ${done} de ${of} ${things}`);
      shown = now;
    },
    end: () => bar.stop(title),
  };
}
