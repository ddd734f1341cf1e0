import { tolerance } from '../emission/arithmetic.ts';
import { exact } from '../emission/decimals.ts';
import type { RetencionDocument } from '../emission/documents.ts';
import { sustentoFigures } from '../emission/retencion.ts';
import type { Check } from './structure-check.ts';
import { dateThatIsNone } from './supporting-document.ts';
import { type Finding, withheldTaxes } from './tables.ts';

// What the authority looks at in a comprobante de retención beside what it looks at in every document.

/** What ComprobanteRetencion_V2.0.0.xsd, or V1.0.0 where it is asked for, refuses of its own elements. */
export function retencionStructure(check: Check, document: RetencionDocument): void {
  const { body, informacionAdicional } = document;
  const { oneLine, day, amount, matches } = check;
  oneLine('razonSocialSujetoRetenido', body.proveedor.razon_social);
  oneLine('identificacionSujetoRetenido', body.proveedor.identificacion);
  day('fechaEmisionDocSustento', body.sustento.fecha_documento_sustento);
  body.retenciones.forEach((row, index) => {
    const at = `retencion ${index + 1}`;
    oneLine(`${at} codigoRetencion`, row.codigo_retencion);
    amount(`${at} baseImponible`, row.base_imponible, 2, 14);
    amount(`${at} porcentajeRetener`, row.porcentaje_retencion, 2, 3);
    amount(`${at} valorRetenido`, row.valor_retenido, 2, 14);
  });
  if (body.version === '1.0.0') {
    matches('codDocSustento', body.sustento.codigo_documento_sustento, /^\d{2}$/, 'debe tener dos dígitos');
    return;
  }
  const special = body.emisor.contribuyente_especial;
  matches('contribuyenteEspecial', special, /^[A-Za-z0-9]{3,5}$/, '3 a 5 letras o dígitos');
  day('fechaRegistroContable', body.sustento.fecha_registro_contable);
  for (const { nombre, detalle } of informacionAdicional) {
    oneLine('campoAdicional nombre', nombre);
    oneLine('campoAdicional', detalle);
  }
  sustentoStructure(check, body.sustento);
}

function sustentoStructure({ amount }: Check, sustento: RetencionDocument['body']['sustento']): void {
  for (const [index, sums] of (sustento.gastos ?? []).entries()) {
    const at = `gasto ${index + 1}`;
    amount(`${at} subtotal_iva`, sums.subtotal_iva, 2, 14);
    amount(`${at} subtotal_siniva`, sums.subtotal_siniva, 2, 14);
    amount(`${at} subtotal_ivacero`, sums.subtotal_ivacero, 2, 14);
    amount(`${at} tarifa_ice`, sums.tarifa_ice, 2, 3);
    amount(`${at} valor_ice`, sums.valor_ice, 2, 14);
  }
  for (const [index, line] of (sustento.items ?? []).entries()) {
    amount(`detalle ${index + 1} valor_ice`, line.valor_ice, 2, 14);
  }
  const { totalSinImpuestos, importeTotal, impuestos } = sustentoFigures(sustento);
  for (const { codigoPorcentaje, base, tarifa, valor } of impuestos) {
    const at = `impuestoDocSustento ${codigoPorcentaje}`;
    amount(`${at} baseImponible`, base, 2, 14);
    amount(`${at} tarifa`, tarifa, 2, 3);
    amount(`${at} valorImpuesto`, valor, 2, 14);
  }
  amount('totalSinImpuestos', totalSinImpuestos, 2, 14);
  amount('importeTotal', importeTotal, 2, 14);
}

/** A day that does not exist, or a document that is later than what is withheld on it: error 67. */
export function impossibleSustentoDate({ body, fechaEmision }: RetencionDocument): Finding | undefined {
  const { fecha_documento_sustento: fecha, fecha_registro_contable: registro } = body.sustento;
  const none = dateThatIsNone(fecha, registro);
  if (none || fecha <= fechaEmision) return none;
  return [67, `El documento de sustento (${fecha}) es posterior a la retención (${fechaEmision})`];
}

/** Error 52: what was withheld is not base × percentage. */
export function withheldDifferences({ body }: RetencionDocument): string[] {
  return body.retenciones.flatMap((row, index) => {
    const expected = exact(row.base_imponible).times(row.porcentaje_retencion).dividedBy(100);
    if (expected.minus(row.valor_retenido).abs().lessThanOrEqualTo(tolerance)) return [];
    const name = `${withheldTaxes[row.codigoimpuesto]} ${row.codigo_retencion}`;
    return [
      `El valor retenido ${row.valor_retenido} de la retención ${index + 1} (${name}) no es igual al calculado ${expected.toFixed(2)}`,
    ];
  });
}
