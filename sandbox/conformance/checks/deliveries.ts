import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { agrees, type Check, differs, type Finding, Unseen } from '../check.ts';
import { type Context, scene } from '../context.ts';
import { fieldsNamed, shapeOf } from '../expectation.ts';
import type { Delivery } from '../receiver.ts';
import type { WebhookScene } from '../webhook-scene.ts';

export const section = 'Entregas del webhook';
const needs = 'receiver';

export function sceneOf({ webhook }: Context): WebhookScene {
  if (!webhook) throw new Unseen('El webhook no se pudo preparar.');
  return webhook;
}

/** The first delivery about the reference factura. */
export const delivery = scene(async (context: Context): Promise<Delivery> => {
  const { key } = await context.reference();
  const [first] = await sceneOf(context).deliveries(key);
  if (!first) throw new Unseen('No llegó ninguna entrega.');
  return first;
});

export const header = ({ headers }: Delivery, name: string) => String(headers[name] ?? '');
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const wanted: readonly (readonly [name: string, says: string, holds: (value: string) => boolean])[] = [
  ['content-type', 'application/json', (value) => /^application\/json(;|$)/.test(value)],
  ['user-agent', 'Service-Webhook/1.0', (value) => value === 'Service-Webhook/1.0'],
  ['x-service-event', 'comprobante.autorizado', (value) => value === 'comprobante.autorizado'],
  ['x-service-delivery', 'un UUID', (value) => uuid.test(value)],
  ['x-service-timestamp', 'segundos Unix', (value) => /^\d{10}$/.test(value)],
];

export function signed(secret: string | null, came: Delivery, version: 1 | 2): Finding {
  if (secret === null) throw new Unseen('Al guardar no se mostró el secreto.');
  const v2 = header(came, 'x-service-signature-v2');
  const time = /^t=(\d+),v1=/.exec(v2)?.[1] ?? '';
  const mac = createHmac('sha256', secret);
  if (version === 2) mac.update(`${time}.`);
  const hex = mac.update(came.raw).digest('hex');
  const expected = version === 1 ? `sha256=${hex}` : `t=${time},v1=${hex}`;
  const value = version === 1 ? header(came, 'x-service-signature') : v2;
  return value === expected && (version === 1 || time !== '')
    ? agrees()
    : differs('el HMAC-SHA256 de los bytes recibidos', value === '' ? 'ninguna firma' : 'otra firma');
}

const names = [
  ...[
    'evento',
    'claveacceso',
    'tipo_comprobante',
    'numero',
    'ambiente',
    'ruc_emisor',
    'estado',
    'estado_texto',
  ],
  ...[
    'autorizado',
    'requiere_correccion',
    'numero_autorizacion',
    'fecha_autorizacion',
    'xml',
    'pdf',
    'enviado_en',
  ],
];
const route = (kind: string, key: string) =>
  z.string().refine((url) => url.endsWith(`/api/comprobante/${kind}/${key}`));
const eventBody = (key: string) =>
  z.looseObject({
    ...fieldsNamed(names),
    evento: z.literal('comprobante.autorizado'),
    claveacceso: z.literal(key),
    numero: z.string().regex(/^\d{3}-\d{3}-\d{9}$/),
    autorizado: z.literal(true),
    requiere_correccion: z.literal(false),
    xml: route('xml', key),
    pdf: route('pdf', key),
    enviado_en: z.iso.datetime({ offset: true, local: true }),
    errores: z.undefined().optional(),
  });

/** Headers, signatures and body of what arrives at the webhook. */
export const deliveryChecks: readonly Check[] = [
  ...wanted.map(
    ([name, says, holds]): Check => ({
      id: `entrega-${name}`,
      section,
      row: 'Events, Headers of each delivery',
      title: `la entrega lleva ${name}: ${says}`,
      needs,
      async run(context) {
        const value = header(await delivery(context), name);
        return holds(value) ? agrees() : differs(says, value || 'ninguno');
      },
    }),
  ),
  ...([1, 2] as const).map(
    (version): Check => ({
      id: `firma-v${version}`,
      section,
      row: 'Events, Headers of each delivery; Verification rules',
      title: `la firma V${version} es la de los bytes recibidos`,
      needs,
      run: async (context) => signed(sceneOf(context).secret, await delivery(context), version),
    }),
  ),
  {
    id: 'entrega-hora',
    section,
    row: 'Limits, Webhook timestamp tolerance (V2)',
    title: 'la hora firmada está a menos de 300 segundos de la nuestra',
    needs,
    async run(context) {
      const came = await delivery(context);
      const time = Number(/^t=(\d+),/.exec(header(came, 'x-service-signature-v2'))?.[1]);
      const distance = Math.abs(came.at - time);
      return distance <= 300
        ? agrees()
        : differs('a lo más 300 segundos', `${Math.round(distance)} segundos`);
    },
  },
  {
    id: 'entrega-cuerpo',
    section,
    row: 'Events, Body fields',
    title: 'el cuerpo trae todos sus campos',
    needs,
    async run(context) {
      const { key } = await context.reference();
      const { body } = await delivery(context);
      const [issue] = eventBody(key).safeParse(body).error?.issues ?? [];
      return issue ? differs(`${issue.path.join('.')} según la tabla`, shapeOf(body)) : agrees();
    },
  },
  {
    id: 'entrega-sin-escapes',
    section,
    row: 'Events, Verification rules',
    title: 'el JSON va sin escapar / ni Unicode',
    needs,
    async run(context) {
      const text = (await delivery(context)).raw.toString('utf8');
      return /\\\/|\\u00[8-f]/i.test(text) ? differs('sin escapes', 'con \\/ o \\u') : agrees();
    },
  },
];
