import { type Amount, type Decimal, decimal } from '../../domain/money.ts';
import type { BuyerType } from '../../planner/identity/choice.ts';
import type { Rehearsal } from './rehearse.ts';

export function verdictText({ figures, leftOut, since }: Rehearsal): string {
  const { facturas, notasCredito, obstacles, orders, refunds } = figures;
  const help = obstacles.filter(({ kind }) => kind === 'factura').reduce((sum, one) => sum + one.count, 0);
  const due = facturas.count + help;
  if (orders + refunds === 0) return 'La tienda no tiene pedidos ni reembolsos en este tiempo.';
  const sales =
    due === 0
      ? `Ninguno de sus ${many(orders, 'pedido', 'pedidos')} lleva factura.`
      : `De ${many(due, 'pedido que lleva', 'pedidos que llevan')} factura, ${count(facturas.count)} (${percent(facturas.count, due)}) se facturarían solos por ${usd(facturas.total)}${help > 0 ? ` y ${count(help)} ${help === 1 ? 'requeriría' : 'requerirían'} atención` : ''}.`;
  const credits =
    refunds === 0
      ? ''
      : ` De ${many(refunds, 'reembolso', 'reembolsos')}, ${count(notasCredito.count)} ${notasCredito.count === 1 ? 'tendría' : 'tendrían'} su nota de crédito por ${usd(notasCredito.total)}.`;
  const cut =
    leftOut === 0
      ? ''
      : ` Había más pedidos de los que se leen: se miraron los cambiados desde el ${dayOf(since)}.`;
  return `${sales}${credits}${cut}`;
}

export function finalConsumerText({ figures, finalConsumerLimit }: Rehearsal): string {
  const { buyers, facturas, unnamed } = figures;
  const final = buyers.find(({ type }) => type === 'consumidor-final');
  const policy =
    finalConsumerLimit === null
      ? 'La tienda no factura a consumidor final.'
      : `La tienda factura a consumidor final hasta ${usd(finalConsumerLimit)}.`;
  const share = final
    ? ` Así saldrían ${many(final.count, 'factura', 'facturas')} (${percent(final.count, facturas.count)}) por ${usd(final.total)}; una factura así no se puede anular ni admite nota de crédito.`
    : ' Ninguna factura saldría así.';
  const held =
    unnamed.count === 0
      ? ''
      : ` ${many(unnamed.count, 'pedido tiene', 'pedidos tienen')} una identificación que falta o está mal, por ${usd(unnamed.total)}.`;
  return `${policy}${share}${held}`;
}

export function centsText({ figures }: Rehearsal): string {
  const { exact, placed, stated, differing } = figures.cents;
  if (exact + placed + stated === 0) return 'Ninguna factura saldría sola todavía.';
  const odd = [
    placed > 0 &&
      `en ${count(placed)} la tienda redondeó a su modo y los centavos se repartieron para que la factura sume lo cobrado`,
    stated > 0 && `en ${count(stated)} el impuesto se declara tal como se cobró`,
  ].filter((part) => part !== false);
  const same = `${many(exact, 'factura suma', 'facturas suman')} exactamente lo que dicen las líneas de la tienda${odd.length > 0 ? `; ${odd.join(' y ')}` : ''}.`;
  const apart =
    differing === 0
      ? 'Ninguna difiere en un centavo de lo que se cobró.'
      : `${many(differing, 'difiere', 'difieren')} de lo que se cobró.`;
  return `${same} ${apart}`;
}

export function creditsText({ monthly }: Rehearsal): string {
  const { credits, creditsWithHelp, recharge, days } = monthly;
  const more =
    creditsWithHelp === credits
      ? ''
      : `, y ${count(creditsWithHelp)} cuando se resuelva todo lo que hoy quedaría pendiente`;
  return `En producción cada documento autorizado gasta un crédito. Al ritmo de estos ${count(days)} días serían unos ${count(credits)} créditos al mes${more}. La recarga que menos cuesta por documento a ese ritmo es la de ${count(recharge.usd)} USD (unos ${count(recharge.documents)} documentos; los créditos valen 12 meses).`;
}

export function summary(found: Rehearsal): string {
  const { store, since, until, figures, unreadable } = found;
  const waits = figures.obstacles.map(({ title, count: times, total, examples, kind }) => {
    const what =
      kind === 'factura' ? many(times, 'factura', 'facturas') : many(times, 'reembolso', 'reembolsos');
    return `  ${title}: ${what}, ${usd(total)} (${examples.slice(0, 3).join(', ')}${times > 3 ? '…' : ''})`;
  });
  return [
    `Ensayo de la tienda «${store}», del ${dayOf(since)} al ${dayOf(until)}. Nada se envió.`,
    '',
    verdictText(found),
    ...(waits.length > 0 ? ['', 'Requieren atención:', ...waits] : []),
    '',
    finalConsumerText(found),
    centsText(found),
    creditsText(found),
    ...(unreadable.length > 0
      ? [`No se pudieron leer ${count(unreadable.length)} pedidos; el informe dice cuáles y por qué.`]
      : []),
    '',
  ].join('\n');
}

const cents = new Intl.NumberFormat('es-EC', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const whole = new Intl.NumberFormat('es-EC');
const long = new Intl.DateTimeFormat('es-EC', { timeZone: 'America/Guayaquil', dateStyle: 'long' });

export const usd = (amount: Amount | Decimal): string =>
  `USD\u00a0${cents.format(decimal(amount).toFixed(2) as Intl.StringNumericLiteral)}`;

export const count = (value: number): string => whole.format(value);

export const dayOf = (instant: string): string => long.format(new Date(instant));

export const many = (value: number, one: string, more: string): string =>
  `${count(value)} ${value === 1 ? one : more}`;

/** "12,5 %"; never 0 % for some or 100 % for a part. */
export function percent(part: number, all: number): string {
  if (all === 0) return '0 %';
  const exact = (part / all) * 100;
  const shown = Math.min(Math.max(Math.round(exact * 10) / 10, part > 0 ? 0.1 : 0), part < all ? 99.9 : 100);
  return `${whole.format(shown)} %`;
}

export const buyerNames: Readonly<Record<BuyerType, string>> = {
  cedula: 'Cédula',
  ruc: 'RUC',
  pasaporte: 'Pasaporte',
  exterior: 'Identificación del exterior',
  'consumidor-final': 'Consumidor final',
};
