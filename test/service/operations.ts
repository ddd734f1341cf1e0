import type { ServiceCalls } from '../../src/service/client.ts';
import { factura } from '../sandbox/support.ts';
import { clave } from './hostile.ts';

/** One function of the client, and what it is expected to be. */
export interface OperationCase {
  /** As the specification writes it, with the parameters of `call` filled in. */
  route: string;
  call(calls: ServiceCalls): Promise<{ kind: string; mayHaveLeft?: boolean; retryAfterMs?: number }>;
  /** The slot it takes; null for the public routes, which need no key. */
  slot: 'emission' | 'question' | 'download' | null;
  /** Must not happen twice: a lost answer says whether it may have left. */
  once?: boolean;
}

const ruc = '1792146739001';
const company = { ruc, razon_social: 'EMISOR DE PRUEBA S.A.' };
const json = JSON.stringify(factura());
const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const p12 = Uint8Array.from([0x30, 0x82]);
const emission = { slot: 'emission', once: true } as const;
const question = { slot: 'question' } as const;

/** Every function of the client by its name: what all of them must do is tested over this table. */
export const operations: Record<Exclude<keyof ServiceCalls, 'with' | 'close'>, OperationCase> = {
  emitirFactura: { route: 'POST /api/factura/emision', call: (c) => c.emitirFactura(json), ...emission },
  emitirNotaCredito: {
    route: 'POST /api/credito/emision',
    call: (c) => c.emitirNotaCredito(json),
    ...emission,
  },
  crearEmpresa: {
    route: 'POST /api/empresa/crear',
    call: (c) => c.crearEmpresa(company),
    slot: 'question',
    once: true,
  },
  editarEmpresa: { route: 'PUT /api/empresa/editar', call: (c) => c.editarEmpresa(company), ...question },
  subirFirmaElectronica: {
    route: 'POST /api/empresa/subirfirma',
    call: (c) => c.subirFirmaElectronica({ ruc, firma_file: p12, password: 'secreto' }),
    ...question,
  },
  subirLogoEmpresa: {
    route: 'POST /api/empresa/subirlogo',
    call: (c) => c.subirLogoEmpresa({ ruc, logo_file: png }),
    ...question,
  },
  consultarComprobante: {
    route: `GET /api/comprobante/consulta/${clave}`,
    call: (c) => c.consultarComprobante(clave),
    ...question,
  },
  descargarXml: {
    route: `GET /api/comprobante/xml/${clave}`,
    call: (c) => c.descargarXml(clave),
    slot: 'download',
  },
  descargarPdf: {
    route: `GET /api/comprobante/pdf/${clave}`,
    call: (c) => c.descargarPdf(clave),
    slot: 'download',
  },
  reprocesarComprobante: {
    route: 'POST /api/comprobante/reprocesar',
    call: (c) => c.reprocesarComprobante(clave),
    slot: 'question',
    once: true,
  },
  reprocesarComprobanteHistorico: {
    route: 'POST /api/consultaprocesar',
    call: (c) => c.reprocesarComprobanteHistorico(clave),
    slot: 'question',
    once: true,
  },
  leerWebhook: { route: 'GET /api/webhook', call: (c) => c.leerWebhook(), ...question },
  guardarWebhook: {
    route: 'POST /api/webhook',
    call: (c) => c.guardarWebhook({ url: 'https://example.com/hook' }),
    ...question,
  },
  consultarSaldo: { route: 'GET /api/creditos/saldo', call: (c) => c.consultarSaldo(), ...question },
  consultarHistorialCreditos: {
    route: 'GET /api/creditos/historial?limit=100&tipo=consumo',
    call: (c) => c.consultarHistorialCreditos({ limit: 100, tipo: 'consumo' }),
    ...question,
  },
  consultarRuc: { route: `GET /api/sri/ruc/${ruc}`, call: (c) => c.consultarRuc(ruc), ...question },
  consultarCedula: {
    route: 'GET /api/sri/cedula/1710034065',
    call: (c) => c.consultarCedula('1710034065'),
    ...question,
  },
  estadoServicio: { route: 'GET /api/public/status', call: (c) => c.estadoServicio(), slot: null },
  ping: { route: 'POST /api/ping', call: (c) => c.ping(), slot: null },
};

/** For `describe.each` and `test.each`. */
export const rows = Object.entries(operations).map(([name, it]) => ({ name, ...it }));
