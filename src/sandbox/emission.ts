import { buildAccessKey, fixedCode, randomCode } from './access-key.ts';
import type { Account } from './accounts.ts';
import { computeFigures } from './arithmetic.ts';
import { sendToAuthority } from './authority.ts';
import { dayInEcuador, isoInEcuador } from './clock.ts';
import { isRefused, type Series, type StoredDocument } from './documents.ts';
import type { FacturaBody } from './schema.ts';
import { checkFactura } from './validation.ts';
import type { World } from './world.ts';

/** An answer of an emission route; `stored` says whether a document now exists because of it. */
export interface EmissionAnswer {
  status: number;
  body: { creado: boolean; claveacceso?: string; errors?: string[] } & Record<string, unknown>;
  stored: boolean;
}

/** `POST /api/factura/emision`: checks, numbers, stores, and hands over to the authority. */
export function emitFactura(world: World, account: Account, value: unknown): EmissionAnswer {
  const checked = checkFactura(value, dayInEcuador(world.clock.now()));
  if ('errors' in checked) return refusal(200, checked.errors);
  const { body } = checked;
  if (body.ambiente === 2) {
    const closed = productionClosed(world, account);
    if (closed) return refusal(200, [closed]);
  }
  const series: Series = {
    ruc: body.emisor.ruc,
    ambiente: body.ambiente,
    tipo: '01',
    establecimiento: body.emisor.codigo_establecimiento,
    puntoEmision: body.emisor.codigo_puntoemision,
  };
  const secuencial = body.emisor.secuencial?.padStart(9, '0') ?? world.documents.nextSecuencial(series);
  const numero = `${series.establecimiento}-${series.puntoEmision}-${secuencial}`;
  if (world.settings.codigoNumerico === 'fijo') {
    const holder = world.documents.byNumber(series, secuencial).find((document) => !isRefused(document));
    if (holder) {
      const sentence = `La clave de acceso ya está registrada: el comprobante ${numero} existe.`;
      return refusal(409, [sentence], holder.claveacceso);
    }
  }
  const claveacceso = accessKey(world, series, secuencial, body);
  const broken = world.faults.take('failBeforeStoring');
  if (broken) return refusal(broken.status ?? 500, ['Error interno del servidor.'], claveacceso);

  const document: StoredDocument = {
    ...series,
    id: world.documents.nextId(),
    claveacceso,
    apiKey: account.apiKey,
    secuencial,
    numero,
    fechaEmision: body.emisor.fecha_emision,
    body,
    informacionAdicional: additionalInformation(account, body),
    figures: computeFigures(body),
    recibido: isoInEcuador(world.clock.now()),
    estado: 1,
    errores: [],
    advertencias: [],
    fechaAutorizacion: null,
    xml: null,
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
      mensaje: `Factura ${numero} registrada; el SRI la autorizará en unos momentos.`,
    },
  };
}

/** An emission answer that creates nothing. */
export function refusal(status: number, errors: string[], claveacceso?: string): EmissionAnswer {
  const key = claveacceso === undefined ? {} : { claveacceso };
  return { status, stored: false, body: { creado: false, ...key, errors } };
}

// One credit per authorised document: those still in process have theirs spoken for.
function productionClosed(world: World, account: Account): string | undefined {
  if (!account.providerApproved) {
    return 'No puede emitir en producción (ambiente 2): faltan los datos de proveedor aprobados.';
  }
  const pending = world.documents
    .all()
    .filter((d) => d.apiKey === account.apiKey && d.ambiente === 2 && d.estado === 1).length;
  return account.credits - pending > 0
    ? undefined
    : 'No tiene créditos disponibles para emitir en producción.';
}

function accessKey(world: World, series: Series, secuencial: string, body: FacturaBody): string {
  const { ruc, ambiente, tipo, establecimiento, puntoEmision } = series;
  const make = (codigoNumerico: string) =>
    buildAccessKey({
      ...{ ruc, ambiente, establecimiento, puntoEmision, secuencial, codigoNumerico },
      codDoc: tipo,
      fechaEmision: body.emisor.fecha_emision,
      tipoEmision: body.tipo_emision ?? 1,
    });
  if (world.settings.codigoNumerico === 'fijo') {
    return make(fixedCode(ruc, ambiente, tipo, establecimiento, puntoEmision, secuencial));
  }
  for (;;) {
    const key = make(randomCode());
    if (!world.documents.byKey(key)) return key;
  }
}

function additionalInformation(account: Account, body: FacturaBody): StoredDocument['informacionAdicional'] {
  const sent = body.informacion_adicional ?? [];
  return account.providerApproved
    ? [...sent, { nombre: 'RUC Proveedor', detalle: account.providerRuc }]
    : sent;
}
