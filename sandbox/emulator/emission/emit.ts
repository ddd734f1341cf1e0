import type { Account } from '../accounts/accounts.ts';
import { issuerRefusal } from '../accounts/companies.ts';
import { sendToAuthority } from '../authority/authority.ts';
import { dayInEcuador, isoInEcuador } from '../clock.ts';
import type { Strike } from '../faults/faults.ts';
import type { Reply } from '../operation.ts';
import type { World } from '../world.ts';
import { buildAccessKey, fixedCode, randomCode } from './access-key.ts';
import { isRefused, type Series, type StoredDocument } from './documents.ts';
import type { Contents, Kind } from './kinds.ts';
import { productionClosed } from './production.ts';

type Body = Contents['body'];

/** `POST /api/…/emision`: validates, numbers and stores the document, and submits it to the authority. */
export function emit(world: World, account: Account, kind: Kind, value: unknown, strike?: Strike): Reply {
  const now = world.clock.now();
  const read = kind.read(value, dayInEcuador(now));
  if ('errors' in read) return refusal(200, read.errors);
  const contents = read.body;
  const { body, tipo } = contents;
  const unready = world.settings.strict && issuerRefusal(account.companies, body.emisor.ruc, now);
  if (unready) return refusal(200, [unready]);
  if (body.ambiente === 2) {
    const closed = productionClosed(world, account);
    if (closed) return refusal(200, [closed]);
  }
  const series: Series = {
    ruc: body.emisor.ruc,
    ambiente: body.ambiente,
    tipo,
    establecimiento: body.emisor.codigo_establecimiento,
    puntoEmision: body.emisor.codigo_puntoemision,
  };
  const secuencial = body.emisor.secuencial?.padStart(9, '0') ?? world.documents.nextSecuencial(series);
  if (secuencial === null) {
    const place = `${series.establecimiento}-${series.puntoEmision}`;
    const sentence = `emisor.secuencial: la serie ${place} llegó a 999999999 y no tiene un número siguiente; envíe uno libre o use otro punto de emisión.`;
    return refusal(200, [sentence]);
  }
  const numero = `${series.establecimiento}-${series.puntoEmision}-${secuencial}`;
  const claveacceso = accessKey(world, series, secuencial, body);
  const holder = world.documents.byKey(claveacceso);
  if (holder && !isRefused(holder)) {
    const sentence = `La clave de acceso ya está registrada: el comprobante ${numero} existe.`;
    return refusal(409, [sentence], claveacceso);
  }
  const broken = strike?.('failBeforeStoring', { claveacceso });
  if (broken) return refusal(broken.status ?? 500, ['Error interno del servidor.'], claveacceso);

  const document: StoredDocument = {
    ...series,
    ...contents,
    id: world.documents.nextId(),
    claveacceso,
    apiKey: account.apiKey,
    secuencial,
    numero,
    fechaEmision: body.emisor.fecha_emision,
    informacionAdicional: additionalInformation(account, body),
    recibido: isoInEcuador(now),
    estado: 1,
    errores: [],
    advertencias: [],
    fechaAutorizacion: null,
  };
  world.documents.put(document);
  sendToAuthority(world, document);
  return {
    status: 200,
    stored: true,
    body: {
      creado: true,
      claveacceso,
      id_comprobante: document.id,
      estado: 'En procesamiento',
      mensaje: `${kind.nombre} ${numero} registrada; el SRI la autorizará en unos momentos.`,
    },
  };
}

function refusal(status: number, errors: string[], claveacceso?: string): Reply {
  // Only 409 and 500 carry the key (spec, "Errors" 2).
  const key = claveacceso === undefined || status < 409 ? {} : { claveacceso };
  return { status, body: { creado: false, ...key, errors } };
}

function accessKey(world: World, series: Series, secuencial: string, body: Body): string {
  const { ruc, ambiente, tipo, establecimiento, puntoEmision } = series;
  const make = (codigoNumerico: string) =>
    buildAccessKey({
      ...{ ruc, ambiente, establecimiento, puntoEmision, secuencial, codigoNumerico },
      codDoc: tipo,
      fechaEmision: body.emisor.fecha_emision,
      tipoEmision: body.tipo_emision ?? 1,
    });
  if (world.settings.codigoNumerico === 'fijo') return make(fixedCode);
  for (;;) {
    const key = make(randomCode());
    if (!world.documents.byKey(key)) return key;
  }
}

function additionalInformation(account: Account, body: Body): StoredDocument['informacionAdicional'] {
  const sent = body.informacion_adicional ?? [];
  return account.providerApproved
    ? [...sent, { nombre: 'RUC Proveedor', detalle: account.providerRuc }]
    : sent;
}
