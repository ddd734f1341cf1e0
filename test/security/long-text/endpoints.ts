import { createHmac } from 'node:crypto';
import { eventTopics } from '../../../adapters/shopify/receive.ts';
import { connectPath, connectUse } from '../../../adapters/woocommerce/install.ts';
import { eventSchemas } from '../../../sandbox/emulator/openapi/events.ts';
import { shopifyOrders } from '../../../sandbox/shops/shopify-orders.ts';
import { wooOrders } from '../../../sandbox/shops/woocommerce-orders.ts';
import { toolsOf } from '../../../src/assistant/tools.ts';
import * as declared from '../../../src/operations/all.ts';
import { slugOf } from '../../../src/operations/operation.ts';
import { allOperations } from '../../docs/http.ts';
import type { HttpOperation } from '../../docs/http-operations.ts';
import { tokenOf } from '../../support/two-merchants.ts';
import type { Reader } from './cost.ts';
import {
  asForm,
  askedSoFar,
  asPath,
  type Fields,
  type Form,
  fitting,
  formRoom,
  formsOf,
  formType,
  type Request,
  send,
} from './http.ts';
import { pathsOf } from './pages.ts';
import { sampleOf } from './service.ts';
import { newStore, type Sold, type Stage, storeId } from './stage.ts';
import { placesIn, withValue } from './texts.ts';

const allTools = toolsOf({ all: declared.allOperations });

/** Forms that stand on no page of the stage, and what they send beside the word of their session. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  '/panel/reintentar-todos': ['documento'],
  ...Object.fromEntries(
    declared.allOperations
      .filter(({ form }) => form)
      .map((one) => [`/panel/operacion/${slugOf(one)}`, Object.keys(one.input.shape)]),
  ),
  '/panel/numero-nuevo': ['documento', 'numero', 'respondo'],
  '/panel/codigo': ['codigo'],
  '/panel/segundo-paso': ['codigo'],
  '/panel/segundo-paso/codigos': ['codigo'],
  '/panel/clave': ['actual', 'nueva', 'repetida'],
  '/panel/clave-olvidada': ['usuario'],
  '/panel/clave-nueva': ['usuario', 'ficha', 'nueva', 'repetida'],
  '/panel/salir': [],
  '/identificacion/:token': ['tipo', 'identificacion', 'nombre', 'correo'],
  '/identificacion/:token/nombre': ['tipo', 'identificacion', 'nombre', 'correo'],
};

/** What can be asked by the pages there are. */
interface Found {
  forms: readonly Form[];
  /** Values of queries by path, of forms and links. */
  queries: ReadonlyMap<string, Fields>;
}

