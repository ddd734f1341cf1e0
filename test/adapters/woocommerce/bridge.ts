import express from 'express';
import { onTestFinished } from 'vitest';
import { memoryCredentials } from '../../../adapters/contract/index.ts';
import { woocommerce } from '../../../adapters/woocommerce/index.ts';
import { type Connection, connectionSchema } from '../../../adapters/woocommerce/settings.ts';
import { listenOnLoopback } from '../../../sandbox/shops/loopback.ts';
import { openWooCommerceShop } from '../../../sandbox/shops/woocommerce-shop.ts';
import { openOutbound } from '../../../src/app/outbound.ts';
import { inWords } from '../../../src/domain/checks.ts';
import type { InstallItem, InstallRequest, Platform } from '../../../src/domain/platform.ts';
import { silentLog } from '../../../src/domain/ports.ts';
import type { Settings } from '../../../src/domain/settings.ts';
import { openBodyMemory } from '../../../src/http/endpoints.ts';
import { openTickets } from '../../../src/http/links.ts';
import { securityHeaders } from '../../../src/http/pages.ts';
import { addPlatformPages } from '../../../src/http/platform-pages.ts';
import { trustedCertificate } from '../../support/certificate.ts';
import { clock, keys, paidOrder } from './shop.ts';

type ShopOptions = Parameters<typeof openWooCommerceShop>[0];

/** A shop, and our pages and webhook endpoint before it over TLS; the store has no keys unless `connection` says so. */
export async function openBridge(
  options: { shop?: Partial<ShopOptions>; connection?: Record<string, unknown>; publicUrl?: string } = {},
) {
  const stand = await openWooCommerceShop({ orders: [paidOrder()], ...keys, clock, ...options.shop });
  // Two certificates of one name at a time would be taken for each other.
  const certificate = options.shop?.tls ?? trustedCertificate();
  let app = express();
  const front = await listenOnLoopback((req, res) => app(req, res), 0, certificate);
  onTestFinished(async () => {
    await stand.close();
    await front.close();
  });
  const publicUrl = options.publicUrl ?? front.url;
  const connection: Connection = connectionSchema.parse({
    url: stand.url,
    timeoutMs: 2_000,
    ...options.connection,
  });
  let now = clock.now();
  const ours = { now: () => now };
  const credentials = memoryCredentials();
  const context = {
    clock: ours,
    log: silentLog,
    userAgent: 'facturapuente/test',
    outbound: openOutbound(),
    credentials,
  };
  const tickets = openTickets(Buffer.alloc(32, 3), ours);
  const platform = woocommerce as unknown as Platform;
  const store = { id: 'tienda', platform, shop: connection.url, app: null, connection };
  const other = { ...connection, url: 'https://otra.ec' };
  const stores = [store, { ...store, id: 'otra', shop: other.url, connection: other }];
  const settings = {
    publicUrl,
    apps: new Map(),
    stores: new Map(stores.map((one) => [one.id, one])),
  } as unknown as Settings;
  const woken: string[] = [];
  let endpointStatus = 200;
  const connected = async (_platform: Platform, shop: string) => {
    woken.push(shop);
    return store.id;
  };
  const open = (): void => {
    app = express().use(securityHeaders);
    addPlatformPages(app, settings, () => context, { tickets, connected, bodies: openBodyMemory() });
    app.post('/webhooks/tienda', (_req, res) => void res.status(endpointStatus).json({ status: 'ok' }));
    app.get('/healthz', (_req, res) => void res.json({ status: 'alive' }));
  };
  open();
  const request = (apply: boolean, decidesUntaxed = false): InstallRequest => ({
    store: { id: store.id, shop: store.shop, app: null, connection },
    app: null,
    publicUrl,
    tickets,
    decidesUntaxed,
    apply,
  });
  return {
    stand,
    publicUrl,
    connection,
    credentials,
    context,
    tickets,
    woken,
    /** What our endpoint answers the shop's webhooks from now on. */
    answering: (status: number) => {
      endpointStatus = status;
    },
    /** Our clock goes on. */
    pass: (ms: number) => {
      now = new Date(now.getTime() + ms);
    },
    install: async (apply: boolean, decidesUntaxed?: boolean) =>
      shown(await woocommerce.install?.(request(apply, decidesUntaxed), context)),
    uninstall: async () => shown(await woocommerce.uninstall?.(request(true), context)),
    maintain: async () => shown(await woocommerce.maintain?.(request(true), context)),
    shop: () => woocommerce.openShop({ connection, app: null }, context),
  };
}
/** As a person reads them. */
const shown = (items: readonly InstallItem[] = []) => items.map(inWords);

export type Bridge = Awaited<ReturnType<typeof openBridge>>;

/** A page as a browser without scripts sees it; redirects are told, not followed. */
export async function visit(url: string, form?: Record<string, string>) {
  const answer = await fetch(url, {
    redirect: 'manual',
    headers: { connection: 'close' },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
  const html = await answer.text();
  const title = /<h1>([^<]*)<\/h1>/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? '';
  return {
    status: answer.status,
    location: answer.headers.get('location') ?? '',
    html,
    title,
    headers: answer.headers,
  };
}

/** What a link on a page leads to. */
export const hrefOf = (html: string, name: string): string =>
  (new RegExp(`<a href="([^"]*)"[^>]*>${name}`).exec(html)?.[1] ?? '').replaceAll('&amp;', '&');

/** The merchant's way, from the link install shows to the page at its end. */
export async function connect(
  bridge: Bridge,
  verb: 'Approve' | 'Deny' = 'Approve',
  beforeReturning: () => Promise<void> = async () => {},
) {
  const link = await linkOf(bridge);
  const form = await visit(link);
  const ticket = /name="ticket" value="([^"]*)"/.exec(form.html)?.[1] ?? '';
  const start = await visit(link, { ticket, store: 'tienda' });
  const asked = await visit(start.location);
  const approved = await visit(hrefOf(asked.html, verb));
  await beforeReturning();
  // Whoever denies returns at once; whoever approves, when the keys were brought.
  const end = approved.location === '' ? approved : await visit(approved.location);
  return { link, form, start, asked, approved, end };
}

export async function linkOf(bridge: Bridge): Promise<string> {
  const items = await bridge.install(true);
  return (
    / (https?:\S+)/.exec(items.find(({ what }) => what === 'Claves de la API')?.resolution ?? '')?.[1] ?? ''
  );
}
