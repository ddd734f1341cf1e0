import type { Rehearsal } from './rehearse.ts';
import { count, dayOf, many, percent, usd } from './words.ts';

/* The figures in sentences, for the report and the terminal alike. */

export function verdictText({ figures, leftOut, since }: Rehearsal): string {
  const { facturas, notasCredito, obstacles, orders, refunds } = figures;
  const help = obstacles.filter(({ kind }) => kind === 'factura').reduce((sum, one) => sum + one.count, 0);
  const due = facturas.count + help;
  if (orders + refunds === 0) return 'La tienda no tiene pedidos ni reembolsos en este tiempo.';
  const sales =
    due === 0
      ? `Ninguno de sus ${many(orders, 'pedido', 'pedidos')} lleva factura.`
      : `De ${many(due, 'pedido que lleva', 'pedidos que llevan')} factura, ${count(facturas.count)} (${percent(facturas.count, due)}) se facturarían solos por ${usd(facturas.total)}${help > 0 ? ` y ${count(help)} ${help === 1 ? 'esperaría' : 'esperarían'} a una persona` : ''}.`;
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
    ? ` Así saldrían ${many(final.count, 'factura', 'facturas')} (${percent(final.count, facturas.count)}) por ${usd(final.total)}; una factura así no se puede anular ni acreditar.`
    : ' Ninguna factura saldría así.';
  const held =
    unnamed.count === 0
      ? ''
      : ` ${many(unnamed.count, 'pedido espera', 'pedidos esperan')} una identificación que falta o está mal, por ${usd(unnamed.total)}.`;
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
      : `, y ${count(creditsWithHelp)} cuando se resuelva todo lo que hoy esperaría`;
  return `En producción cada documento autorizado gasta un crédito. Al ritmo de estos ${count(days)} días serían unos ${count(credits)} créditos al mes${more}. La recarga que menos cuesta por documento a ese ritmo es la de ${count(recharge.usd)} USD (unos ${count(recharge.documents)} documentos; los créditos valen 12 meses).`;
}
