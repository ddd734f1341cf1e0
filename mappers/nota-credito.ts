import { type Day, toServiceDate } from '../src/domain/clock.ts';
import { documentCodes } from '../src/domain/document.ts';
import { type Amount, type Decimal, decimal, sum, toAmount } from '../src/domain/money.ts';
import { creditRounding, type IvaCode } from '../src/domain/money-policy.ts';
import type { LineReference, Order, Refund } from '../src/domain/order.ts';
import {
  type CompradorBody,
  type CreditItemBody,
  type NotaCreditoBody,
  toAdditionalInfo,
  toEmisor,
  totalRow,
} from './body.ts';
import { type CreditCalculation, toCreditCalculation } from './calculation.ts';
import {
  apportion,
  type Credit,
  type CreditedItem,
  type Crediting,
  everythingLeft,
  type Statement,
} from './credit/apportion.ts';
import { type Balance, balanceOf, bottlesWorth, type Issued, type ItemLeft } from './credit/balance.ts';
import { type Claimable, claimsOf } from './credit/claims.ts';
import { type DocumentContext, Hold, mapOrHold, oneLine, optionalLine, type Unmapped } from './hold.ts';
import { counted, isExact, type UnitPrice, unitPrice } from './items.ts';
import { irbpnrRate } from './tables/taxes.ts';
import { ivaFraction } from './tax.ts';
import { netOf, totalBy } from './tax-computation.ts';
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

/** `money` in USD went back for things of the factura; with the cents owed it is at most what is left. @throws Hold. */
export function creditOf(balance: Balance, refund: Refund, money: Amount, statement: Statement): Crediting {
  const whole = balance.owed.plus(money).gte(balance.total);
  const claims = whole ? null : claimsOf(refund, decimal(money), balance.items.map(claimable));
  const credit = claims === null ? everythingLeft(balance, statement) : apportion(balance, claims, statement);
  return {
    ...asIssued(balance, credit, statement),
    claims,
    owed: toAmount(decimal(money).minus(credit.total)),
  };
}

export function restOf(balance: Balance): Omit<Crediting, 'claims' | 'owed'> {
  return asIssued(balance, everythingLeft(balance, 'stated', true), 'stated');
}

const cent = decimal('0.01');

function claimable(item: ItemLeft): Claimable {
  const gross = item.gross.plus(bottlesWorth(item, item.units));
  const isTaxed = !ivaFraction(item.item.tipo_iva as IvaCode).isZero();
  // Shops round the tax per line, a factura per rate: a taxed line may be a cent above its share.
  return {
    source: item.source,
    code: item.item.tipo_iva,
    gross,
    units: item.units,
    ...(isTaxed && gross.gt(0) ? { rounding: cent } : {}),
  };
}

function asIssued(balance: Balance, credit: Credit, statement: Statement) {
  const lines = linesOf(credit, statement);
  const items = lines.map(({ item }) => withPrice(item, statement));
  return {
    items,
    lineReferences: lines.map(({ reference }) => reference),
    totales: totalesOf(balance, credit, items),
    credit,
  };
}

/** With stated taxes a line has the fields of a factura's; else those of the public description (A21). */
function withPrice(item: CreditItemBody, statement: Statement): CreditItemBody {
  const { valor_ice, precio_total_sin_impuesto, ...rest } = item;
  if (statement === 'stated') return { ...rest, precio_total_sin_impuesto: netOf(item).toNumber() };
  return { ...rest, ...(valor_ice === undefined ? {} : { valor_ice }) };
}

function linesOf({ items }: Credit, statement: Statement): CreditLine[] {
  const lines = items.map((one) => toCreditLine(one, false));
  const body = { items: lines.map(({ item }) => item) };
  if (statement === 'stated' || totalBy(body, 'unrounded').equals(totalBy(body, 'group'))) return lines;
  return items.map((one) => toCreditLine(one, true));
}

