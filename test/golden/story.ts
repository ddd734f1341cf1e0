import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { OrderAnswer } from '../../adapters/shopify/answer.ts';
import { fromGraphql } from '../../adapters/shopify/from-graphql.ts';
import { buildOrder } from '../../adapters/shopify/order.ts';
import type { Connection as ShopifyConnection } from '../../adapters/shopify/settings.ts';
import { toMoneyPolicy } from '../../src/config/money-policy.ts';
import { defaultPolicy } from '../../src/config/resolve-stores.ts';
import { policySchema } from '../../src/config/schema.ts';
import { type Amount, decimal } from '../../src/core/money.ts';
import type { Order } from '../../src/core/order.ts';
import type { Platform } from '../../src/core/platform.ts';
import type { Policy } from '../../src/core/settings.ts';
import type { Action } from '../../src/planning/action.ts';
import { plan } from '../../src/planning/plan.ts';
import { builtInPlatforms } from '../../src/platforms.ts';
import { asXml } from '../mappers/as-xml.ts';
import { noon, store } from '../support/orders.ts';

export const goldenFolder = fileURLToPath(new URL('.', import.meta.url));

/** What became of a story's order: the files it is recorded in, and what proves the document. */
export interface Told {
  /** Name → exact text. `order.json` always; then `body.json` and `document.xml`, or `<action>.json`. */
  files: ReadonlyMap<string, string>;
  document: ProvableDocument | null;
}

export interface ProvableDocument {
  xml: string;
  /** What the sandbox has against the body; its XML is empty where it refuses to read it. */
  complaints: readonly string[];
  charged: Amount;
  difference: Amount | null;
  /** Whether some rate's tax had to be stated a cent off, because no base reaches what was charged. */
  statedTax: boolean;
}

/**
 * Tells the story of a folder anew: `platform.json` is the platform's own order, the folder's name begins with
 * the platform's; `policy.json`, where there is one, is the store's policy as its merchant writes it, and
 * `issuer.json` what differs in the issuer.
 */
export function tell(folder: string, name: string): Told {
  const platform = builtInPlatforms.find((one) => name.startsWith(`${one.name}-`));
  if (!platform) throw new Error(`${name}: a story's folder is called <platform>-<what it is about>.`);
  const order = orderOf(platform, readJson(`${folder}/platform.json`));
  const policy = policyOf(`${folder}/policy.json`);
  const issuer = { ...store.issuer, ...own(`${folder}/issuer.json`) };
  const seller = { ...store, policy, issuer };
  const [factura] = plan({ order, documents: [], store: seller, invoiceFrom: new Date(0), now: noon });
  if (!factura) throw new Error(`${name}: a plan says nothing about the factura.`);
  const files = new Map([['order.json', json(order)]]);
  if (factura.action !== 'emit') {
    files.set(`${factura.action}.json`, json(verdictOf(factura)));
    return { files, document: null };
  }
  const { complaints, xml } = asXml(factura.body);
  const document = { complaints, xml: indented(xml), ...figuresOf(factura) };
  files.set('body.json', json(factura.body));
  files.set('document.xml', document.xml);
  return { files, document };
}

/** An answer of Shopify's GraphQL API (refunds come by others) is read as the API's own door reads it; all else is a webhook's body. */
function orderOf(platform: Platform, payload: unknown): Order {
  const answer = GraphqlAnswer.safeParse(payload).data?.data.order;
  const connection = platform.demoConnection();
  if (!answer) return platform.readOrder(payload, connection);
  return buildOrder(fromGraphql(answer, answer.lineItems.nodes, []), connection as ShopifyConnection);
}

const GraphqlAnswer = z.object({ data: OrderAnswer });

const own = (path: string): object => (existsSync(path) ? (readJson(path) as object) : {});
const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function policyOf(path: string): Policy {
  if (!existsSync(path)) return defaultPolicy();
  const policy = policySchema.parse(readJson(path));
  return { ...policy, ...toMoneyPolicy(policy), invoiceFrom: null };
}

function verdictOf({ code, reason, buyerReason, charged, document, difference }: Action) {
  return { code, reason, buyerReason, charged, document, difference };
}

function figuresOf({ charged, difference, trace }: Action) {
  const taxes = trace.mapping?.taxes ?? [];
  return { charged, difference, statedTax: taxes.some((tax) => !decimal(tax.difference).isZero()) };
}

/** A line for every element; white space between elements means nothing to the schema. */
function indented(xml: string): string {
  let depth = 0;
  const lines = xml.split(/(?<=>)(?=<)/).map((piece) => {
    const closes = piece.startsWith('</');
    if (closes) depth -= 1;
    const line = `${'  '.repeat(depth)}${piece}`;
    if (!closes && !/^<\?|<\/|\/>$/.test(piece)) depth += 1;
    return line;
  });
  return `${lines.join('\n')}\n`;
}
