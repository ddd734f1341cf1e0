import { z } from 'zod';
import { agrees, type Check, differs, Unseen } from '../check.ts';
import { type Context, scene } from '../context.ts';
import { compare, judge, saw } from '../expectation.ts';
import { isRecord } from '../service.ts';

const section = 'Verificación de identidad';
const path = '/api/id/verificaciones';

/** No verification comes of this one, with access or without. */
const impossible = scene(({ service }: Context) =>
  service.ask({ method: 'POST', path, json: { tipo: 'tipo_que_no_existe' } }),
);
const created = scene(({ service }: Context) =>
  service.ask({ method: 'POST', path, json: { tipo: 'prueba_de_vida', tiempo_expiracion_minutos: 5 } }),
);

/** The private beta: refused, or created where that was allowed. */
export const verificationChecks: readonly Check[] = [
  {
    id: 'beta-privada',
    section,
    row: 'Errors, 11',
    title: 'sin acceso a la beta se responde 403 con el código beta_privada',
    async run(context) {
      const answer = await impossible(context);
      if (answer.status === 404) return differs('una ruta que existe', saw(answer));
      if (answer.status !== 403) throw new Unseen('Esta cuenta parece tener acceso a la beta.');
      return JSON.stringify(answer.json ?? '').includes('"beta_privada"')
        ? agrees()
        : differs('HTTP 403 con el código beta_privada', saw(answer));
    },
  },
  {
    id: 'verificacion-tipo',
    section,
    row: 'Identity verification, tipo',
    title: 'un tipo desconocido no crea ninguna verificación',
    async run(context) {
      const answer = await impossible(context);
      if (answer.status === 403) throw new Unseen('Esta cuenta no tiene acceso a la beta.');
      const refused = isRecord(answer.json) && answer.json.success === false && answer.status !== 404;
      return refused ? agrees(`HTTP ${answer.status}`) : differs('un rechazo con success=false', saw(answer));
    },
  },
  {
    id: 'verificacion-creada',
    section,
    row: 'Identity verification: creation response; Limits, price',
    title: 'una verificación se crea pendiente, con su dirección, su precio y su vencimiento en UTC',
    needs: 'verification',
    async run(context) {
      const answer = await created(context);
      if (answer.status === 403) throw new Unseen('Esta cuenta no tiene acceso a la beta.');
      return judge(answer, {
        says: 'HTTP 200 con success, id, url_verificacion, estado "pendiente", costo 0.5 y expira_en en UTC',
        status: 200,
        shape: z.looseObject({
          success: z.literal(true),
          id: z.string(),
          url_verificacion: z.url(),
          estado: z.literal('pendiente'),
          costo: z.literal(0.5),
          expira_en: z.iso.datetime(),
        }),
      });
    },
  },
  {
    id: 'supuesto-verificacion',
    section,
    row: 'Retrieval of identity verifications: not shown',
    inferred: 'A26',
    title: 'GET /api/id/verificaciones/{id} devuelve la verificación',
    needs: 'verification',
    async run(context) {
      const { json, status } = await created(context);
      if (status !== 200 || !isRecord(json)) throw new Unseen('No se creó ninguna verificación.');
      return compare(await context.service.ask({ method: 'GET', path: `${path}/${String(json.id)}` }), {
        says: 'HTTP 200 con success, id y estado',
        status: 200,
        shape: z.looseObject({
          success: z.literal(true),
          id: z.literal(json.id as string),
          estado: z.string(),
        }),
      });
    },
  },
];
