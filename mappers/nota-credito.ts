import { type Day, toServiceDate } from '../src/core/calendar.ts';
import { documentCodes } from '../src/core/document.ts';
import { type Amount, toAmount } from '../src/core/money.ts';
import type { Order } from '../src/core/order.ts';
import type { Refund, Tie } from '../src/core/refund.ts';
import { toAdditionalInfo } from './additional-info.ts';
import type { CompradorBody, NotaCreditoBody } from './body.ts';
import type { DocumentContext } from './context.ts';
import type { Balance } from './credit/balance.ts';
import { creditOf } from './credit/credit-of.ts';
import { type CreditTrace, toCreditTrace } from './credit/trace.ts';
import { Hold } from './hold.ts';
import { toEmisor } from './issuer.ts';
import { proveCredit } from './prove.ts';
import { oneLine, optionalLine } from './text.ts';

/** The factura a nota de crédito changes: as it was authorised, and what is left of it. */
export interface Original {
  /** "001-001-000000123". */
  number: string;
  date: Day;
  accessKey: string | null;
  comprador: CompradorBody;
  balance: Balance;
}

export type MappedCredit =
  | {
      ok: true;
      body: NotaCreditoBody;
      /** The line or charge behind each item, for the next nota de crédito. */
      ties: Tie[];
      /** What the body adds up to: the money that went back. */
      total: Amount;
      trace: CreditTrace;
    }
  | { ok: false; code: string; reason: string; document: Amount | null };

/**
 * A refund → the service's nota de crédito body (spec, "Credit note (code 04) request"). Pure. Codes, rates,
 * texts and buyer are the authorised factura's; a refund of all that is left copies what is left. `money` is
 * what went back for things on the factura, in USD; it must not exceed what is left.
 */
export function toNotaCredito(
  order: Order,
  refund: Refund,
  money: Amount,
  original: Original,
  context: DocumentContext,
): MappedCredit {
  try {
    return map(order, refund, money, original, context);
  } catch (error) {
    if (!(error instanceof Hold)) throw error;
    const { code, reason, document } = error;
    return { ok: false, code, reason, document };
  }
}

function map(
  order: Order,
  refund: Refund,
  money: Amount,
  original: Original,
  context: DocumentContext,
): Extract<MappedCredit, { ok: true }> {
  const { balance } = original;
  const { items, ties, totales, credit, claims } = creditOf(balance, refund, money);
  const body = proveCredit(
    {
      emisor: toEmisor(context),
      ambiente: context.issuer.ambiente,
      tipo_emision: 1,
      comprador: original.comprador as NotaCreditoBody['comprador'],
      items,
      documento_modificado: toModified(order, refund, original, context),
      totales,
      informacion_adicional: toAdditionalInfo(order, context),
    },
    money,
  );
  const trace = toCreditTrace({ refund, original, claims, credit, money });
  return { ok: true, body, ties, total: toAmount(money), trace };
}

/** `documento_modificado`: which document, of which day, and why (assumption A21; names by config). */
function toModified(
  order: Order,
  refund: Refund,
  { number, date, accessKey }: Original,
  { policy }: DocumentContext,
): NotaCreditoBody['documento_modificado'] {
  const names = policy.creditNotes.documentoModificado;
  return {
    [names.tipo]: documentCodes.factura,
    [names.numero]: names.guiones ? number : number.replaceAll('-', ''),
    [names.fecha]: toServiceDate(date),
    [names.motivo]: optionalLine(refund.reason, 300) ?? oneLine(`Reembolso del pedido ${order.name}`, 300),
    ...(names.claveAcceso !== null && accessKey !== null ? { [names.claveAcceso]: accessKey } : {}),
  };
}
