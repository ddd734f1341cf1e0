import { dayMs, ecuadorDay } from '../domain/clock.ts';
import { documentCodes, numberIn } from '../domain/document.ts';
import { reconciliationLists } from '../domain/listing.ts';
import { owner, type Store } from '../domain/settings.ts';
import { type Html, html, type Piece } from '../domain/text.ts';
import { lookBackDays } from '../jobs/watch.ts';
import type { SeriesRow } from '../ledger/schema.ts';
import { alertTexts } from '../messages/alerts.ts';
import type { PanelDeps } from './deps.ts';
import { documentPath } from './document-parts.ts';
import { documentWords } from './document-words.ts';
import { moment } from './show.ts';
import { type PanelPage, plural, type Visit } from './visit.ts';

const words = {
  nav: 'Tiendas',
  title: 'Tiendas',
  none: 'La configuración no tiene ninguna tienda todavía.',
  ambiente: { 1: 'Pruebas', 2: 'Producción' },
  well: 'Conectada y activa',
  look: 'Requiere revisión',
  connection: 'Conexión',
  reconciled: 'Revisada hasta',
  lists: {
    changes: 'pedidos',
    refunds: 'reembolsos',
    review: 'revisión nocturna',
  },
  behind: (list: string, failed: boolean) => `${list}: ${failed ? 'sin respuesta' : 'con atraso'} desde `,
  neverReconciled: 'todavía no se ha revisado',
  webhook: 'Último aviso de la tienda',
  noWebhook: 'ninguno entre los 2.000 más recientes',
  written: 'Último pedido actualizado',
  neverWritten: 'ninguno entre sus 200 más recientes',
  failing: (n: number) => plural(n, 'tarea que falla y se repite', 'tareas que fallan y se repiten'),
  failingName: 'Tareas',
  documents: 'Comprobantes abiertos',
  noOpen: 'ninguno',
  oldest: 'El más antiguo',
  account: (id: string) => `Cuenta ${id}`,
  state: 'Estado',
  works: 'activa',
  paused: 'en pausa',
  credits: 'Créditos',
  daysLeft: (days: number, credits: number) => `${plural(days, 'día', 'días')} (${credits})`,
  noBurn: (credits: number) => `${credits}; ninguno gastado en dos semanas`,
  balanceStates: {
    suficiente: 'saldo suficiente',
    bajo: 'saldo bajo',
    agotado: 'saldo agotado',
  },
  asking: 'consultando; recargue la página',
  unknown: 'el servicio no lo informó',
  signature: 'Firma electrónica',
  signatureLeft: (days: number) => (days < 0 ? 'caducada' : `caduca en ${plural(days, 'día', 'días')}`),
  noSignature: 'sin dato: no se subió con install',
  numbers: 'Numeración',
  series: {
    '01': 'Próxima factura',
    '04': 'Próxima nota de crédito',
  },
  stopped: 'Detenida',
  chart: 'Ver sus gráficos',
  list: 'Ver sus comprobantes',
  alerts: 'Avisos abiertos',
};

export const shopsPage: PanelPage = {
  path: '/tiendas',
  role: 'read',
  nav: { order: 3, label: words.nav },
  async show(visit) {
    const stores = await gatherStores(visit.deps, visit.now);
    return {
      title: words.title,
      body:
        stores.length === 0
          ? html`<div class="empty"><p>${words.none}</p></div>`
          : html`<ul class="stores">${stores.map((one) => card(visit, one))}</ul>`,
    };
  },
};

type Row = readonly [name: string, value: Piece];
const pairs = (rows: readonly Row[]): Html =>
  html`<dl class="pairs">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
const warned = (bad: boolean, value: Piece, kind: 'warn' | 'bad' = 'warn'): Html =>
  bad ? html`<span class="chip ${kind}">${value}</span>` : html`${value}`;

/** Enough time for a transfer, and for a new signature. */
const fewCreditDays = 10;
const fewSignatureDays = 30;

function card(visit: Visit, health: StoreHealth): Html {
  const { store, alerts, pauses, series } = health;
  const bad = alerts.length > 0 || pauses.length > 0 || series.some(({ stopped }) => stopped !== null);
  const to = (path: string, label: string) =>
    html`<a class="quiet" href="${visit.at(`${path}?tienda=${encodeURIComponent(store.id)}`)}">${label}<span class="hidden-text"> ${store.id}</span></a>`;
  return html`<li class="card${bad && ' soon'}"><div class="lead"><h2>${store.id}</h2><span class="chip${bad && ' warn'}">${bad ? words.look : words.well}</span></div>
