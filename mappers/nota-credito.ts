import { type Day, toServiceDate } from '../src/domain/calendar.ts';
import { creditRounding } from '../src/domain/credit-rounding.ts';
import { documentCodes } from '../src/domain/document.ts';
import { type Amount, decimal, toAmount } from '../src/domain/money.ts';
import type { Order } from '../src/domain/order.ts';
import type { Refund, Tie } from '../src/domain/refund.ts';
import { toAdditionalInfo } from './additional-info.ts';
import type { CompradorBody, NotaCreditoBody } from './body.ts';
import type { DocumentContext } from './context.ts';
import type { Balance } from './credit/balance.ts';
import { type Crediting, creditOf } from './credit/credit-of.ts';
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
      /** What the body adds up to: the money that went back, give or take a cent no lines add up to. */
      total: Amount;
      /** The money less `total`: what the next nota de crédito makes up for. */
      owed: Amount;
      trace: CreditTrace;
    }
  | { ok: false; code: string; reason: string; document: Amount | null };

/**
 * A refund → the service's nota de crédito body (spec, "Credit note (code 04) request"). Pure. Codes, rates,
 * texts and buyer are the authorised factura's; a refund of all that is left copies what is left. `money` is
 * what went back for things on the factura, in USD; with what earlier ones owe it must not exceed what is left.
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
  const { creditNotes } = context.policy;
  const crediting = creditOf(original.balance, refund, money, creditNotes.totales ? 'stated' : 'computed');
  const { items, ties, totales, credit, owed } = crediting;
  const total = toAmount(credit.total);
  if (creditNotes.roundingDifference === 'hold' && !creditNotes.totales)
    refuseRounding(refund, money, original.balance, crediting);
  const body = proveCredit(
    {
      emisor: toEmisor(context),
      ambiente: context.issuer.ambiente,
      tipo_emision: 1,
      comprador: original.comprador as NotaCreditoBody['comprador'],
      items,
      documento_modificado: toModified(order, refund, original, context),
      ...(creditNotes.totales ? { totales } : {}),
      informacion_adicional: toAdditionalInfo(order, context, { refund, ours: rounding(money, total) }),
      ...(creditNotes.codigoDoc === null ? {} : { codigoDoc: creditNotes.codigoDoc }),
    },
    { money, total, owedBefore: toAmount(original.balance.owed), byLine: toAmount(credit.byLine) },
  );
  return { ok: true, body, ties, total, owed, trace: toCreditTrace({ refund, original, crediting, money }) };
}

/** What the buyer reads of a document that is a cent off his money. */
function rounding(money: Amount, total: Amount): NotaCreditoBody['informacion_adicional'] {
  const why = creditRounding(money, total);
  return why === null ? [] : [{ nombre: 'Redondeo', detalle: oneLine(why, 300) }];
}

/** The policy that rather asks a person than lets a document be a cent off. */
function refuseRounding({ id }: Refund, money: Amount, balance: Balance, { owed, credit }: Crediting): void {
  const isMoney = decimal(owed).isZero() || balance.owed.plus(owed).isZero();
  if (isMoney && credit.byLine.equals(credit.total)) return;
  const total = toAmount(isMoney ? credit.byLine : credit.total);
  throw new Hold(
    'credit-rounding',
    `El reembolso ${id} devolvió ${money} y ninguna base en centavos da esa suma con su IVA: lo más cercano es ${total}. Emita la nota de crédito a mano, o permita en policy.creditNotes.roundingDifference que salga con ese centavo de diferencia.`,
    total,
  );
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
    [names.tipo]: names.tipoNumerico ? 1 : documentCodes.factura,
    [names.numero]: names.guiones ? number : number.replaceAll('-', ''),
    [names.fecha]: toServiceDate(date),
    [names.motivo]: optionalLine(refund.reason, 300) ?? oneLine(`Reembolso del pedido ${order.name}`, 300),
    ...(names.claveAcceso !== null && accessKey !== null ? { [names.claveAcceso]: accessKey } : {}),
    ...(policy.creditNotes.anulaComprobante === null
      ? {}
      : { anula_comprobante: policy.creditNotes.anulaComprobante }),
  };
}
