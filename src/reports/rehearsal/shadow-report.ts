import { type Document, differingFields, documentNumber } from '../../domain/document.ts';
import { type Amount, decimal, sum, toAmount } from '../../domain/money.ts';
import { count, many, percent, usd } from './sentences.ts';

/** The documents of a store's shadow in the test environment (docs/adr/0015). */
export interface ShadowReport {
  store: string;
  orders: number;
  authorised: { facturas: number; notasCredito: number; total: Amount };
  /** Refused by service or authority, or manual with a number. */
  refused: { count: number; causes: ShadowCause[] };
  held: { count: number; causes: ShadowCause[] };
  /** Not sent yet, or without an answer. */
  underWay: number;
  /** The share authorised of all decided documents; null before the first. */
  passRate: number | null;
  cents: {
    /** Orders whose authorised document differs from what was charged. */
    differing: string[];
    /** Documents authorised in both environments, and the orders of those whose totals differ. */
    compared: number;
    apart: string[];
  };
  /** Orders whose authorised XML differs from what was sent; null while none was read. */
  altered: string[] | null;
}

interface ShadowCause {
  code: string;
  reason: string;
  count: number;
  examples: string[];
}

const mostExamples = 8;

/** The documents of one order: the shadow's, and production's where there are any. */
export interface ShadowedOrder {
  shadow: readonly Document[];
  production: readonly Document[];
}

export function shadowReport(store: string, orders: readonly ShadowedOrder[]): ShadowReport {
  const documents = orders.flatMap(({ shadow }) => shadow.filter(({ state }) => state !== 'cancelled'));
  const authorised = documents.filter(({ state }) => state === 'authorized');
  // Without a number it is the planner's decision.
  const refused = documents.filter(
    ({ state, secuencial }) => state === 'rejected' || (state === 'manual' && secuencial !== null),
  );
  const held = documents.filter(
    ({ state, secuencial }) => state === 'held' || (state === 'manual' && secuencial === null),
  );
  const facturas = authorised.filter(({ kind }) => kind === 'factura').length;
  const decided = authorised.length + refused.length;
  return {
    store,
    orders: orders.length,
    authorised: {
      facturas,
      notasCredito: authorised.length - facturas,
      total: toAmount(
        sum(authorised.filter(({ kind }) => kind === 'factura').map(({ total }) => total ?? '0')),
      ),
    },
    refused: { count: refused.length, causes: causesOf(refused) },
    held: { count: held.length, causes: causesOf(held) },
    underWay: documents.length - decided - held.length,
    passRate: decided === 0 ? null : authorised.length / decided,
    cents: centsOf(authorised, orders),
    altered: alteredOf(authorised),
  };
}

function alteredOf(authorised: readonly Document[]): string[] | null {
  const read = authorised.filter(({ verification }) => verification !== null);
  if (read.length === 0) return null;
  return read
    .filter(({ verification }) => differingFields(verification) !== null)
    .map(({ orderName }) => orderName);
}

function causesOf(documents: readonly Document[]): ShadowCause[] {
  const causes = Map.groupBy(documents, (one) => `${one.code} ${textOf(one)}`);
  return [...causes.values()]
    .flatMap((of) => {
      const [first] = of;
      if (!first) return [];
      const examples = [...new Set(of.map(({ orderName }) => orderName))].slice(0, mostExamples);
      return { code: first.code ?? first.state, reason: textOf(first), count: of.length, examples };
    })
    .sort((a, b) => b.count - a.count);
}

/** The reason without the document's number, so that equal causes have equal texts. */
function textOf(document: Document): string {
  const number = documentNumber(document);
  const reason = document.reason ?? 'Sin un motivo registrado.';
  return number === null ? reason : reason.replaceAll(` ${number}`, '');
}

function centsOf(authorised: readonly Document[], orders: readonly ShadowedOrder[]): ShadowReport['cents'] {
  const same = (a: Amount | null, b: Amount | null) => decimal(a ?? '0').equals(b ?? '0');
  const pairs = orders.flatMap(({ shadow, production }) =>
    shadow.flatMap((one) => {
      const other = production.find(
        ({ kind, sourceId, state }) =>
          kind === one.kind && sourceId === one.sourceId && state === 'authorized',
      );
      return one.state === 'authorized' && other ? [{ one, other }] : [];
    }),
  );
  return {
    differing: authorised.filter(({ total, charged }) => !same(total, charged)).map((one) => one.orderName),
    compared: pairs.length,
    apart: pairs.filter(({ one, other }) => !same(one.total, other.total)).map(({ one }) => one.orderName),
  };
}

export function shadowText(report: ShadowReport): string {
  const { store, orders, authorised, refused, held, underWay, passRate, cents, altered } = report;
  if (orders === 0) return `La sombra de «${store}» todavía no tiene pedidos.\n`;
  const documents = authorised.facturas + authorised.notasCredito;
  const lines = [
    `Sombra de la tienda «${store}»: ${many(orders, 'pedido', 'pedidos')} en el ambiente de pruebas del SRI.`,
    `Autorizados: ${many(authorised.facturas, 'factura', 'facturas')} por ${usd(authorised.total)} y ${many(authorised.notasCredito, 'nota de crédito', 'notas de crédito')}. Rechazados: ${count(refused.count)}. Retenidos: ${count(held.count)}. En trámite: ${count(underWay)}.`,
    passRate === null
      ? 'El SRI todavía no decidió sobre ninguno.'
      : `Pasa el ${percent(documents, documents + refused.count)} de lo que el SRI decidió.`,
    ...reported('Rechazados:', refused.causes),
    ...reported('Retenidos, sin enviar:', held.causes),
    centsText(cents, documents),
    ...(altered === null ? [] : [alteredText(altered)]),
  ];
  return `${lines.join('\n')}\n`;
}

const alteredText = (altered: readonly string[]): string =>
  altered.length === 0
    ? 'Los XML que autorizó el SRI dicen lo que se envió.'
    : `Los XML autorizados de estos pedidos no dicen lo que se envió: ${altered.join(', ')}.`;

const reported = (title: string, causes: readonly ShadowCause[]): string[] =>
  causes.length === 0
    ? []
    : [
        title,
        ...causes.map(
          ({ reason, count: of, examples }) => `  ${count(of)} × ${reason} (${examples.join(', ')})`,
        ),
      ];

function centsText({ differing, compared, apart }: ShadowReport['cents'], documents: number): string {
  if (documents === 0) return 'Sin documentos autorizados no hay centavos que comparar.';
  const charged =
    differing.length === 0
      ? 'Todos los autorizados suman al centavo lo que se cobró'
      : `No suman lo que se cobró: ${differing.join(', ')}`;
  if (compared === 0) return `${charged}.`;
  const both =
    apart.length === 0
      ? `${compared === 1 ? 'el que también está en producción tiene' : `los ${count(compared)} que también están en producción tienen`} allá el mismo total`
      : `difieren de los de producción: ${apart.join(', ')}`;
  return `${charged}; ${both}.`;
}