async function lookAround({ visitor, tickets, url }: Stage, sold: Sold): Promise<Found> {
  const forms: Form[] = [];
  const queries = new Map<string, Fields>();
  const add = (path: string, fields: Fields) => queries.set(path, { ...queries.get(path), ...fields });
  const ticket = tickets.issue(connectUse(newStore), new Date(Date.now() + 48 * 3_600_000));
  add(connectPath, { store: newStore.id, ticket });
  const connect = `${connectPath}?${new URLSearchParams(queries.get(connectPath))}`;
  const take = (page: string, path: string) => {
    for (const form of formsOf(page, path.split('?')[0] ?? ''))
      if (form.isGet) add(form.action, form.fields);
      else forms.push(form);
    for (const [, to = '', query = ''] of page.matchAll(/href="(\/[^"?]*)\?([^"#]*)/g))
      add(to, Object.fromEntries(new URLSearchParams(query.replaceAll('&amp;', '&'))));
  };
  for (const path of [...pathsOf(sold).values(), sold.question, connect])
    take(await (await visitor.get(path)).text(), path);
  // Whoever is signed in is not asked to.
  take(await (await fetch(`${url}/panel/entrar`)).text(), '/panel/entrar');
  return { forms, queries };
}

/** One value of a request. */
interface Value {
  name: string;
  /** Bytes that get past the parser of HTTP, or of forms. */
  room: number;
  encoded(text: string): string;
  with(text: string): Request;
}

const headRoom = 12_000;

const signedBy: Readonly<Record<string, readonly string[]>> = {
  '/webhooks/:connection': ['X-WC-Webhook-Signature', 'X-Shopify-Hmac-Sha256'],
  '/service/webhook/:account': ['X-Service-Signature-V2', 'X-Service-Signature'],
};
const jsonPaths = [...Object.keys(signedBy), '/woocommerce/keys', '/mcp'];

/** Parts of the path, the query, the form and the headers of an operation. */
function valuesOf(operation: HttpOperation, stage: Stage, sold: Sold, { forms, queries }: Found): Value[] {
  const { method, path } = operation;
  // A visitor who signs out is not signed in for the rest.
  const cookie = path === '/panel/salir' ? '' : stage.visitor.cookie;
  const own = { cookie, 'sec-fetch-site': 'same-origin' };
  const names: Fields = {
    ...{ connection: storeId, account: 'cuenta-a', store: storeId, name: 'pagina.css' },
    id: sold.documents.held.id,
    token: new URL(stage.links.page(sold.documents.emitted.id)).pathname.slice(3),
  };
  const fill = (changed: Fields = {}) =>
    path.replace(/:(\w+)/g, (_all, name) => changed[name] ?? names[name] ?? name);
  const filled =
    path.replace('/identificacion/:token', sold.question) === path || path.startsWith('/panel')
      ? fill()
      : path.replace('/identificacion/:token', sold.question);
  const ask = (more: Partial<Request>): Request => ({
    method: method.toUpperCase(),
    path: filled,
    headers: own,
    ...more,
  });
  const value = (name: string, room: number, encoded: Value['encoded'], make: Value['with']): Value => ({
    name: `${method.toUpperCase()} ${path} ${name}`,
    room,
    encoded,
    with: make,
  });

  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) =>
    value(`:${name}`, headRoom, asPath, (text) => ask({ path: fill({ [name]: asPath(text) }) })),
  );
  const asked: Fields = { ...(method === 'get' && queries.get(filled)) };
  const inQuery = Object.keys(asked).map((name) =>
    value(`?${name}`, headRoom, asForm, (text) =>
      ask({ path: `${filled}?${new URLSearchParams({ ...asked, [name]: text })}` }),
    ),
  );
  const inHeaders = (signedBy[path] ?? []).map((name) =>
    value(name, headRoom, asPath, (text) => ask({ headers: { ...own, [name]: asPath(text) } })),
  );
  const before = [...inPath, ...inQuery, ...inHeaders];
  if (method !== 'post' || jsonPaths.includes(path)) return before;

  const form = forms.find(({ action }) => action === filled);
  const more = elsewhere[path] ?? [];
  if (!form && more.length === 0 && path !== '/panel/salir')
    throw new Error(`The form of ${path} stands on no page of the stage; name its fields in \`elsewhere\`.`);
  const fields: Fields =
    form?.fields ??
    Object.fromEntries(more.map((name) => [name, name === 'documento' ? (names.id ?? '') : '']));
  const room = /entrar|codigo|segundo-paso/.test(path) ? formRoom / 2 : formRoom;
  // Else the day is closed each time, with all its sales.
  const sent = Object.keys(fields).filter((name) => !path.startsWith('/panel/cierre/') || name !== 'volver');
  const inForm = sent.map((name) =>
    value(name, room, asForm, (text) =>
      ask({
        headers: { ...own, 'content-type': formType },
        body: new URLSearchParams({ ...fields, [name]: text }).toString(),
      }),
    ),
  );
  return [...before, ...inForm];
}

/** What any request may bring, on one page of each kind. */
function anywhere({ visitor }: Stage): Value[] {
  const own = { cookie: visitor.cookie, 'sec-fetch-site': 'same-origin' };
  const query = { shop: 'tienda-a.myshopify.com', store: newStore.id };
  return [
    '/panel',
    '/webhooks/woo-a',
    '/mcp',
    '/metrics',
    '/d/a',
    '/shopify/auth',
    '/woocommerce/connected',
  ].flatMap((path) => {
    const method = path === '/mcp' || path.startsWith('/webhooks') ? 'POST' : 'GET';
    const headers = [
      'cookie',
      'authorization',
      'accept-language',
      'x-forwarded-for',
      'origin',
      'content-type',
    ];
    return [
      ...headers.map((name) => ({
        name: `${method} ${path} ${name}`,
        room: headRoom,
        encoded: asPath,
        with: (text: string) => ({
          method,
          path: `${path}?${new URLSearchParams(query)}`,
          headers: { ...own, [name]: asPath(text) },
        }),
      })),
      ...['shop', 'state', 'hmac', 'user_id', 'otro'].map((name) => ({
        name: `${method} ${path} ?${name}`,
        room: headRoom,
        encoded: asForm,
        with: (text: string) => ({
          method,
          path: `${path}?${new URLSearchParams({ ...query, [name]: text })}`,
          headers: own,
        }),
      })),
    ];
  });
}

interface Reported {
  sample: unknown;
  /** Bytes the endpoint takes; a megabyte gets in unless said. */
  room?: number;
  request(body: string): Request;
}

const json = { 'content-type': 'application/json' };
const hmac = (secret: string, text: string, form: 'base64' | 'hex') =>
  createHmac('sha256', secret).update(text).digest(form);

