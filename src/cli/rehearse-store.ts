import { resolve } from 'node:path';
import { type Day, startOfEcuadorDay } from '../domain/calendar.ts';
import { rehearse } from '../reports/rehearsal/rehearse.ts';
import { reportPage } from '../reports/rehearsal/report.ts';
import { summary } from '../reports/rehearsal/summary.ts';
import { writePrivate } from '../reports/write-private.ts';
import { cheapestRecharge, documentsOf } from '../service/tariff.ts';
import { openProgress } from './progress.ts';
import { type ShopFlags, withShop } from './shop-access.ts';

export interface RehearseFlags extends ShopFlags {
  since: { days: number } | { day: Day };
  out?: string;
  most: number;
  json: boolean;
}

/** Rehearses a store, writes its report and answers what to print. Throws ConfigError, LedgerError and ShopError. */
export function rehearseStore(flags: RehearseFlags): Promise<string> {
  return withShop(flags, async ({ store, shop, clock }) => {
    const now = clock.now();
    const since =
      'day' in flags.since
        ? startOfEcuadorDay(flags.since.day)
        : new Date(now.getTime() - flags.since.days * 24 * 3_600_000);
    const progress = openProgress(`Ensayo de la tienda «${store.id}»`);
    const asked = { since, most: flags.most, progress: progress.at };
    const rechargeFor = (documentsPerDay: number) => {
      const recharge = cheapestRecharge(documentsPerDay);
      return { usd: recharge.usd, documents: documentsOf(recharge) };
    };
    const found = await rehearse({ store, shop, now, rechargeFor }, asked).finally(progress.end);
    const out = flags.out ?? (flags.json ? null : `ensayo-${store.id}.html`);
    if (out !== null) await writePrivate(resolve(out), reportPage(found));
    if (flags.json) return `${JSON.stringify(found, null, 2)}\n`;
    return `${summary(found)}\nEl informe está en ${resolve(out ?? '')}; ábralo con su navegador.\n`;
  });
}
