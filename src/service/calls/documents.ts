import { z } from 'zod';
import { word } from '../../domain/text.ts';
import {
  type ConsultAnswer,
  type EmissionAnswer,
  type FoundDocument,
  type ReadReply,
  type ReprocessAnswer,
  readAnswer,
  readBody,
  readJson,
  type StreamAnswer,
  saysUnknown,
  type XmlAnswer,
} from '../answers.ts';
import { readAuthorizedXml } from '../authorized-xml.ts';
import { otherParts } from '../event.ts';
import { type Exchange, pdfFile, xmlFile } from '../exchange.ts';
import {
  type DocumentFacts,
  emissionBody,
  isReportedByText,
  readFacts,
  readMessages,
  readNotice,
  readState,
  readWords,
  saysAnnulled,
  saysBadKey,
  saysExists,
  typeCode,
} from '../inferred.ts';
import { reprocessBody } from '../inferred-accounts.ts';
import {
  check,
  type FacturaRequest,
  facturaRequest,
  type NotaCreditoRequest,
  notaCreditoRequest,
  sentencesOf,
} from '../shapes.ts';

/**
 * By access key of 49 digits; any other text throws a RangeError. An API key sees only the documents issued with it
 * (spec, "Key rules"). Errors: spec, "Errors" 4 and 6.
 */
export interface DocumentCalls {
  /**
   * `GET /api/comprobante/consulta/{claveacceso}` (assumptions A1 to A4).
   * An authorisation that only a text states is confirmed by a download of the XML.
   */
  consultarComprobante(claveacceso: string): Promise<ConsultAnswer>;
  /**
   * `GET /api/comprobante/xml/{claveacceso}`: the authorised XML, compared with the key (assumption A5).
   * `not-found` while there is none.
   */
  descargarXml(claveacceso: string): Promise<XmlAnswer>;
  /** The same as a stream, of any document type; only the first bytes are checked. */
  descargarXml(claveacceso: string, as: 'stream'): Promise<StreamAnswer>;
  /** `GET /api/comprobante/pdf/{claveacceso}`: the RIDE as a stream (assumption A6). */
  descargarPdf(claveacceso: string): Promise<StreamAnswer>;
  /**
   * `POST /api/comprobante/reprocesar`: sends a document with an error to the authority again (assumption A13).
   * `refused` with status 409: it did not end with an error.
   */
  reprocesarComprobante(claveacceso: string): Promise<ReprocessAnswer>;
  /** `POST /api/consultaprocesar`: the historic route of the same. Its public description requires all three values. */
  reprocesarComprobanteHistorico(
    claveacceso: string,
    more?: { ruc?: string; id_comprobante?: number },
  ): Promise<ReprocessAnswer>;
}

export function documentCalls(
  { ask, get, act, stream }: Exchange,
  idField = 'id_comprobante',
): DocumentCalls {
  const reprocess = (operation: string, path: string, clave: string, more: object = {}) => {
    const body = JSON.stringify({ claveacceso: accessKey(clave), ...more });
    const read = (reply: ReadReply) => readReprocess(reply, clave);
    return act({ operation, slot: 'question', method: 'POST', path, body, read });
  };
  async function descargarXml(clave: string): Promise<XmlAnswer>;
  async function descargarXml(clave: string, as: 'stream'): Promise<StreamAnswer>;
  async function descargarXml(clave: string, as?: 'stream'): Promise<XmlAnswer | StreamAnswer> {
    const path = documentPath('xml', clave);
    if (as === 'stream') return stream('descargarXml', path, xmlFile);
    const read = (reply: ReadReply) => readXml(reply, clave);
    return ask({ operation: 'descargarXml', slot: 'download', method: 'GET', path, read });
  }
  return {
    async consultarComprobante(clave) {
      const answer = await get('consultarComprobante', documentPath('consulta', clave), (reply) =>
        readConsult(reply, clave),
      );
      if (answer.kind !== 'by-text-only') return answer;
      const { document } = answer;
      const xml = await descargarXml(clave);
      return xml.kind === 'found' ? { ...document, state: 'authorized' } : document;
    },
    descargarXml,
    descargarPdf: async (clave) => stream('descargarPdf', documentPath('pdf', clave), pdfFile),
    reprocesarComprobante: async (clave) =>
      reprocess('reprocesarComprobante', '/api/comprobante/reprocesar', clave),
    reprocesarComprobanteHistorico: async (clave, { ruc, id_comprobante: id } = {}) =>
      reprocess('reprocesarComprobanteHistorico', '/api/consultaprocesar', clave, {
        ...(ruc === undefined ? {} : { ruc }),
        ...(id === undefined ? {} : { [idField]: id }),
      }),
  };
}

