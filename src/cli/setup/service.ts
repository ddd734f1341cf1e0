import type { LiveSettings } from '../../app/settings.ts';
import { userAgent } from '../../app/version.ts';
import { openClock } from '../../config/clock.ts';
import type { Config } from '../../config/load.ts';
import type { InstallItem } from '../../domain/install.ts';
import type { Account, Store } from '../../domain/settings.ts';
import { openServiceClient } from '../../service/index.ts';
import { checkKey, setUpWebhook } from '../../setup/account.ts';
import type { LedgerDesk, LedgerHealth } from '../../setup/health.ts';
import { type IssuerToSetUp, setUpIssuer } from '../../setup/issuer.ts';
import { item } from '../../setup/items.ts';
import { rimpeItems } from '../../setup/rimpe.ts';
import { type FileFlags, issuersOf } from './issuers.ts';

export interface ServiceFlags extends FileFlags {
  /** Of one store only; of all there is otherwise. */
  store?: string;
  production: boolean;
  replace: boolean;
  resend: boolean;
}

/** One part of the list, with its title. */
export interface Section {
  title: string;
  items: InstallItem[];
}

/** The service's side of installing: accounts, issuers, series; in the order they need each other. */
export async function setUpService(
  { config, live, desk }: { config: Config; live: LiveSettings; desk: LedgerDesk },
  { store, production, replace, resend, ...files }: ServiceFlags,
  apply: boolean,
): Promise<Section[]> {
  const { now } = openClock(config.testClock);
  const { settings } = live;
  const issuers = await issuersOf({ ...config, issuers: live.issuers }, settings, { store, files });
  const sections: Section[] = [];
  for (const [account, mine] of Map.groupBy(issuers, (one) => one.account)) {
    const service = openClient(account);
    try {
      const deps = { service, records: desk, now: now(), apply, replace, resend, production };
      sections.push(...(await setUpAccount(deps, account, mine, settings.publicUrl)));
    } finally {
      await service.close();
    }
  }
  const stores = [...settings.stores.values()].filter(({ id }) => store === undefined || id === store);
  if (stores.length > 0) sections.push({ title: 'Series', items: seriesItems(stores, await desk.health()) });
  return sections;
}

/** A client under the account's newest key, with a budget of its own: these are few calls. */
export function openClient({ baseUrl, keys }: Account) {
  return openServiceClient({ baseUrl, apiKey: keys[0]?.apiKey ?? '', userAgent });
}

async function setUpAccount(
  deps: Parameters<typeof setUpIssuer>[0],
  account: Account,
  issuers: readonly (IssuerToSetUp & { title: string })[],
  publicUrl: string,
): Promise<Section[]> {
  const producing = issuers.some(({ issuer }) => issuer.ambiente === 2);
  const key = await checkKey(deps, producing);
  const first = { title: `Servicio de comprobantes, cuenta «${account.id}»`, items: key };
  // Without the key nothing else can be asked, and saying so for each would say nothing more; what the config says stands.
  if (key[0]?.state === 'problem')
    return [first, ...issuers.flatMap((one) => withItems(issuerTitle(one), rimpeItems(one.issuer)))];
  first.items.push(await setUpWebhook(deps, account, publicUrl));
  const sections: Section[] = [first];
  for (const one of issuers) sections.push({ title: issuerTitle(one), items: await setUpIssuer(deps, one) });
  return sections;
}

const issuerTitle = ({ title }: { title: string }): string => `Emisor «${title}»`;

const withItems = (title: string, items: InstallItem[]): Section[] =>
  items.length > 0 ? [{ title, items }] : [];

/** Where each store's numbers begin, and whether its series flows. */
export function seriesItems(stores: readonly Store[], { stopped }: LedgerHealth): InstallItem[] {
  return stores.map(({ id, series }) => {
    const { establecimiento, puntoEmision, first, firstCreditNote } = series;
    const what = `Serie ${establecimiento}-${puntoEmision} de la tienda «${id}»: facturas desde ${first}, notas de crédito desde ${firstCreditNote}`;
    const halted = stopped.find(({ storeId }) => storeId === id);
    if (!halted) return item('series', what, 'ok');
    return item('series', what, 'problem', {
      cure: `Está detenida: ${halted.reason} Escriba en series.${halted.kind === 'factura' ? 'first' : 'firstCreditNote'} un número libre y reinicie «facturapuente start».`,
    });
  });
}
