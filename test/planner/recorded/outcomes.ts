import { readdirSync } from 'node:fs';
import { shopify } from '../../../adapters/shopify/index.ts';
import { woocommerce } from '../../../adapters/woocommerce/index.ts';
import { FacturapuenteError } from '../../../src/domain/errors.ts';
import { readJson } from '../../../src/domain/loose.ts';
import type { Platform } from '../../../src/domain/platform.ts';
import type { Action } from '../../../src/planner/action.ts';
import { plan, planAsIf } from '../../../src/planner/plan.ts';
import { allBodies } from '../../adapters/shopify/payloads.ts';
import { table } from '../../docs/markdown.ts';
import { store } from '../../support/orders.ts';
import { readShared, sharedPath } from '../../support/shared.ts';

/*
 * What the planner makes of every body a shop really sent, in the state it had then. The default policy, an issuer in
 * pruebas, the day after the last recording.
 */

const seller = { store, invoiceFrom: new Date(0), now: new Date('2026-11-23T17:00:00Z') };
/** The factura that refunds answered by the API are planned against. */
const issued = { number: '001-001-000000123', date: '2026-11-20' } as const;

export interface Outcome {
  scenario: string;
  order: string;
  document: string;
  action: string;
  code: string;
  /** What the document adds up to; empty where there is none. */
  total: string;
  /** "webhook 0031", "rest 0015". */
  file: string;
}

/** Every recorded body of a WooCommerce shop: webhooks, answers about orders, lists of them, refunds. */
export function ofWooCommerce(set: 'recordings' | 'recordings2'): Outcome[] {
  const folder = `data/woocommerce/${set}`;
  const scenarios = new Map(
    (JSON.parse(readShared(`${folder}/INDEX.json`)) as { file: string; scenario: string }[]).map(
      ({ file, scenario }) => [file, scenario],
    ),
  );
  const outcomes: Outcome[] = [];
  const known = new Map<string, unknown>();
  for (const part of ['rest', 'webhooks']) {
    for (const name of readdirSync(sharedPath(`${folder}/${part}`)).sort()) {
      const { rawBodyText } = JSON.parse(readShared(`${folder}/${part}/${name}`)) as { rawBodyText: string };
      if (!rawBodyText.includes('"line_items"')) continue;
      const reported = {
        scenario: scenarios.get(`${part}/${name}`) ?? '',
        file: `${part} ${name.slice(0, 4)}`,
      };
      const read: unknown = readJson(rawBodyText);
      const bodies = (Array.isArray(read) ? read : [read]) as { id: number; billing?: unknown }[];
      const refundsOf = /refunds?-(?:api-|by-hand-)?(\d+)\.json$/.exec(name)?.[1];
      const sold = refundsOf === undefined ? undefined : known.get(refundsOf);
      for (const body of bodies.filter(({ billing }) => billing !== undefined)) {
        known.set(String(body.id), body);
        outcomes.push(...planned(woocommerce, body, `#${body.id}`, reported));
      }
      if (sold !== undefined && bodies.some(({ billing }) => billing === undefined))
        outcomes.push(...planned(woocommerce, sold, `#${refundsOf}`, reported, bodies));
    }
  }
  return outcomes;
}

/** Every payload of Shopify: captured ones, the vendor's samples and ours. */
export function ofShopify(): Outcome[] {
  return allBodies().flatMap(({ name, body }) => {
    const at = name.indexOf('/');
    const reported = { scenario: name.slice(0, at), file: name.slice(at + 1) };
    const order = (body as { order?: unknown }).order ?? body;
    return planned(shopify, body, (order as { name?: string }).name ?? '', reported);
  });
}

type Reported = Pick<Outcome, 'scenario' | 'file'>;

/** With `refunds`, only what becomes of these, as if the order had been invoiced whole. */
function planned(
  platform: Platform,
  body: unknown,
  order: string,
  reported: Reported,
  refunds?: readonly unknown[],
): Outcome[] {
  try {
    const read = platform.readOrder(body, platform.demoConnection());
    const actions =
      refunds === undefined
        ? plan({ ...seller, order: read, documents: [] })
        : planAsIf(
            { ...seller, order: { ...read, refunds: platform.readRefunds(refunds, body) } },
            issued,
          ).slice(1);
    return actions.map((action) => ({ ...reported, order, ...said(action) }));
  } catch (error) {
    if (!(error instanceof FacturapuenteError)) throw error;
    return [{ ...reported, order, document: '–', action: 'unreadable', code: error.code, total: '' }];
  }
}

function said({ kind, action, code, document, identity }: Action): Omit<Outcome, keyof Reported | 'order'> {
  const which = kind === 'factura' ? kind : `${kind} ${identity.sourceId}`;
  return { document: which, action, code, total: document ?? '' };
}

/** One row for the files of an order that say the same. */
export function toTable(outcomes: readonly Outcome[]): string {
  const rows = Map.groupBy(outcomes, ({ file: _, ...rest }) => JSON.stringify(Object.values(rest)));
  return table(
    ['Scenario', 'Order', 'Document', 'Action', 'Code', 'Total', 'Files'],
    [...rows].map(([key, same]) => [
      ...(JSON.parse(key) as string[]),
      [...new Set(same.map(({ file }) => file))].join(', '),
    ]),
  );
}
