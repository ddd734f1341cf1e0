import { type RoundedOff, saysRoundedOff } from '../messages/documents.ts';
import type { Day } from './clock.ts';
import { type Amount, decimal } from './money.ts';

export interface CreditPolicy {
  creditNotes: {
    /** Local holidays; weekends and national holidays move a deadline anyway. */
    holidays: readonly Day[];
    documentoModificado: ModifiedDocumentNames;
    /** False: the service computes the taxes from the lines (assumption A21). */
    totales: boolean;
    /** Applies to money that no lines add up to, when totals are not stated. */
    roundingDifference: 'nearest' | 'hold';
    /** Applies to an amount without lines over several rates; `prorate`: every rate gives its share. */
    amountOnly: 'hold' | 'prorate';
    /** `anula_comprobante`; null omits it. */
    anulaComprobante: 'SI' | 'NO' | null;
    /** `codigoDoc`; null omits it. */
    codigoDoc: string | null;
  };
}

/** The specification does not show the fields of `documento_modificado` (assumption A21). null omits one. */
export interface ModifiedDocumentNames {
  tipo: string;
  /** Writes 1 instead of "01". */
  tipoNumerico: boolean;
  numero: string;
  fecha: string;
  motivo: string;
  claveAcceso: string | null;
  /** "001-001-000000123" instead of the 15 digits alone. */
  guiones: boolean;
}

/** Taken from a public description of a service with this interface. */
export const assumedNames: ModifiedDocumentNames = {
  tipo: 'codigo_documento_sustento',
  tipoNumerico: true,
  numero: 'numero_documento_sustento',
  fecha: 'fecha_documento_sustento',
  motivo: 'motivo',
  claveAcceso: null,
  guiones: false,
};

/** USD. How far rounding may put a nota de crédito off the refund's money: a cent, rarely two (ADR 22). */
const most = '0.02';

export function isCreditRounding(money: Amount, total: Amount): boolean {
  const off = decimal(total).minus(money).abs();
  return !off.isZero() && off.lte(most);
}

/** null when it is not off, or by more than rounding explains. */
export function roundedOff(money: Amount, total: Amount | null): RoundedOff | null {
  if (total === null || !isCreditRounding(money, total)) return null;
  const off = decimal(total).minus(money);
  return { money, total, cents: off.abs().times(100).toFixed(0), less: off.lt(0) };
}

export function creditRounding(money: Amount, total: Amount | null): string | null {
  const off = roundedOff(money, total);
  return off && saysRoundedOff(off);
}

/** A code of SRI tabla 17 (IVA), as the service's `tipo_iva`. */
export const ivaCodes = [0, 2, 3, 4, 5, 6, 7, 8, 10] as const;
export type IvaCode = (typeof ivaCodes)[number];

export type IvaRates = Readonly<Record<IvaCode, Amount>>;

export const lineKinds = ['product', 'gift-card', 'tip', 'duty'] as const;
export const chargeKinds = ['shipping', 'fee', 'tip', 'duty'] as const;
export type ItemKind = (typeof lineKinds | typeof chargeKinds)[number];

export interface MoneyPolicy {
  tax: { rules: readonly TaxRule[] };
  /** The service has no field for a propina: hold, or a line of its own (ADR 8). */
  tips: SpecialItem;
  duties: SpecialItem;
  /**
   * A gift card sold is a deposit, not a sale (ADR 8). `nothing`: no document for orders of gift cards alone, mixed ones are
   * held. `exclude`: mixed ones are invoiced without the card.
   */
  giftCardsSold: { as: 'nothing' | 'exclude' | 'hold' } | { as: 'line'; iva: IvaCode };
  /** Keys are gateway ids; these rules win over the defaults. */
  payments: Readonly<Record<string, PaymentRule>>;
  /** `informacion_adicional` besides the product's reference; at most 13. */
  additionalInfo: readonly InfoTemplate[];
  /** Order attributes with the number of a guía de remisión, or a vehicle's plate. */
  waybillFrom: readonly string[];
  plateFrom: readonly string[];
  lineDetails: boolean;
}

export type SpecialItem = { as: 'hold' } | { as: 'line'; iva: IvaCode };

/**
 * The first rule that matches decides, separately for each member. What no rule decides follows the platform's stated
 * rate when that is 0 or 15 and Ecuador taxes the sale; anything else is held, never 0 %.
 */
export interface TaxRule {
  name: string;
  when: TaxCondition;
  means: TaxMeaning;
}

/**
 * All conditions must hold. Texts may contain `*`; case and accents do not count, except in ids and classes.
 * `rateId`, `rate` and `title` must hold of the same tax.
 */
export interface TaxCondition {
  rateId?: readonly string[] | undefined;
  /** Percents as decimal strings: "15". */
  rate?: readonly Amount[] | undefined;
  title?: readonly string[] | undefined;
  untaxed?: boolean | undefined;
  taxClass?: readonly string[] | undefined;
  sku?: readonly string[] | undefined;
  tag?: readonly string[] | undefined;
  collection?: readonly string[] | undefined;
  kind?: readonly ItemKind[] | undefined;
  name?: readonly string[] | undefined;
  /** Default: both; false for a rule that gives an `iva` (mappers/tax-rules.ts). */
  abroad?: boolean | undefined;
}

export interface TaxMeaning {
  iva?: IvaCode | undefined;
  /** With a tax condition that tax is the ICE; else the price contains it. */
  ice?: IceMeaning | undefined;
  /** 0.02 USD a unit (tabla 16, code 5001). Contained or named like `ice`. */
  irbpnr?: true | undefined;
  tipo?: 'bien' | 'servicio' | undefined;
  unidad?: number | undefined;
  /** Rules about the item's tax see this kind (mappers/entries.ts). */
  kind?: ItemKind | undefined;
  hold?: string | undefined;
}

/** SRI tabla 18: a rate in percent, or USD per unit, which is held since the service has no field for it (A20). */
export type IceMeaning = { codigo: number; nombre?: string | undefined } & (
  | { tarifa: Amount }
  | { porUnidad: Amount }
);

/** The service's `pagos`: a code of SRI tabla 24, and the term when known. */
export interface PaymentRule {
  tipo: string;
  plazo?: number | undefined;
  tiempo?: string | undefined;
}

/** An entry is omitted when every placeholder in it is unknown. */
export interface InfoTemplate {
  name: string;
  value: string;
}

/** `{attribute.NAME}` is any attribute of the order. */
export const infoPlaceholders = [
  'order',
  'id',
  'shop',
  'email',
  'phone',
  'note',
  'presentment',
  /** The day of payment (factura) or refund (nota de crédito), when the document has another date. */
  'saleDay',
  'refundDay',
] as const;
