import { type Day, toServiceDate } from '../src/domain/clock.ts';
import { documentCodes } from '../src/domain/document.ts';
import { type Amount, decimal, toAmount } from '../src/domain/money.ts';
import { creditRounding } from '../src/domain/money-policy.ts';
import type { LineReference, Order, Refund } from '../src/domain/order.ts';
import { type CompradorBody, type NotaCreditoBody, toAdditionalInfo, toEmisor } from './body.ts';
import { type CreditCalculation, toCreditCalculation } from './calculation.ts';
import { type Balance, balanceOf, type Issued } from './credit/balance.ts';
import { type Crediting, creditOf } from './credit/credit-of.ts';
import { type DocumentContext, Hold, mapOrHold, oneLine, optionalLine, type Unmapped } from './hold.ts';
import { assertCreditTotals } from './totals.ts';

/** The authorised factura that a nota de crédito modifies: its content as it was sent, and what names it. */
export interface IssuedFactura extends Issued {
  /** "001-001-000000123". */
  number: string;
  issueDate: Day;
  accessKey: string | null;
  comprador: CompradorBody;
}

export interface RefundToCredit {
  order: Order;
  refund: Refund;
  /** USD that went back for things on the factura; with the cents owed before, at most what is left of it. */
  money: Amount;
  factura: IssuedFactura;
  /** Its notas de crédito that are, or may become, authorised. */
  credits: readonly Issued[];
}

export interface MappedNotaCredito {
  ok: true;
  body: NotaCreditoBody;
  /** The line or charge behind each item, for the next nota de crédito. */
  lineReferences: LineReference[];
  /** USD; `money`, or the nearest sum that lines lead to. */
  total: Amount;
  /** USD; `money` less `total`, which the next nota de crédito adds. */
  owed: Amount;
  trace: CreditCalculation;
}

/**
 * Maps a refund to the service's nota de crédito body (spec, "Credit note (code 04) request"). Pure.
 * Codes, rates, texts and buyer are those of the authorised factura.
 */
export function toNotaCredito(
  source: RefundToCredit,
  context: DocumentContext,
): MappedNotaCredito | Unmapped {
  return mapOrHold(() => mapRefund(source, context));
}

function mapRefund(source: RefundToCredit, context: DocumentContext): MappedNotaCredito {
  const { order, refund, money, factura } = source;
  const { creditNotes } = context.policy;
  const balance = balanceOf(factura, source.credits);
  const crediting = creditOf(balance, refund, money, creditNotes.totales ? 'stated' : 'computed');
  const { items, lineReferences, totales, credit, owed } = crediting;
  const total = toAmount(credit.total);
  if (creditNotes.roundingDifference === 'hold' && !creditNotes.totales)
    holdRounding(refund, money, balance, crediting);
  const body = assertCreditTotals(
    {
      emisor: toEmisor(context),
      ambiente: context.issuer.ambiente,
      tipo_emision: 1,
      comprador: factura.comprador as NotaCreditoBody['comprador'],
      items,
      documento_modificado: toModified(order, refund, factura, context),
      ...(creditNotes.totales ? { totales } : {}),
      informacion_adicional: toAdditionalInfo(order, context, { refund, ours: rounding(money, total) }),
      ...(creditNotes.codigoDoc === null ? {} : { codigoDoc: creditNotes.codigoDoc }),
    },
    { money, total, owedBefore: toAmount(balance.owed), byLine: toAmount(credit.byLine) },
  );
  return {
    ok: true,
    body,
    lineReferences,
    total,
    owed,
    trace: toCreditCalculation({ refund, number: factura.number, balance, crediting, money }),
  };
}

function rounding(money: Amount, total: Amount): NotaCreditoBody['informacion_adicional'] {
  const why = creditRounding(money, total);
  return why === null ? [] : [{ nombre: 'Redondeo', detalle: oneLine(why, 300) }];
}

function holdRounding({ id }: Refund, money: Amount, balance: Balance, { owed, credit }: Crediting): void {
  const isMoney = decimal(owed).isZero() || balance.owed.plus(owed).isZero();
  if (isMoney && credit.byLine.equals(credit.total)) return;
  const total = toAmount(isMoney ? credit.byLine : credit.total);
  throw new Hold('credit-rounding', { refund: id, money, nearest: total }, total);
}

/** Assumption A21; field names by config. */
function toModified(
  order: Order,
  refund: Refund,
  { number, issueDate, accessKey }: IssuedFactura,
  { policy }: DocumentContext,
): NotaCreditoBody['documento_modificado'] {
  const names = policy.creditNotes.documentoModificado;
  return {
    [names.tipo]: names.tipoNumerico ? 1 : documentCodes.factura,
    [names.numero]: names.guiones ? number : number.replaceAll('-', ''),
    [names.fecha]: toServiceDate(issueDate),
    [names.motivo]: optionalLine(refund.reason, 300) ?? oneLine(`Reembolso del pedido ${order.name}`, 300),
    ...(names.claveAcceso !== null && accessKey !== null ? { [names.claveAcceso]: accessKey } : {}),
    ...(policy.creditNotes.anulaComprobante === null
      ? {}
      : { anula_comprobante: policy.creditNotes.anulaComprobante }),
  };
}
