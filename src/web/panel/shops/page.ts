import { pauseWords } from '../../../domain/account-pause.ts';
import { type Html, html, type Piece } from '../../../domain/html.ts';
import { sweepLists } from '../../../domain/sweep-lists.ts';
import { documentWords } from '../document/words.ts';
import { kept, moment } from '../show.ts';
import type { PanelPage, Visit } from '../visit.ts';
import { inBoth } from '../words.ts';
import { gatherStores, type StoreHealth } from './gather.ts';

const plural = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

const shopWords = inBoth(
  {
    nav: 'Tiendas',
    title: 'Tiendas',
    none: 'La configuración no tiene ninguna tienda todavía.',
    ambiente: { 1: 'Pruebas', 2: 'Producción' },
    well: 'Conectada y en marcha',
    look: 'Hay algo que mirar',
    connection: 'Conexión',
    answers: 'Responde',
    yes: 'sí',
    silentSince: 'no responde desde ',
    triedAgain: 'Sus pedidos esperan; se prueba otra vez desde ',
    swept: 'Revisada hasta',
    lists: { changes: 'pedidos', refunds: 'reembolsos', review: 'repaso de la noche' },
    behind: (list: string, failed: boolean) => `${list}: ${failed ? 'sin respuesta' : 'con atraso'} desde `,
    neverSwept: 'todavía no se revisa',
    webhook: 'Último aviso de la tienda',
    noWebhook: 'ninguno entre los 2.000 más recientes',
    written: 'Último escrito en un pedido',
    neverWritten: 'ninguno entre sus 200 más recientes',
    failing: (n: number) => plural(n, 'tarea que falla y se repite', 'tareas que fallan y se repiten'),
    failingName: 'Tareas',
    documents: 'Comprobantes abiertos',
    noOpen: 'ninguno',
    oldest: 'El más antiguo',
    account: (id: string) => `Cuenta ${id}`,
    state: 'Estado',
    works: 'en marcha',
    paused: 'en pausa',
    credits: 'Créditos',
    daysLeft: (days: number, credits: number) => `${plural(days, 'día', 'días')} (${credits})`,
    noBurn: (credits: number) => `${credits}; en dos semanas no se gastó ninguno`,
    balanceStates: { suficiente: 'saldo suficiente', bajo: 'saldo bajo', agotado: 'saldo agotado' },
    asking: 'se está preguntando; recargue la página',
    unknown: 'el servicio no lo dijo',
    signature: 'Firma electrónica',
    signatureLeft: (days: number) => (days < 0 ? 'caducada' : `caduca en ${plural(days, 'día', 'días')}`),
    noSignature: 'no se sabe: no se subió con install',
    numbers: 'Numeración',
    series: { '01': 'Próxima factura', '04': 'Próxima nota de crédito' },
    stopped: 'Detenida',
    chart: 'Ver sus gráficos',
    list: 'Ver sus comprobantes',
    alerts: 'Avisos abiertos',
  },
  {
    nav: 'Stores',
    title: 'Stores',
    none: 'The configuration has no store yet.',
    ambiente: { 1: 'Test', 2: 'Production' },
    well: 'Connected and working',
    look: 'Something to look at',
    connection: 'Connection',
    answers: 'Answers',
    yes: 'yes',
    silentSince: 'no answer since ',
    triedAgain: 'Its orders wait; tried again from ',
    swept: 'Searched up to',
    lists: { changes: 'orders', refunds: 'refunds', review: 'nightly look' },
    behind: (list: string, failed: boolean) => `${list}: ${failed ? 'failing' : 'behind'} since `,
    neverSwept: 'not searched yet',
    webhook: 'Last webhook of the shop',
    noWebhook: 'none among the newest 2,000',
    written: 'Last written on an order',
    neverWritten: 'none among its newest 200',
    failing: (n: number) => plural(n, 'task that fails and repeats', 'tasks that fail and repeat'),
    failingName: 'Tasks',
    documents: 'Open documents',
    noOpen: 'none',
    oldest: 'The oldest',
    account: (id: string) => `Account ${id}`,
    state: 'State',
    works: 'working',
    paused: 'paused',
    credits: 'Credits',
    daysLeft: (days: number, credits: number) => `${plural(days, 'day', 'days')} (${credits})`,
    noBurn: (credits: number) => `${credits}; none was spent in two weeks`,
    balanceStates: { suficiente: 'balance sufficient', bajo: 'balance low', agotado: 'balance used up' },
    asking: 'being asked; reload the page',
    unknown: 'the service did not say',
    signature: 'Electronic signature',
    signatureLeft: (days: number) => (days < 0 ? 'ended' : `ends in ${plural(days, 'day', 'days')}`),
    noSignature: 'unknown: not uploaded by install',
    numbers: 'Numbering',
    series: { '01': 'Next factura', '04': 'Next nota de crédito' },
    stopped: 'Stopped',
    chart: 'See its charts',
    list: 'See its documents',
    alerts: 'Open alerts',
  },
);

