import { z } from 'zod';
import { infoPlaceholders } from '../core/money-policy.ts';
import { isProviderRuc } from '../core/provider-ruc.ts';

/** The part of a store's policy about money and tax, as its author writes it (core/money-policy.ts, ADR 8). */

/** SRI table 17, as the service's `tipo_iva`. */
const ivaCode = z.literal([0, 2, 3, 4, 5, 6, 7, 8, 10]);
const filled = z.string().min(1);
const some = z.union([filled, z.array(filled).min(1)], { error: 'Es un texto o una lista de textos.' });
const percent = z.union([z.number().min(0), z.string().regex(/^\d{1,3}(\.\d{1,4})?$/)], {
  error: "Es un porcentaje, por ejemplo 15 o '12.5'.",
});
const kind = z.enum(['product', 'gift-card', 'tip', 'shipping', 'fee', 'duty']);

const when = z.strictObject({
  rateId: z
    .union([z.int(), filled, z.array(z.union([z.int(), filled])).min(1)], {
      error: 'Es el número de la tarifa en la tienda, o una lista de ellos.',
    })
    .optional(),
  rate: z.union([percent, z.array(percent).min(1)], { error: 'Es un porcentaje o una lista.' }).optional(),
  title: some.optional(),
  untaxed: z.boolean().optional(),
  /** "" is WooCommerce's standard class. */
  taxClass: z
    .union([z.string(), z.array(z.string()).min(1)], { error: 'Es un texto o una lista de textos.' })
    .optional(),
  sku: some.optional(),
  tag: some.optional(),
  collection: some.optional(),
  kind: z.union([kind, z.array(kind).min(1)], { error: kinds }).optional(),
  name: some.optional(),
});

function kinds(): string {
  return `Es uno de estos valores, o una lista: ${kind.options.join(', ')}.`;
}

const meaning = z
  .strictObject({
    iva: ivaCode.optional(),
    ice: z
      .strictObject({
        codigo: z.int().min(3000, 'Los códigos de ICE van de 3000 a 3999.').max(3999),
        tarifa: percent,
      })
      .optional(),
    irbpnr: z.literal(true).optional(),
    tipo: z.enum(['bien', 'servicio']).optional(),
    unidad: z.int().min(1).optional(),
    hold: filled.max(300).optional(),
  })
  .refine((then) => Object.values(then).some((value) => value !== undefined), {
    message: 'La regla no dice nada: escriba iva, ice, irbpnr, tipo, unidad o hold.',
  });

export const taxRule = z.strictObject({
  name: filled.max(100).optional(),
  when,
  // biome-ignore lint/suspicious/noThenProperty: the author's word; no promise, since it is no function.
  then: meaning,
});
export type WrittenRule = z.output<typeof taxRule>;

const tax = z.strictObject({
  rules: z.array(taxRule).max(500).default([]),
  /** Short for rules on a class, a rate id, or lines without any tax; they stand after `rules`. */
  byClass: z.record(z.string(), ivaCode).default({}),
  byRateId: z.record(z.string(), ivaCode).default({}),
  untaxed: ivaCode.nullable().default(null),
});

const special = z.strictObject({ as: z.enum(['hold', 'line']).default('hold'), iva: ivaCode.default(6) });
const giftCards = z.strictObject({
  as: z.enum(['nothing', 'exclude', 'hold', 'line']).default('nothing'),
  iva: ivaCode.default(6),
});

/** SRI table 24. */
const forms = ['01', '15', '16', '17', '18', '19', '20', '21'] as const;
const payment = z.union(
  [
    z.enum(forms),
    z.strictObject({
      tipo: z.enum(forms),
      plazo: z.int().min(0).max(9999).optional(),
      tiempo: filled.max(10).optional(),
    }),
  ],
  { error: `Debe ser uno de estos valores: ${forms.join(', ')}; o un grupo con tipo, plazo y tiempo.` },
);

const placeholder = /\{([^{}]*)\}/g;
const knownPlaceholder = (name: string) =>
  (infoPlaceholders as readonly string[]).includes(name) || /^attribute\..+$/.test(name);

const info = z.strictObject({
  name: filled
    .max(300)
    .regex(/^[^\n\r]*\S[^\n\r]*$/, 'Es un texto de una sola línea, que no puede quedar en blanco.')
    .refine((name) => !isProviderRuc(name), 'El campo «RUC Proveedor» lo agrega el servicio; quítelo.')
    .refine(
      (name) => !/^\s*referencia\s*$/i.test(name),
      'El campo «Referencia» lo usa el conector; cámbielo.',
    ),
  value: filled
    .max(300)
    .refine((text) => [...text.matchAll(placeholder)].every(([, name]) => knownPlaceholder(name ?? '')), {
      message: `Solo existen {${infoPlaceholders.join('}, {')}} y {attribute.NOMBRE}.`,
    }),
});

/** Known as "Pedido" to the buyer; what they saw in another currency is told where there is one. */
const defaultInfo = [
  { name: 'Pedido', value: '{order}' },
  { name: 'Total mostrado al comprador', value: '{presentment}' },
];

export const moneySchema = {
  tax: tax.prefault({}),
  tips: special.prefault({}),
  duties: special.prefault({}),
  giftCardsSold: giftCards.prefault({}),
  payments: z.record(z.string(), payment).default({}),
  additionalInfo: z
    .array(info)
    .max(13, 'Admite hasta 13 campos: el conector agrega uno y el servicio otro.')
    .default(defaultInfo),
  waybillFrom: z.array(filled).default(['guia_remision', 'guia de remision', 'guiaremision']),
  plateFrom: z.array(filled).default(['placa', 'placa del vehiculo']),
  lineDetails: z.boolean().default(true),
};
export const moneyPart = z.strictObject(moneySchema);
export type WrittenMoney = z.output<typeof moneyPart>;