function accessKey(claveacceso: string): string {
  if (/^\d{49}$/.test(claveacceso)) return claveacceso;
  throw new RangeError('An access key has 49 digits; pass the key of an attempt.');
}

const documentPath = (route: 'consulta' | 'xml' | 'pdf', claveacceso: string): string =>
  `/api/comprobante/${route}/${accessKey(claveacceso)}`;

function readConsult(
  reply: ReadReply,
  claveacceso: string,
): ConsultAnswer | { kind: 'by-text-only'; document: FoundDocument } {
  if (reply.status === 401) return { kind: 'unauthorized' };
  if (saysUnknown(reply)) return { kind: 'not-found' };
  const body = readBody(reply);
  if (typeof body === 'string') return { kind: 'unknown', reason: body };
  const facts = readFacts(body);
  const state = facts && readState(facts);
  if (!facts || !state) return { kind: 'unknown', reason: 'answered without a state of the document' };
  if (isOfAnother(facts, claveacceso))
    return { kind: 'unknown', reason: 'answered about another access key than asked' };
  const document: FoundDocument = {
    kind: 'found',
    state,
    claveacceso,
    numero: facts.numero ?? null,
    tipo: facts.tipo_comprobante ?? null,
    rucEmisor: facts.ruc_emisor ?? null,
    ambiente: facts.ambiente ?? null,
    numeroAutorizacion: facts.numero_autorizacion ?? null,
    fechaAutorizacion: facts.fecha_autorizacion ?? null,
    estadoTexto: facts.estado_texto ?? null,
    annulled: saysAnnulled(facts),
    enlaces: { xml: facts.xml ?? facts.enlace_xml ?? null, pdf: facts.pdf ?? facts.enlace_pdf ?? null },
    errors: readMessages(facts.errores),
  };
  return state === 'processing' && isReportedByText(facts) ? { kind: 'by-text-only', document } : document;
}

function isOfAnother(facts: DocumentFacts, asked: string): boolean {
  const { claveacceso, numero_autorizacion: authorization, tipo_comprobante: tipo, ...others } = facts;
  const keys = [claveacceso, authorization?.length === asked.length ? authorization : null];
  if (keys.some((key) => key != null && key !== asked)) return true;
  return otherParts(asked, { ...others, tipo_comprobante: typeCode(tipo) }).length > 0;
}

function readXml({ status, text }: ReadReply, claveacceso: string): XmlAnswer {
  if (status === 401) return { kind: 'unauthorized' };
  if (status === 404) return { kind: 'not-found' };
  if (status !== 200) return { kind: 'unknown', reason: `answered ${status}` };
  const facts = readAuthorizedXml(text);
  if (facts === null) return { kind: 'unknown', reason: 'answered 200 without an authorised document' };
  if (facts.claveAcceso !== claveacceso) {
    return { kind: 'unknown', reason: 'answered with another document than asked' };
  }
  return { kind: 'found', xml: text, facts };
}

function readReprocess(reply: ReadReply, claveacceso: string) {
  if (saysUnknown(reply)) return { kind: 'not-found' } as const;
  const answer = readAnswer(reply);
  if (answer.kind !== 'success') return answer;
  const { estado, mensaje } = reprocessBody.parse(answer.body);
  return { kind: 'reprocessing', claveacceso, estado, mensaje, aviso: answer.aviso } as const;
}

/**
 * Spec, "Endpoints", "Electronic document", "Errors" 1, 2, 4, 6 to 10. A text is sent byte for byte. `created` means
 * registered. After `unknown` with `mayHaveLeft` the document may exist: check before another number is used.
 */
export interface EmissionCalls {
  /** `POST /api/factura/emision`: factura (01). */
  emitirFactura(body: string | FacturaRequest): Promise<EmissionAnswer>;
  /** `POST /api/credito/emision`: nota de crédito (04); inner fields by assumption A21. */
  emitirNotaCredito(body: string | NotaCreditoRequest): Promise<EmissionAnswer>;
}

