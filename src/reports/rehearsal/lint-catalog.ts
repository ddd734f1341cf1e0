import { generalIva, ivaRow, ivaTable } from '../../../mappers/tables/taxes.ts';
import { kindByName } from '../../../mappers/tax.ts';
import { ecuadorDay } from '../../domain/clock.ts';
import type { CatalogItem } from '../../domain/listing.ts';
import { decimal, toAmount } from '../../domain/money.ts';
import type { IvaCode } from '../../domain/money-policy.ts';
import type { Line, Order } from '../../domain/order.ts';
import type { Shop } from '../../domain/platform.ts';
import type { Store } from '../../domain/settings.ts';
import { causeOf } from '../../messages/reasons.ts';
import { plan } from '../../planner/plan.ts';
import { everyRow } from '../sources.ts';
import { count, many } from './report.ts';

export interface CatalogFinding {
  code: string;
  title: string;
  resolution: string;
  rule: RuleHint | null;
  reason: string;
  products: { id: string; name: string; sku: string | null }[];
}

export interface CatalogReport {
  store: string;
  products: number;
  /** The platform does not state their rate: the general rate was assumed. */
  assumed: number;
  findings: CatalogFinding[];
}

/** A valid cédula of no person: only the tax matters here. */
const buyerId = '1710034065';

export async function lintCatalog(
  store: Store,
  catalog: NonNullable<Shop['catalog']>,
  at: { now: Date; progress?(done: number): void },
): Promise<CatalogReport> {
  const findings = new Map<string, CatalogFinding>();
  let products = 0;
  let assumed = 0;
  for await (const item of everyRow(catalog)) {
    products += 1;
    if (!item.taxesKnown) assumed += 1;
    note(findings, item, store, at.now);
    at.progress?.(products);
  }
  const sorted = [...findings.values()].sort((a, b) => b.products.length - a.products.length);
  return { store: store.id, products, assumed, findings: sorted };
}

function lineOf({ line, taxesKnown }: CatalogItem, now: Date): Line {
  if (taxesKnown) return line;
  const { rate, name } = ivaRow(generalIva(ecuadorDay(now)));
  const amount = toAmount(decimal(line.net).times(rate).div(100));
  return { ...line, tax: amount, taxes: [{ title: name, rate, amount, rateId: null }] };
}

function note(findings: Map<string, CatalogFinding>, item: CatalogItem, store: Store, now: Date): void {
  const line = lineOf(item, now);
  const invoiceFrom = new Date(0);
  const [sale] = plan({ order: orderOf(line, store, now), documents: [], store, invoiceFrom, now });
  if (sale?.action !== 'hold') return;
  const { code, reason } = sale;
  const rule = ruleFor(code, line);
  const key = `${code} ${rule?.key ?? ''}`;
  const known = findings.get(key);
  const { title = reason, resolution = '' } = causeOf(code) ?? {};
  const finding = known ?? { code, title, resolution, rule: rule?.hint ?? null, reason, products: [] };
  if (finding.rule && rule) finding.rule = rule.joined(finding.rule);
  const name = item.variant === undefined ? line.name : `${line.name} - ${item.variant}`;
  finding.products.push({ id: line.productId ?? line.id, name, sku: line.sku });
  findings.set(key, finding);
}

function orderOf(line: Line, store: Store, now: Date): Order {
  const total = toAmount(decimal(line.net).plus(line.tax));
  const at = now.toISOString();
  return {
    platform: store.platform.name,
    shop: store.shop,
    id: `catalogo-${line.id}`,
    name: line.name,
    settlement: 'paid',
    status: '',
    test: false,
    currency: 'USD',
    presentment: null,
    placedAt: at,
    paidAt: at,
    updatedAt: at,
    lines: [line],
    charges: [],
    total,
    totalTax: line.tax,
    buyer: {
      name: 'Revisión del catálogo',
      company: null,
      email: null,
      phone: null,
      address: null,
      country: 'EC',
      ids: [{ value: buyerId, source: 'catálogo', type: 'cedula' }],
    },
    delivery: { by: 'shipping', country: 'EC' },
    payments: [],
    refunds: [],
    accessKeys: [],
    note: null,
    attributes: [],
    terms: null,
  };
}

const mostProducts = 10;

