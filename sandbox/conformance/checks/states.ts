import { z } from 'zod';
import { agrees, type Check, differs, type Finding, unseen } from '../check.ts';
import type { Context, Settled } from '../context.ts';
import { compare, fieldsNamed, saw, sawShape, shapeOf } from '../expectation.ts';
import { isRecord } from '../service.ts';

const section = 'Estados';

/** A refused document's state; says why there is none. */
async function refusal(context: Context): Promise<Settled | Finding> {
  const { key, answer } = await context.wrongSum();
  if (!key) return unseen(`La factura con la suma equivocada no se aceptó: ${saw(answer)}`);
  const state = await context.settled(key);
  if (state.report?.refused) return state;
  return unseen('La factura con la suma equivocada no terminó con un error a corregir.');
}

/** Final states as the consult shows them, and what is possible after an error. */
export const stateChecks: readonly Check[] = [
  {
    id: 'estado-autorizado',
    section,
    row: 'States, authorized',
    title: 'la factura correcta llega a autorizada (estado 4 o 9)',
    async run(context) {
      const { key } = await context.reference();
      const { report, answer } = await context.settled(key);
      if (!report) return unseen(`La consulta no deja ver el estado: ${sawShape(answer)}`);
      if (report.refused) return differs('autorizada', `terminó con un error a corregir: ${saw(answer)}`);
      if (!report.final) return unseen('No llegó a un estado final a tiempo; pida más con --wait.');
      const numbered = report.estado === null || report.estado === 4 || report.estado === 9;
      return numbered ? agrees() : differs('estado 4 o 9', `estado ${report.estado}`);
    },
  },
  {
    id: 'supuesto-consulta',
    section,
    row: 'Paths known, GET /api/comprobante/consulta/{claveacceso}',
    inferred: 'A1',
    title: 'la consulta trae los campos del webhook',
    async run(context) {
      const { answer } = await context.settled((await context.reference()).key);
      return compare(answer, {
        says: 'HTTP 200 con success=true y los campos del cuerpo del webhook',
        status: 200,
        shape: z.looseObject({
          success: z.literal(true),
          ...fieldsNamed(consulted),
          autorizado: z.boolean(),
          requiere_correccion: z.boolean(),
        }),
      });
    },
  },
  {
    id: 'supuesto-suma-equivocada',
    section,
    row: 'Errors, 1; States, error requiring correction',
    inferred: 'A16',
    title: 'una suma equivocada se acepta y después termina con error 52',
    async run(context) {
      const { key, answer } = await context.wrongSum();
      if (!key) return differs('aceptada y rechazada después', `rechazada en seguida: ${saw(answer)}`);
      const { report } = await context.settled(key);
      if (!report?.final) return unseen('No llegó a un estado final a tiempo; pida más con --wait.');
      if (report.authorised) return differs('aceptada y rechazada después', 'autorizada');
      const text = JSON.stringify(report.fields.errores ?? null);
      return /\b52\b/.test(text) ? agrees('error 52') : differs('error 52', text.slice(0, 200));
    },
  },
  {
    id: 'supuesto-estado-numerico',
    section,
    row: 'States, Electronic document',
    inferred: 'A3',
    title: 'un documento con error lleva estado 5 o 6',
    async run(context) {
      const state = await refusal(context);
      if ('verdict' in state) return state;
      const estado = state.report?.estado;
      return estado === 5 || estado === 6
        ? agrees(`estado ${estado}`)
        : differs('estado 5 o 6', `estado ${estado}`);
    },
  },
  {
    id: 'supuesto-errores',
    section,
    row: 'Events, Body fields: errores',
    inferred: 'A4',
    title: 'cada entrada de errores es un objeto del SRI',
    async run(context) {
      const state = await refusal(context);
      if ('verdict' in state) return state;
      const errores = state.report?.fields.errores;
      const read = z.array(sriMessage).min(1).safeParse(errores);
      const says = 'lista de {identificador, mensaje, informacionAdicional, tipo}';
      return read.success ? agrees(shapeOf(errores)) : differs(says, shapeOf(errores));
    },
  },
  {
    id: 'supuesto-reprocesar',
    section,
    row: 'Paths known, POST /api/comprobante/reprocesar',
    inferred: 'A13',
    title: 'reprocesar toma claveacceso: 200 tras un error, 409 si está autorizado, 404 si no existe',
    async run(context) {
      const reprocess = (claveacceso: string) =>
        context.service.ask({ method: 'POST', path: '/api/comprobante/reprocesar', json: { claveacceso } });
      const wanted: [number, string][] = [[404, '0'.repeat(49)]];
      const good = (await context.reference()).key;
      if ((await context.settled(good)).report?.authorised) wanted.push([409, good]);
      const state = await refusal(context);
      const bad = (await context.wrongSum()).key;
      if (!('verdict' in state) && bad) wanted.push([200, bad]);
      const seen: string[] = [];
      for (const [status, key] of wanted) {
        const answer = await reprocess(key);
        if (answer.status !== status) return differs(`HTTP ${status}`, saw(answer));
        seen.push(sawShape(answer));
      }
      if (bad) await context.settled(bad, true);
      return agrees(seen.join('; '));
    },
  },
  {
    id: 'supuesto-numero-con-error',
    section,
    row: 'States, error requiring correction',
    inferred: 'A14',
    title: 'el número de un documento con error se puede emitir otra vez, corregido',
    async run(context) {
      const state = await refusal(context);
      if ('verdict' in state) return state;
      const { body, key } = await context.wrongSum();
      const { answer } = await context.emit((fresh) => {
        fresh.emisor.secuencial = body.emisor.secuencial;
      });
      const json = isRecord(answer.json) ? answer.json : {};
      if (json.creado !== true) return differs('aceptado', saw(answer));
      return agrees(json.claveacceso === key ? 'con la misma clave' : 'con otra clave');
    },
  },
];

const consulted = [
  ...['claveacceso', 'tipo_comprobante', 'numero', 'ambiente', 'ruc_emisor', 'estado', 'estado_texto'],
  ...['numero_autorizacion', 'fecha_autorizacion', 'xml', 'pdf'],
];

const sriMessage = z.looseObject({
  identificador: z.string(),
  mensaje: z.string(),
  informacionAdicional: z.string(),
  tipo: z.string(),
});
