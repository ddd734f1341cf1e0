import { z } from 'zod';
import { assumedNames } from '../domain/credit-policy.ts';
import { moneySchema } from './schema-money.ts';
import { filled } from './schema-parts.ts';

/** The part of a store's policy about notas de crédito, as its author writes it (domain/credit-policy.ts). */
const name = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'Es el nombre de un campo: letras, números y «_».');

const creditSchema = {
  creditNotes: z
    .strictObject({
      holidays: z
        .array(z.iso.date('Es un día feriado, por ejemplo 2026-12-25.'))
        .default([])
        .describe(
          'Local holidays that move the last day to annul a factura online (day 7 of the next month) to the next working day; national ones are known (`facturapuente law`).',
        ),
      documentoModificado: z
        .strictObject({
          tipo: name.default(assumedNames.tipo).describe('The code of the modified document.'),
          tipoNumerico: z
            .boolean()
            .default(assumedNames.tipoNumerico)
            .describe('The code of the modified document as the number 1; false writes "01".'),
          numero: name.default(assumedNames.numero).describe('Its number.'),
          fecha: name.default(assumedNames.fecha).describe('Its day.'),
          motivo: name.default(assumedNames.motivo).describe('Why money goes back.'),
          claveAcceso: name
            .nullable()
            .default(assumedNames.claveAcceso)
            .describe('Its access key; null leaves it out.'),
          guiones: z
            .boolean()
            .default(assumedNames.guiones)
            .describe('Its number with dashes (001-001-000000123) rather than as 15 digits.'),
        })
        .prefault({})
        .describe(
          'How the service names the fields inside `documento_modificado`, should its names differ (assumptions.md, A21).',
        ),
      totales: z
        .boolean()
        .default(false)
        .describe(
          'State the taxes of a nota de crédito in `totales`. Without them the service computes IVA from the lines, which are chosen so that it comes to the money in every way of rounding (refunds.md).',
        ),
      roundingDifference: z
        .enum(['nearest', 'hold'], 'Es «nearest» o «hold».')
        .default('nearest')
        .describe(
          'Money that no lines add up to with their IVA, where `totales` is false: "nearest" emits the nearest nota de crédito, a cent off, and the next one of that factura makes up for it; "hold" asks a person.',
        ),
      amountOnly: z
        .enum(['hold', 'prorate'], 'Es «hold» o «prorate».')
        .default('hold')
        .describe(
          'A refund that states only an amount, of a factura with several rates of IVA: "hold" asks a person, with what each reading would credit; "prorate" credits each rate with its share (refunds.md).',
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
        .describe(
          '`codigoDoc` of a nota de crédito, "04" where the service asks for it; null leaves it out.',
        ),
    })
    .prefault({})
    .describe('Notas de crédito.'),
};

/** The part of a store's policy about asking buyers whom to name, as its author writes it (domain/buyer-policy.ts). */
const questionSchema = {
  ask: z
    .boolean()
    .default(true)
    .describe('Whether the buyer of an order held for the identification gets a page that asks for it.'),
  cutOff: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Es una hora de Ecuador entre comillas, por ejemplo '23:30'.")
    .default('23:30')
    .describe('When the policy decides without an answer, in Ecuador’s time.'),
  afterCutOff: z
    .enum(['final-consumer', 'hold'])
    .default('final-consumer')
    .describe('What is done then: *consumidor final* where the policy allows it, or still held.'),
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

/** A store, and what its merchant decides; defaults are right for a plain Ecuadorian shop. */
export const policySchema = z.strictObject({
  freeOrders: z.enum(['nothing', 'emit']).default('nothing').describe('Orders of 0.00: no document, or one.'),
  cancelledOrders: z
    .enum(['hold', 'invoice', 'nothing'], 'Es «hold», «invoice» o «nothing».')
    .default('hold')
    .describe(
      'Cancelled orders whose money was not given back, or not all of it: "hold" asks a person, "invoice" invoices what was kept, "nothing" makes no document.',
    ),
  changedAfterPayment: z
    .enum(['hold', 'current'], 'Es «hold» o «current».')
    .default('hold')
    .describe(
      'Orders whose total is another than when they were paid, before their factura: "hold" asks a person, "current" invoices what the order says now.',
    ),
  finalConsumer: z
    .strictObject({
      allowed: z.boolean().default(true).describe('False holds every order without identification.'),
      limit: z
        .string()
        .regex(/^\d{1,9}(\.\d{1,2})?$/, "Es un monto en dólares entre comillas, por ejemplo '50.00'.")
        .default('50.00')
        .describe('Up to this total with tax an order may be without identification; held above.'),
      measures: z
        .enum(['sale', 'rest'], 'Es «sale» o «rest».')
        .default('sale')
        .describe(
          'Which total, where money went back before the factura: "sale", all that was sold, as art. 19 speaks of the transaction; "rest", what the factura is for.',
        ),
    })
    .prefault({})
    .describe('Orders without identification, as *consumidor final*.'),
  buyer: z
    .strictObject({
      registry: z
        .enum(['off', 'when-missing', 'prefer'])
        .default('off')
        .describe(
          'Legal names by the look-ups of the service, which charges them after 20 a month: never, where the order has no name to use, or always.',
        ),
      companyNameMissing: z
        .enum(['hold', 'warn'], 'Es «hold» o «warn».')
        .default('hold')
        .describe(
          'The RUC of a company where the order names only a person: held until the order, the registry, the buyer or the panel tells its razón social (art. 19 of the Reglamento), or issued in the name of the person, with a warning.',
        ),
      registryPerDay: z
        .int()
        .min(1, "Debe ser al menos 1; para no consultar ningún nombre escriba registry: 'off'.")
        .max(100_000)
        .default(200)
        .describe(
          'Look-ups of names for this store in one day of Ecuador, of which at most half are made for buyers on the page that asks them. Above it no name is looked up until the next day.',
        ),
      ...questionSchema,
    })
    .prefault({})
    .describe('Whom the document names, and asking buyers for it (buyer-page.md).'),
  ...moneySchema,
  ...creditSchema,
});

const threeDigits = z.string().regex(/^\d{3}$/, "Deben ser 3 dígitos entre comillas, por ejemplo '001'.");
const firstNumber = (means: string) => z.int().min(1).max(999_999_999).default(1).describe(means);
const invoiceFrom = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: 'Es un día (2026-11-01) o un instante con zona (2026-11-01T08:00:00-05:00).',
});

