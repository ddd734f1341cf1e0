import { exact } from '../emission/decimals.ts';
import type {
  FacturaDocument,
  NotaCreditoDocument,
  PricedDocument,
  WrittenDocument,
} from '../emission/documents.ts';
import { modifiedDocument } from '../emission/modified-document.ts';
import { guiaRemisionStructure } from './guia-remision.ts';
import { retencionStructure } from './retencion.ts';
import { type Check, isFilled, openCheck } from './structure-check.ts';

/**
 * What the authority's schemas (factura_V1.1.0.xsd, NotaCredito_V1.1.0.xsd, GuiaRemision_V1.1.0.xsd,
 * ComprobanteRetencion_V2.0.0.xsd and V1.0.0) refuse although the service accepted it: line breaks, too many
 * decimals, negative amounts, XSD lengths tighter than the service's. Answered later, as error 35.
 */
export function structureFaults(document: WrittenDocument): string[] {
  const check = openCheck();
  issuer(check, document);
  if (document.tipo === '06') guiaRemisionStructure(check, document);
  else if (document.tipo === '07') retencionStructure(check, document);
  else sale(check, document);
  const { informacion_adicional: entries = [] } = document.body;
  check.need(entries.every(isFilled), 'campoAdicional', 'no admite nombres ni valores vacíos');
  check.need(!hasText(document.body, forbidden), 'texto', 'contiene caracteres que XML no admite');
  return check.faults;
}

function sale(check: Check, document: PricedDocument): void {
  buyer(check, document);
  if (document.tipo === '01') factura(check, document);
  else notaCredito(check, document);
  lines(check, document);
  totals(check, document);
}

function issuer({ matches, oneLine }: Check, { body: { emisor } }: WrittenDocument): void {
  matches('ruc', emisor.ruc, /^\d{10}001$/, 'debe terminar en 001');
  const special = emisor.contribuyente_especial;
  matches('contribuyenteEspecial', special, /^[A-Za-z0-9]{3,13}$/, '3 a 13 letras o dígitos');
  if (emisor.agente_retencion) {
    matches('agenteRetencion', emisor.numero_resolucion, /^\d{1,8}$/, 'hasta 8 dígitos, sin ceros iniciales');
  }
  oneLine('razonSocial', emisor.razon_social);
  oneLine('nombreComercial', emisor.nombre_comercial);
  oneLine('dirMatriz', emisor.direccion_matriz);
  oneLine('dirEstablecimiento', emisor.direccion_establecimiento);
}

function buyer({ oneLine }: Check, { body: { comprador } }: PricedDocument): void {
  oneLine('razonSocialComprador', comprador.razon_social);
  oneLine('identificacionComprador', comprador.identificacion);
}

function factura({ need, matches, oneLine, amount }: Check, { body, figures }: FacturaDocument): void {
  const guide = /^\d{3}-\d{3}-\d{9}$/;
  oneLine('direccionComprador', body.comprador.direccion);
  matches('guiaRemision', body.guiaremision, guide, 'debe tener la forma 001-001-000000001');
  matches('placa', body.placa, /^[^\n\r]{1,20}$/u, 'hasta 20 caracteres en una línea');
  body.items.forEach((item, index) => {
    const full = exact(item.precio_unitario)
      .plus(item.subsidio ?? 0)
      .toFixed();
    amount(`detalle ${index + 1} subsidio`, item.subsidio, 6, 18);
    amount(`detalle ${index + 1} precioSinSubsidio`, full, 6, 18);
  });
  amount('totalSubsidio', figures.totalSubsidio, 2, 14);
  amount('totalDescuento', figures.totalDescuento, 2, 14);
  (body.pagos ?? []).forEach((pago, index) => {
    const at = `pago ${index + 1}`;
    need(pago.tipo !== undefined && pago.total !== undefined, at, 'faltan formaPago y total');
    amount(`${at} total`, pago.total, 2, 14);
    amount(`${at} plazo`, pago.plazo, 2, 14);
    matches(`${at} unidadTiempo`, pago.tiempo, /^[^\n\r]{1,10}$/u, 'hasta 10 caracteres');
  });
}

function notaCredito({ matches, oneLine, day }: Check, { body }: NotaCreditoDocument): void {
  const modified = modifiedDocument(body);
  matches('codDocModificado', modified.tipo, /^\d{2}$/, 'debe tener dos dígitos');
  day('fechaEmisionDocSustento', modified.fecha);
  oneLine('motivo', modified.motivo);
}

function lines({ oneLine, amount, extras }: Check, { body, figures }: PricedDocument): void {
  body.items.forEach((item, index) => {
    const at = `detalle ${index + 1}`;
    oneLine(`${at} codigo_principal`, item.codigo_principal);
    oneLine(`${at} codigo_auxiliar`, item.codigo_auxiliar);
    oneLine(`${at} descripcion`, item.descripcion);
    amount(`${at} cantidad`, item.cantidad, 6, 18);
    amount(`${at} precioUnitario`, item.precio_unitario, 6, 18);
    amount(`${at} descuento`, item.descuento, 2, 14);
    const total = item.precio_total_sin_impuesto ?? figures.lines[index]?.total;
    amount(`${at} precioTotalSinImpuesto`, total, 2, 14);
    for (const tax of figures.lines[index]?.impuestos ?? []) amount(`${at} tarifa`, tax.tarifa, 2, 4);
    extras(at, item.detalles_adicionales);
  });
}

function totals({ need, amount }: Check, { body, figures }: PricedDocument): void {
  (body.totales ?? []).forEach((row, index) => {
    const at = `totalImpuesto ${index + 1}`;
    need(/^\d{1,4}$/.test(row.codigo_porcentaje ?? ''), at, 'codigoPorcentaje lleva de 1 a 4 dígitos');
    amount(`${at} baseImponible`, row.base_imponible, 2, 14);
    amount(`${at} valor`, row.valor, 2, 14);
    amount(`${at} tarifa`, row.tarifa, 2, 4);
    amount(`${at} descuentoAdicional`, row.descuento_adicional, 2, 14);
  });
  for (const group of figures.groups) {
    amount(`totalImpuesto ${group.codigoPorcentaje} baseImponible`, group.base, 2, 14);
    amount(`totalImpuesto ${group.codigoPorcentaje} valor`, group.valor, 2, 14);
  }
  amount('totalSinImpuestos', figures.totalSinImpuestos, 2, 14);
  amount('importeTotal', figures.importeTotal, 2, 14);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids exactly these, and halves of pairs.
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/u;

function hasText(value: unknown, pattern: RegExp): boolean {
  if (typeof value === 'string') return pattern.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some((v) => hasText(v, pattern));
}
