import { ivaTable } from '../../../mappers/index.ts';
import { type Document, documentNumber } from '../../domain/document.ts';
import { decimal, sum, toAmount } from '../../domain/money.ts';
import type { AuthorizedXml } from '../../service/authorized-xml.ts';
import { authorizedTaxes, type TaxRow } from '../tax-rows.ts';
import type { CsvStyle } from './cells.ts';

/** One authorised document as the accountant's tables tell it; figures are the authorised XML's. */
export interface ExportedDocument {
  document: Document;
  xml: AuthorizedXml;
}

/** The rates of IVA a row has columns for: those that are, then those that were. */
const rates = [...ivaTable].sort((a, b) => Number(a.until !== null) - Number(b.until !== null));
const isTaxed = ({ rate }: (typeof rates)[number]) => !decimal(rate).isZero();

export const documentColumns: readonly string[] = [
  'RUC emisor',
  'Ambiente',
  'Fecha de emisión',
  'Número',
  'Clave de acceso',
  'Autorizado',
  'Estado',
  'Tipo de identificación',
  'Identificación',
  'Comprador',
  ...rates.flatMap((row) => [`Base ${row.name}`, ...(isTaxed(row) ? [`Valor ${row.name}`] : [])]),
  'Total IVA',
  'ICE',
  'IRBPNR',
  'Total',
  'Formas de pago',
  'Documento modificado',
  'Motivo',
  'Tienda',
  'Pedido',
];

export function documentRow({ document, xml }: ExportedDocument, style: CsvStyle): string[] {
  const taxes = authorizedTaxes(xml.totalImpuestos);
  const of = (codigo: string, code: string | null, what: 'base' | 'valor') =>
    style.amount(addedUp(taxes, codigo, code, what));
  return [
    style.digits(xml.ruc),
    String(document.ambiente),
    xml.fechaEmision,
    documentNumber(document) ?? xml.numero,
    style.digits(xml.claveAcceso),
    document.authorizedAt ?? '',
    document.annulledAt === null ? 'AUTORIZADO' : 'ANULADO',
    style.digits(xml.tipoIdentificacionComprador ?? ''),
    style.digits(xml.identificacionComprador),
    style.text(xml.razonSocialComprador ?? ''),
    ...rates.flatMap((row) => [
      of('2', String(row.code), 'base'),
      ...(isTaxed(row) ? [of('2', String(row.code), 'valor')] : []),
    ]),
    of('2', null, 'valor'),
    of('3', null, 'valor'),
    of('5', null, 'valor'),
    style.amount(toAmount(xml.importeTotal)),
    xml.pagos
      .map(({ formaPago, total }) => `${formaPago}: ${style.amount(toAmount(total ?? '0'))}`)
      .join(' + '),
    xml.documentoModificado?.numero ?? '',
    style.text(xml.documentoModificado?.motivo ?? ''),
    document.storeId,
    style.text(document.orderName),
  ];
}

/** Of one tax of a document; every code of it where `code` is null. */
function addedUp(
  taxes: readonly TaxRow[],
  codigo: string,
  code: string | null,
  what: 'base' | 'valor',
): string {
  const rows = taxes.filter(
    (tax) => tax.codigo === codigo && (code === null || tax.codigoPorcentaje === code),
  );
  return toAmount(sum(rows.map((row) => row[what])));
}