export function emissionCalls({ act }: Exchange): EmissionCalls {
  const emission =
    <T>(operation: string, codDoc: string, path: string, schema: z.ZodType<T>) =>
    async (document: string | T): Promise<EmissionAnswer> => {
      const body = toBody(document, schema);
      if (typeof body !== 'string') return body;
      const read = (reply: ReadReply) => readEmission(reply, codDoc, body);
      const answer = await act({ operation, slot: 'emission', method: 'POST', path, body, read });
      return answer.kind === 'unknown' ? { claveacceso: null, ...answer } : answer;
    };
  return {
    emitirFactura: emission('emitirFactura', '01', '/api/factura/emision', facturaRequest),
    emitirNotaCredito: emission('emitirNotaCredito', '04', '/api/credito/emision', notaCreditoRequest),
  };
}

function toBody<T>(document: string | T, schema: z.ZodType<T>): string | EmissionAnswer {
  if (typeof document === 'string') return document;
  const checked = check(schema, document);
  if (checked.ok) return JSON.stringify(checked.data);
  return { kind: 'refused', status: null, errors: sentencesOf(checked.fields), aviso: null, date: null };
}

export function readEmission(
  { status, text, date }: ReadReply,
  codDoc: string,
  sent: string,
): EmissionAnswer {
  if (status === 401) return { kind: 'unauthorized' };
  const json = readJson(text);
  const read = emissionBody.safeParse(json);
  const { creado, claveacceso: key, id_comprobante, aviso_proveedor_sri, ...rest } = read.data ?? {};
  const claveacceso = key ?? null;
  const errors = readWords(rest);
  const lost = (reason: string): EmissionAnswer => ({
    kind: 'unknown',
    claveacceso,
    reason,
    ...(errors.length > 0 ? { errors } : {}),
    mayHaveLeft: true,
  });
  if (json === undefined) return lost(`answered ${status} with something that is no JSON`);
  if (!read.success) return lost(`answered ${status} with a body of unknown shape`);
  const aviso = readNotice(aviso_proveedor_sri);
  if (creado) {
    if (status < 200 || status > 299) return lost(`answered ${status} with "creado" true`);
    if (claveacceso === null) return lost('answered "creado" true without an access key of 49 digits');
    return { kind: 'created', claveacceso, idComprobante: id_comprobante ?? null, aviso };
  }
  if (status >= 500 || status === 408) return lost(`answered ${status}`);
  if (status >= 300 && status < 400) return lost(`answered ${status}, a redirection`);
  if (creado === undefined) return lost(`answered ${status} without "creado"`);
  if (status === 409) return { kind: 'duplicate', claveacceso, errors };
  if (saysBadKey(errors)) return { kind: 'unauthorized' };
  if (saysExists(errors)) return { kind: 'duplicate', claveacceso: claveacceso ?? keyIn(errors), errors };
  if (claveacceso !== null && isOf(claveacceso, codDoc, sent))
    return { kind: 'duplicate', claveacceso, errors };
  return { kind: 'refused', status, errors, aviso, date };
}

function keyIn(sentences: readonly string[]): string | null {
  const keys = new Set(sentences.flatMap((one) => one.match(/(?<!\d)\d{49}(?!\d)/g) ?? []));
  return keys.size === 1 ? ([...keys][0] ?? null) : null;
}

function isOf(claveacceso: string, codDoc: string, sent: string): boolean {
  const read = numberedBody.safeParse(readJson(sent));
  if (!read.success) return false;
  const { emisor, ambiente } = read.data;
  const { codigo_establecimiento: place, codigo_puntoemision: point, secuencial } = emisor;
  const facts = {
    tipo_comprobante: codDoc,
    ruc_emisor: emisor.ruc,
    ambiente,
    numero: `${place}-${point}-${secuencial.padStart(9, '0')}`,
  };
  return otherParts(claveacceso, facts).length === 0;
}

const numberedBody = z.object({
  emisor: z.object({
    ruc: word,
    codigo_establecimiento: word,
    codigo_puntoemision: word,
    secuencial: word,
  }),
  ambiente: z.number(),
});
