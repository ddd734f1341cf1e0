import { ivaRow } from '../../../mappers/tables/iva.ts';
import type { CatalogItem } from '../../domain/catalog.ts';
import { decimal, toAmount } from '../../domain/money.ts';
import type { Line, Order } from '../../domain/order.ts';
import type { Shop } from '../../domain/platform.ts';
import type { Store } from '../../domain/settings.ts';
import { plan } from '../../planner/plan.ts';
import { causeOf } from './causes.ts';
import { type RuleHint, ruleFor } from './rule-hint.ts';

/** Products of which a sale would be held, by cause and by the rule that would help. */
export interface CatalogFinding {
  code: string;
  title: string;
  cure: string;
  /** A rule for `policy.tax.rules`; null where none can help. */
  rule: RuleHint | null;
  /** What the planner says of the first of them. */
  reason: string;
  products: { id: string; name: string; sku: string | null }[];
}

export interface CatalogReport {
  store: string;
  /** What can be bought: products, or each of their variants. */
  products: number;
  /** Of how many the platform does not tell which taxes it would charge: the general rate was taken. */
  assumed: number;
  findings: CatalogFinding[];
}

/** A number that is one, of nobody; only the tax is looked at. */
const buyerId = '1710034065';
const generalRate = ivaRow(4);

/** Plans a sale of one unit of everything a shop sells; nothing is sent. Throws ShopError. */
export async function lintCatalog(
  store: Store,
  catalog: NonNullable<Shop['catalog']>,
  at: { now: Date; progress?(done: number): void },
): Promise<CatalogReport> {
  const findings = new Map<string, CatalogFinding>();
  let products = 0;
  let assumed = 0;
  let cursor: string | null = null;
  do {
    const { rows, next }: Awaited<ReturnType<typeof catalog>> = await catalog(cursor);
    for (const item of rows) {
      products += 1;
      if (!item.taxesKnown) assumed += 1;
      note(findings, item, store, at.now);
    }
    at.progress?.(products);
    cursor = next;
  } while (cursor !== null);
  const sorted = [...findings.values()].sort((a, b) => b.products.length - a.products.length);
  return { store: store.id, products, assumed, findings: sorted };
}

/** Where the shop only says that there is a tax, it is the general one. */
function lineOf({ line, taxesKnown }: CatalogItem): Line {
  if (taxesKnown) return line;
  const { rate, name } = generalRate;
  const amount = toAmount(decimal(line.net).times(rate).div(100));
  return { ...line, tax: amount, taxes: [{ title: name, rate, amount, rateId: null }] };
}

function note(findings: Map<string, CatalogFinding>, item: CatalogItem, store: Store, now: Date): void {
  const line = lineOf(item);
  const invoiceFrom = new Date(0);
  const [sale] = plan({ order: orderOf(line, store, now), documents: [], store, invoiceFrom, now });
  if (sale?.action !== 'hold') return;
  const { code, reason } = sale;
  const rule = ruleFor(code, line);
  const key = `${code} ${rule?.key ?? ''}`;
  const known = findings.get(key);
  const { title = reason, cure = '' } = causeOf(code) ?? {};
  const finding = known ?? { code, title, cure, rule: rule?.hint ?? null, reason, products: [] };
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
