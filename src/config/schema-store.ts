import { z } from 'zod';
import { assumedNames } from '../domain/money-policy.ts';
import { filled, section } from './schema-accounts.ts';
import { moneySchema } from './schema-money.ts';

const name = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'Es el nombre de un campo: letras, números y «_».');

const creditSchema = {
  creditNotes: section('Notas de crédito.', {
    holidays: z
      .array(z.iso.date('Es un día feriado, por ejemplo 2026-12-25.'))
      .default([])
      .describe(
        'Local holidays, which move the last day to annul a factura online (day 7 of the next month) to the next working day; national ones are built in (`facturapuente law`).',
      ),
    documentoModificado: section(
      'The field names inside `documento_modificado`, if those of the service differ (assumptions.md, A21).',
      {
        tipo: name.default(assumedNames.tipo).describe('The code of the modified document.'),
        tipoNumerico: z
          .boolean()
          .default(assumedNames.tipoNumerico)
          .describe('The code of the modified document as the number 1; false writes "01".'),
        numero: name.default(assumedNames.numero).describe('Its number.'),
        fecha: name.default(assumedNames.fecha).describe('Its day.'),
        motivo: name.default(assumedNames.motivo).describe('The reason of the refund.'),
        claveAcceso: name
          .nullable()
          .default(assumedNames.claveAcceso)
          .describe('Its access key; null leaves it out.'),
        guiones: z
          .boolean()
          .default(assumedNames.guiones)
          .describe('Its number with dashes (001-001-000000123) rather than as 15 digits.'),
      },
    ),
    totales: z
      .boolean()
      .default(false)
      .describe(
        'Sends the taxes of a nota de crédito in `totales`. Without them the service computes IVA from the lines, which are chosen so that the total is right however it rounds (refunds.md).',
      ),
    roundingDifference: z
      .enum(['nearest', 'hold'], 'Es «nearest» o «hold».')
      .default('nearest')
      .describe(
        'An amount that no lines with IVA add up to, where `totales` is false: "nearest" emits the nearest nota de crédito, a cent off, and corrects it in the next one of that factura; "hold" asks a person.',
      ),
    amountOnly: z
      .enum(['hold', 'prorate'], 'Es «hold» o «prorate».')
      .default('hold')
      .describe(
        'A refund with only an amount, of a factura with several rates of IVA: "hold" asks a person and shows what each option would credit; "prorate" credits each rate with its share (refunds.md).',
      ),
    anulaComprobante: z
      .enum(['SI', 'NO'], 'Es «SI», «NO» o null.')
      .nullable()
      .default(null)
      .describe('`anula_comprobante` inside `documento_modificado`; null leaves it out.'),
    codigoDoc: z
      .string()
      .regex(/^\d{2}$/, 'Son dos dígitos, por ejemplo "04".')
      .nullable()
      .default(null)
      .describe('`codigoDoc` of a nota de crédito, "04" if the service requires it; null leaves it out.'),
  }),
};

const questionSchema = {
  ask: z
    .boolean()
    .default(true)
    .describe('Whether the buyer of an order held for the identification gets a page that asks for it.'),
  cutOff: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Es una hora de Ecuador entre comillas, por ejemplo '23:30'.")
    .default('23:30')
    .describe('When the policy decides without an answer, in Ecuador time.'),
  afterCutOff: z
    .enum(['final-consumer', 'hold'])
    .default('final-consumer')
    .describe('What follows: *consumidor final* where the policy allows it, or still held.'),
  linkDays: z
    .int()
    .min(1, 'Debe ser al menos 1 día.')
    .max(90, 'Debe ser como máximo 90 días.')
    .default(7)
    .describe('How long the link works.'),
  mail: z
    .boolean()
    .default(true)
    .describe('Sends the link to the buyer’s e-mail address, where `mail` is configured.'),
};

