import { dayMs, ecuadorDay } from '../domain/clock.ts';
import { documentCodes, numberIn } from '../domain/document.ts';
import { reconciliationLists } from '../domain/listing.ts';
import { owner, type Store } from '../domain/settings.ts';
import { type Html, html, type Piece } from '../domain/text.ts';
import { lookBackDays } from '../jobs/watch.ts';
import type { SeriesRow } from '../ledger/schema.ts';
import { alertTexts } from '../messages/alerts.ts';
import { stateWords } from '../messages/timeline.ts';
import {
  card,
  chip,
  documentPath,
  empty,
  key,
  link,
  moment,
  type Pair,
  pairs,
  plural,
} from './components.ts';
import type { PanelDeps, PanelPage, Visit } from './visit.ts';

const words = {
  ambiente: { 1: 'Pruebas', 2: 'Producción' },
  lists: {
    changes: 'pedidos',
    refunds: 'reembolsos',
    review: 'revisión nocturna',
  },
  behind: (list: string, failed: boolean) => `${list}: ${failed ? 'sin respuesta' : 'con atraso'} desde `,
  failing: (n: number) => plural(n, 'tarea que falla y se repite', 'tareas que fallan y se repiten'),
  account: (id: string) => `Cuenta ${id}`,
  daysLeft: (days: number, credits: number) => `${plural(days, 'día', 'días')} (${credits})`,
  noBurn: (credits: number) => `${credits}; ninguno gastado en dos semanas`,
  balanceStates: {
    suficiente: 'saldo suficiente',
    bajo: 'saldo bajo',
    agotado: 'saldo agotado',
  },
  signatureLeft: (days: number) => (days < 0 ? 'caducada' : `caduca en ${plural(days, 'día', 'días')}`),
  series: {
    '01': 'Próxima factura',
    '04': 'Próxima nota de crédito',
  },
};

export const storesPage: PanelPage = {
  path: '/tiendas',
  role: 'read',
  nav: { order: 3, label: 'Tiendas' },
  async show(visit) {
    const stores = await gatherStores(visit.deps, visit.now);
    return {
      title: 'Tiendas',
      body:
        stores.length === 0
          ? empty('La configuración no tiene ninguna tienda todavía.')
          : html`<ul class="stores">${stores.map((one) => storeCard(visit, one))}</ul>`,
    };
  },
};

const warned = (bad: boolean, value: string, tone: 'warn' | 'bad' = 'warn'): Piece =>
  bad ? chip(value, tone) : value;

/** Enough time for a transfer, and for a new signature. */
const fewCreditDays = 10;
const fewSignatureDays = 30;

function storeCard(visit: Visit, health: StoreHealth): Html {
  const { store, alerts, pauses, series } = health;
  const bad = alerts.length > 0 || pauses.length > 0 || series.some(({ stopped }) => stopped !== null);
  const to = (path: string, label: string) =>
    link(visit, `${path}?tienda=${encodeURIComponent(store.id)}`, label, { look: 'quiet', about: store.id });
  const numbers = series.map(
    ({ codDoc, number, stopped }): Pair => [
      words.series[codDoc],
      html`${key(number)}${stopped !== null && html` ${chip('Detenida', 'bad')} ${stopped}`}`,
    ],
  );
  return card({
    heading: store.id,
    level: 'h2',
    look: bad ? 'soon' : undefined,
    chip: bad ? chip('Requiere revisión', 'warn') : chip('Conectada y activa'),
    facts: [store.platform.title, store.shop, words.ambiente[store.issuer.ambiente]],
    body: html`${alerts.length > 0 && html`<h3>Avisos abiertos</h3><ul>${alerts.map(({ what, resolution }) => html`<li>${`${what} ${resolution}`}</li>`)}</ul>`}
<h3>Conexión</h3>${pairs(connection(visit, health))}
<h3>${words.account(store.account.id)}</h3>${pairs(account(health))}
${pauses.map(({ cause }) => html`<p>${`${alertTexts(`account-${cause}`).what} ${alertTexts(`account-${cause}`).resolution}`}</p>`)}
<h3>Numeración</h3>${pairs(numbers)}`,
    acts: html`${to('/buscar', 'Ver sus comprobantes')}${to('/graficos', 'Ver sus gráficos')}`,
  });
}

function connection(
  visit: Visit,
  { reconciliation, lastDelivery, lastWritten, failing, open }: StoreHealth,
): Pair[] {
  const oldest = open.map((one) => one.oldest).toSorted()[0];
  const counted = Object.entries(Object.groupBy(open, ({ state }) => state)).map(
    ([state, rows]) =>
      `${stateWords[state as keyof typeof stateWords]}: ${(rows ?? []).reduce((all, { count }) => all + count, 0)}`,
  );
  const behind = reconciliationLists.flatMap((list) => {
    const late = reconciliation?.behind[list];
    return late ? [{ list, ...late }] : [];
  });
  return [
    [
      'Revisada hasta',
      reconciliation === null
        ? 'todavía no se ha revisado'
        : html`${moment(reconciliation.reconciledTo, visit)}${behind.map(({ list, since, failed }) => html` ${chip(html`${words.behind(words.lists[list], failed)}${moment(since, visit)}`, failed ? 'bad' : 'warn')}`)}`,
    ],
    [
      'Último aviso de la tienda',
      lastDelivery === null ? 'ninguno entre los 2.000 más recientes' : moment(lastDelivery, visit),
    ],
    [
      'Último pedido actualizado',
      lastWritten === undefined
        ? 'ninguno entre sus 200 más recientes'
        : html`${link(visit, documentPath(lastWritten.id), lastWritten.orderName)}, ${moment(lastWritten.updatedAt, visit)}`,
    ],
    ['Comprobantes abiertos', counted.length === 0 ? 'ninguno' : counted.join(' · ')],
    ...(oldest === undefined ? [] : [['El más antiguo', moment(oldest, visit)] as const]),
    ...(failing === 0 ? [] : [['Tareas', warned(true, words.failing(failing))] as const]),
  ];
}