/** `/panel/tiendas`: how each store, its account and its numbers stand. */
export const shopsPage: PanelPage = {
  path: '/tiendas',
  role: 'read',
  nav: { order: 3, label: { es: shopWords.es.nav, en: shopWords.en.nav } },
  async show(visit) {
    const words = shopWords[visit.language];
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

/** Fewer days than this are told with a chip: time for a transfer, and for a new signature. */
const fewCreditDays = 10;
const fewSignatureDays = 30;

function card(visit: Visit, health: StoreHealth): Html {
  const words = shopWords[visit.language];
  const { store, alerts, pauses, series } = health;
  const bad = alerts.length > 0 || pauses.length > 0 || series.some(({ stopped }) => stopped !== null);
  const to = (path: string, label: string) =>
    html`<a class="quiet" href="${visit.at(`${path}?tienda=${encodeURIComponent(store.id)}`)}">${label}<span class="heard"> ${store.id}</span></a>`;
  return html`<li class="card${bad && ' soon'}"><div class="lead"><h2>${store.id}</h2><span class="chip${bad && ' warn'}">${bad ? words.look : words.well}</span></div>
<ul class="facts"><li>${store.platform.title}</li><li>${store.shop}</li><li>${words.ambiente[store.issuer.ambiente]}</li></ul>
${alerts.length > 0 && html`<h3>${words.alerts}</h3><ul>${alerts.map(({ what, cure }) => html`<li>${kept(`${what} ${cure}`, 'span')}</li>`)}</ul>`}
<h3>${words.connection}</h3>${pairs(connection(visit, health))}
<h3>${words.account(store.account.id)}</h3>${pairs(account(visit, health))}
${pauses.map(({ cause }) => kept(`${pauseWords[cause].what} ${pauseWords[cause].cure}`))}
<h3>${words.numbers}</h3>${pairs(series.map(({ codDoc, number, stopped }) => [words.series[codDoc], html`<span class="key">${number}</span>${stopped !== null && html` <span class="chip bad">${words.stopped}</span> ${kept(stopped, 'span')}`}`]))}
<div class="acts">${to('/buscar', words.list)}${to('/graficos', words.chart)}</div></li>`;
}

function connection(
  visit: Visit,
  { breaker, sweep, lastDelivery, lastWritten, failing, open }: StoreHealth,
): Row[] {
  const { language, at } = visit;
  const words = shopWords[language];
  const { states } = documentWords[language];
  const oldest = open.map((one) => one.oldest).toSorted()[0];
  const counted = Object.entries(Object.groupBy(open, ({ state }) => state)).map(
    ([state, rows]) =>
      `${states[state as keyof typeof states].name}: ${(rows ?? []).reduce((all, { count }) => all + count, 0)}`,
  );
  const behind = sweepLists.flatMap((list) => {
    const late = sweep?.behind[list];
    return late ? [{ list, ...late }] : [];
  });
  return [
    [
      words.answers,
      breaker === null
        ? words.yes
        : html`<span class="chip bad">${words.silentSince}${moment(breaker.since, visit)}</span> ${words.triedAgain}${moment(breaker.retryAt, visit)}. ${kept(breaker.reason, 'span')}`,
    ],
    [
      words.swept,
      sweep === null
        ? words.neverSwept
        : html`${moment(sweep.sweptTo, visit)}${behind.map(({ list, since, failed }) => html` <span class="chip ${failed ? 'bad' : 'warn'}">${words.behind(words.lists[list], failed)}${moment(since, visit)}</span>`)}`,
    ],
    [words.webhook, lastDelivery === null ? words.noWebhook : moment(lastDelivery, visit)],
    [
      words.written,
      lastWritten === null
        ? words.neverWritten
        : html`<a href="${at(`/documento/${lastWritten.id}`)}">${lastWritten.orderName}</a>, ${moment(lastWritten.updatedAt, visit)}`,
    ],
    [words.documents, counted.length === 0 ? words.noOpen : counted.join(' · ')],
    ...(oldest === undefined ? [] : [[words.oldest, moment(oldest, visit)] as const]),
    ...(failing === 0 ? [] : [[words.failingName, warned(true, words.failing(failing))] as const]),
  ];
}

function account({ language }: Visit, health: StoreHealth): Row[] {
  const words = shopWords[language];
  const { pauses, balance, daysLeft, signatureDays } = health;
  const { credits, state, asking } = balance;
  const unknown = asking ? words.asking : words.unknown;
  const figure =
    credits === null ? null : daysLeft === null ? words.noBurn(credits) : words.daysLeft(daysLeft, credits);
  const told = [figure, state === null ? null : words.balanceStates[state]].filter((one) => one !== null);
  const isLow = state === 'bajo' || state === 'agotado';
  const lasting =
    told.length === 0
      ? unknown
      : warned(isLow || (daysLeft !== null && daysLeft < fewCreditDays), told.join('; '));
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
