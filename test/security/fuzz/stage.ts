import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shopifyOrders } from '../../../sandbox/shops/shopify-orders.ts';
import { wooOrders } from '../../../sandbox/shops/woocommerce-orders.ts';
import { openConnector } from '../../../src/app/connector.ts';

import { loadConfig } from '../../../src/config/load.ts';
import { openServer } from '../../../src/http/server.ts';
import { openLog } from '../../../src/observability/log.ts';
import { hashPassword } from '../../../src/panel/people.ts';
import { cookieOf, password } from '../../panel/installation.ts';
import { eventually } from '../../support/eventually.ts';
import { wrongCedula } from '../../support/nobody-named.ts';
import { openProduct, webhookSecret, written } from '../../support/product.ts';
import { type Route, routesOf } from './routes.ts';

/** The whole product in this process, with an authorised factura, a question to a buyer, and everything to hide. */
export interface Stage {
  url: string;
  routes: readonly Route[];
  /** What stands in a path, by the name of its place. */
  values: ReadonlyMap<string, readonly string[]>;
  /** Signed tokens that open something. */
  tokens: readonly string[];
  queryValues: readonly string[];
  bodies: readonly unknown[];
  forms: readonly Record<string, string>[];
  /** Messages for assistants, with the tools there are. */
  messages: readonly object[];
  /** Who may see everything, and who is limited to a store that sells nothing. */
  whole: Tenant;
  limited: Tenant;
  secrets: { woocommerce: string; shopify: string; service: string };
  /** What nobody may ever read in an answer or in the log. */
  hidden: readonly string[];
  /** Nor this, but for the person signed in to the panel, and whoever has the link of the document. */
  buyers: readonly string[];
  /** Documents the service has. */
  documents(): number;
  /** A new paid order becomes a factura. */
  sellsOn(): Promise<void>;
  log(): Promise<string>;
  close(): Promise<void>;
}

/** Somebody signed in to the panel, and his assistant's token. */
export interface Tenant {
  panel: { cookie: string };
  token: string;
}

const clientSecret = 'secreto-de-la-app-publica-0123456789';
const assistantToken = 'token-del-asistente-0123456789abcdef0123456789';
const limitedToken = 'token-de-otra-tienda-0123456789abcdef012345678';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const metricsToken = 'clave-de-las-metricas-0123456789';

export async function openStage(): Promise<Stage> {
  const now = new Date();
  const [first] = wooOrders(now);
  const later = { ...first, id: 1291, number: '1291' };
  // Of the later one no request knows: it is sold when all is over.
  const sold = [first, wrongCedula(now, '1202')];
  const orders = [...sold, later];
  const passwordHash = await hashPassword(password);
  const product = await openProduct({
    engine: 'sqlite',
    orders,
    config: {
      apps: {
        publica: {
          platform: 'shopify',
          access: 'oauth',
          clientId: 'publica-id',
          clientSecrets: [clientSecret],
        },
      },
      metrics: { token: metricsToken },
      mcp: {
        tokens: {
          asistente: sha256(assistantToken),
          limitado: { sha256: sha256(limitedToken), stores: ['otra'] },
        },
      },
      panel: {
        secondFactor: 'off',
        users: [
          { user: 'carla', role: 'configure', passwordHash },
          { user: 'lara', role: 'configure', passwordHash, stores: ['otra'] },
        ],
      },
    },
    moreStores: {
      otra: {
        url: 'http://127.0.0.1:9',
        webhookSecrets: ['secreto-de-la-otra-tienda-83h1-0123456789abcdef'],
      },
    },
    policy: { buyer: { registry: 'when-missing' } },
  });
  const closers: (() => Promise<void>)[] = [() => product.close()];
  const close = async () => {
    for (const one of closers.splice(0).reverse()) await one();
  };
  try {
    const path = product.file;
    const config = await loadConfig({ path, cwd: product.folder, env: {} });
    const logFile = join(product.folder, 'registro.log');
    const log = openLog({ level: 'debug', file: logFile });
    const connector = await openConnector({ config, role: 'all', log, listen: false });
    closers.push(() => connector.close(2_000));
    if (!connector.handler) throw new Error('A connector of role "all" has endpoints.');
    const { port } = new URL(product.url);
    const server = await openServer(connector.handler, {
      port: Number(port),
      host: '127.0.0.1',
      setting: 'port',
    });
    closers.push(() => server.close());

    await product.deliver('1201');
    await product.deliver('1202');
    const { pdf = '' } = await eventually(() => {
      const on = written(product, '1201');
      return on.pdf !== undefined && on;
    }, 'the factura on its order');
    await eventually(() => product.shop.notes('1202').length > 0, 'the order to be held');
    const asked = (await connector.operations.identificationLink({ order: '1202' })).data as { link: string };
    const page = await (await fetch(pageOf(written(product, '1201')) ?? pdf)).text();
    const files = [...page.matchAll(/([\w-]+\.[\w-]{32})\.(?:pdf|xml)/g)].map(([whole]) => whole);
    const identification = last(asked.link);
    // A token begins with what it is for: purpose, document.
    const ids = [last(pdf), identification].map((token) => {
      const payload = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();
      return payload.split(/[.@~]/)[1] ?? '';
    });
    const tokens = [...new Set([last(pdf), ...files, identification])];
    const whole = { panel: await signIn(product.url, 'carla'), token: assistantToken };
    const limited = { panel: await signIn(product.url, 'lara'), token: limitedToken };
    const [document] = product.sandbox.documents();
    const secret = String(config.secret);
    return {
      url: product.url,
      routes: routesOf(connector.handler),
      values: new Map<string, readonly string[]>([
        ['connection', ['tienda', 'publica', 'nadie']],
        ['account', ['cuenta', 'otra']],
        ['store', ['tienda', 'otra']],
        ['name', ['pagina.css', 'identificacion.js', 'retry', 'adopt', 'constructor']],
        ['token', [identification]],
        ['id', ids],
        ['rest', [...new Set([last(pdf), ...files])]],
      ]),
      tokens,
      queryValues: [
        'add',
        'remove',
        'list',
        'check',
        'apply',
        'loja.myshopify.com',
        '2026-11-20',
        '2026-11',
        '1201',
      ],
      bodies: [
        ...sold,
        shopifyOrders(now)[0],
        { action: 'woocommerce_refund_created', arg: 5 },
        {
          evento: 'comprobante.autorizado',
          claveacceso: document?.claveacceso,
          estado: 4,
          autorizado: true,
          requiere_correccion: false,
        },
        { evento: 'webhook.prueba', enviado_en: now.toISOString(), mensaje: 'Hola' },
        { do: 'get', under: '@issuers', name: 'x' },
        { document: '001-001-000000001', by: 'nadie' },
        { shop_domain: 'loja.myshopify.com', customer: { id: 1, email: 'a@b.ec' }, orders_requested: [1] },
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'pendientes', arguments: {} } },
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion: '2025-06-18', capabilities: {} },
        },
        {
          key_id: 1,
          user_id: 1,
          consumer_key: 'ck_x',
          consumer_secret: 'cs_x',
          key_permissions: 'read_write',
        },
      ],
      forms: [
        { tipo: 'cedula', identificacion: '1710034060', nombre: 'Alguien', correo: 'a@b.ec' },
        { tipo: 'ruc', identificacion: '1790012345009', nombre: 'Empresa' },
        { tipo: 'pasaporte', identificacion: 'A', nombre: '' },
        { user: 'operador', password: 'no', csrf: 'x', usuario: 'operador', clave: 'no' },
        { webhook_id: '1' },
      ],
      messages: await messagesOf(product.url, ids),
      whole,
      limited,
      secrets: { woocommerce: webhookSecret, shopify: clientSecret, service: serviceSecretOf(config) },
      hidden: [
        secret,
        'clave-1',
        webhookSecret,
        clientSecret,
        metricsToken,
        assistantToken,
        limitedToken,
        serviceSecretOf(config),
        password,
        passwordHash,
        ...[whole, limited].map(({ panel }) => panel.cookie.split('=')[1] ?? ''),
        'cs_prueba',
        'ck_prueba',
        product.folder,
      ],
      buyers: buyersOf(orders),
      documents: () => product.sandbox.documents().length,
      async sellsOn() {
        const status = await product.deliver('1291');
        if (status[0] !== 200) throw new Error(`A webhook was answered ${status[0]}.`);
        await eventually(() => written(product, '1291').pdf, 'the next factura');
      },
      log: () => readFile(logFile, 'utf8'),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** One call of each tool, with the arguments it names. */
