import { otherParts } from '../access-key.ts';
import type { ConsultAnswer, FoundDocument, ReprocessAnswer, StreamAnswer, XmlAnswer } from '../answers.ts';
import { readAuthorizedXml } from '../authorized-xml.ts';
import type { Exchange } from '../exchange.ts';
import {
  type DocumentFacts,
  isToldByText,
  readFacts,
  readMessages,
  readState,
  saysAnnulled,
  typeCode,
} from '../inferred.ts';
import { reprocessBody } from '../inferred-accounts.ts';
import { type ReadReply, readSaid, readSuccess, saysUnknown } from '../replies.ts';
import { pdfFile, xmlFile } from '../streams.ts';

/**
 * What the service keeps of a document, by its access key of 49 digits; any other text throws a RangeError. An
 * API key sees only the documents issued with it (spec, "Key rules"). Errors: spec, "Errors" 4 and 6.
 */
export interface DocumentCalls {
  /**
   * `GET /api/comprobante/consulta/{claveacceso}`: its state (assumptions A1 to A4). Where nothing but a text calls it
   * authorised, its XML is asked for as well, and only that makes it so.
   */
  consultarComprobante(claveacceso: string): Promise<ConsultAnswer>;
  /**
   * `GET /api/comprobante/xml/{claveacceso}`: the authorised XML of a factura or nota de crédito, read and held
   * against the key that was asked for (assumption A5). `not-found` while there is none.
   */
  descargarXml(claveacceso: string): Promise<XmlAnswer>;
  /** The same as a stream, of any document type, with only its first bytes looked at. */
  descargarXml(claveacceso: string, as: 'stream'): Promise<StreamAnswer>;
  /** `GET /api/comprobante/pdf/{claveacceso}`: the RIDE as a stream (assumption A6). */
  descargarPdf(claveacceso: string): Promise<StreamAnswer>;
  /**
   * `POST /api/comprobante/reprocesar`: sends a document that ended with an error to the tax authority again
   * (assumption A13). `refused` with status 409: it did not end with an error.
   */
  reprocesarComprobante(claveacceso: string): Promise<ReprocessAnswer>;
  /**
   * `POST /api/consultaprocesar`: the historic route of the same; for new code there is the other. As it is described
   * in public it asks for all three.
   */
  reprocesarComprobanteHistorico(
    claveacceso: string,
    more?: { ruc?: string; id_comprobante?: number },
  ): Promise<ReprocessAnswer>;
}

export function documentCalls({ ask, act, stream }: Exchange, idField = 'id_comprobante'): DocumentCalls {
  const reprocess = (operation: string, path: string, clave: string, more: object = {}) => {
    const body = JSON.stringify({ claveacceso: accessKey(clave), ...more });
    const call = { method: 'POST', path, body } as const;
    return act({ operation, slot: 'question', call, read: (reply) => readReprocess(reply, clave) });
  };
  async function descargarXml(clave: string): Promise<XmlAnswer>;
  async function descargarXml(clave: string, as: 'stream'): Promise<StreamAnswer>;
  async function descargarXml(clave: string, as?: 'stream'): Promise<XmlAnswer | StreamAnswer> {
    const path = documentPath('xml', clave);
    if (as === 'stream') return stream('descargarXml', path, xmlFile);
    const call = { method: 'GET', path } as const;
    return ask({ operation: 'descargarXml', slot: 'download', call, read: (reply) => readXml(reply, clave) });
  }
  return {
    async consultarComprobante(clave) {
      const operation = 'consultarComprobante';
      const call = { method: 'GET', path: documentPath('consulta', clave) } as const;
      const answer = await ask({
        operation,
        slot: 'question',
        call,
        read: (reply) => readConsult(reply, clave),
      });
      if (answer.kind !== 'told-by-text') return answer;
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
  throw new RangeError('An access key has 49 digits; ask with the key of an attempt.');
}

const documentPath = (route: 'consulta' | 'xml' | 'pdf', claveacceso: string): string =>
  `/api/comprobante/${route}/${accessKey(claveacceso)}`;

/** Reads `consulta` (assumptions A1 to A4). `claveacceso` is the key that was asked for. */
function readConsult(
  reply: ReadReply,
  claveacceso: string,
): ConsultAnswer | { kind: 'told-by-text'; document: FoundDocument } {
  if (reply.status === 401) return { kind: 'unauthorized' };
  if (saysUnknown(reply)) return { kind: 'not-found' };
  const body = readSuccess(reply);
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
  return state === 'processing' && isToldByText(facts) ? { kind: 'told-by-text', document } : document;
}

/** Whatever an answer says of its document must be what the key that was asked for says. */
function isOfAnother(facts: DocumentFacts, asked: string): boolean {
  const { claveacceso, numero_autorizacion: authorization, tipo_comprobante: tipo, ...others } = facts;
  const keys = [claveacceso, authorization?.length === asked.length ? authorization : null];
  if (keys.some((key) => key != null && key !== asked)) return true;
  return otherParts(asked, { ...others, tipo_comprobante: typeCode(tipo) }).length > 0;
}

/** Reads the authorised XML (assumption A5) of the key that was asked for. */
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
  const said = readSaid(reply);
  if (said.kind !== 'said') return said;
  const { estado, mensaje } = reprocessBody.parse(said.body);
  return { kind: 'reprocessing', claveacceso, estado, mensaje, aviso: said.aviso } as const;
}
