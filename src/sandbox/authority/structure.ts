import { Decimal } from 'decimal.js';
import type { PricedDocument } from '../emission/documents.ts';

/**
 * What the authority's schema (factura_V1.1.0.xsd) refuses although the service accepted it: line breaks,
 * too many decimals, negative amounts, XSD lengths tighter than the service's. Answered later, as error 35.
 */
export function structureFaults(document: PricedDocument): string[] {
  const { body, figures } = document;
  const faults: string[] = [];
  const need = (holds: boolean, name: string, rule: string) => {
    if (!holds) faults.push(`${name}: ${rule}`);
  };
  const { emisor, comprador } = body;
  const oneLine = (name: string, value: string | undefined) =>
    need(!/[\n\r]/.test(value ?? ''), name, 'no admite saltos de línea');
  const matches = (name: string, value: string | undefined, pattern: RegExp, rule: string) =>
    need(!value || pattern.test(value), name, rule);
  const amount = (name: string, value: number | undefined, decimals: number) => {
    if (value === undefined) return;
    const exact = new Decimal(value);
    need(exact.decimalPlaces() <= decimals, name, `${exact.toFixed()} tiene más de ${decimals} decimales`);
    need(!exact.isNegative() || exact.isZero(), name, `${exact.toFixed()} es negativo`);
    need(
      exact.precision(true) <= (decimals === 6 ? 18 : 14),
      name,
      `${exact.toFixed()} tiene demasiados dígitos`,
    );
  };

  matches('ruc', emisor.ruc, /^\d{10}001$/, 'debe terminar en 001');
  matches(
    'contribuyenteEspecial',
    emisor.contribuyente_especial,
    /^[A-Za-z0-9]{3,13}$/,
    '3 a 13 letras o dígitos',
  );
  if (emisor.agente_retencion) {
    matches('agenteRetencion', emisor.numero_resolucion, /^\d{1,8}$/, 'hasta 8 dígitos, sin ceros iniciales');
  }
  for (const name of [
    'razon_social',
    'nombre_comercial',
    'direccion_matriz',
    'direccion_establecimiento',
  ] as const) {
    oneLine(`emisor.${name}`, emisor[name]);
  }
  for (const name of ['razon_social', 'identificacion', 'direccion'] as const) {
    oneLine(`comprador.${name}`, comprador[name]);
  }
  const factura = document.tipo === '01' ? document.body : undefined;
  matches(
    'guiaRemision',
    factura?.guiaremision,
    /^\d{3}-\d{3}-\d{9}$/,
    'debe tener la forma 001-001-000000001',
  );
  matches('placa', factura?.placa, /^[^\n]{1,20}$/, 'hasta 20 caracteres');

  body.items.forEach((item, index) => {
    const at = `detalle ${index + 1}`;
    for (const name of ['codigo_principal', 'codigo_auxiliar', 'descripcion'] as const) {
      oneLine(`${at} ${name}`, item[name]);
    }
    amount(`${at} cantidad`, item.cantidad, 6);
    amount(`${at} precioUnitario`, item.precio_unitario, 6);
    amount(`${at} subsidio`, item.subsidio, 6);
    amount(`${at} descuento`, item.descuento, 2);
    amount(
      `${at} precioTotalSinImpuesto`,
      item.precio_total_sin_impuesto ?? Number(figures.lines[index]?.total),
      2,
    );
    const extras = item.detalles_adicionales ?? [];
    need(extras.length <= 3, `${at} detallesAdicionales`, 'admite 3 como máximo');
    need(extras.every(isFilled), `${at} detallesAdicionales`, 'no admite valores vacíos');
  });
  (body.totales ?? []).forEach((row, index) => {
    const at = `totalImpuesto ${index + 1}`;
    need(
      row.codigo !== undefined && row.codigo_porcentaje !== undefined,
      at,
      'faltan codigo y codigoPorcentaje',
    );
    amount(`${at} baseImponible`, row.base_imponible, 2);
    amount(`${at} valor`, row.valor, 2);
    amount(`${at} tarifa`, row.tarifa, 2);
  });
  (factura?.pagos ?? []).forEach((pago, index) => {
    const at = `pago ${index + 1}`;
    need(pago.tipo !== undefined && pago.total !== undefined, at, 'faltan formaPago y total');
    amount(`${at} total`, pago.total, 2);
    amount(`${at} plazo`, pago.plazo, 2);
    matches(`${at} unidadTiempo`, pago.tiempo, /^[^\n]{1,10}$/, 'hasta 10 caracteres');
  });
  need(
    (body.informacion_adicional ?? []).every(isFilled),
    'campoAdicional',
    'no admite nombres ni valores vacíos',
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids exactly these characters.
  const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;
  need(!hasText(body, forbidden), 'texto', 'contiene caracteres de control que XML no admite');
  return faults;
}

const isFilled = (entry: { nombre: string; detalle: string }) => entry.nombre !== '' && entry.detalle !== '';

function hasText(value: unknown, pattern: RegExp): boolean {
  if (typeof value === 'string') return pattern.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some((v) => hasText(v, pattern));
}
