import { paymentForms } from '../../../mappers/tables/payment-forms.ts';
import { type Day, ecuadorDay } from '../../domain/clock.ts';
import type { DocumentKind } from '../../domain/document.ts';
import { type Amount, decimal, sum, toAmount } from '../../domain/money.ts';
import { type Cause, causeOf, meaningOf } from '../../messages/reasons.ts';
import type { ActionKind } from '../../planner/action.ts';
import type { BuyerType } from '../../planner/identity/choice.ts';
import { waitsForBuyer } from '../../planner/identity-gate.ts';
import type { Tally } from '../close/day-close.ts';
import { taxWords } from '../tax-rows.ts';

/** Without buyers' data. */
export interface PastDocument {
  kind: DocumentKind;
  orderId: string;
  orderName: string;
  sourceId: string;
  /** When it was paid or refunded; for an unpaid order, when it was placed. */
  at: string;
  day: Day;
  action: ActionKind;
  code: string;
  reason: string;
  charged: Amount;
  document: Amount | null;
  difference: Amount | null;
  facts: PastFacts | null;
}

export interface PastFacts {
  buyer: BuyerType | null;
  /** What the shop charged beyond the exact sum of its lines: not zero where the shop rounds. */
  rounding: Amount;
  statedTax: boolean;
  /** In the codes of SRI tables 16 to 18. */
  taxes: { codigo: string; porcentaje: string; base: Amount; valor: Amount }[];
  payments: { tipo: string; amount: Amount }[];
}

export interface Obstacle extends Tally, Pick<Cause, 'title' | 'resolution'> {
  code: string;
  kind: DocumentKind;
  action: 'hold' | 'manual';
  examples: string[];
  details: { reason: string; count: number }[];
}

export interface Figures {
  orders: number;
  refunds: number;
  facturas: Tally;
  notasCredito: Tally;
  obstacles: Obstacle[];
  without: { code: string; kind: DocumentKind; reason: string; count: number }[];
  buyers: { type: BuyerType; count: number; total: Amount }[];
  unnamed: Tally;
  cents: {
    /** Match the shop's lines and taxes exactly. */
    exact: number;
    /** The shop rounds in another way. */
    placed: number;
    /** No base in cents gives what was charged. */
    stated: number;
    differing: number;
    examples: string[];
  };
  payments: ({ tipo: string; name: string } & Tally)[];
  taxes: { name: string; base: Amount; valor: Amount; documents: number }[];
  byDay: { day: Day; facturas: number; notasCredito: number; help: number }[];
}

const mostExamples = 8;
const mostDetails = 5;

const totalOf = (documents: readonly PastDocument[]): Tally => ({
  count: documents.length,
  total: toAmount(sum(documents.map(({ document, charged }) => document ?? charged))),
});

export function figuresOf(documents: readonly PastDocument[], since: Date, now: Date): Figures {
  const issued = documents.filter(({ action }) => action === 'emit');
  const ofKind = (kind: DocumentKind) => issued.filter((one) => one.kind === kind);
  const facturas = ofKind('factura');
  const help = documents.filter(({ action }) => action === 'hold' || action === 'manual');
  const unnamed = help.filter(({ kind, code }) => kind === 'factura' && waitsForBuyer(code));
  return {
    orders: documents.filter(({ kind }) => kind === 'factura').length,
    refunds: documents.filter(({ kind }) => kind === 'nota-credito').length,
    facturas: totalOf(facturas),
    notasCredito: totalOf(ofKind('nota-credito')),
    obstacles: obstaclesOf(help),
    without: withoutDocument(documents),
    buyers: groups(facturas, ({ facts }) => facts?.buyer ?? 'consumidor-final').map(([type, of]) => ({
      type,
      ...totalOf(of),
    })),
    unnamed: totalOf(unnamed),
    cents: centsOf(facturas),
    payments: paymentsOf(facturas),
    taxes: taxesOf(facturas),
    byDay: daysOf(documents, since, now),
  };
}

