import { z } from 'zod';
import { reportSchema } from '../emission/reports.ts';
import { record } from '../operations/verification-shapes.ts';
import type { Components } from './components.ts';

const moment = z.string().describe('When it was sent, ISO 8601.');

/** The bodies of the deliveries (spec, "Body fields"; assumptions A11 and A26). */
export const eventSchemas = {
  'comprobante.autorizado': z.object({
    evento: z.literal('comprobante.autorizado'),
    ...reportSchema.shape,
    enviado_en: moment,
  }),
  'comprobante.error': z.object({
    evento: z.literal('comprobante.error'),
    ...reportSchema.shape,
    enviado_en: moment,
  }),
  'webhook.prueba': z.object({
    evento: z.literal('webhook.prueba'),
    enviado_en: moment,
    mensaje: z.string(),
  }),
  'verificacion.finalizada': z.object({
    evento: z.literal('verificacion.finalizada'),
    ...record,
    enviado_en: moment,
  }),
} as const;

const summaries: Readonly<Record<keyof typeof eventSchemas, string>> = {
  'comprobante.autorizado': 'The tax authority authorised the document (estado 4 or 9)',
  'comprobante.error': 'The document ended with an error to correct',
  'webhook.prueba': 'A test delivery',
  'verificacion.finalizada': 'An identity verification ended; sent to the URL it was created with',
};

/** Events of which the specification lists the fields. */
const shown: ReadonlySet<string> = new Set(['comprobante.autorizado', 'comprobante.error']);

const headers = {
  'X-Service-Event': ['The name of the event.', { type: 'string' }],
  'X-Service-Delivery': [
    'The delivery; identical across its retries, to recognise duplicates.',
    { type: 'string', format: 'uuid' },
  ],
  'X-Service-Signature': [
    'HMAC-SHA256 of the raw body, keyed with the webhook secret.',
    { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
  ],
  'X-Service-Timestamp': ['When it was sent, Unix seconds.', { type: 'string', pattern: '^\\d+$' }],
  'X-Service-Signature-V2': [
    'Recommended: HMAC-SHA256 of `<timestamp>.<raw body>`; refuse it when t is more than 300 seconds off.',
    { type: 'string', pattern: '^t=\\d+,v1=[0-9a-f]{64}$' },
  ],
  'User-Agent': ['Service-Webhook/1.0', { type: 'string' }],
} as const;

/** What the service sends, as `webhooks` of the description. */
export function describeEvents(components: Components): Record<string, unknown> {
  const parameters = Object.entries(headers).map(([name, [description, schema]]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema,
  }));
  const events = Object.entries(eventSchemas).map(([name, type]) => [
    name,
    {
      post: {
        tags: [name === 'verificacion.finalizada' ? 'Identidad' : 'Webhook'],
        summary: summaries[name as keyof typeof eventSchemas],
        ...(shown.has(name) ? {} : { 'x-inferred': true }),
        security: [],
        parameters,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: components.use(type, 'output') } },
        },
        responses: {
          '2XX': { description: 'Taken, within 25 seconds' },
          default: { description: 'Sent again after 1, 5, 15 and 60 minutes: five attempts in all' },
        },
      },
    },
  ]);
  return Object.fromEntries(events);
}
