/** One thing the endpoints answer, as docs/http.md describes it; a test compares it with the app. */
export interface HttpOperation {
  method: 'get' | 'post';
  /** As express writes paths: `/webhooks/:connection`. */
  path: string;
  tag: HttpTag;
  summary: string;
  /** More than a line, where needed. */
  message?: string;
  access: HttpAccess;
  /** By status. */
  answers: Readonly<Record<number, string>>;
  /** Not for other programs: changes with any version, and is not in docs/http.md. */
  internal?: boolean;
  /** The path of the handler that answers it, where that is another one. */
  within?: string;
}

export type HttpTag = 'Shops' | 'Service' | 'Buyers' | 'Watching' | 'Panel' | 'Assistants';

/** How a caller proves that they may call it. */
export type HttpAccess = 'none' | 'signature' | 'link' | 'ticket' | 'bearer' | 'session';

const webhookRefusals = {
  400: 'It cannot be read.',
  401: 'The signature is wrong or missing.',
  404: 'There is no store, app or account of this name.',
  413: 'It is longer than webhooks are.',
  503: 'Too many bodies are being read at once; `Retry-After` says when to send it again.',
};

/** Endpoints for machines: webhooks and what watches. */
const machineEndpoints: readonly HttpOperation[] = [
  {
    method: 'post',
    path: '/webhooks/:connection',
    tag: 'Shops',
    summary: 'A shop reports that something happened',
    message:
      '`connection` is the id of a store, or of an app that several shops share. The body is a hint only: the order is read again from the shop.',
    access: 'signature',
    answers: {
      200: 'Stored together with its job (`accepted`), known already (`duplicate`), irrelevant here (`ignored`), or WooCommerce’s unsigned test of the address (`ok`).',
      ...webhookRefusals,
      429: 'The shop has had its part of the disk for the day, and only this delivery has what it says.',
      404: 'There is no store or app of this name, or the app signed it for a shop that is not configured.',
    },
  },
  {
    method: 'post',
    path: '/service/webhook/:account',
    tag: 'Service',
    summary: 'The tax document service reports the final state of a document',
    message:
      'V2 signatures count within 300 seconds; V1 only while the account has signed none with V2 since the process started.',
    access: 'signature',
    answers: {
      200: 'Stored (`accepted`), known already (`duplicate`), or about no document (`ignored`).',
      ...webhookRefusals,
    },
  },
  {
    method: 'get',
    path: '/healthz',
    tag: 'Watching',
    summary: 'Whether the process is alive',
    access: 'none',
    answers: { 200: 'It is.' },
  },
  {
    method: 'get',
    path: '/readyz',
    tag: 'Watching',
    summary: 'Whether the ledger can be written and the transport answers, so that requests can be accepted',
    access: 'none',
    answers: {
      200: 'They do. `workers` is `none` while the alert `jobs-overdue` is open: jobs wait and no process runs them. Webhooks are still accepted, so a load balancer keeps the process; a monitor reads this field.',
      503: 'One does not: `no-answer` says which. A `read-only` ledger has a full disk, or a server that accepts reads only.',
    },
  },
  {
    method: 'get',
    path: '/metrics',
    tag: 'Watching',
    summary: 'Metrics for Prometheus',
    message:
      'With `metrics.token`, for callers that send it as a bearer token. Without it, for programs of this machine only, and on the main port only where `publicUrl` is this machine: everybody else gets 404. `metrics.port` moves it to a port of its own.',
    access: 'bearer',
    answers: {
      200: 'The text form of Prometheus (operations.md).',
      401: 'Another token.',
      404: 'No token is configured, and the call is not from this machine or the port is public.',
    },
  },
  {
    method: 'get',
    path: '/operations/queues',
    tag: 'Watching',
    summary: 'The queue on Redis (Bull Board, read-only)',
    message: 'Only with Redis, for users of the panel who may configure the whole installation.',
    access: 'session',
    answers: {
      200: 'The page.',
      303: 'To the sign-in of the panel.',
      404: 'Without Redis, or for somebody limited to some stores or to a lesser role.',
    },
  },
];

/** The endpoint of assistants that speak the Model Context Protocol; only with `mcp.tokens` in the config. */
const assistantEndpoints: readonly HttpOperation[] = [
  {
    method: 'post',
    path: '/mcp',
    tag: 'Assistants',
    summary: 'A message of the Model Context Protocol, over Streamable HTTP without sessions',
    message:
      'Only with `mcp.tokens` in the config (mcp.md). Its tools read; those that change something take the id of a plan shown before.',
    access: 'bearer',
    answers: {
      200: 'The answer, or a stream of events that ends with it.',
      202: 'Accepted; there is no answer.',
      400: 'It is not JSON, nested deeper than 200 levels, or no message of the protocol.',
      401: 'No token of the config.',
      403: 'Another host than `publicUrl`, or a page of another site.',
      405: 'Neither POST nor another method of the protocol.',
      413: 'It is too long.',
      503: 'Too many bodies are being read at once; `Retry-After` says when to try again.',
    },
  },
];