export function catalogText({ store, products, assumed, findings }: CatalogReport): string {
  const held = findings.reduce((sum, one) => sum + one.products.length, 0);
  const looked = `Tienda «${store}»: ${products === 1 ? 'se revisó 1 producto' : `se revisaron ${count(products)} productos`}`;
  const verdict =
    held === 0
      ? 'todos tienen un impuesto que se puede facturar.'
      : `${held === 1 ? 'la venta de 1 se retendría' : `la venta de ${count(held)} se retendría`}.`;
  const guessed =
    assumed === 0
      ? []
      : [
          `La plataforma no dice qué tarifa cobra, solo si hay impuesto: en ${many(assumed, 'producto gravado', 'productos gravados')} se supuso el IVA general.`,
        ];
  return `${[`${looked}; ${verdict}`, ...guessed, ...findings.map((one) => findingText(one, store))].join('\n')}\n`;
}

function findingText({ title, rule, reason, products }: CatalogFinding, store: string): string {
  const shown = products
    .slice(0, mostProducts)
    .map(({ name, sku }) => (sku === null ? name : `${name} (${sku})`));
  const more = products.length > mostProducts ? ` y ${count(products.length - mostProducts)} más` : '';
  const advice =
    rule === null ? [`  ${reason}`] : [`  ${instruction(rule, store)}:`, `    - ${ruleText(rule)}`];
  return [
    '',
    `${title}: ${many(products.length, 'producto', 'productos')}`,
    `  ${shown.join(', ')}${more}.`,
    ...advice,
  ].join('\n');
}

function instruction({ then }: RuleHint, store: string): string {
  const { only } = ivaRow(then.iva);
  const place = `stores.${store}.policy.tax.rules`;
  return only === null
    ? `Agregue esta regla en ${place} y ponga en iva lo que diga su contador (0 = IVA 0 %, 6 = no objeto, 7 = exento)`
    : `Si son ${only}, agregue esta regla en ${place}; si no, corrija el impuesto en la tienda`;
}

function ruleText({ when, then }: RuleHint): string {
  const conditions = Object.entries(when).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `{ when: { ${conditions.join(', ')} }, then: { iva: ${then.iva} } }`;
}

/** The merchant decides the IVA code. */
interface RuleHint {
  when: Readonly<Record<string, string | boolean | readonly string[]>>;
  then: { iva: IvaCode };
}

interface Hint {
  key: string;
  hint: RuleHint;
  joined(before: RuleHint): RuleHint;
}

const then: RuleHint['then'] = { iva: 0 };

function ruleFor(code: string, line: Line): Hint | null {
  const { taxes, taxClass, sku, name } = line;
  if (code !== 'unmapped-tax') return null;
  const [tax] = taxes;
  // The sentence of the hold has the rule of a gift card, which bears no IVA.
  if (!tax && kindByName(line) !== null) return null;
  // A charged percentage can only be declared by the code of that percentage.
  if (tax?.rate) return ofRate(tax.rate);
  if (tax?.rateId) return one(`rateId ${tax.rateId}`, { rateId: tax.rateId });
  if (tax) return one(`title ${tax.title}`, { title: tax.title });
  if (taxClass) return one(`taxClass ${taxClass}`, { taxClass, untaxed: true });
  return sku === null ? list('name', name) : list('sku', sku);
}

function ofRate(rate: string): Hint | null {
  const row = ivaTable.find(({ only, rate: percent }) => only !== null && decimal(percent).equals(rate));
  if (!row) return null;
  return one(`rate ${row.rate}`, { rate: row.rate }, { iva: row.code });
}

const one = (key: string, when: RuleHint['when'], means = then): Hint => ({
  key,
  // biome-ignore lint/suspicious/noThenProperty: the word of the config; it is no function.
  hint: { when, then: means },
  joined: (before) => before,
});

/** A `*` in a name acts as a pattern, which matches the name too. */
const list = (by: 'sku' | 'name', value: string): Hint => ({
  key: by,
  hint: { when: { [by]: [value], untaxed: true }, then },
  joined({ when }) {
    const known = when[by];
    const all = new Set([...(Array.isArray(known) ? known : []), value]);
    return { when: { ...when, [by]: [...all] }, then };
  },
});