/** Its sales once more, as documents of the test environment. */
const shadow = z.strictObject({
  only: z
    .boolean()
    .default(false)
    .describe(
      'Before production: nothing leaves in the environment of the issuer yet, and the history of the store begins when this is taken out.',
    ),
  series: z
    .strictObject({
      establecimiento: threeDigits.meta({ description: 'Of the RUC, in quotes.', examples: ['"001"'] }),
      puntoEmision: threeDigits.meta({
        description: 'In quotes; another one than that of the store, so that a number names one document.',
        examples: ['"900"'],
      }),
      first: firstNumber('First number of facturas in the test environment.'),
      firstCreditNote: firstNumber('The same for notas de crédito.'),
    })
    .describe('Where the documents of the shadow are numbered.'),
  invoiceFrom: invoiceFrom
    .optional()
    .describe('Orders paid before throw no shadow. Without it, the first start with the shadow.'),
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
        'First number of facturas; later ones follow without repeats. Raised later, the series leaps there at the next start, also one that was stopped because somebody else used its number.',
      ),
      firstCreditNote: firstNumber(
        'The same for notas de crédito, which have numbers of their own at the same point.',
      ),
    })
    .describe('Where its documents are numbered; stores may share it.'),
  invoiceFrom: invoiceFrom
    .meta({
      description:
        'Orders paid before are history and never invoiced by themselves. Without it, the first start of the store.',
      examples: ['2026-11-01'],
    })
    .optional(),
  shadow: shadow
    .optional()
    .describe(
      'Shadow mode: real orders in the test environment, beside production or before it (rehearsal.md).',
    ),
  policy: policySchema.prefault({}).describe('What the merchant decides about documents.'),
  connection: z
    .looseObject({})
    .default({})
    .describe('What the platform needs to know of the shop; see below.'),
});
