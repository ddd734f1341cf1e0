import type { NotaCreditoBody } from './nota-credito.ts';

/** The document a nota de crédito changes, as the tax authority writes it. */
export interface ModifiedDocument {
  /** Document type of two digits; anything else is what the client sent. */
  tipo: string;
  establecimiento: string;
  puntoEmision: string;
  secuencial: string;
  /** `001-001-000000001` */
  numero: string;
  /** `YYYY/MM/DD` */
  fecha: string;
  motivo: string;
}

/** Reads `documento_modificado` in both its spellings: `"01"` or 1, with dashes or without (assumption A21). */
export function modifiedDocument({ documento_modificado: given }: NotaCreditoBody): ModifiedDocument {
  const digits = given.numero_documento_sustento.replaceAll('-', '');
  const [establecimiento, puntoEmision, secuencial] = [
    digits.slice(0, 3),
    digits.slice(3, 6),
    digits.slice(6),
  ];
  return {
    tipo: String(given.codigo_documento_sustento).padStart(2, '0'),
    establecimiento,
    puntoEmision,
    secuencial,
    numero: `${establecimiento}-${puntoEmision}-${secuencial}`,
    fecha: given.fecha_documento_sustento,
    motivo: given.motivo,
  };
}
