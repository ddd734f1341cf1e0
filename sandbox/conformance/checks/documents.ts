import { readKey } from '../access-key.ts';
import { agrees, type Check, differs, Unseen } from '../check.ts';
import type { Context } from '../context.ts';
import { saw, sawShape } from '../expectation.ts';
import { type Answer, isRecord } from '../service.ts';

const section = 'Documentos';

/** A file of the authorised reference factura. */
async function file(context: Context, kind: 'xml' | 'pdf'): Promise<{ key: string; answer: Answer }> {
  const { key } = await context.reference();
  const { report } = await context.settled(key);
  if (!report?.authorised) throw new Unseen('La factura de referencia no está autorizada.');
  return {
    key,
    answer: await context.service.ask({ method: 'GET', path: `/api/comprobante/${kind}/${key}` }),
  };
}

const isPdf = ({ bytes }: Answer) => bytes.subarray(0, 4).toString('latin1') === '%PDF';

/** Access key, XML, PDF, and that other accounts do not see them. */
export const documentChecks: readonly Check[] = [
  {
    id: 'clave-de-acceso',
    section,
    row: 'Electronic document, claveacceso',
    title: 'la clave de acceso lleva los datos del documento y su dígito verificador',
    async run(context) {
      const { key, body } = await context.reference();
      const [year, month, day] = body.emisor.fecha_emision.split('/');
      const { codigoNumerico, secuencial, digitVerifies, ...parts } = readKey(key) ?? {};
      const expected = {
        fecha: `${day}${month}${year}`,
        tipo: '01',
        ruc: body.emisor.ruc,
        ambiente: '1',
        establecimiento: body.emisor.codigo_establecimiento,
        puntoEmision: body.emisor.codigo_puntoemision,
        tipoEmision: '1',
      };
      const wrong = Object.entries(expected).filter(
        ([name, value]) => parts[name as keyof typeof parts] !== value,
      );
      if (wrong.length > 0) return differs(wrong.map(([name, value]) => `${name} ${value}`).join(', '), key);
      return digitVerifies ? agrees() : differs('dígito verificador de módulo 11', key);
    },
  },
  {
    id: 'xml-autorizado',
    section,
    row: 'Paths known, GET /api/comprobante/xml/{claveacceso}',
    title: 'el XML autorizado se entrega y es el del documento',
    async run(context) {
      const { key, answer } = await file(context, 'xml');
      const whole = answer.status === 200 && answer.bytes.includes(key);
      return whole ? agrees() : differs('HTTP 200 con la clave de acceso dentro', saw(answer));
    },
  },
  {
    id: 'supuesto-xml',
    section,
    row: 'Paths known, GET /api/comprobante/xml/{claveacceso}',
    inferred: 'A5',
    title: 'el XML viene como application/xml en el sobre autorizacion del SRI',
    async run(context) {
      const { answer } = await file(context, 'xml');
      const root = /<(?!\?|!)([\w:.-]+)/.exec(answer.bytes.toString('utf8'))?.[1] ?? 'ninguno';
      const seen = `HTTP ${answer.status}, ${answer.type || 'sin tipo'}, raíz ${root}`;
      const holds = answer.type.includes('application/xml') && root === 'autorizacion';
      return holds ? agrees(seen) : differs('application/xml, raíz autorizacion', seen);
    },
  },
  {
    id: 'supuesto-xml-contenido',
    section,
    row: 'Paths known, GET /api/comprobante/xml/{claveacceso}',
    inferred: 'A30',
    title: 'el XML autorizado repite comprador y líneas como se enviaron, sin cortar la descripción',
    async run(context) {
      const { body } = await context.reference();
      const { answer } = await file(context, 'xml');
      const xml = answer.bytes.toString('utf8');
      const items = body.items as { descripcion: string }[];
      const sent: string[] = [body.comprador.identificacion, ...items.map(({ descripcion }) => descripcion)];
      const missing = sent.filter((text) => !xml.includes(`>${text}<`));
      return missing.length === 0 ? agrees() : differs(missing.join(', '), 'el XML dice otra cosa');
    },
  },
  {
    id: 'pdf-ride',
    section,
    row: 'Paths known, GET /api/comprobante/pdf/{claveacceso}',
    title: 'el RIDE se entrega como PDF',
    async run(context) {
      const { answer } = await file(context, 'pdf');
      return answer.status === 200 && isPdf(answer) ? agrees() : differs('HTTP 200 con un PDF', saw(answer));
    },
  },
  {
    id: 'supuesto-pdf',
    section,
    row: 'Paths known, GET /api/comprobante/pdf/{claveacceso}',
    inferred: 'A6',
    title: 'el PDF viene como application/pdf, y mientras no hay, 404 en JSON',
    async run(context) {
      const { answer } = await file(context, 'pdf');
      const none = await context.service.ask({
        method: 'GET',
        path: `/api/comprobante/pdf/${'0'.repeat(49)}`,
      });
      const seen = `${answer.type}; sin PDF: ${sawShape(none)}`;
      const holds = answer.type.includes('application/pdf') && none.status === 404 && isRecord(none.json);
      return holds ? agrees(seen) : differs('application/pdf; sin PDF: HTTP 404 en JSON', seen);
    },
  },
  ...(['consulta', 'xml', 'pdf'] as const).map(
    (route): Check => ({
      id: `otra-clave-${route}`,
      section,
      row: 'Key rules, each API key only sees its documents',
      title: `otra clave de API no ve el documento (${route})`,
      needs: 'secondKey',
      async run(context) {
        const { key } = await context.reference();
        const other = context.settings.secondKey ?? null;
        const path = `/api/comprobante/${route}/${key}`;
        const answer = await context.service.ask({ method: 'GET', path, key: other });
        if (answer.status === 401) throw new Unseen('El servicio no conoce la clave de --second-key.');
        const denied = answer.status >= 400 || (isRecord(answer.json) && answer.json.success === false);
        return denied ? agrees(`HTTP ${answer.status}`) : differs('que no se entregue', sawShape(answer));
      },
    }),
  ),
  {
    id: 'ruc-proveedor-en-xml',
    section,
    row: 'Key rules, RUC Proveedor',
    title: 'con los datos de proveedor aprobados, el XML lleva RUC Proveedor',
    async run(context) {
      const { answer } = await file(context, 'xml');
      if (context.service.notices().withNotice > 0)
        throw new Unseen('Los datos de proveedor de esta cuenta no están aprobados.');
      return answer.bytes.includes('RUC Proveedor') ? agrees() : differs('un campo RUC Proveedor', 'ninguno');
    },
  },
];
