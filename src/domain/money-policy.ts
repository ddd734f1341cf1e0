import type { Amount } from './money.ts';

/** A code of SRI table 17 (IVA), as the service's `tipo_iva`. */
export type IvaCode = 0 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 10;

/** Percent of each code; the table itself is the mappers' (tables/iva.ts). */
export type IvaRates = Readonly<Record<IvaCode, Amount>>;

/** What stands on a document: order lines and charges alike. */
export type ItemKind = 'product' | 'gift-card' | 'tip' | 'shipping' | 'fee' | 'duty';

/** What the merchant decided about money and tax; each has a default that is right for a plain Ecuadorian shop. */
export interface MoneyPolicy {
  tax: { rules: readonly TaxRule[] };
  /** The service has no field for a propina: held, or a line of its own (ADR 8). */
  tips: SpecialItem;
  /** Duties are collected for somebody else: held, or a line of their own. */
  duties: SpecialItem;
  /**
   * A gift card sold is a deposit, not a sale (ADR 8). `nothing`: no document for orders of gift cards alone,
   * mixed ones are held. `exclude`: mixed ones are invoiced without the card. `line`: a line without IVA.
   */
  giftCardsSold: { as: 'nothing' | 'exclude' | 'hold' } | { as: 'line'; iva: IvaCode };
  /** Gateway id → form of payment; laid over the defaults. */
  payments: Readonly<Record<string, PaymentRule>>;
  /** Entries of `informacion_adicional` beside our reference; at most 13. */
  additionalInfo: readonly InfoTemplate[];
  /** Names of order attributes that carry the number of a guía de remisión, or a vehicle's plate. */
  waybillFrom: readonly string[];
  plateFrom: readonly string[];
  /** Whether variants and line properties stand as `detalles_adicionales`. */
  lineDetails: boolean;
}

export type SpecialItem = { as: 'hold' } | { as: 'line'; iva: IvaCode };

/**
 * "When an item is like this, then its tax is that." The first rule that matches decides, for each of iva, ice,
 * irbpnr, tipo and unidad by itself. What no rule decides follows the platform's stated rate where that is 0 or 15
 * and Ecuador taxes the sale; what that leaves open is held, never 0 %.
 */
export interface TaxRule {
  /** For explanations. */
  name: string;
  when: TaxCondition;
  means: TaxMeaning;
}

/**
 * All given conditions must hold; within one, any of its values. Texts with `*` are globs; case and accents do
 * not count (in ids and classes they do). `rateId`, `rate` and `title` must hold of one and the same tax.
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
  /**
   * Whether the sale takes place outside Ecuador (mappers/destination.ts). A rule that gives an `iva` and does not say
   * speaks of sales in Ecuador alone; every other rule speaks of both.
   */
  abroad?: boolean | undefined;
}

export interface TaxMeaning {
  iva?: IvaCode | undefined;
  /** With a tax condition the tax so named is the ICE; else the price contains it. */
  ice?: IceMeaning | undefined;
  /** 0.02 USD a unit (table 16, code 5001). Contained or named like `ice`. */
  irbpnr?: true | undefined;
  tipo?: 'bien' | 'servicio' | undefined;
  /** The service's `unidad_medida`. */
  unidad?: number | undefined;
  /** Held with this sentence. */
  hold?: string | undefined;
}

/**
 * SRI table 18: its rate in percent, or USD a unit, which the service has no field for (docs/assumptions.md, A20): held.
 * `nombre` is the merchant's word that a code is there which our table has not (mappers/tables/excise.ts).
 */
export type IceMeaning = { codigo: number; nombre?: string | undefined } & (
  | { tarifa: Amount }
  | { porUnidad: Amount }
);

/** `pagos` in the service's own words: a code of SRI table 24, and the term where it is known. */
export interface PaymentRule {
  tipo: string;
  plazo?: number | undefined;
  tiempo?: string | undefined;
}

/** Left out where nothing of what it asks for is known. Placeholders: `infoPlaceholders`. */
export interface InfoTemplate {
  name: string;
  value: string;
}

/** What `{…}` may name in a template; `{attribute.NAME}` is any attribute of the order. */
export const infoPlaceholders = [
  'order',
  'id',
  'shop',
  'email',
  'phone',
  'note',
  'presentment',
  /** The day a factura's sale was paid, and the day a nota de crédito's refund was made, where the document bears another. */
  'saleDay',
  'refundDay',
] as const;
