import { ecuadorDay } from '../../domain/calendar.ts';
import type { Html } from '../../domain/html.ts';
import { horizontalBars } from '../charts/horizontal-bars.ts';
import { shareBar } from '../charts/share-bar.ts';
import { stackedBars } from '../charts/stacked-bars.ts';
import type { Rehearsal } from './rehearse.ts';
import { buyerNames, count, usd } from './words.ts';

const words = { data: 'Ver los datos en una tabla', total: 'Total' };
const short = new Intl.DateTimeFormat('es-EC', { timeZone: 'UTC', day: 'numeric', month: 'short' });
const full = new Intl.DateTimeFormat('es-EC', { timeZone: 'UTC', dateStyle: 'full' });

/** More days than that are drawn by weeks. */
const mostDays = 35;

/** What would have left, and what would have waited, in the order of time. */
export function timeChart({ figures }: Rehearsal): Html {
  const days = figures.byDay;
  const weekly = days.length > mostDays;
  const step = weekly ? 7 : 1;
  const bars = [];
  // Counted from today back, so that the last week is a whole one.
  for (let end = days.length; end > 0; end -= step) {
    const of = days.slice(Math.max(end - step, 0), end);
    const day = new Date(`${of[0]?.day ?? ecuadorDay(new Date(0))}T00:00:00Z`);
    const all = (key: 'facturas' | 'notasCredito' | 'help') => of.reduce((sum, one) => sum + one[key], 0);
    const values = { facturas: all('facturas'), notasCredito: all('notasCredito'), help: all('help') };
    const label = weekly ? `Semana del ${short.format(day)}` : full.format(day);
    bars.unshift({ label, short: short.format(day), values });
  }
  return stackedBars({
    id: 'tiempo',
    title: weekly ? 'Documentos por semana' : 'Documentos por día',
    description:
      'Cuántas facturas y notas de crédito habrían salido solas, y cuántos documentos habrían esperado a una persona.',
    category: weekly ? 'Semana' : 'Día',
    series: [
      { key: 'facturas', name: 'Facturas', tone: 'good' },
      { key: 'notasCredito', name: 'Notas de crédito', tone: 'wait' },
      { key: 'help', name: 'Esperan a una persona', tone: 'odd' },
    ],
    bars,
    format: (value) => count(value.toNumber()),
    words,
  });
}

/** What would have become of the orders. */
export function ordersChart({ figures }: Rehearsal): Html {
  const { facturas, obstacles, orders } = figures;
  const help = obstacles.filter(({ kind }) => kind === 'factura').reduce((sum, one) => sum + one.count, 0);
  return shareBar({
    id: 'pedidos',
    title: 'Qué habría sido de cada pedido',
    description: 'Pedidos que se facturan solos, que esperan a una persona y que no llevan factura.',
    parts: [
      { key: 'emit', name: 'Se facturan solos', tone: 'good', value: facturas.count },
      { key: 'help', name: 'Esperan a una persona', tone: 'odd', value: help },
      { key: 'none', name: 'No llevan factura', tone: 'rest', value: orders - facturas.count - help },
    ],
    format: (value) => count(value.toNumber()),
    mark: ',',
  });
}

/** Whom the facturas name. */
export function buyersChart({ figures }: Rehearsal): Html {
  const tones = { cedula: 'good', ruc: 'wait', 'consumidor-final': 'odd' } as const;
  return shareBar({
    id: 'compradores',
    title: 'A nombre de quién saldrían las facturas',
    description: 'Facturas por tipo de identificación del comprador.',
    parts: figures.buyers.map(({ type, count: value }) => ({
      key: type,
      name: buyerNames[type],
      tone: type in tones ? tones[type as keyof typeof tones] : ('rest' as const),
      value,
    })),
    format: (value) => count(value.toNumber()),
    mark: ',',
  });
}

/** What is taxed with what. */
export function taxesChart({ figures }: Rehearsal): Html {
  return horizontalBars({
    id: 'impuestos',
    title: 'Base de cada impuesto en las facturas',
    category: 'Impuesto',
    measure: 'Base',
    rows: figures.taxes.map(({ name, base, valor }) => ({
      label: Number(valor) === 0 ? name : `${name} (impuesto: ${usd(valor)})`,
      value: base,
    })),
    format: usd,
  });
}

/** By which forms of payment of the SRI. */
export function paymentsChart({ figures }: Rehearsal): Html {
  return horizontalBars({
    id: 'pagos',
    title: 'Formas de pago que llevarían las facturas',
    category: 'Forma de pago del SRI',
    measure: 'Total',
    rows: figures.payments.map(({ tipo, name, total }) => ({ label: `${name} (${tipo})`, value: total })),
    format: usd,
  });
}
