import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { agrees, type Check, differs, Unseen } from '../check.ts';
import type { Context } from '../context.ts';
import { compare, saw, sawShape, shapeOf } from '../expectation.ts';
import { isRecord } from '../service.ts';
import { textIn, type WebhookScene } from '../webhook-scene.ts';

const section = 'Webhook';

const sceneOf = ({ webhook }: Context): WebhookScene => {
  if (!webhook) throw new Unseen('El webhook no se pudo preparar.');
  // A mistake in the settings, not of the service: the address must be public.
  if (webhook.local && webhook.saved.status >= 400) {
    throw new Unseen('El servicio no toma direcciones de esta máquina: dé --public-url.');
  }
  return webhook;
};
const read = ({ service }: Context) => service.ask({ method: 'GET', path: '/api/webhook' });
const privateUrls = ['http://localhost/webhook', 'http://127.0.0.1/webhook', 'http://192.168.1.10/webhook'];

/** Reading and saving the webhook. These run before any document, so that no delivery is under way. */
export const webhookChecks: readonly Check[] = [
  {
    id: 'webhook-lectura',
    section,
    row: 'Webhook configuration; Paths known, GET /api/webhook',
    title: 'la lectura trae ultimas_entregas como lista',
    async run(context) {
      const answer = await read(context);
      const places = isRecord(answer.json) ? [answer.json, answer.json.data, answer.json.webhook] : [];
      const listed = places.some((place) => isRecord(place) && Array.isArray(place.ultimas_entregas));
      return answer.status === 200 && listed
        ? agrees()
        : differs('HTTP 200 con ultimas_entregas', sawShape(answer));
    },
  },
  ...(['POST', 'PUT'] as const).map(
    (method): Check => ({
      id: `webhook-${method.toLowerCase()}`,
      section,
      row: 'Paths known, GET, POST, PUT /api/webhook',
      title: `${method} guarda el webhook`,
      needs: 'webhook',
      async run(context) {
        const scene = sceneOf(context);
        const answer = method === 'POST' ? scene.saved : await scene.save(method, { url: scene.url });
        return answer.status === 200 ? agrees() : differs('HTTP 200', saw(answer));
      },
    }),
  ),
  {
    id: 'webhook-secreto-enmascarado',
    section,
    row: 'Webhook configuration, the masked secret on read',
    title: 'al leer, el secreto viene enmascarado',
    needs: 'webhook',
    async run(context) {
      const { secret } = sceneOf(context);
      if (secret === null)
        throw new Unseen('Al guardar no se mostró el secreto, así que no se puede buscar.');
      const { json, bytes } = await read(context);
      if (bytes.includes(secret)) return differs('el secreto enmascarado', 'el secreto completo');
      const names = isRecord(json) ? shapeOf(json) : '';
      return /secret/i.test(names) ? agrees() : differs('un campo con el secreto enmascarado', names);
    },
  },
  {
    id: 'webhook-secreto-generado',
    section,
    row: 'Limits, Generated webhook secret length',
    title: 'sin secreto propio, se genera uno de 40 caracteres y se muestra al guardar',
    needs: 'webhook',
    run(context) {
      const { before, secret, saved } = sceneOf(context);
      if (textIn(before.json, ['url', 'secret', 'secreto']))
        throw new Unseen('La cuenta ya tenía un webhook.');
      if (secret === null) return differs('un secreto de 40 caracteres', sawShape(saved));
      return secret.length === 40 ? agrees() : differs('40 caracteres', `${secret.length} caracteres`);
    },
  },
  {
    id: 'webhook-secreto-conservado',
    section,
    row: 'Webhook configuration, when omitted the current one is kept',
    title: 'guardar sin secreto conserva el que hay',
    needs: 'webhook',
    async run(context) {
      const scene = sceneOf(context);
      // Without having seen the account's own secret it could not be put back.
      if (scene.secret === null) throw new Unseen('Al guardar no se mostró el secreto de la cuenta.');
      const own = randomBytes(20).toString('hex');
      try {
        await scene.save('POST', { url: scene.url, secret: own });
        const answer = await scene.save('POST', { url: scene.url });
        const kept = textIn(answer.json, ['secret', 'secreto']);
        return kept === own ? agrees() : differs('el mismo secreto', kept ? 'otro secreto' : 'ninguno');
      } finally {
        await scene.save('POST', { url: scene.url, secret: scene.secret });
      }
    },
  },
  {
    id: 'webhook-url-privada',
    section,
    row: 'Delivery and retries, the webhook URL must be public',
    title: 'se rechazan localhost y direcciones privadas',
    needs: 'webhook',
    async run(context) {
      const scene = sceneOf(context);
      if (scene.local) throw new Unseen('El servicio toma a propósito direcciones de esta máquina.');
      const taken: string[] = [];
      for (const url of privateUrls) if ((await scene.save('POST', { url })).status === 200) taken.push(url);
      if (taken.length === 0) return agrees();
      await scene.save('POST', { url: scene.url });
      return differs('que se rechacen', `se aceptó ${taken.join(', ')}`);
    },
  },
  {
    id: 'supuesto-guardar-webhook',
    section,
    row: 'Events, the request body that saves the webhook: not shown',
    inferred: 'A12',
    title: 'se guarda con {url} y la respuesta trae url y secret',
    needs: 'webhook',
    run: (context) =>
      compare(sceneOf(context).saved, {
        says: 'HTTP 200 con url y secret',
        status: 200,
        shape: z.looseObject({ url: z.string(), secret: z.string() }),
      }),
  },
];
