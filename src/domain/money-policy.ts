import { type RoundedOff, saysRoundedOff } from '../messages/documents.ts';
import type { Day } from './clock.ts';
import { type Amount, decimal } from './money.ts';

/** The merchant's decisions about notas de crédito, and what the service's specification leaves open about them. */
export interface CreditPolicy {
  creditNotes: {
    /** Local holidays, on which a deadline moves to the next working day, besides weekends and national ones. */
    holidays: readonly Day[];
    documentoModificado: ModifiedDocumentNames;
    /** Whether `totales` state its taxes; else the service computes them from the lines (assumption A21). */
    totales: boolean;
    /** For money that no lines add up to, when totals are not stated: the nearest document, or a person. */
    roundingDifference: 'nearest' | 'hold';
    /** For an amount without lines over several rates: a person decides, or every rate gives its share. */
    amountOnly: 'hold' | 'prorate';
    /** `anula_comprobante`; null leaves it out. */
    anulaComprobante: 'SI' | 'NO' | null;
    /** `codigoDoc`; null leaves it out. */
    codigoDoc: string | null;
  };
}

/** The field names of `documento_modificado`, which the specification does not show (assumption A21). null leaves one out. */
export interface ModifiedDocumentNames {
  tipo: string;
  /** 1 rather than "01". */
  tipoNumerico: boolean;
  numero: string;
  fecha: string;
  motivo: string;
  claveAcceso: string | null;
  /** "001-001-000000123" rather than the 15 digits alone. */
  guiones: boolean;
}

/** As in a public description of a service with this interface. */
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

/** Whether a nota de crédito differs from the money that went back by rounding alone. */
export function isCreditRounding(money: Amount, total: Amount): boolean {
  const off = decimal(total).minus(money).abs();
  return !off.isZero() && off.lte(most);
}

/** By how much a nota de crédito is off the money through rounding; null when it is not, or off by more. */
export function roundedOff(money: Amount, total: Amount | null): RoundedOff | null {
  if (total === null || !isCreditRounding(money, total)) return null;
  const off = decimal(total).minus(money);
  return { money, total, cents: off.abs().times(100).toFixed(0), less: off.lt(0) };
}

/** The same as a sentence for buyer and merchant. */
export function creditRounding(money: Amount, total: Amount | null): string | null {
  const off = roundedOff(money, total);
  return off && saysRoundedOff(off);
}

/** A code of SRI table 17 (IVA), as the service's `tipo_iva`. */
export type IvaCode = 0 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 10;

/** Percent by code; the table itself is mappers/tables/taxes.ts. */
export type IvaRates = Readonly<Record<IvaCode, Amount>>;

/** What a line and what a charge (a fee, shipping) can be. */
export const lineKinds = ['product', 'gift-card', 'tip', 'duty'] as const;
export const chargeKinds = ['shipping', 'fee', 'tip', 'duty'] as const;
export type ItemKind = (typeof lineKinds | typeof chargeKinds)[number];

/** The merchant's decisions about money and tax; the defaults suit a plain Ecuadorian shop. */
export interface MoneyPolicy {
  tax: { rules: readonly TaxRule[] };
  /** The service has no field for a propina: hold, or a line of its own (ADR 8). */
  tips: SpecialItem;
  /** Duties are collected for somebody else: hold, or a line of their own. */
  duties: SpecialItem;
  /**
   * A gift card sold is a deposit, not a sale (ADR 8). `nothing`: no document for orders of gift cards alone, mixed ones are
   * held. `exclude`: mixed ones are invoiced without the card. `line`: a line without IVA.
   */
  giftCardsSold: { as: 'nothing' | 'exclude' | 'hold' } | { as: 'line'; iva: IvaCode };
  /** Gateway id → form of payment; goes before the defaults. */
  payments: Readonly<Record<string, PaymentRule>>;
  /** Entries of `informacion_adicional` besides our reference; at most 13. */
  additionalInfo: readonly InfoTemplate[];
  /** Order attributes with the number of a guía de remisión, or a vehicle's plate. */
  waybillFrom: readonly string[];
  plateFrom: readonly string[];
  /** Whether variants and line properties become `detalles_adicionales`. */
  lineDetails: boolean;
}

export type SpecialItem = { as: 'hold' } | { as: 'line'; iva: IvaCode };

/**
 * "When an item is like this, its tax is that." The first rule that matches decides, separately for iva, ice, irbpnr, tipo,
 * unidad and kind. What no rule decides follows the platform's stated rate when that is 0 or 15 and Ecuador taxes the sale; anything
 * else is held, never 0 %.
 */
export interface TaxRule {
  /** For explanations. */
  name: string;
  when: TaxCondition;
  means: TaxMeaning;
}

/**
 * All given conditions must hold; within one, any of its values. Texts may contain `*`; case and accents do not count, except in
 * ids and classes. `rateId`, `rate` and `title` must hold of the same tax.
 */
export interface TaxCondition {
  rateId?: readonly string[] | undefined;
  /** Percent as decimal strings: "15". */
  rate?: readonly Amount[] | undefined;
  title?: readonly string[] | undefined;
  /** Whether the platform states no tax at all. */
  untaxed?: boolean | undefined;
  taxClass?: readonly string[] | undefined;
  sku?: readonly string[] | undefined;
  tag?: readonly string[] | undefined;
  collection?: readonly string[] | undefined;
  kind?: readonly ItemKind[] | undefined;
  name?: readonly string[] | undefined;
  /** Whether the sale takes place outside Ecuador (mappers/tax-rules.ts). Default: both; false for a rule that gives an `iva`. */
  abroad?: boolean | undefined;
}

export interface TaxMeaning {
  iva?: IvaCode | undefined;
  /** With a tax condition that tax is the ICE; else the price contains it. */
  ice?: IceMeaning | undefined;
  /** 0.02 USD a unit (table 16, code 5001). Contained or named like `ice`. */
  irbpnr?: true | undefined;
  tipo?: 'bien' | 'servicio' | undefined;
  /** The service's `unidad_medida`. */
  unidad?: number | undefined;
  /** What the item is, where the shop does not say; rules about its tax see this kind (mappers/entries.ts). */
  kind?: ItemKind | undefined;
  /** Holds the order with this sentence. */
  hold?: string | undefined;
}

/**
 * SRI table 18: a rate in percent, or USD per unit, which is held since the service has no field for it (docs/assumptions.md,
 * A20). `nombre` states that a code exists which our table lacks (mappers/tables/taxes.ts).
 */
export type IceMeaning = { codigo: number; nombre?: string | undefined } & (
  | { tarifa: Amount }
  | { porUnidad: Amount }
);

/** `pagos` in the service's own words: a code of SRI table 24, and the term when known. */
export interface PaymentRule {
  tipo: string;
  plazo?: number | undefined;
  tiempo?: string | undefined;
}

/** Left out when every placeholder in it is unknown. Placeholders: `infoPlaceholders`. */
interface InfoTemplate {
  name: string;
  value: string;
}

/** The placeholders of a template; `{attribute.NAME}` is any attribute of the order. */
export const infoPlaceholders = [
  'order',
  'id',
  'shop',
  'email',
  'phone',
  'note',
  'presentment',
  /** The day the sale was paid (factura) or the refund made (nota de crédito), when the document has another date. */
  'saleDay',
  'refundDay',
] as const;
