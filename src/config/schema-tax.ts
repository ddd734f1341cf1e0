import { z } from 'zod';
import { ivaCodes } from '../domain/money-policy.ts';
import { filled } from './schema-accounts.ts';

/** SRI table 17, as the service's `tipo_iva`. */
export const ivaCode = z.literal(ivaCodes);
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
    .describe('The shop’s own id of a tax rate.')
    .optional(),
  rate: z
    .union([percent, z.array(percent).min(1)], { error: 'Es un porcentaje o una lista.' })
    .describe('The percentage of the tax in the shop.')
    .optional(),
  title: some.describe('The name of a tax, as the buyer sees it.').optional(),
  untaxed: z.boolean().describe('True: the line has no tax in the shop.').optional(),
  taxClass: z
    .union([z.string(), z.array(z.string()).min(1)], { error: 'Es un texto o una lista de textos.' })
    .describe('The tax class (WooCommerce); "" is the standard one.')
    .optional(),
  sku: some.describe('The SKU.').optional(),
  tag: some.describe('A tag of the product; needs `productDetails`.').optional(),
  collection: some.describe('A collection or category of the product; needs `productDetails`.').optional(),
  kind: z
    .union([kind, z.array(kind).min(1)], { error: kinds })
    .describe('What kind of item it is.')
    .optional(),
  name: some.describe('The name of the item.').optional(),
  abroad: z
    .boolean()
    .describe(
      'True: sales outside Ecuador (shipped there; or nothing to ship, and the buyer is there). Default for a rule with `iva`: only sales in Ecuador.',
    )
    .optional(),
});

function kinds(): string {
  return `Es uno de estos valores, o una lista: ${kind.options.join(', ')}.`;
}

const meaning = z
  .strictObject({
    iva: ivaCode
      .describe(
        'SRI table 17: 0 is 0 %, 4 is 15 %, 5 is 5 % (construction materials), 6 no objeto, 7 exento, 8 is 8 % (registered tourism, on decreed days; held on others).',
      )
      .optional(),
    ice: z
      .strictObject({
        codigo: z
          .int()
          .min(3000, 'Los códigos de ICE van de 3000 a 3999.')
          .max(3999)
          .describe(
            'SRI table 18. A code that is not in [our table](../mappers/tables/taxes.ts) is held (`ice`) unless `nombre` is given.',
          ),
        nombre: filled
          .max(300)
          .describe('Its name in SRI table 18, for a code that is not in our table.')
          .optional(),
        tarifa: percent.describe('Its percentage.').optional(),
        porUnidad: z
          .string()
          .regex(/^\d{1,6}(\.\d{1,4})?$/, "Es un monto en dólares entre comillas, por ejemplo '0.10'.")
          .meta({
            description:
              'USD per unit instead, as for plastic bags (3680): the service has no field for it, so such orders are held.',
            examples: ["'0.10'"],
          })
          .optional(),
      })
      .refine(({ tarifa, porUnidad }) => (tarifa === undefined) !== (porUnidad === undefined), {
        message:
          'El ICE es un porcentaje (tarifa) o un monto por unidad (porUnidad): escriba uno de los dos.',
      })
      .describe('ICE: the tax that the rule matched, or one included in the price.')
      .optional(),
    irbpnr: z.literal(true).describe('IRBPNR, 0.02 USD per unit.').optional(),
    tipo: z.enum(['bien', 'servicio']).describe('`tipoproducto`.').optional(),
    unidad: z.int().min(1).describe('`unidad_medida`, in the service’s codes.').optional(),
    kind: kind
      .describe(
        'What the item is, where the shop does not say: `gift-card`, `tip` and `duty` follow the policies of that name; `product` or `fee` makes an ordinary item of what was taken for one of them. The other rules see this kind. A line of products is `product`, `gift-card`, `tip` or `duty`, a fee or shipping is `fee`, `shipping`, `tip` or `duty`.',
      )
      .optional(),
    hold: filled.max(300).describe('Holds the order, with this sentence.').optional(),
  })
  .refine((then) => Object.values(then).some((value) => value !== undefined), {
    message: 'La regla no dice nada: escriba iva, ice, irbpnr, tipo, unidad, kind o hold.',
  });

const taxRule = z.strictObject({
  name: filled.max(100).describe('For explanations.').optional(),
  when: when.describe(
    'All of these must match; of a list, any. Texts may contain `*`; case and accents are ignored.',
  ),
  // biome-ignore lint/suspicious/noThenProperty: a config key; not a function.
  then: meaning.describe('The result; the first rule that sets a part decides it.'),
});
export type WrittenRule = z.output<typeof taxRule>;

export const tax = z.strictObject({
  rules: z
    .array(taxRule)
    .max(500)
    .default([])
    .meta({
      description:
        'What an item is, and which IVA, ICE, IRBPNR, `tipoproducto` and unit it has; the first matching rule decides each.',
      examples: [
        '[{ when: { sku: "LIB-*" }, then: { iva: 0 } }, { when: { sku: "CEM-*", rate: 5 }, then: { iva: 5 } }, { when: { abroad: true, untaxed: true }, then: { iva: 0 } }, { when: { sku: "GC-*" }, then: { kind: gift-card } }]',
      ],
    }),
  byClass: z
    .record(z.string(), ivaCode)
    .default({})
    .meta({
      description:
        'Short for rules on the tax class of lines without tax, after `rules`. Added to `iva-0`, `zero-rate` → 0, `exento` → 7, `no-objeto` → 6 and similar ones.',
      examples: ['{ libros: 0 }'],
    }),
  byRateId: z
    .record(z.string(), ivaCode)
    .default({})
    .meta({
      description:
        'Short for rules on one rate of the shop, for sales in Ecuador; wins over the percentage of the rate.',
      examples: ['{ "12": 5 }'],
    }),
  untaxed: ivaCode
    .nullable()
    .default(null)
    .describe('The IVA of lines without tax and without a rule, for sales in Ecuador; null holds them.'),
});