function obstaclesOf(help: readonly PastDocument[]): Obstacle[] {
  return groups(help, ({ kind, action, code }) => `${kind} ${action} ${code}`).flatMap(([, of]) => {
    const [first] = of;
    if (!first || (first.action !== 'hold' && first.action !== 'manual')) return [];
    const { code, kind, action, reason } = first;
    const known = causeOf(code);
    const cause = known ?? { title: reason, resolution: '' };
    const reported = known === null || waitsForBuyer(code) || code === 'final-consumer' ? [] : of;
    const details = groups(reported, (one) => one.reason).slice(0, mostDetails);
    return {
      code,
      kind,
      action,
      ...cause,
      ...totalOf(of),
      examples: [...new Set(of.map(({ orderName }) => orderName))].slice(0, mostExamples),
      details: details.map(([text, ones]) => ({ reason: text, count: ones.length })),
    };
  });
}

function withoutDocument(documents: readonly PastDocument[]): Figures['without'] {
  const rest = documents.filter(({ action }) => action === 'nothing' || action === 'wait');
  return groups(rest, ({ kind, code }) => `${kind} ${code}`).flatMap(([, of]) => {
    const [first] = of;
    if (!first) return [];
    const { code, kind } = first;
    return { code, kind, reason: meaningOf(code) ?? first.reason, count: of.length };
  });
}

function centsOf(facturas: readonly PastDocument[]): Figures['cents'] {
  const isZero = (amount: Amount | null | undefined) => decimal(amount ?? '0').isZero();
  const placed = facturas.filter(({ facts }) => !isZero(facts?.rounding));
  const stated = facturas.filter(({ facts }) => facts?.statedTax === true);
  const special = [...new Set([...placed, ...stated])];
  return {
    exact: facturas.length - special.length,
    placed: placed.length,
    stated: stated.length,
    differing: facturas.filter(({ difference }) => !isZero(difference)).length,
    examples: special.slice(0, mostExamples).map(({ orderName }) => orderName),
  };
}

function paymentsOf(facturas: readonly PastDocument[]): Figures['payments'] {
  const all = facturas.flatMap(({ facts }) => facts?.payments ?? []);
  return groups(all, ({ tipo }) => tipo).map(([tipo, of]) => ({
    tipo,
    name: paymentForms[tipo]?.name ?? tipo,
    count: of.length,
    total: toAmount(sum(of.map(({ amount }) => amount))),
  }));
}

function taxesOf(facturas: readonly PastDocument[]): Figures['taxes'] {
  const all = facturas.flatMap(({ facts }) => facts?.taxes ?? []);
  const nameOf = ({ codigo, porcentaje: codigoPorcentaje }: (typeof all)[number]) =>
    taxWords({ codigo, codigoPorcentaje });
  return groups(all, nameOf).map(([name, of]) => ({
    name,
    base: toAmount(sum(of.map(({ base }) => base))),
    valor: toAmount(sum(of.map(({ valor }) => valor))),
    documents: of.length,
  }));
}

function daysOf(documents: readonly PastDocument[], since: Date, now: Date): Figures['byDay'] {
  const byDay = Map.groupBy(documents, ({ day }) => day);
  const rows: Figures['byDay'] = [];
  const last = ecuadorDay(now);
  for (let at = since; ecuadorDay(at) <= last; at = new Date(at.getTime() + 24 * 3_600_000)) {
    const day = ecuadorDay(at);
    const of = byDay.get(day) ?? [];
    const count = (wanted: (one: PastDocument) => boolean) => of.filter(wanted).length;
    rows.push({
      day,
      facturas: count(({ kind, action }) => kind === 'factura' && action === 'emit'),
      notasCredito: count(({ kind, action }) => kind === 'nota-credito' && action === 'emit'),
      help: count(({ action }) => action === 'hold' || action === 'manual'),
    });
  }
  return rows;
}

function groups<T, K>(rows: readonly T[], keyOf: (row: T) => K): [K, T[]][] {
  return [...Map.groupBy(rows, keyOf)].sort(([, a], [, b]) => b.length - a.length);
}