export const policySchema = z.strictObject({
  freeOrders: z.enum(['nothing', 'emit']).default('nothing').describe('Orders of 0.00: no document, or one.'),
  cancelledOrders: z
    .enum(['hold', 'invoice', 'nothing'], 'Es «hold», «invoice» o «nothing».')
    .default('hold')
    .describe(
      'Cancelled orders that were not refunded, or not in full: "hold" asks a person, "invoice" invoices what was not refunded, "nothing" makes no document.',
    ),
  changedAfterPayment: z
    .enum(['hold', 'current'], 'Es «hold» o «current».')
    .default('hold')
    .describe(
      'Orders whose total changed between payment and factura: "hold" asks a person, "current" invoices the current order.',
    ),
  subOrders: z
    .enum(['hold', 'parent', 'children'], 'Es «hold», «parent» o «children».')
    .default('hold')
    .describe(
      'Orders that a marketplace or shipping plugin of WooCommerce split into others of the same lines: "hold" asks a person, "parent" invoices the original order, "children" those that were split from it. Beside an order that is not paid, or was paid at another time, a person is asked all the same.',
    ),
  finalConsumer: section('Orders without identification, as *consumidor final*.', {
    allowed: z.boolean().default(true).describe('False holds every order without identification.'),
    limit: z
      .string()
      .regex(/^\d{1,9}(\.\d{1,2})?$/, "Es un monto en dólares entre comillas, por ejemplo '50.00'.")
      .default('50.00')
      .describe('The largest total with tax of an order without identification; held above.'),
    measures: z
      .enum(['sale', 'rest'], 'Es «sale» o «rest».')
      .default('sale')
      .describe(
        'The total that is compared, if something was refunded before the factura: "sale", the whole sale, because art. 19 names the transaction; "rest", the total of the factura.',
      ),
  }),
  buyer: section('Who the document names, and asking buyers for it (buyer-page.md).', {
    registry: z
      .enum(['off', 'when-missing', 'prefer'])
      .default('off')
      .describe(
        'Look-ups of legal names at the service, which charges them after 20 a month: never, where the order has no usable name, or always.',
      ),
    companyNameMissing: z
      .enum(['hold', 'warn'], 'Es «hold» o «warn».')
      .default('hold')
      .describe(
        "A company's RUC on an order that names only a person: held until order, registry, buyer or panel give its razón social (art. 19 of the Reglamento), or issued in the name of the person, with a warning.",
      ),
    registryPerDay: z
      .int()
      .min(1, "Debe ser al menos 1; para no consultar ningún nombre escriba registry: 'off'.")
      .max(100_000)
      .default(200)
      .describe(
        'Look-ups of names for this store in one day of Ecuador, at most half of them for buyers on the page that asks them. Above it no name is looked up until the next day.',
      ),
    ...questionSchema,
  }),
  ...moneySchema,
  ...creditSchema,
});

const threeDigits = z.string().regex(/^\d{3}$/, "Deben ser 3 dígitos entre comillas, por ejemplo '001'.");
const firstNumber = (means: string) => z.int().min(1).max(999_999_999).default(1).describe(means);
const invoiceFrom = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: 'Es un día (2026-11-01) o un instante con zona (2026-11-01T08:00:00-05:00).',
});

export const store = z.strictObject({
  platform: filled.meta({
    description: 'The platform of the shop: `shopify`, `woocommerce`, or one of `platforms`.',
    examples: ['woocommerce'],
  }),
  issuer: filled.describe('Who issues: a name under `issuers`.'),
  series: z
    .strictObject({
      establecimiento: threeDigits.meta({ description: 'Of the RUC, in quotes.', examples: ['"001"'] }),
      puntoEmision: threeDigits.meta({
        description: 'Of the establishment, in quotes; one that no other program issues from.',
        examples: ['"001"'],
      }),
      first: firstNumber(
        'First number of facturas; later ones follow without repeats. A higher value moves the series there at the next start, also one that stopped because another system used its number.',
      ),
      firstCreditNote: firstNumber(
        'The same for notas de crédito, which have their own numbers at the same point.',
      ),
    })
    .describe('The series of its documents; stores may share one.'),
  invoiceFrom: invoiceFrom
    .meta({
      description:
        'Orders paid before are never invoiced automatically. Default: the first start of the store.',
      examples: ['2026-11-01'],
    })
    .optional(),
  writeBack: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'With `off` nothing is written onto the orders of the shop, no buyer is asked or mailed, and access keys on orders are not read: for a second installation that tries real orders in `ambiente: 1` (rehearsal.md).',
    ),
  policy: policySchema.prefault({}).describe('What the merchant decides about documents.'),
  connection: z.looseObject({}).default({}).describe('The settings of the platform; see below.'),
});