async function messagesOf(url: string, ids: readonly string[]): Promise<object[]> {
  const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
  const info = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const listed = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: assistantHeaders(assistantToken),
    body: JSON.stringify(message('tools/list')),
  });
  const text = await listed.text();
  const json = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as {
    result: { tools: { name: string; inputSchema: { properties?: object } }[] };
  };
  const values = [...ids, '1201', '1202', '001-001-000000001', '2026-11-21', 'tienda', 'plan-x', 5];
  const calls = json.result.tools.map(({ name, inputSchema }, at) => {
    const names = Object.keys(inputSchema.properties ?? {});
    const given = Object.fromEntries(names.map((one, n) => [one, values[(at + n) % values.length]]));
    return message('tools/call', { name, arguments: given });
  });
  return [message('initialize', info), message('tools/list'), message('ping'), ...calls];
}

/** As an assistant's client sends them. */
export const assistantHeaders = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
});

async function signIn(url: string, usuario: string): Promise<Tenant['panel']> {
  const body = new URLSearchParams({ usuario, clave: password });
  const headers = { 'sec-fetch-site': 'same-origin' };
  const entered = await fetch(`${url}/panel/entrar`, { method: 'POST', redirect: 'manual', body, headers });
  return { cookie: cookieOf(entered) };
}

const last = (url: string): string => url.slice(url.lastIndexOf('/') + 1);
const pageOf = (on: Record<string, string>): string | undefined =>
  Object.values(on).find((value) => /\/d\/[\w-]+\.[\w-]+$/.test(value));

function serviceSecretOf({
  accounts,
}: {
  accounts: Record<string, { webhookSecrets: readonly string[] }>;
}): string {
  return accounts.cuenta?.webhookSecrets[0] ?? '';
}

/** Names, addresses and numbers of the orders' buyers. */
function buyersOf(orders: readonly unknown[]): string[] {
  return (orders as { billing?: Record<string, string>; meta_data?: { value: unknown }[] }[]).flatMap(
    ({ billing = {}, meta_data = [] }) => [
      ...[billing.email, billing.phone, billing.address_1].filter(
        (text) => text !== undefined && text.length > 5,
      ),
      `${billing.first_name} ${billing.last_name}`,
      ...meta_data.map(({ value }) => String(value)).filter((text) => /^\d{10,13}$/.test(text)),
    ],
  ) as string[];
}
