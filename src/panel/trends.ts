import { z } from 'zod';
import { type Day, dayMs, ecuadorDay } from '../domain/clock.ts';
import type { Ambiente, DocumentKind, DocumentState } from '../domain/document.ts';
import { type Amount, sum, toAmount } from '../domain/money.ts';
import { type Html, html } from '../domain/text.ts';
import type { DayTally } from '../ledger/closes.ts';
import { type DayBar, dayBars } from '../reports/day-bars.ts';
import { empty, soft, table } from './components.ts';
import type { PanelPage, Visit } from './visit.ts';

const words = {
  days: (n: number) => `${n} días`,
  store: 'Tienda',
  ambiente: { 1: 'Pruebas', 2: 'Producción' },
  groups: {
    authorized: 'Autorizados',
    underWay: 'En trámite',
    held: 'Retenidos',
    bad: 'Rechazados o por decidir',
    cancelled: 'Descartados',
  },
  note: 'Cada comprobante cuenta el día en que se recibió, con la hora de Ecuador; los montos son los del comprobante, o lo cobrado mientras no lo hay.',
};

const asked = z.object({
  dias: z.enum(['30', '90']).catch('30').transform(Number),
  tienda: z.string().max(63).catch(''),
  ambiente: z.enum(['1', '2']).optional().catch(undefined),
});
type Asked = z.output<typeof asked>;

export const trendsPage: PanelPage = {
  path: '/graficos',
  role: 'read',
  nav: { order: 4, label: 'Gráficos' },
  async show(visit) {
    const of = asked.parse(Object.fromEntries(visit.query));
    const days = lastDays(visit.now, of.dias);
    const all = await visit.deps.ledger.dayTallies.since(days[0] ?? '', visit.now);
    const ambiente = of.ambiente === undefined ? usualAmbiente(all) : (Number(of.ambiente) as Ambiente);
    const seen = all.filter(
      (one) => one.ambiente === ambiente && (of.tienda === '' || one.storeId === of.tienda),
    );
    return {
      title: 'Comprobantes por día',
      body: html`${choices(visit, of, ambiente)}
${seen.length === 0 ? empty('En estos días no se recibió ningún comprobante.') : figures(days, seen)}
${soft(words.note)}`,
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
  return html`<div class="choices"><div class="choice" role="group" aria-label="Cuántos días">${[30, 90].map((n) => link({ dias: String(n) }, words.days(n), n === of.dias))}</div>
<div class="choice" role="group" aria-label="Ambiente">${([2, 1] as const).map((one) => link({ ambiente: String(one) }, words.ambiente[one], one === ambiente))}</div>
${stores.length > 1 && html`<div class="choice" role="group" aria-label="${words.store}">${link({ tienda: '' }, 'Todas las tiendas', of.tienda === '')}${stores.map((id) => link({ tienda: id }, id, id === of.tienda))}</div>`}</div>`;
}

function figures(days: readonly Day[], seen: readonly DayTally[]): Html {
  const byDay = Map.groupBy(
    seen.filter(({ state }) => state === 'authorized'),
    ({ day }) => day,
  );
  const amount = (day: Day, kind: DocumentKind): Amount =>
    toAmount(sum((byDay.get(day) ?? []).filter((row) => row.kind === kind).map((row) => row.amount)));
  const bars = days.map((day) => ({
    ...named(day),
    facturas: amount(day, 'factura'),
    notasCredito: amount(day, 'nota-credito'),
  }));
  const byState = Map.groupBy(seen, ({ state }) => groups[state]);
  const byStore = Map.groupBy(seen, ({ storeId }) => storeId);
  const chart = { id: 'montos', title: 'Montos autorizados por día (USD)', category: 'Día' };
  return html`<div class="panelled">${dayBars({ ...chart, days: bars, format: (value) => `USD ${value.toFixed(2)}` })}</div>
${countTable(
  'Estado actual',
  (Object.keys(words.groups) as Group[]).map((key) => [words.groups[key], byState.get(key) ?? []]),
)}
${byStore.size > 1 && countTable(words.store, [...byStore])}`;
}

const countTable = (label: string, rows: readonly [label: string, tallies: readonly DayTally[]][]): Html =>
  table({
    columns: [{ label }, { label: 'Comprobantes', isNumber: true }],
    rows: rows.map(([head, tallies]) => ({ head, cells: [countOf(tallies)] })),
  });

/** Creating a format is slow. */
const dayFormat = new Intl.DateTimeFormat('es-EC', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

function named(day: Day): Pick<DayBar, 'label' | 'short'> {
  const [, month, date] = day.split('-').map(Number);
  return { label: dayFormat.format(new Date(`${day}T12:00:00Z`)), short: `${date}/${month}` };
}

type Group = keyof typeof words.groups;

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

const lastDays = (now: Date, count: number): Day[] =>
  Array.from({ length: count }, (_, n) => ecuadorDay(new Date(now.getTime() - (count - 1 - n) * dayMs)));

const usualAmbiente = (tallies: readonly DayTally[]): Ambiente =>
  tallies.some(({ ambiente }) => ambiente === 2) ? 2 : 1;

const countOf = (tallies: readonly DayTally[]): number => tallies.reduce((all, { count }) => all + count, 0);