const linkAnswers = {
  404: 'No such link.',
  304: 'The caller’s copy of the file is current.',
  410: 'The shop revoked it, or it has expired.',
  429: 'Too many wrong links from one client, or a genuine one opened too often.',
  503: 'Not authorised yet, or not available at the moment; `Retry-After` says when.',
};
const documentFile = (ending: string, summary: string): HttpOperation => ({
  method: 'get',
  path: `/d/:token${ending}`,
  tag: 'Buyers',
  summary,
  access: 'link',
  within: '/d/:rest',
  answers: { 200: 'It.', ...linkAnswers },
});

const tooOften = 'Too many wrong links from one client, or too often about one question.';

/** Pages for buyers and merchants, behind links that are signed. */
const buyerEndpoints: readonly HttpOperation[] = [
  documentFile('', 'The page around an authorised document'),
  documentFile('.pdf', 'Its PDF'),
  documentFile('.xml', 'Its XML, as authorised'),
  {
    method: 'get',
    path: '/identificacion/:token',
    tag: 'Buyers',
    summary: 'The form for the buyer of a held order, or the state of the document',
    access: 'link',
    answers: {
      200: 'The form.',
      404: 'No such link.',
      410: 'The link has expired.',
      429: tooOften,
    },
  },
  {
    method: 'post',
    path: '/identificacion/:token',
    tag: 'Buyers',
    summary: 'The buyer’s answer',
    access: 'link',
    answers: {
      303: 'Accepted; the same address shows the state of the document.',
      422: 'The form again, with what is wrong.',
      404: 'No such link.',
      410: 'The link has expired.',
      429: tooOften,
    },
  },
  {
    method: 'post',
    path: '/identificacion/:token/nombre',
    tag: 'Buyers',
    summary: 'The registry’s name of a number, where the store allows it',
    access: 'link',
    internal: true,
    answers: {
      200: '`nombre`, or null.',
      404: 'No such link.',
      410: 'The link has expired.',
      429: tooOften,
    },
  },
  {
    method: 'get',
    path: '/paginas/:name',
    tag: 'Buyers',
    summary: 'Styles, scripts and pictures of the pages',
    access: 'none',
    internal: true,
    answers: { 200: 'It.', 404: 'There is none.' },
  },
];

/** Pages of each platform for connecting a shop. */
const connectingEndpoints: readonly HttpOperation[] = [
  {
    method: 'get',
    path: '/woocommerce/connect',
    tag: 'Shops',
    summary: 'The link `install` shows for one store: a form, then on to the shop',
    access: 'ticket',
    answers: { 200: 'The form.', 403: 'Not, or no longer, a link of `install` for this store.' },
  },
  {
    method: 'post',
    path: '/woocommerce/connect',
    tag: 'Shops',
    summary: 'On to the shop’s own page, where the merchant approves',
    access: 'ticket',
    answers: {
      303: 'To the shop.',
      403: 'Not, or no longer, a link of `install` for this store.',
      409: 'The store cannot be connected this way; the page says why.',
    },
  },
  {
    method: 'post',
    path: '/woocommerce/keys',
    tag: 'Shops',
    summary: 'The shop delivers its keys',
    access: 'link',
    answers: {
      200: 'Kept; in use once the shop has answered to them.',
      403: 'Nobody asked for them.',
      409: 'They do not open the shop, or may not write.',
    },
  },
  {
    method: 'get',
    path: '/woocommerce/connected',
    tag: 'Shops',
    summary: 'The page the merchant returns to: what happened, and what is left to do',
    access: 'link',
    answers: { 200: 'It.', 403: 'Not an attempt of ours.' },
  },
  {
    method: 'get',
    path: '/shopify/auth',
    tag: 'Shops',
    summary: 'Begins installing an app that many merchants use',
    access: 'signature',
    answers: {
      200: 'Installed already; there is nothing to do.',
      302: 'To Shopify, where the merchant approves.',
      400: 'No shop is named.',
      404: 'No app of ours to install.',
    },
  },
  {
    method: 'get',
    path: '/shopify/auth/callback',
    tag: 'Shops',
    summary: 'Shopify brings the merchant back',
    access: 'signature',
    answers: {
      200: 'Connected; the page says what is left to do.',
      401: 'Not what was begun here, or not from Shopify.',
      502: 'Shopify could not be asked; begin again.',
    },
  },
];

/** What every installation answers; the panel's pages are described by themselves (test/docs/http.ts). */
/** The page of the server itself. */
const frontPage: HttpOperation = {
  method: 'get',
  path: '/',
  tag: 'Watching',
  summary: 'For people: what this server is, with a link to the panel where it has users',
  access: 'none',
  answers: { 200: 'The page.', 404: 'The caller is no browser: it does not prefer HTML.' },
};

export const httpOperations: readonly HttpOperation[] = [
  ...machineEndpoints,
  ...connectingEndpoints,
  ...buyerEndpoints,
  ...assistantEndpoints,
  frontPage,
];