/** A row without a line, or a line without its row, is refused (error 52). */
function totalesOf(balance: Balance, { groups, items, bottles }: Credit, lines: readonly CreditItemBody[]) {
  const has = (code: keyof CreditItemBody, value: string) =>
    lines.some((line) => String(line[code]) === value);
  const ivas = groups
    .filter(({ group }) => has('tipo_iva', group.row.codigo_porcentaje))
    .map(({ group, base, iva }) => ({
      ...group.row,
      base_imponible: base.toNumber(),
      valor: iva.toNumber(),
    }));
  const ices = [...balance.iceRates].flatMap(([code, rate]) => {
    const own = items.filter(({ left }) => left.item.tipo_ice === code);
    const [base, ice] = [sum(own.map((one) => one.base)), sum(own.map((one) => one.ice))];
    return own.length === 0 ? [] : [totalRow('3', code, rate, base, ice)];
  });
  const irbpnr = bottles.isZero()
    ? []
    : [totalRow('5', 5001, irbpnrRate, bottles, bottles.times(irbpnrRate))];
  return [...ivas, ...ices, ...irbpnr];
}

interface CreditLine {
  item: CreditItemBody;
  reference: LineReference;
}

/** `exact`: in whole cents, even at the cost of its unit price. */
export function toCreditLine(credited: CreditedItem, exact: boolean): CreditLine {
  const { left, base, ice, units, folded } = credited;
  const { item, source, sold } = left;
  const taxes = ice.gt(0) || item.tipo_ice !== undefined ? { valor_ice: ice.toNumber() } : {};
  if (folded) return foldedLine(credited, folded, taxes);
  const reference = { source, units: units.toFixed() };
  const paid = base.equals(netOf(item));
  // Refunded whole: copied. Bottles (IRBPNR) count only when they came back.
  if (paid && (units.equals(sold) || item.tipo_irbpnr === undefined) && (!exact || isExact(pricedAs(item))))
    return { item: { ...item, ...taxes }, reference };
  // A factura that sold "three for 10.00" as one line has no unit price to copy; millionths are its smallest unit.
  const isCounted = decimal(item.cantidad).equals(sold) && units.gt(0) && units.decimalPlaces() <= 6;
  const priced = (isCounted ? byUnit(credited, exact) : null) ?? once(base);
  const { tipo_irbpnr, ...rest } = item;
  return {
    item: {
      ...rest,
      ...written(priced),
      precio_total_sin_impuesto: base.toNumber(),
      ...(tipo_irbpnr !== undefined && isCounted ? { tipo_irbpnr } : {}),
      ...taxes,
    },
    reference,
  };
}

function byUnit({ left: { item }, base, units }: CreditedItem, exact: boolean): UnitPrice | null {
  const unit = decimal(item.precio_unitario);
  const over = units.times(unit).minus(base);
  // A rounding cent is not a discount.
  const discounted = over.gt(0) && (item.descuento > 0 || over.gt('0.01'));
  const found = unitPrice({ quantity: units, unit, base, discounted });
  if (found && (!exact || isExact(found))) return found;
  return item.tipo_irbpnr === undefined ? null : counted(units, base);
}

function foldedLine(
  { left, base }: CreditedItem,
  folded: readonly CreditedItem[],
  taxes: Pick<CreditItemBody, 'valor_ice'>,
): CreditLine {
  const {
    codigo_auxiliar: _auxiliar,
    detalles_adicionales: _details,
    unidad_medida: _unit,
    ...item
  } = left.item;
  const names = folded.map(({ left: { item: one }, units }) =>
    units.gt(0) ? `${units.toFixed()} × ${one.descripcion}` : one.descripcion,
  );
  return {
    item: {
      ...item,
      descripcion: oneLine(names.join(' + '), 300),
      ...written(once(base)),
      precio_total_sin_impuesto: base.toNumber(),
      ...taxes,
    },
    reference: {
      source: left.source,
      units: sum(folded.filter((one) => one.left === left).map(({ units }) => units)).toFixed(),
      folded: folded.map((one) => ({
        source: one.left.source,
        units: one.units.toFixed(),
        base: toAmount(one.base),
      })),
    },
  };
}

const once = (base: Decimal): UnitPrice => ({ quantity: decimal(1), unit: base, discount: decimal(0) });

const pricedAs = ({ cantidad, precio_unitario, descuento }: CreditItemBody): UnitPrice => ({
  quantity: decimal(cantidad),
  unit: decimal(precio_unitario),
  discount: decimal(descuento),
});

const written = ({ quantity, unit, discount }: UnitPrice) => ({
  cantidad: quantity.toNumber(),
  precio_unitario: unit.toNumber(),
  descuento: discount.toNumber(),
});
