import type { Figures, Spread } from './figures.ts';
import type { Rule } from './rules.ts';

const n = (value: number) => Math.round(value).toLocaleString('en-US');
const s = (value: number) =>
  value < 100 ? `${value.toFixed(value < 10 ? 2 : 1)} s` : `${(value / 60).toFixed(1)} min`;
const three = ({ p50, p99, max }: Spread) => `${s(p50)}, ${s(p99)}, ${s(max)}`;

/** The figures as text, one per line. */
export function toText(of: Figures, rules: readonly Rule[]): string {
  const { peak, plan } = of;
  const lines: [string, string][] = [
    [
      'documents',
      `${n(of.documents)} of ${n(plan.shops)} shops with ${n(plan.keys)} keys, in ${s(of.seconds)}`,
    ],
    ['payment to emission, untouched by the outage: p50, p99, longest', three(of.untouched)],
    ['the same, all', three(of.all)],
    ['worst shop: p50', `${s(of.worstShop.p50)} (${of.worstShop.shop}, ${of.worstShop.orders} orders)`],
    ['ready to leaving while the key has a free slot', three(of.free)],
  ];
  if (of.backlog) {
    const { hours, perMinute, neighbours, others } = of.backlog;
    lines.push(['backlog', `${hours.toFixed(1)} h, ${n(perMinute)} a minute`]);
    lines.push(['ready to leaving meanwhile: shops of its key', three(neighbours)]);
    lines.push(['ready to leaving meanwhile: all others', three(others)]);
  }
  if (of.outage) {
    const { waited, after } = of.outage;
    lines.push(['waiting when the service is back', n(waited)]);
    lines.push(['until they left: p50, p99, longest', three(after)]);
  }
  lines.push(
    ['most requests of a key in 60 s', String(of.mostOfAKey)],
    ['peak minute, each second: orders, webhooks', `${n(peak.orders)}, ${n(peak.webhooks)}`],
    ...Object.entries(peak.jobs).map(([kind, count]): [string, string] => [`  ${kind}`, count.toFixed(1)]),
    ['  transactions that write, rows', `${n(peak.transactions)}, ${n(peak.rows)}`],
    ['  looks for due jobs', n(peak.looks)],
    ['  worker slots in use', `${n(peak.slots)} of ${n(plan.workers * 64)}`],
    ['  busiest thread of a worker', `${n(100 * peak.thread)} %`],
    [
      '  cores of PostgreSQL in use, of them for looks',
      `${peak.cores.toFixed(2)}, ${peak.lookCores.toFixed(2)}`,
    ],
    [
      'of an order: transactions, rows',
      `${of.transactionsOfAnOrder.toFixed(1)}, ${of.rowsOfAnOrder.toFixed(1)}`,
    ],
  );
  return [
    ...lines.map(([name, value]) => `${name.padEnd(66)} ${value}`),
    '',
    ...rules.map(({ rule, found, kept }) => `${kept ? 'ok  ' : 'MISS'} ${rule}: ${found}`),
    '',
  ].join('\n');
}
