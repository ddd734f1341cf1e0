import type { DocumentKind } from '../../domain/document.ts';
import { type Decimal, decimal, toAmount } from '../../domain/money.ts';
import type { AuthorizedXml } from '../../service/authorized-xml.ts';
import { authorizedTaxes, taxWords } from '../tax-rows.ts';
import type { CsvStyle } from './document-row.ts';

export const summaryColumns: readonly string[] = [
  'RUC emisor',
  'Ambiente',
  'Impuesto',
  'Base en facturas',
  'Valor en facturas',
  'Base en notas de crédito',
  'Valor en notas de crédito',
  'Base neta',
  'Valor neto',
];

interface Row {
  ruc: string;
  ambiente: string;
  codigo: string;
  codigoPorcentaje: string;
  base: Record<DocumentKind, Decimal>;
  valor: Record<DocumentKind, Decimal>;
}

interface IvaSummary {
  add(kind: DocumentKind, xml: AuthorizedXml): void;
  rows(style: CsvStyle): string[][];
}

const nothing = () => ({ factura: decimal(0), 'nota-credito': decimal(0) });

export function openIvaSummary(): IvaSummary {
  const rows = new Map<string, Row>();
  return {
    add(kind, xml) {
      for (const { codigo, codigoPorcentaje, base, valor } of authorizedTaxes(xml.totalImpuestos)) {
        const of = { ruc: xml.ruc, ambiente: xml.ambiente ?? '', codigo, codigoPorcentaje };
        const name = [of.ruc, of.ambiente, codigo, codigoPorcentaje.padStart(4, '0')].join(' ');
        const row = rows.get(name) ?? { ...of, base: nothing(), valor: nothing() };
        rows.set(name, row);
        row.base[kind] = row.base[kind].plus(base);
        row.valor[kind] = row.valor[kind].plus(valor);
      }
    },
    rows: (style) =>
      [...rows]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, { ruc, ambiente, base, valor, ...tax }]) => {
          const amount = (value: Decimal) => style.amount(toAmount(value));
          return [
            style.digits(ruc),
            ambiente,
            taxWords(tax),
            amount(base.factura),
            amount(valor.factura),
            amount(base['nota-credito']),
            amount(valor['nota-credito']),
            amount(base.factura.minus(base['nota-credito'])),
            amount(valor.factura.minus(valor['nota-credito'])),
          ];
        }),
  };
}
