import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { buildOrder } from '../../adapters/shopify/order.ts';
import { OrderAnswer } from '../../adapters/shopify/queries.ts';
import { saleFromGraphql } from '../../adapters/shopify/sale.ts';
import type { Connection as ShopifyConnection } from '../../adapters/shopify/settings.ts';
import { builtInPlatforms } from '../../src/app/platforms.ts';
import { defaultPolicy, toMoneyPolicy } from '../../src/config/resolve-stores.ts';
import { policySchema } from '../../src/config/schema.ts';
import { PayloadError } from '../../src/domain/errors.ts';
import { readJson } from '../../src/domain/loose.ts';
import type { Order } from '../../src/domain/order.ts';
import type { Platform } from '../../src/domain/platform.ts';
import type { Policy } from '../../src/domain/settings.ts';
import type { Action } from '../../src/planner/action.ts';
import { plan, planAsIf } from '../../src/planner/plan.ts';
import { noon, store } from '../support/orders.ts';
import { documentOf, json, type ProvableDocument, verdictOf } from './documents.ts';

export const goldenFolder = fileURLToPath(new URL('.', import.meta.url));

/** What became of a case's order and refunds: the files it is recorded in, and what proves its documents. */
export interface Reported {
  /**
   * Name → exact text. `unreadable.json` alone where the order cannot be read; else `order.json`, and then `body.json` and `document.xml`, or `<action>.json`; then
   * `nota-credito-<n>.json` and `.xml`, or `nota-credito-<n>-<action>.json`, of each refund, oldest first.
   */
  files: ReadonlyMap<string, string>;
  documents: readonly ProvableDocument[];
}

/**
 * Tells the case of a folder anew: `platform.json` is the platform's own order, the folder's name begins with
 * the platform's; `policy.json`, where there is one, is the store's policy as its merchant writes it, and
 * `issuer.json` what differs in the issuer, `today.json` the day. `refunds.json`, the platform's own too, came after the factura was
 * authorised with the number its XML shows.
 */
export function report(folder: string, name: string): Reported {
  const platform = builtInPlatforms.find((one) => name.startsWith(`${one.name}-`));
  if (!platform) throw new Error(`${name}: a case's folder is called <platform>-<what it is about>.`);
  const payload = readFile(`${folder}/platform.json`);
  const sold = read(() => orderOf(platform, payload));
  if (sold instanceof PayloadError) {
    const { code, merchant, params } = sold;
    return {
      files: new Map([['unreadable.json', json({ code, merchant, params })]]),
      documents: [],
    };
  }
  const policy = policyOf(`${folder}/policy.json`);
  const issuer = { ...store.issuer, ...own(`${folder}/issuer.json`) };
  const now = dayOf(`${folder}/today.json`);
  const seller = { store: { ...store, policy, issuer }, invoiceFrom: new Date(0), now };
  const [factura] = plan({ ...seller, order: sold, documents: [] });
  if (!factura) throw new Error(`${name}: a plan says nothing about the factura.`);
  const path = `${folder}/refunds.json`;
  const refunds = existsSync(path) ? platform.readRefunds(readFile(path), payload) : null;
  const order = refunds === null ? sold : { ...sold, refunds };
  const [, ...credits] = refunds === null ? [factura] : planAsIf({ ...seller, order }, issued);
  const titled = [
    { action: factura, said: ['body.json', 'document.xml', `${factura.action}.json`] as const },
    ...credits.map((action, at) => ({ action, said: creditNames(at + 1, action) })),
  ];
  const files = new Map([['order.json', json(order)]]);
  const documents: ProvableDocument[] = [];
  for (const { action, said } of titled) {
    const [body, xml, verdict] = said;
    if (action.action !== 'emit') {
      files.set(verdict, json(verdictOf(action)));
      continue;
    }
    const document = documentOf(action, now);
    files.set(body, json(action.body)).set(xml, document.xml);
    documents.push(document);
  }
  return { files, documents };
}

/** As the XML of every case's factura says. */
const issued = { number: '001-001-000000123', date: '2026-11-20' };

const creditNames = (n: number, { action }: Action) =>
  [`nota-credito-${n}.json`, `nota-credito-${n}.xml`, `nota-credito-${n}-${action}.json`] as const;

/** An answer of Shopify's GraphQL API (refunds come by others) is read as the API's own endpoint reads it; all else is a webhook's body. */
export function orderOf(platform: Platform, payload: unknown): Order {
  const answer = GraphqlAnswer.safeParse(payload).data?.data.order;
  const connection = platform.demoConnection();
  if (!answer) return platform.readOrder(payload, connection);
  return buildOrder(saleFromGraphql(answer, answer.lineItems.nodes, []), connection as ShopifyConnection);
}

const GraphqlAnswer = z.object({ data: OrderAnswer });

/** The day the documents are issued, at noon of Ecuador. */
const dayOf = (path: string): Date =>
  existsSync(path) ? new Date(`${readFile(path)}T12:00:00-05:00`) : noon;

function read(order: () => Order): Order | PayloadError {
  try {
    return order();
  } catch (error) {
    if (error instanceof PayloadError) return error;
    throw error;
  }
}

const own = (path: string): object => (existsSync(path) ? (readFile(path) as object) : {});
const readFile = (path: string): unknown => readJson(readFileSync(path, 'utf8'));

function policyOf(path: string): Policy {
  if (!existsSync(path)) return defaultPolicy();
  const policy = policySchema.parse(readFile(path));
  return { ...policy, ...toMoneyPolicy(policy), invoiceFrom: null };
}