function account(health: StoreHealth): Pair[] {
  const { pauses, balance, daysLeft, signatureDays } = health;
  const { credits, state, asking } = balance;
  const unknown = asking ? 'consultando; recargue la página' : 'el servicio no lo informó';
  const figure =
    credits === null ? null : daysLeft === null ? words.noBurn(credits) : words.daysLeft(daysLeft, credits);
  const reported = [figure, state === null ? null : words.balanceStates[state]].filter((one) => one !== null);
  const isLow = state === 'bajo' || state === 'agotado';
  const lasting =
    reported.length === 0
      ? unknown
      : warned(isLow || (daysLeft !== null && daysLeft < fewCreditDays), reported.join('; '));
  return [
    ['Estado', warned(pauses.length > 0, pauses.length > 0 ? 'en pausa' : 'activa', 'bad')],
    ['Créditos', lasting],
    [
      'Firma electrónica',
      signatureDays === null
        ? 'sin dato: no se subió con install'
        : warned(signatureDays < fewSignatureDays, words.signatureLeft(signatureDays)),
    ],
  ];
}

type StoreHealth = Awaited<ReturnType<typeof gatherStores>>[number];

async function gatherStores(deps: PanelDeps, now: Date) {
  const { ledger, settings } = deps;
  const { storeFigures } = ledger;
  const stores = [...settings.stores.values()];
  const [reconciliations, deliveries, open, jobs, series, pauses, alerts, tallies] = await Promise.all([
    ledger.reconciliations.freshness(),
    storeFigures.lastDeliveries(),
    storeFigures.openDocuments(),
    storeFigures.jobs(),
    storeFigures.series(),
    ledger.pauses.list(),
    ledger.alerts.open(),
    ledger.dayTallies.since(ecuadorDay(new Date(now.getTime() - (lookBackDays - 1) * dayMs)), now),
  ]);
  const accountOf = new Map(stores.map(({ id, account }) => [id, account.id]));
  const spentBy = (account: string): number =>
    tallies
      .filter(
        (one) => one.ambiente === 2 && one.state === 'authorized' && accountOf.get(one.storeId) === account,
      )
      .reduce((all, { count }) => all + count, 0);
  const accounts = [...new Set(stores.map(({ account }) => account))];
  const balances = new Map(
    await Promise.all(accounts.map(async (one) => [one.id, await deps.balance(one)] as const)),
  );

  return Promise.all(
    stores.map(async (store) => {
      const { id, platform, shop, account, issuer, app } = store;
      const balance = balances.get(account.id) ?? { credits: null, state: null, asking: false };
      const perDay = spentBy(account.id) / lookBackDays;
      const own = [owner.store(id), owner.account(account.id), owner.issuer(account.id, issuer.ruc)];
      return {
        store,
        reconciliation:
          reconciliations.find((one) => one.platform === platform.name && one.shop === shop) ?? null,
        lastDelivery: deliveries.get(app?.id ?? id) ?? null,
        lastWritten: await storeFigures.lastWrittenBack(id),
        failing: jobs.filter(({ storeId }) => storeId === id).reduce((all, { failed }) => all + failed, 0),
        open: open.filter(({ storeId }) => storeId === id),
        pauses: pauses.filter(
          (one) => one.account === account.id && (one.ambiente === null || one.ambiente === issuer.ambiente),
        ),
        balance,
        /** Computed from the last two weeks; null where nothing is spent or known. */
        daysLeft: balance.credits === null || perDay === 0 ? null : Math.floor(balance.credits / perDay),
        signatureDays: await signatureDays(deps, store, now),
        series: Object.values(documentCodes).map((codDoc) => nextOf(store, codDoc, series)),
        // Pauses of the account are shown separately.
        alerts: alerts.filter(
          ({ about, code }) => about !== undefined && own.includes(about) && !code.startsWith('account-'),
        ),
      };
    }),
  );
}

async function signatureDays(
  { ledger }: PanelDeps,
  { account, issuer }: Store,
  now: Date,
): Promise<number | null> {
  const { signature } = (await ledger.issuer(account.id, issuer.ruc)) ?? {};
  return signature ? Math.floor((Date.parse(signature.until) - now.getTime()) / dayMs) : null;
}

function nextOf({ series: start, issuer }: Store, codDoc: '01' | '04', rows: readonly SeriesRow[]) {
  const { establecimiento, puntoEmision, first, firstCreditNote } = start;
  const row = rows.find(
    (one) =>
      one.ruc === issuer.ruc &&
      one.ambiente === issuer.ambiente &&
      one.codDoc === codDoc &&
      one.establecimiento === establecimiento &&
      one.puntoEmision === puntoEmision,
  );
  const next = row?.next ?? (codDoc === '01' ? first : firstCreditNote);
  return {
    codDoc,
    number: numberIn({ establecimiento, puntoEmision }, next),
    stopped: row?.stoppedReason ?? null,
  };
}
