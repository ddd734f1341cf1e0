import { z } from 'zod';
import { isProviderRuc } from '../domain/identification.ts';
import { infoPlaceholders } from '../domain/money-policy.ts';
import { filled } from './schema-accounts.ts';
import { ivaCode, tax } from './schema-tax.ts';

const lineIva = ivaCode.default(6).describe('The IVA of that line.');
const special = z.strictObject({
  as: z.enum(['hold', 'line']).default('hold').describe('`hold` holds the order; `line` adds a line.'),
  iva: lineIva,
});
const giftCards = z.strictObject({
  as: z
    .enum(['nothing', 'exclude', 'hold', 'line'])
    .default('nothing')
    .describe(
      '`nothing`: no document for gift cards alone, held with other items. `exclude`: invoiced without the card. `hold`: always held. `line`: a line; right only where what is bought with the card is invoiced for less, as with cards that are coupons.',
    ),
  iva: lineIva,
});

/** SRI table 24. */
const forms = ['01', '15', '16', '17', '18', '19', '20', '21'] as const;
const payment = z.union(
  [
    z.enum(forms),
    z.strictObject({
      tipo: z.enum(forms).describe('SRI table 24.'),
      plazo: z.int().min(0).max(9999).describe('The term, where it is credit.').optional(),
      tiempo: filled.max(10).describe('Its unit: `dias`, `meses`.').optional(),
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
    .regex(/^(?=.*\S)[^\n\r]*$/, 'Es un texto de una sola línea, que no puede quedar en blanco.')
    .refine((name) => !isProviderRuc(name), 'El campo «RUC Proveedor» lo agrega el servicio; quítelo.')
    .refine(
      (name) => !/^\s*referencia\s*$/i.test(name),
      'El campo «Referencia» lo usa el conector; cámbielo.',
    )
    .describe('The name of the entry.'),
  value: filled
    .max(300)
    .refine((text) => [...text.matchAll(placeholder)].every(([, name]) => knownPlaceholder(name ?? '')), {
      message: `Solo existen {${infoPlaceholders.join('}, {')}} y {attribute.NOMBRE}.`,
    })
    .describe(
      `The text; \`{${infoPlaceholders.join('}`, `{')}}\` and \`{attribute.NAME}\` are of the order, \`{saleDay}\` and \`{refundDay}\` the day of the sale (factura) and of the refund (nota de crédito) where the document has another date. Left out where the value is not known.`,
    ),
});

const defaultInfo = [
  { name: 'Pedido', value: '{order}' },
  { name: 'Total mostrado al comprador', value: '{presentment}' },
  // The law requires the date of sending as the date of issue; the date of the sale stays visible.
  { name: 'Fecha de la venta', value: '{saleDay}' },
  { name: 'Fecha de la devolución', value: '{refundDay}' },
];

export const moneySchema = {
  tax: tax
    .prefault({})
    .describe('A tax that no rule and no stated rate covers is held, never guessed as 0 %.'),
  tips: special
    .prefault({})
    .describe(
      'Tips, which the service has no field for: of Shopify, fees of WooCommerce by their name, and what a rule says.',
    ),
  duties: special
    .prefault({})
    .describe('Import duties, which the service has no field for: of Shopify, and what a rule says.'),
  giftCardsSold: giftCards
    .prefault({})
    .describe(
      'A gift card sold is a deposit, not a sale: of Shopify, of the plugins in [woocommerce.md](woocommerce.md), and what a rule says. One with tax is held until the tax is given back, or it is a `line`.',
    ),
  payments: z
    .record(z.string(), payment)
    .default({})
    .meta({
      description:
        'Gateway of the shop → form of payment (SRI table 24). Added to [a table](../mappers/tables/payment-forms.ts); all others are 20.',
      examples: ["{ mi-banco: '20', credito: { tipo: '19', plazo: 3, tiempo: meses } }"],
    }),
  additionalInfo: z
    .array(info)
    .max(13, 'Admite hasta 13 campos: el conector agrega uno y el servicio otro.')
    .default(defaultInfo)
    .describe('Entries of `informacion_adicional`.'),
  waybillFrom: z
    .array(filled)
    .default(['guia_remision', 'guia de remision', 'guiaremision'])
    .describe('Order attributes that carry the number of a guía de remisión.'),
  plateFrom: z
    .array(filled)
    .default(['placa', 'placa del vehiculo'])
    .describe('Order attributes that carry the plate of a vehicle.'),
  lineDetails: z
    .boolean()
    .default(true)
    .describe('Whether variants and line properties go into `detalles_adicionales`.'),
};
export const moneyPart = z.strictObject(moneySchema);
export type WrittenMoney = z.output<typeof moneyPart>;
