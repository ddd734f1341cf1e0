import { type Day, ecuadorDay, startOfEcuadorDay } from '../core/calendar.ts';
import { PayloadError } from '../core/errors.ts';
import type { Order } from '../core/order.ts';
import type { Action } from '../planning/action.ts';
import type { PlanInput, PlannedDocument } from '../planning/input.ts';
import { mapFactura } from '../planning/map-factura.ts';
import { plan } from '../planning/plan.ts';
import { planRefunds } from '../planning/refunds/plan-refunds.ts';

/** The factura an order is taken to have: "001-001-000000123", and the day in Ecuador it was issued. */
export interface AsIf {
  number: string;
  date: Day;
}

/**
 * Reads `001-001-000000123[,YYYY-MM-DD]`; without a date the factura is of today.
 * @throws PayloadError with a sentence when number or date cannot be a factura's, or the date lies ahead.
 */
export function readAsIf(text: string, now: Date): AsIf {
  const today = ecuadorDay(now);
  const [number = '', date = today, ...more] = text.split(',').map((part) => part.trim());
  const isNumber = /^\d{3}-\d{3}-\d{9}$/.test(number) && number.split('-').every((part) => Number(part) > 0);
  if (!isNumber || more.length > 0)
    throw wrong(
      `«${text}» no es un número de factura. Escríbalo como 001-001-000000123, o con su fecha: 001-001-000000123,2026-11-20.`,
    );
  if (!isDay(date))
    throw wrong(`«${date}» no es una fecha. Escríbala como AAAA-MM-DD, por ejemplo ${today}.`);
  if (date > today)
    throw wrong(
      `La factura ${number} no puede ser del ${date}: en Ecuador hoy es ${today}. Corrija la fecha.`,
    );
  return { number, date };
}

/**
 * Plans an order as if it had been invoiced whole, before its refunds, with a factura of that number and date. Where
 * it cannot be invoiced, that is said of the factura instead, and its refunds follow from it.
 */
export function planAsIf(input: Omit<PlanInput, 'documents'>, asIf: AsIf): Action[] {
  const { order } = input;
  const none: readonly PlannedDocument[] = [];
  const day = startOfEcuadorDay(asIf.date);
  const sale = { ...input, order: asSold(order), documents: none, invoiceFrom: new Date(0), now: day };
  const [factura] = plan(sale);
  if (!factura) throw new Error('A plan without a word on the factura.');
  if (factura.action !== 'emit') return [factura, ...planRefunds({ ...input, documents: none }, factura)];
  return plan({ ...input, documents: [authorized(sale, factura, asIf, keyOf(order, asIf))] });
}

/** The order before anything was given back, and before any document of it was written onto it. */
function asSold(order: Order): Order {
  const ended = ['partially-refunded', 'refunded', 'cancelled'].includes(order.settlement);
  const settlement = ended && order.paidAt !== null ? 'paid' : order.settlement;
  return { ...order, settlement, refunds: [], accessKeys: [] };
}

/** Establishment, point and number stand in an access key (ficha técnica SRI, tabla 1). */
function keyOf(order: Order, { number }: AsIf): string | null {
  return order.accessKeys.find((key) => key.slice(24, 39) === number.replaceAll('-', '')) ?? null;
}

function authorized(sale: PlanInput, { identity }: Action, asIf: AsIf, accessKey: string | null) {
  const { order, store, now } = sale;
  const [establecimiento = '', puntoEmision = '', secuencial = ''] = asIf.number.split('-');
  const series = { ...store.series, establecimiento, puntoEmision };
  const mapped = mapFactura(order, { ...store, series }, identity, { now, secuencial });
  if (!mapped.ok) throw new Error(`An order that is to be invoiced cannot be mapped: ${mapped.code}.`);
  const { body, ties, total } = mapped.mapped;
  const { items, totales, comprador } = body;
  const { number, date: issueDate } = asIf;
  const sent = { items, totales, comprador, ties, number, issueDate, accessKey, total, nettedRefunds: [] };
  const document: PlannedDocument = {
    kind: 'factura',
    state: 'authorized',
    sourceId: order.id,
    code: null,
    reason: null,
    accessKey,
    secuencial,
    sent,
  };
  return document;
}

function isDay(text: string): boolean {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return day !== null && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const wrong = (sentence: string): PayloadError => new PayloadError('as-if-authorized', sentence, sentence);
