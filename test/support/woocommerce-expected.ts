/** What must come of each recorded order: its documents and the notes on it (customer, private). */
type Expected = Record<string, [documents: string[], customerNotes: number, privateNotes: number]>;

const nothing: Expected[string] = [[], 0, 0];
const factura = (total: string): Expected[string] => [[`factura authorized ${total}`], 1, 0];
const held = (code: string): Expected[string] => [[`factura held ${code}`], 0, 1];
const burst = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [String(82 + n), factura('14.38')]));

/** Whatever the buyer said of himself and however the shop is set up. */
const always: Expected = {
  '29': factura('33.75'), // s01, s18: paid at once; written back by another program too
  '30': factura('46.19'), // s02: pending, paid, completed
  '33': factura('19.38'), // s05: one line is free
  '34': nothing, // s05b: total 0
  '35': held('buyer-company-missing'), // s06: the RUC of a company without its name
  '36': factura('57.49'), // s07: virtual, straight to completed
  '41': factura('35.70'), // s12: fixed coupon
  '44': factura('14.38'), // s15: a transfer confirmed by hand
  '45': nothing, // s16: cancelled unpaid
  '46': [['factura authorized 14.38'], 1, 1], // s16b: cancelled after it was paid and invoiced, and told that its money was kept
  '47': nothing, // s17: failed
  '74': [['factura authorized 14.38'], 1, 1], // d01: trash, and told so, restored, deleted for ever
  '78': nothing, // x-collapse: pending
  '79': factura('14.38'), // x-state-at-delivery: «created» says completed
  '80': nothing, // x-empty-put: pending
  '100': held('buyer-id-wrong'), // c10: the cédula's check digit is wrong; paid when completed
  ...burst,
};

/** As recorded: most buyers said nothing of themselves, and the shop has no rule for what bears no tax. */
export const anonymous: Expected = {
  ...always,
  '31': held('buyer-id-missing'), // s03: over 50 dollars
  '39': held('buyer-id-missing'), // s10
  '48': [['factura held buyer-id-missing'], 0, 2], // r01: the sale was over 50 dollars, and is so whatever came back of it
  '51': [[], 0, 1], // r02: held, and then nothing was left to invoice
  '53': [
    ['factura authorized 33.75', 'nota-credito manual final-consumer', 'nota-credito manual final-consumer'],
    1,
    2,
  ], // r03
  '56': [['factura authorized 19.38', 'nota-credito manual final-consumer'], 1, 1], // r04
  '64': [[], 0, 1], // r07: as r02
  '68': [['factura authorized 28.75', 'nota-credito manual final-consumer'], 1, 1], // r09
  '72': [['factura authorized 6.04', 'nota-credito manual final-consumer'], 1, 1], // r11
  '76': nothing, // c02: cash on delivery, not yet paid
  '77': nothing, // c03
};

const credited = (total: string, ...credits: string[]): Expected[string] => [
  [`factura authorized ${total}`, ...credits.map((credit) => `nota-credito authorized ${credit}`)],
  1 + credits.length,
  0,
];

/** In a shop that asks for the cédula, has rules for what bears no tax, and invoices cash on delivery at once. */
export const prepared: Expected = {
  ...always,
  '31': factura('137.09'),
  '39': factura('178.23'),
  '48': credited('59.62', '14.36', '14.38'), // No base gives 14.37 with its IVA (docs/refunds.md).
  '51': credited('51.75', '51.75'),
  '53': credited('33.75', '28.75', '5.00'),
  '56': credited('19.38', '5.00'),
  '64': credited('51.75', '51.75'),
  '68': credited('28.75', '14.38'), // Its refund was deleted later, and nothing told.
  '72': credited('6.04', '1.05'),
  '76': factura('108.64'),
  '77': factura('8.62'),
};

/** Settings of the store and its connection that make a shop a prepared one. */
export const preparedStore = {
  connected: { invoiceUnpaidMethods: ['cod'] },
  policy: {
    // As JSON, because an object with the key `then` looks like a promise.
    tax: JSON.parse(`{"rules": [
  {"name": "Exento de IVA", "when": {"taxClass": "exento", "untaxed": true}, "then": {"iva": 7}},
  {"name": "Materiales de construcción", "when": {"rate": 5}, "then": {"iva": 5}},
  {"name": "No objeto de IVA", "when": {"sku": "NOTAX", "untaxed": true}, "then": {"iva": 6}}
]}`),
  },
};
