import { accepted, aliveAnswer, type HttpOperation, readiness, refusal } from './operation.ts';

const webhookRefusals = {
  400: refusal('It cannot be read.'),
  401: refusal('The signature is wrong or missing.'),
  404: refusal('No store, app or account of this name, or a shop that is not configured.'),
  413: refusal('It is longer than the platform’s webhooks are.'),
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
        'Stored together with its work (`accepted`), known already (`duplicate`), of no use to us (`ignored`), or only a test (`ok`).',
      ),
      ...webhookRefusals,
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
    summary: 'Ledger and transport answer, so that work can be taken in',
    access: 'none',
    answers: { 200: readiness('They do.'), 503: readiness('One does not; `no-answer` says which.') },
  },
  {
    method: 'get',
    path: '/metrics',
    tag: 'Watching',
    summary: 'Metrics for Prometheus',
    says: 'With `metrics.token` for whoever says it as bearer; without, for calls straight from this machine only: everybody else gets 404. `metrics.port` moves it to a port of its own.',
    access: 'bearer',
    answers: {
      200: { says: 'The text form of Prometheus (operations.md).', type: 'text/plain' },
      401: refusal('Another token.'),
      404: refusal('No token is configured, and the call is not from this machine.'),
    },
  },
  {
    method: 'get',
    path: '/operations/queues',
    tag: 'Watching',
    summary: 'The queue on Redis (Bull Board, read-only)',
    says: 'Only with Redis and an `operator` in the config.',
    access: 'basic',
    answers: {
      200: { says: 'The page.', type: 'text/html' },
      401: { says: 'A wrong user or password.' },
      404: refusal('Without Redis or without `operator`.'),
      429: { says: 'Thirty wrong passwords within a minute.' },
    },
  },
];

const commandAnswers = {
  200: { says: 'What came of it.', type: 'application/json', shape: 'Free' as const },
  404: refusal('Without the ticket of this very request: there is nothing here.'),
  409: refusal('Refused, with a sentence and a code of errors.md.'),
};

const command = (operation: Omit<HttpOperation, 'method' | 'tag' | 'access' | 'answers'>): HttpOperation => ({
  method: 'post',
  tag: 'Command line',
  access: 'ticket',
  internal: true,
  answers: commandAnswers,
  ...operation,
});

/** Where the command line asks the process that holds the ledger; tickets are made with its own secret. */
export const commandDoors: readonly HttpOperation[] = [
  command({
    path: '/install/:store',
    summary: 'What `install` and `uninstall` do at a shop',
    query: { do: '`check`, `apply` or `remove`.', by: 'Who asks; written down.' },
  }),
  command({
    path: '/stores/:store',
    summary: 'Stores kept in the ledger',
    query: { do: '`add`, `remove` or `list`.', by: 'Who asks; written down.' },
    takes: json('The store, with its issuer and account.'),
  }),
  command({
    path: '/desk',
    summary: 'What the ledger keeps for `install` and `doctor`',
    takes: json('What to read or keep.'),
  }),
  command({
    path: '/commands/:name',
    summary: 'Commands that write: `retry`, `adopt`, `revoke-links`, `clear-alert`, `reseal` …',
    takes: json('What the command needs.'),
  }),
];
