import { dayFirst } from '../../clock.ts';
import { exact, money } from '../../emission/decimals.ts';
import type { RetencionDocument } from '../../emission/documents.ts';
import type { Tax } from '../../emission/line-taxes.ts';
import { type Retencion, sustentoFigures } from '../../emission/retencion.ts';
import { comprobante } from './shared-blocks.ts';
import { branch, leaf, type XmlElement } from './xml.ts';

/** The comprobante de retención as the tax authority receives it: version 2.0.0, or 1.0.0 where it is asked for. */
export function writeRetencion(document: RetencionDocument): string {
  const { version = '2.0.0' } = document.body;
  const rows =
    version === '2.0.0'
      ? branch('docsSustento', [docSustento(document)])
      : branch(
          'impuestos',
          document.body.retenciones.map((row) => impuesto(document, row)),
        );
  const root = { name: 'comprobanteRetencion', version };
  return comprobante(root, document, [infoCompRetencion(document, version), rows]);
}

function infoCompRetencion({ body, fechaEmision }: RetencionDocument, version: string): XmlElement {
  const { emisor, proveedor } = body;
  return branch(
    'infoCompRetencion',
    leaf('fechaEmision', dayFirst(fechaEmision)),
    leaf('dirEstablecimiento', emisor.direccion_establecimiento),
    leaf('contribuyenteEspecial', emisor.contribuyente_especial),
    leaf('obligadoContabilidad', emisor.obligado_contabilidad),
    leaf('tipoIdentificacionSujetoRetenido', proveedor.tipo_identificacion),
    // Nothing in the body says that the two are related.
    leaf('parteRel', version === '2.0.0' ? 'NO' : undefined),
    leaf('razonSocialSujetoRetenido', proveedor.razon_social),
    leaf('identificacionSujetoRetenido', proveedor.identificacion),
    leaf('periodoFiscal', fiscalPeriod(fechaEmision)),
  );
}

/** `2026/11/20` as `11/2026`. */
export const fiscalPeriod = (day: string) => dayFirst(day).slice(3);

/** Version 2.0.0: the supplier's document with what is withheld on it. */
function docSustento({ body }: RetencionDocument): XmlElement {
  const { sustento } = body;
  const figures = sustentoFigures(sustento);
  // The body states no payment, and the schema wants one.
  const pago = branch('pago', leaf('formaPago', '20'), leaf('total', figures.importeTotal));
  return branch(
    'docSustento',
    leaf('codSustento', sustento.codigo_sustento_tributario),
    leaf('codDocSustento', sustento.codigo_documento_sustento),
    leaf('numDocSustento', sustento.numero_documento_sustento),
    leaf('fechaEmisionDocSustento', dayFirst(sustento.fecha_documento_sustento)),
    leaf('fechaRegistroContable', dayFirst(sustento.fecha_registro_contable)),
    leaf('numAutDocSustento', sustento.numero_autorizacion),
    // 01: paid in Ecuador.
    leaf('pagoLocExt', '01'),
    leaf('totalSinImpuestos', figures.totalSinImpuestos),
    leaf('importeTotal', figures.importeTotal),
    [branch('impuestosDocSustento', figures.impuestos.map(impuestoDocSustento))],
    [
      branch(
        'retenciones',
        body.retenciones.map((row) => branch('retencion', withheld(row))),
      ),
    ],
    [branch('pagos', [pago])],
  );
}

const impuestoDocSustento = (tax: Tax) =>
  branch(
    'impuestoDocSustento',
    leaf('codImpuestoDocSustento', tax.codigo),
    leaf('codigoPorcentaje', tax.codigoPorcentaje),
    leaf('baseImponible', tax.base),
    leaf('tarifa', tax.tarifa),
    leaf('valorImpuesto', tax.valor),
  );

/** Version 1.0.0: one tax withheld, with the document it is withheld on. */
const impuesto = ({ body: { sustento } }: RetencionDocument, row: Retencion) =>
  branch(
    'impuesto',
    withheld(row),
    leaf('codDocSustento', sustento.codigo_documento_sustento),
    leaf('numDocSustento', sustento.numero_documento_sustento),
    leaf('fechaEmisionDocSustento', dayFirst(sustento.fecha_documento_sustento)),
  );

const withheld = (row: Retencion): XmlElement[] => [
  ...leaf('codigo', String(row.codigoimpuesto)),
  ...leaf('codigoRetencion', row.codigo_retencion),
  ...leaf('baseImponible', money(exact(row.base_imponible))),
  ...leaf('porcentajeRetener', money(exact(row.porcentaje_retencion))),
  ...leaf('valorRetenido', money(exact(row.valor_retenido))),
];
