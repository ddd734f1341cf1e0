import { z } from 'zod';
import { type Day, dayMs, ecuadorDay } from '../../../domain/clock.ts';
import { type Ambiente, type DocumentState, documentKinds } from '../../../domain/document.ts';
import { type Amount, sum, toAmount } from '../../../domain/money.ts';
import { type Html, html } from '../../../domain/text.ts';
import type { DayTally } from '../../../ledger/closes.ts';
import type { Bar, Series } from '../../../reports/charts/chart.ts';
import { horizontalBars, shareBar } from '../../../reports/charts/horizontal-bars.ts';
import { stackedBars } from '../../../reports/charts/stacked-bars.ts';
import type { PanelPage, Visit } from '../visit.ts';

const words = {
  nav: 'Gráficos',
  title: 'Comprobantes por día',
  days: (n: number) => `${n} días`,
  period: 'Cuántos días',
  store: 'Tienda',
  all: 'Todas las tiendas',
  ambiente: { 1: 'Pruebas', 2: 'Producción' },
  environment: 'Ambiente',
  groups: {
    authorized: 'Autorizados',
    underWay: 'En trámite',
    held: 'Retenidos',
    bad: 'Rechazados o por decidir',
    cancelled: 'Descartados',
  },
  counts: 'Comprobantes por día y estado',
  countsSays: 'Cada barra es un día; sus partes, los comprobantes recibidos ese día según su estado actual.',
  amounts: 'Montos autorizados por día (USD)',
  amountsSays: 'Cada barra es un día: lo facturado y lo devuelto con notas de crédito, de lo ya autorizado.',
  kinds: { factura: 'Facturas', 'nota-credito': 'Notas de crédito' },
  share: 'Estado actual',
  shareSays: 'Todos los comprobantes del período según su estado actual.',
  byStore: 'Por tienda',
  count: 'Comprobantes',
  day: 'Día',
  table: 'Ver los datos en una tabla',
  total: 'Total',
  note: 'Cada comprobante cuenta el día en que se recibió, con la hora de Ecuador; los montos son los del comprobante, o lo cobrado mientras no lo hay.',
  nothing: 'En estos días no se recibió ningún comprobante.',
};

const asked = z.object({
  dias: z.enum(['30', '90']).catch('30').transform(Number),
  tienda: z.string().max(63).catch(''),
  ambiente: z.enum(['1', '2']).optional().catch(undefined),
});
type Asked = z.output<typeof asked>;

const tones = { authorized: 'good', underWay: 'wait', held: 'odd', bad: 'bad', cancelled: 'rest' } as const;

/** `/panel/graficos`: documents and amounts by day and state. */
export const trendsPage: PanelPage = {
  path: '/graficos',
  role: 'read',
  nav: { order: 4, label: words.nav },
  async show(visit) {
    const of = asked.parse(Object.fromEntries(visit.query));
    const days = lastDays(visit.now, of.dias);
    const all = await visit.deps.ledger.dayTallies.since(days[0] ?? '', visit.now);
    const ambiente = of.ambiente === undefined ? usualAmbiente(all) : (Number(of.ambiente) as Ambiente);
    const seen = all.filter(
      (one) => one.ambiente === ambiente && (of.tienda === '' || one.storeId === of.tienda),
    );
    return {
      title: words.title,
      body: html`${choices(visit, of, ambiente)}
${seen.length === 0 ? html`<div class="empty"><p>${words.nothing}</p></div>` : charts(days, seen)}
<p class="soft">${words.note}</p>`,
    };
  },
};

function choices({ at, deps }: Visit, of: Asked, ambiente: Ambiente): Html {
  const link = (change: Partial<Record<keyof Asked, string>>, label: string, chosen: boolean) => {
    const query = new URLSearchParams({ dias: String(of.dias), ambiente: String(ambiente) });
    if (of.tienda !== '') query.set('tienda', of.tienda);
    for (const [name, value] of Object.entries(change)) {
      if (value === '') query.delete(name);
      else query.set(name, value);
    }
    return html`<a href="${at(`/graficos?${query}`)}"${chosen && html` aria-current="true"`}>${label}</a>`;
  };
  const stores = [...deps.settings.stores.keys()];
  return html`<div class="choices"><div class="choice" role="group" aria-label="${words.period}">${[30, 90].map((n) => link({ dias: String(n) }, words.days(n), n === of.dias))}</div>
<div class="choice" role="group" aria-label="${words.environment}">${([2, 1] as const).map((one) => link({ ambiente: String(one) }, words.ambiente[one], one === ambiente))}</div>
${stores.length > 1 && html`<div class="choice" role="group" aria-label="${words.store}">${link({ tienda: '' }, words.all, of.tienda === '')}${stores.map((id) => link({ tienda: id }, id, id === of.tienda))}</div>`}</div>`;
}

