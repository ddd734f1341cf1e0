/** IVA codes and their rates in percent (ficha técnica, tabla 17). There is no 1 and no 9. */
export const ivaRates: Readonly<Record<number, number>> = {
  0: 0,
  2: 12,
  3: 14,
  4: 15,
  5: 5,
  6: 0,
  7: 0,
  8: 8,
  10: 13,
};

/** Kinds of buyer identification (tabla 6). */
export const identificationKinds = ['04', '05', '06', '07', '08'] as const;

/** The identification of "consumidor final". */
export const consumidorFinal = '9999999999999';

/** Forms of payment in force (tabla 24). */
export const paymentForms: Readonly<Record<number, string>> = {
  1: 'SIN UTILIZACION DEL SISTEMA FINANCIERO',
  15: 'COMPENSACIÓN DE DEUDAS',
  16: 'TARJETA DE DÉBITO',
  17: 'DINERO ELECTRÓNICO',
  18: 'TARJETA PREPAGO',
  19: 'TARJETA DE CRÉDITO',
  20: 'OTROS CON UTILIZACIÓN DEL SISTEMA FINANCIERO',
  21: 'ENDOSO DE TÍTULOS',
};

/** How an issuer's regime is given: a boolean or, in some documents, a text. */
interface StatedRegime {
  regimen_rimpe?: boolean | undefined;
  regimen_rimpe_popular?: boolean | undefined;
  contribuyente_rimpe?: 'SI' | 'NO' | undefined;
  contribuyente_rimpe_popular?: 'SI' | 'NO' | undefined;
}

export const isRimpe = (emisor: StatedRegime) =>
  emisor.regimen_rimpe === true || emisor.contribuyente_rimpe === 'SI';
export const isRimpePopular = (emisor: StatedRegime) =>
  emisor.regimen_rimpe_popular === true || emisor.contribuyente_rimpe_popular === 'SI';

/** What XML and RIDE say of the issuer's regime (ficha técnica, anexo 22). */
export function rimpeLegend(emisor: StatedRegime): string | undefined {
  if (isRimpePopular(emisor)) return 'CONTRIBUYENTE NEGOCIO POPULAR - RÉGIMEN RIMPE';
  return isRimpe(emisor) ? 'CONTRIBUYENTE RÉGIMEN RIMPE' : undefined;
}

/** Taxes that are withheld (tabla 19). */
export const withheldTaxes: Readonly<Record<number, string>> = { 1: 'RENTA', 2: 'IVA', 6: 'ISD' };

/** One message of the tax authority, in its own shape (ficha técnica §11). */
export interface SriMessage {
  identificador: string;
  mensaje: string;
  informacionAdicional: string;
  tipo: 'ERROR' | 'ADVERTENCIA';
}

/** Something the authority says of a document: its code and the detail of this case. */
export type Finding = readonly [code: number, detail: string];

// `estado` is what the service reports: 5 the reception returned it, 6 the authorisation refused it.
const errors: Readonly<Record<number, readonly [mensaje: string, estado: 5 | 6]>> = {
  2: ['RUC DEL EMISOR SE ENCUENTRA NO ACTIVO', 6],
  10: ['ESTABLECIMIENTO DEL EMISOR SE ENCUENTRA CLAUSURADO', 6],
  26: ['TAMAÑO MÁXIMO SUPERADO', 5],
  27: ['CLASE NO PERMITIDO', 6],
  28: ['ACUERDO DE MEDIOS ELECTRÓNICOS NO ACEPTADO', 5],
  35: ['DOCUMENTO INVÁLIDO', 5],
  36: ['VERSIÓN ESQUEMA DESCONTINUADA', 5],
  37: ['RUC SIN AUTORIZACIÓN DE EMISIÓN', 6],
  39: ['FIRMA INVÁLIDA', 6],
  40: ['ERROR EN EL CERTIFICADO', 6],
  43: ['CLAVE ACCESO REGISTRADA', 5],
  45: ['SECUENCIAL REGISTRADO', 5],
  46: ['RUC NO EXISTE', 6],
  47: ['TIPO DE COMPROBANTE NO EXISTE', 5],
  48: ['ESQUEMA XSD NO EXISTE', 5],
  50: ['ERROR INTERNO GENERAL', 5],
  52: ['ERROR EN DIFERENCIAS', 6],
  56: ['ESTABLECIMIENTO CERRADO', 6],
  57: ['AUTORIZACIÓN SUSPENDIDA', 6],
  58: ['ERROR EN LA ESTRUCTURA DE CLAVE ACCESO', 6],
  63: ['RUC CLAUSURADO', 6],
  64: ['CÓDIGO DOCUMENTO SUSTENTO', 6],
  65: ['FECHA DE EMISIÓN EXTEMPORÁNEA', 5],
  67: ['FECHA INVÁLIDA', 5],
  69: ['IDENTIFICACIÓN DEL RECEPTOR', 6],
  70: ['CLAVE DE ACCESO EN PROCESAMIENTO', 5],
  82: ['ERROR EN LA FECHA DE INICIO DE TRANSPORTE', 5],
};

// With these the document IS authorised (ficha técnica §11).
const warnings: Readonly<Record<number, string>> = {
  59: 'IDENTIFICACIÓN NO EXISTE',
  60: 'ESTE PROCESO FUE REALIZADO EN EL AMBIENTE DE PRUEBAS',
  62: 'IDENTIFICACIÓN INCORRECTA',
  68: 'DOCUMENTO SUSTENTO NO EXISTE COMO ELECTRÓNICO',
};

/** The authority's message for a code; an unknown code is written as a general refusal. */
export function sriMessage(code: number, informacionAdicional = ''): SriMessage {
  const warning = warnings[code];
  return {
    identificador: String(code),
    mensaje: warning ?? errors[code]?.[0] ?? 'COMPROBANTE NO AUTORIZADO',
    informacionAdicional,
    tipo: warning === undefined ? 'ERROR' : 'ADVERTENCIA',
  };
}

/** The state a document ends in with this error. */
export function stateAfterError(code: number): 5 | 6 {
  return errors[code]?.[1] ?? 6;
}
