import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { agrees, type Check, differs, Unseen } from '../check.ts';
import { type Context, scene } from '../context.ts';
import { shapeOf } from '../expectation.ts';
import { isRecord } from '../service.ts';
import { delivery, header, sceneOf, section, signed } from './deliveries.ts';

const needs = 'receiver';

/** What the service has written down about the first delivery. */
const recorded = scene(async (context: Context) => {
  const id = header(await delivery(context), 'x-service-delivery');
  for (let turn = 1; ; turn += 1) {
    const { json } = await context.service.ask({ method: 'GET', path: '/api/webhook' });
    const places = isRecord(json) ? [json, json.data, json.webhook] : [];
    const all =
      places
        .filter(isRecord)
        .map((place) => place.ultimas_entregas)
        .find(Array.isArray) ?? [];
    const mine: unknown = all.find((one) => isRecord(one) && Object.values(one).includes(id));
    // It is written down after our answer has reached the service.
    if (mine !== undefined || turn === 3) return { mine, all };
    await wait(200);
  }
});

const attempt = z.looseObject({
  entrega: z.string(),
  evento: z.string(),
  claveacceso: z.string(),
  intento: z.int(),
  estado_http: z.int().nullable(),
  exito: z.boolean(),
  error: z.string().nullable(),
  enviado_en: z.string(),
});

/** Errors, retries and the record of deliveries. */
export const deliveryEventChecks: readonly Check[] = [
  {
    id: 'supuesto-tipo-comprobante',
    section,
    row: 'Events, Body fields, tipo_comprobante',
    inferred: 'A1',
    title: 'tipo_comprobante es el código de dos dígitos del comprobante',
    needs,
    async run(context) {
      const { tipo_comprobante: tipo } = (await delivery(context)).body;
      const seen = `tipo_comprobante: ${JSON.stringify(tipo)}`;
      return tipo === '01' ? agrees(seen) : differs('tipo_comprobante: "01"', seen);
    },
  },
  {
    id: 'entrega-error',
    section,
    row: 'Events, comprobante.error; Body fields, errores',
    title: 'un documento con error se avisa con comprobante.error y errores',
    needs,
    async run(context) {
      const { key } = await context.wrongSum();
      if (!key || !(await context.settled(key)).report?.refused)
        throw new Unseen('Ningún documento terminó con un error a corregir.');
      const [came] = await sceneOf(context).deliveries(key);
      const { evento, autorizado, requiere_correccion, errores } = came?.body ?? {};
      const holds =
        evento === 'comprobante.error' &&
        autorizado === false &&
        requiere_correccion === true &&
        errores !== undefined;
      return holds
        ? agrees()
        : differs('comprobante.error con errores y requiere_correccion', `${evento}: ${shapeOf(came?.body)}`);
    },
  },
  {
    id: 'entrega-reintento',
    section,
    row: 'Delivery and retries; X-Service-Delivery',
    title: 'una entrega no atendida se repite con el mismo identificador y bien firmada',
    needs,
    async run(context) {
      await context.reference();
      const webhook = sceneOf(context);
      const { answer } = await context.emit(({ emisor }) => {
        const { codigo_establecimiento: place, codigo_puntoemision: point, secuencial } = emisor;
        webhook.receiver?.refuseOnce(`${place}-${point}-${secuencial}`);
      });
      const key = isRecord(answer.json) ? String(answer.json.claveacceso) : '';
      const came = await webhook.deliveries(key, 2);
      const ids = new Set(came.map((one) => header(one, 'x-service-delivery')));
      if (ids.size !== 1) return differs('el mismo X-Service-Delivery', `${ids.size} distintos`);
      const again = came[1];
      return again ? signed(webhook.secret, again, 2) : agrees();
    },
  },
  {
    id: 'ultimas-entregas',
    section,
    row: 'Delivery and retries, each attempt is recorded',
    title: 'la entrega queda en ultimas_entregas',
    needs,
    async run(context) {
      const { mine, all } = await recorded(context);
      return mine === undefined ? differs('la entrega entre ultimas_entregas', shapeOf(all)) : agrees();
    },
  },
  {
    id: 'supuesto-ultimas-entregas',
    section,
    row: 'Delivery and retries, ultimas_entregas',
    inferred: 'A19',
    title: 'cada entrada de ultimas_entregas dice entrega, evento, intento y resultado',
    needs,
    async run(context) {
      const { mine, all } = await recorded(context);
      const read = attempt.safeParse(mine);
      const seen = shapeOf(mine ?? all);
      return read.success ? agrees(seen) : differs('{entrega, evento, claveacceso, intento, …}', seen);
    },
  },
  {
    id: 'supuesto-webhook-prueba',
    section,
    row: 'Events, webhook.prueba',
    inferred: 'A11',
    title: 'webhook.prueba trae evento, enviado_en y mensaje',
    needs,
    run(context) {
      const test = sceneOf(context).receiver?.received.find(
        (one) => header(one, 'x-service-event') === 'webhook.prueba',
      );
      if (!test)
        throw new Unseen('No llegó ninguna entrega de prueba; envíela desde el panel durante la revisión.');
      const holds = ['evento', 'enviado_en', 'mensaje'].every((name) => name in test.body);
      return holds
        ? agrees(shapeOf(test.body))
        : differs('{evento, enviado_en, mensaje}', shapeOf(test.body));
    },
  },
];
