import { accepted, aliveAnswer, type HttpOperation, onward, readiness, refusal } from './operation.ts';

const webhookRefusals = {
  400: refusal('It cannot be read.'),
  401: refusal('The signature is wrong or missing, or there is no store, app or account of this name.'),
  413: refusal('It is longer than webhooks are.'),
  503: refusal('Too many bodies are being read at once; `Retry-After` says when to send it again.'),
};

const json = (says: string) => ({ type: 'application/json', says });

/** Doors for machines: webhooks and what watches. */
export const machineDoors: readonly HttpOperation[] = [
  {
    method: 'post',
    path: '/webhooks/:connection',
    tag: 'Shops',
    summary: 'A shop tells that something happened',
    says: '`connection` is the id of a store, or of an app that several shops share. The body is a hint only: the order is read again from the shop.',
    access: 'signature',
    headers: {
      'X-WC-Webhook-Signature': 'WooCommerce: base64 HMAC-SHA256 of the raw body.',
      'X-Shopify-Hmac-Sha256': 'Shopify: base64 HMAC-SHA256 of the raw body.',
    },
    takes: json('The platform’s own JSON, byte for byte as signed.'),
    answers: {
      200: accepted(
        'Stored together with its work (`accepted`), known already (`duplicate`), of no use to us (`ignored`), or a test of the address that nobody signs (`ok`), which is answered so for every `connection`.',
      ),
      ...webhookRefusals,
      404: refusal('Signed by an app, for a shop that is not configured.'),
    },
  },
  {
    method: 'post',
    path: '/service/webhook/:account',
    tag: 'Service',
    summary: 'The tax document service tells the final state of a document',
    says: 'V2 signatures count within 300 seconds; V1 only where no V2 is sent.',
    access: 'signature',
    headers: {
      'X-Service-Signature-V2': '`t=<Unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`.',
      'X-Service-Signature': '`sha256=<hex>` of the raw body.',
    },
    takes: json('An event of the service.'),
    answers: {
      200: accepted('Stored (`accepted`), known already (`duplicate`), or about no document (`ignored`).'),
      ...webhookRefusals,
    },
  },
  {
    method: 'get',
    path: '/healthz',
    tag: 'Watching',
    summary: 'The process lives',
    access: 'none',
    answers: { 200: aliveAnswer('It does.') },
  },
  {
    method: 'get',
    path: '/readyz',
    tag: 'Watching',
    summary: 'The ledger can be written and the transport answers, so that work can be taken in',
    access: 'none',
    answers: {
      200: readiness('They do.'),
      503: readiness(
        'One does not: `no-answer` says which; a ledger that is `read-only` has a full disk, or a server that only lets read.',
      ),
    },
  },
  {
    method: 'get',
    path: '/metrics',
    tag: 'Watching',
    summary: 'Metrics for Prometheus',
    says: 'With `metrics.token` for whoever says it as bearer; without, for programs of this machine only, and on the main port only where `publicUrl` is this machine’s: everybody else gets 404. `metrics.port` moves it to a port of its own.',
    access: 'bearer',
    answers: {
      200: { says: 'The text form of Prometheus (operations.md).', type: 'text/plain' },
      401: refusal('Another token.'),
      404: refusal('No token is configured, and the call is not from this machine or the port is public.'),
    },
  },
  {
    method: 'get',
    path: '/operations/queues',
    tag: 'Watching',
    summary: 'The queue on Redis (Bull Board, read-only)',
    says: 'Only with Redis, for whoever signed in to the panel and may configure the whole installation.',
    access: 'session',
    answers: {
      200: { says: 'The page.', type: 'text/html' },
      303: onward('To the sign-in of the panel.'),
      404: refusal('Without Redis, or for somebody limited to some stores or to a lesser role.'),
    },
  },
];