<ul class="facts"><li>${store.platform.title}</li><li>${store.shop}</li><li>${words.ambiente[store.issuer.ambiente]}</li></ul>
${alerts.length > 0 && html`<h3>${words.alerts}</h3><ul>${alerts.map(({ what, resolution }) => html`<li>${`${what} ${resolution}`}</li>`)}</ul>`}
<h3>${words.connection}</h3>${pairs(connection(visit, health))}
<h3>${words.account(store.account.id)}</h3>${pairs(account(health))}
${pauses.map(({ cause }) => html`<p>${`${alertTexts(`account-${cause}`).what} ${alertTexts(`account-${cause}`).resolution}`}</p>`)}
<h3>${words.numbers}</h3>${pairs(series.map(({ codDoc, number, stopped }) => [words.series[codDoc], html`<span class="key">${number}</span>${stopped !== null && html` <span class="chip bad">${words.stopped}</span> ${stopped}`}`]))}
<div class="acts">${to('/buscar', words.list)}${to('/graficos', words.chart)}</div></li>`;
}

function connection(
  visit: Visit,
  { reconciliation, lastDelivery, lastWritten, failing, open }: StoreHealth,
): Row[] {
  const { at } = visit;
  const { states } = documentWords;
  const oldest = open.map((one) => one.oldest).toSorted()[0];
  const counted = Object.entries(Object.groupBy(open, ({ state }) => state)).map(
    ([state, rows]) =>
      `${states[state as keyof typeof states].name}: ${(rows ?? []).reduce((all, { count }) => all + count, 0)}`,
  );
  const behind = reconciliationLists.flatMap((list) => {
    const late = reconciliation?.behind[list];
    return late ? [{ list, ...late }] : [];
  });
  return [
    [
      words.reconciled,
      reconciliation === null
        ? words.neverReconciled
        : html`${moment(reconciliation.reconciledTo, visit)}${behind.map(({ list, since, failed }) => html` <span class="chip ${failed ? 'bad' : 'warn'}">${words.behind(words.lists[list], failed)}${moment(since, visit)}</span>`)}`,
    ],
    [words.webhook, lastDelivery === null ? words.noWebhook : moment(lastDelivery, visit)],
    [
      words.written,
      lastWritten === undefined
        ? words.neverWritten
        : html`<a href="${at(documentPath(lastWritten.id))}">${lastWritten.orderName}</a>, ${moment(lastWritten.updatedAt, visit)}`,
    ],
    [words.documents, counted.length === 0 ? words.noOpen : counted.join(' · ')],
    ...(oldest === undefined ? [] : [[words.oldest, moment(oldest, visit)] as const]),
    ...(failing === 0 ? [] : [[words.failingName, warned(true, words.failing(failing))] as const]),
  ];
}

function account(health: StoreHealth): Row[] {
  const { pauses, balance, daysLeft, signatureDays } = health;
  const { credits, state, asking } = balance;
  const unknown = asking ? words.asking : words.unknown;
  const figure =
    credits === null ? null : daysLeft === null ? words.noBurn(credits) : words.daysLeft(daysLeft, credits);
  const reported = [figure, state === null ? null : words.balanceStates[state]].filter((one) => one !== null);
  const isLow = state === 'bajo' || state === 'agotado';
  const lasting =
    reported.length === 0
      ? unknown
      : warned(isLow || (daysLeft !== null && daysLeft < fewCreditDays), reported.join('; '));
  return [
    [words.state, warned(pauses.length > 0, pauses.length > 0 ? words.paused : words.works, 'bad')],
    [words.credits, lasting],
    [
      words.signature,
      signatureDays === null
        ? words.noSignature
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