const shopDomain = 'tienda-a.myshopify.com';
/** As Shopify's topics about the shop itself and its buyers come. */
const aboutShop = {
  shop_domain: shopDomain,
  myshopify_domain: shopDomain,
  customer: { id: 1, email: 'a@example.ec', phone: '0987654321' },
  orders_requested: [1],
  orders_to_redact: [1],
};

/** What shops, the service and assistants send, signed where it has to be. */
function reportedOf({ runtime }: Stage): Record<string, Reported> {
  const now = runtime.clock.now();
  const shopify = (topic: string): Reported => ({
    sample: eventTopics.includes(topic) ? aboutShop : shopifyOrders(now)[0],
    request: (body) => ({
      method: 'POST',
      path: '/webhooks/app-a',
      body,
      headers: {
        ...json,
        'x-shopify-hmac-sha256': hmac('secreto-de-la-app-0123456789abcdef-a', body, 'base64'),
        'x-shopify-topic': topic,
        'x-shopify-shop-domain': shopDomain,
        'x-shopify-webhook-id': `w${askedSoFar()}`,
      },
    }),
  });
  const event = (schema: (typeof eventSchemas)[keyof typeof eventSchemas]): Reported => ({
    sample: sampleOf(schema, 'output'),
    room: 200_000,
    request(body) {
      const t = Math.floor(runtime.clock.now().getTime() / 1000);
      const v1 = hmac('secreto-del-servicio-0123456789-a', `${t}.${body}`, 'hex');
      const signed = {
        'x-service-signature-v2': `t=${t},v1=${v1}`,
        'x-service-delivery': `e${askedSoFar()}`,
      };
      return { method: 'POST', path: '/service/webhook/cuenta-a', body, headers: { ...json, ...signed } };
    },
  });
  const tool = ({ name, input }: (typeof allTools)[number]): Reported => {
    const given = Object.fromEntries(Object.keys(input.shape).map((field) => [field, 'x']));
    return {
      sample: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
      room: 200_000,
      request: (body) => ({
        method: 'POST',
        path: '/mcp',
        body,
        headers: {
          ...json,
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${tokenOf('berta')}`,
        },
      }),
    };
  };
  return {
    'an order told by WooCommerce': {
      sample: wooOrders(now)[0],
      request: (body) => ({
        method: 'POST',
        path: `/webhooks/${storeId}`,
        body,
        headers: {
          ...json,
          'x-wc-webhook-signature': hmac('secreto-de-la-tienda-0123456789abcdef', body, 'base64'),
          'x-wc-webhook-topic': 'order.updated',
        },
      }),
    },
    ...Object.fromEntries(
      ['orders/paid', ...eventTopics].map((topic) => [`${topic} told by Shopify`, shopify(topic)]),
    ),
    ...Object.fromEntries(
      Object.entries(eventSchemas).map(([name, schema]) => [`${name} at its endpoint`, event(schema)]),
    ),
    ...Object.fromEntries(allTools.map((one) => [`what the tool ${one.name} is given`, tool(one)])),
    'keys a shop hands over': {
      sample: {
        ...{ key_id: 1, user_id: 'x', key_permissions: 'read_write' },
        ...{ consumer_key: 'ck', consumer_secret: 'cs' },
      },
      room: 60_000,
      request: (body) => ({
        method: 'POST',
        path: `/woocommerce/keys?store=${newStore.id}`,
        body,
        headers: json,
      }),
    },
  };
}

/** Whatever is asked of the endpoints of a running product, over HTTP. */
export async function openEndpointReaders(stage: Stage): Promise<readonly Reader[]> {
  const sold = await stage.sell('x');
  const found = await lookAround(stage, sold);
  const values = [
    ...(allOperations as readonly HttpOperation[]).flatMap((one) => valuesOf(one, stage, sold, found)),
    ...anywhere(stage),
  ];
  const known = new Map(values.map((value) => [value.name, value]));
  const asking = (
    name: string,
    part: (value: Value, text: string) => string,
    more: Partial<Reader>,
  ): Reader => ({
    name,
    places: [...known.keys()],
    ...more,
    prepare(place, text) {
      const value = known.get(place) as Value;
      const request = value.with(part(value, text));
      return () => send(stage.url, request);
    },
  });
  const reported = Object.entries(reportedOf(stage)).map(([name, { sample, room, request }]): Reader => {
    const kinds = placesIn(sample);
    return {
      name,
      places: [...kinds.keys()],
      prepare(kind, text) {
        const write = (part: string) => JSON.stringify(withValue(sample, kinds.get(kind) ?? [], part));
        const body = write(room === undefined ? text : fitting(text, room, write));
        return () => send(stage.url, request(body));
      },
    };
  });
  return [
    asking('a value of a request', ({ room, encoded }, text) => fitting(text, room, encoded), {
      most: headRoom,
    }),
    asking('a value of a request that is not let in', (_value, text) => text, {}),
    ...reported,
  ];
}