function charts(days: readonly Day[], seen: readonly DayTally[]): Html {
  const { table: data, total, day: category } = words;
  const series = (Object.keys(tones) as Group[]).map(
    (key): Series => ({ key, name: words.groups[key], tone: tones[key] }),
  );
  const byDay = Map.groupBy(seen, ({ day }) => day);
  const bars = (figures: (rows: readonly DayTally[]) => Bar['values']): Bar[] =>
    days.map((day) => ({ ...named(day), values: figures(byDay.get(day) ?? []) }));
  const counts = (rows: readonly DayTally[]) =>
    Object.fromEntries(series.map(({ key }) => [key, countOf(rows.filter((row) => groupOf(row) === key))]));
  const authorized = (rows: readonly DayTally[]) => rows.filter(({ state }) => state === 'authorized');
  const amounts = (rows: readonly DayTally[]) =>
    Object.fromEntries(
      documentKinds.map((kind) => [kind, amountOf(authorized(rows).filter((row) => row.kind === kind))]),
    );
  const whole = new Intl.NumberFormat('en');
  const stores = [...Map.groupBy(seen, ({ storeId }) => storeId)].toSorted(
    ([, a], [, b]) => countOf(b) - countOf(a),
  );
  const common = { category, words: { data, total } };
  const panelled = (chart: Html) => html`<div class="panelled">${chart}</div>`;
  return html`${panelled(stackedBars({ ...common, id: 'por-dia', title: words.counts, description: words.countsSays, series, bars: bars(counts), format: (value) => whole.format(value.toNumber()) }))}
${panelled(
  stackedBars({
    ...common,
    id: 'montos',
    title: words.amounts,
    description: words.amountsSays,
    series: documentKinds.map((kind) => ({
      key: kind,
      name: words.kinds[kind],
      tone: kind === 'factura' ? 'good' : 'odd',
    })),
    bars: bars(amounts),
    format: (value) => value.toFixed(2),
  }),
)}
${panelled(shareBar({ id: 'reparto', title: words.share, description: words.shareSays, parts: series.map((one) => ({ ...one, value: countOf(seen.filter((row) => groupOf(row) === one.key)) })) }))}
${stores.length > 1 && panelled(horizontalBars({ id: 'tiendas', title: words.byStore, category: words.store, measure: words.count, rows: stores.map(([label, rows]) => ({ label, value: countOf(rows) })) }))}`;
}

/** Kept: creating a format is slow. */
const dayFormat = new Intl.DateTimeFormat('es-EC', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

/** "vie, 20 nov" in the table, "20/11" below its bar. */
function named(day: Day): Pick<Bar, 'label' | 'short'> {
  const [, month, date] = day.split('-').map(Number);
  return { label: dayFormat.format(new Date(`${day}T12:00:00Z`)), short: `${date}/${month}` };
}

type Group = keyof typeof tones;

const groups: Record<DocumentState, Group> = {
  authorized: 'authorized',
  ready: 'underWay',
  sending: 'underWay',
  processing: 'underWay',
  uncertain: 'underWay',
  held: 'held',
  rejected: 'bad',
  manual: 'bad',
  cancelled: 'cancelled',
};
const groupOf = ({ state }: Pick<DayTally, 'state'>): Group => groups[state];

const lastDays = (now: Date, count: number): Day[] =>
  Array.from({ length: count }, (_, n) => ecuadorDay(new Date(now.getTime() - (count - 1 - n) * dayMs)));

/** The environment shown by default: production as soon as it has documents. */
const usualAmbiente = (tallies: readonly DayTally[]): Ambiente =>
  tallies.some(({ ambiente }) => ambiente === 2) ? 2 : 1;

const countOf = (tallies: readonly DayTally[]): number => tallies.reduce((all, { count }) => all + count, 0);

const amountOf = (tallies: readonly DayTally[]): Amount => toAmount(sum(tallies.map(({ amount }) => amount)));
