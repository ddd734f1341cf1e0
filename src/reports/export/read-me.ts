import type { Month } from './month.ts';

export interface ReadMeFacts {
  month: Month;
  facturas: number;
  creditNotes: number;
  missing: number;
  forExcel: boolean;
  /** When it was made, in Ecuador: "2026-12-01 08:00". */
  madeAt: string;
}

/** LEEME.txt: what the archive holds, in Spanish. */
export function readMe({ month, facturas, creditNotes, missing, forExcel, madeAt }: ReadMeFacts): string {
  const lines = [
    `Comprobantes electrónicos de ${month}`,
    `Generado el ${madeAt} (hora de Ecuador).`,
    '',
    `Contiene ${facturas} facturas y ${creditNotes} notas de crédito autorizadas por el SRI, por su fecha de emisión.`,
    '',
    'facturas.csv            un renglón por factura: comprador, base y valor por cada tarifa de IVA, ICE, total y forma de pago.',
    'notas-de-credito.csv    lo mismo por nota de crédito, con el documento que modifica y el motivo.',
    'resumen-iva.csv         un renglón por tarifa: facturas y notas de crédito por separado, y el neto; sin los de estado ANULADO.',
    'huecos.csv              cada número de la serie sin comprobante autorizado en el mes, y por qué.',
    'faltantes.csv           cada XML o PDF que no se pudo obtener; vacío si no falta ninguno.',
    'facturas/, notas-de-credito/    el XML autorizado y el PDF de cada uno, por número y clave de acceso.',
    '',
    'Las cifras se leen del XML que autorizó el SRI, al centavo. Un comprobante cuyo XML falta no está en las tablas: está en faltantes.csv.',
    missing === 0
      ? 'No falta ningún archivo.'
      : `ATENCIÓN: faltan ${missing} archivos; vea faltantes.csv y repita la exportación antes de declarar.`,
    '',
    forExcel
      ? 'Las tablas se abren con doble clic en Excel configurado para Ecuador (separador «;», coma decimal). Las claves y las identificaciones van como ="…" para que Excel no las convierta en números. Para otros programas, exporte con --plain.'
      : 'Las tablas están escritas para programas: separador «,», punto decimal, UTF-8 (RFC 4180).',
    'Un texto que empieza con =, +, - o @ lleva un apóstrofo delante, para que ninguna hoja de cálculo lo ejecute como fórmula.',
    '',
    'Este archivo contiene datos personales de compradores: guárdelo y envíelo cifrado, y bórrelo cuando no lo necesite (LOPDP).',
  ];
  return `${lines.join('\r\n')}\r\n`;
}
